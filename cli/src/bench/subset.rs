//! The records that an entry is measured on: all, or an evenly spread subset.

use std::borrow::Cow;

use rapidoku::SimdLevel;
use rapidoku::file::Records;
use rapidoku::file::internal::MAX_BATCH;

use super::Text;
use super::pool::split_into_batches;

/// The number of records in a text.
pub fn count_records(text: &Text) -> usize {
    let mut records = Records::default();
    let count = |batch: super::pool::Batch| {
        batch.parse(&mut records, SimdLevel::default());
        records.len()
    };
    split_into_batches(text, MAX_BATCH).into_iter().map(count).sum()
}

/// The records that an entry is measured on.
pub struct Subset<'t> {
    pub text: Text<'t>,
    /// The indices of the records in the whole text, or `None` for all.
    pub indices: Option<Vec<usize>>,
}

impl<'t> Subset<'t> {
    /// Selects at most `max` of the `records` records of a text.
    pub fn new(max: Option<usize>, text: &'t Text, records: usize) -> Subset<'t> {
        let Some(max) = max.filter(|&max| max < records) else {
            return Subset { text: text.into(), indices: None };
        };
        let indices = spread_indices(max.max(1), records);
        let (mut selected, mut parsed, mut records_before) = (Vec::new(), Records::default(), 0);
        let mut next = indices.iter().peekable();
        for batch in split_into_batches(text, MAX_BATCH) {
            batch.parse(&mut parsed, SimdLevel::default());
            let end = records_before + parsed.starts().len();
            while let Some(index) = next.next_if(|&&index| index < end) {
                let start = parsed.starts()[index - records_before] as usize;
                let line = batch.text[start..].split(|&byte| byte == b'\n').next();
                selected.extend_from_slice(line.unwrap_or_default());
                selected.push(b'\n');
            }
            records_before = end;
        }
        let text = Text {
            lines: Cow::Owned(selected),
            layout: text.layout.clone(),
            has_pencilmarks: text.has_pencilmarks,
        };
        Subset { text, indices: Some(indices) }
    }

    /// The indices of the records in the whole text of `records` records.
    pub fn indices(&self, records: usize) -> Box<dyn Iterator<Item = usize> + '_> {
        match &self.indices {
            Some(indices) => Box::new(indices.iter().copied()),
            None => Box::new(0..records),
        }
    }
}

/// About `count` of the indices below `records`, ascending: multiples of the golden ratio modulo 1.
fn spread_indices(count: usize, records: usize) -> Vec<usize> {
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
    fn a_subset_is_spread_over_all_records() {
        let indices = spread_indices(100, 10_000);
        assert!(indices.len() > 95 && indices.is_sorted());
        assert!(indices.windows(2).all(|pair| (30..=250).contains(&(pair[1] - pair[0]))), "{indices:?}");
        // Every residue modulo 20 occurs. A constant step of 100 would select only one.
        let residues: std::collections::HashSet<_> = indices.iter().map(|index| index % 20).collect();
        assert_eq!(residues.len(), 20);
    }

    #[test]
    fn a_subset_consists_of_whole_records() {
        let text = b"# head\n11\n\n22 tail\n33\n44";
        let text = &text.into();
        let subset = Subset::new(Some(2), text, 4);
        assert_eq!(subset.indices.as_deref(), Some(&[0, 2][..]));
        assert_eq!(&*subset.text.lines, b"11\n33\n");
        assert!(Subset::new(Some(4), text, 4).indices.is_none());
    }
}
