//! The batches of a text, and a part of a text. Hashes of texts and outcomes.

use rapidoku::file::internal::MAX_BATCH;
use rapidoku::file::{Layout, Records};
use rapidoku::rating::Rating;
use rapidoku::{Outcomes, SimdLevel};

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

/// The start of [`fnv`].
pub const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;

/// Adds bytes to a hash: FNV-1a with 64 bits. Not fast, but simple enough that anyone can reproduce a hash.
/// Source: Fowler, Noll and Vo; the 1a variant multiplies after the exclusive or.
pub fn fnv(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The hash of all outcomes, as described at
/// [`EntryReport::outcomes_hash`](super::EntryReport::outcomes_hash).
pub fn outcomes_hash(batches: &[Batch]) -> u64 {
    let mut hash = FNV_START;
    for Batch { outcomes, ratings, .. } in batches {
        for (k, row) in outcomes.rows().iter().enumerate() {
            hash = fnv(hash, &[outcomes.statuses()[k] as u8]);
            hash = fnv(hash, &outcomes.solution_counts()[k].to_le_bytes());
            hash = fnv(hash, &outcomes.guesses()[k].to_le_bytes());
            hash = fnv(hash, row);
            if let Some(rating) = ratings.get(k) {
                let all = [rating.er, rating.ep, rating.ed];
                hash = all.iter().fold(hash, |hash, tenths| fnv(hash, &tenths.0.to_le_bytes()));
            }
        }
    }
    hash
}
