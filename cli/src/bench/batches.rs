//! The batches of a text, and a part of a text.

use rapidoku::file::internal::MAX_BATCH;
use rapidoku::file::{Layout, Records};
use rapidoku::rating::Rating;
use rapidoku::{Outcomes, SimdLevel};
use rapidoku_jobs::hash;

use super::Text;

/// A part of the text, and its outcomes in the latest pass.
pub struct Batch<'t> {
    pub text: &'t [u8],
    pub records: usize,
    pub outcomes: Outcomes,
    /// The rating of each record, if the entry rates.
    pub ratings: Vec<Rating>,
}

/// Splits the text at line ends into batches of about `size` bytes.
pub fn split_into_batches(text: &Text, size: usize) -> Vec<Batch<'_>> {
    let mut text = &*text.lines;
    let mut batches = Vec::new();
    while !text.is_empty() {
        let from = size.min(text.len());
        let end = memchr::memchr(b'\n', &text[from..]).map_or(text.len(), |at| from + at + 1);
        let (batch, rest) = text.split_at(end);
        let (outcomes, ratings) = (Outcomes::default(), Vec::new());
        batches.push(Batch { text: batch, records: 0, outcomes, ratings });
        text = rest;
    }
    batches
}

/// A text of `count` of the records of another one, one from each of as many parts of equal size; `None` if there are
/// not more. Multiples of the golden ratio modulo 1 are the places in the parts, so that they do not align with a
/// period of the text.
pub fn spread(text: &Text, count: usize) -> Option<Text> {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let (mut records, mut all) = (Records::default(), Vec::new());
    for batch in split_into_batches(text, MAX_BATCH) {
        batch.parse(&mut records, SimdLevel::default());
        let line = |start: u32| batch.text[start as usize..].split(|&byte| byte == b'\n').next().unwrap_or_default();
        all.extend(records.starts().iter().map(|&start| line(start)));
    }
    if all.len() <= count {
        return None;
    }
    let record = |k: usize| {
        let part = &all[k * all.len() / count..(k + 1) * all.len() / count];
        part[((k as f64 * GOLDEN).fract() * part.len() as f64) as usize]
    };
    let lines = (0..count).flat_map(|k| [record(k), b"\n"]).flatten().copied().collect();
    Some(Text { lines, has_pencilmarks: text.has_pencilmarks })
}

impl Batch<'_> {
    /// Parses the records of the batch.
    pub fn parse(&self, records: &mut Records, level: SimdLevel) {
        records.read(Layout::lines(), self.text, level, usize::MAX);
    }
}

/// The hash of all outcomes, as described at
/// [`EntryReport::outcomes_hash`](super::EntryReport::outcomes_hash).
pub fn outcomes_hash(batches: &[Batch]) -> u64 {
    batches.iter().fold(hash::START, |hash, batch| hash::add_outcomes(hash, &batch.outcomes, &batch.ratings))
}
