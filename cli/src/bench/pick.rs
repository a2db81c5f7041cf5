//! Which records a contestant gets: all, or an even spread of them.

use std::borrow::Cow;

use super::Text;
use super::crew::cut;

use rapidoku::Level;
use rapidoku::file::Records;
use rapidoku::file::internal::{MAX_BATCH, line_at};

/// Records of a text.
pub fn count_records(text: &Text) -> usize {
    let mut records = Records::default();
    let batches = cut(text, MAX_BATCH);
    batches.iter().map(|batch| (batch.read(&mut records, Level::default()), records.len()).1).sum()
}

/// The records that a contestant gets.
pub struct Pick<'t> {
    pub text: Text<'t>,
    /// Where in the whole text they are, if they are not all.
    pub indices: Option<Vec<usize>>,
}

impl<'t> Pick<'t> {
    pub fn new(max: Option<usize>, text: &'t Text, records: usize) -> Pick<'t> {
        let Some(max) = max.filter(|&max| max < records) else {
            return Pick { text: text.into(), indices: None };
        };
        let indices = spread(max.max(1), records);
        let (mut picked, mut lines, mut before) = (Vec::new(), Records::default(), 0);
        let mut wanted = indices.iter().peekable();
        for batch in cut(text, MAX_BATCH) {
            batch.read(&mut lines, Level::default());
            let end = before + lines.len();
            while let Some(index) = wanted.next_if(|&&index| index < end) {
                picked.extend_from_slice(line_at(batch.text, lines.starts()[index - before] as usize));
                picked.push(b'\n');
            }
            before = end;
        }
        let text = Text { lines: Cow::Owned(picked), layout: text.layout.clone() };
        Pick { text, indices: Some(indices) }
    }

    pub fn indices(&self, records: usize) -> Box<dyn Iterator<Item = usize> + '_> {
        match &self.indices {
            Some(indices) => Box::new(indices.iter().copied()),
            None => Box::new(0..records),
        }
    }
}

/// Some `count` of the indices below `records`, ascending.
fn spread(count: usize, records: usize) -> Vec<usize> {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let at = |k: usize| ((k as f64 * GOLDEN).fract() * records as f64) as usize;
    let mut indices: Vec<_> = (0..count).map(|k| at(k).min(records - 1)).collect();
    indices.sort_unstable();
    indices.dedup();
    indices
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_spread_over_all_records() {
        let indices = spread(100, 10_000);
        assert!(indices.len() > 95 && indices.is_sorted());
        assert!(indices.windows(2).all(|pair| (30..=250).contains(&(pair[1] - pair[0]))), "{indices:?}");
        // No line of every twenty is left out, as it would be with a plain step of 100.
        let residues: std::collections::HashSet<_> = indices.iter().map(|index| index % 20).collect();
        assert_eq!(residues.len(), 20);
    }

    #[test]
    fn a_pick_is_made_of_whole_records() {
        let text = b"# head\n11\n\n22 tail\n33\n44";
        let text = &text.into();
        let pick = Pick::new(Some(2), text, 4);
        assert_eq!(pick.indices.as_deref(), Some(&[0, 2][..]));
        assert_eq!(&*pick.text.lines, b"11\n33\n");
        assert!(Pick::new(Some(4), text, 4).indices.is_none());
    }
}
