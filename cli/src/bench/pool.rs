//! A pass over a text: batches, and the threads that share them. Hashes of texts and outcomes.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use rapidoku::file::internal::{MAX_BATCH, thread_pool};
use rapidoku::file::{Error, Layout, Records};
use rapidoku::rating::Rating;
use rapidoku::{Outcomes, SimdLevel};

use super::{Entry, Text};

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
        let line =
            |start: u32| batch.text[start as usize..].split(|&byte| byte == b'\n').next().unwrap_or_default();
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

/// The threads of an entry, each with memory for the records of a batch. A lock is used by one thread only, so it is
/// never contended.
pub struct WorkerPool {
    threads: rayon::ThreadPool,
    records: Vec<Mutex<Records>>,
}

impl WorkerPool {
    pub fn new(threads: usize) -> Result<WorkerPool, Error> {
        let records = (0..threads).map(|_| Mutex::default()).collect();
        Ok(WorkerPool { threads: thread_pool(threads)?, records })
    }

    /// Solves every batch once, and returns how long it took.
    pub fn run_pass(&self, batches: &mut [Batch], entry: &Entry) -> Duration {
        let start = Instant::now();
        let queue = Mutex::new(batches.iter_mut());
        self.threads.broadcast(|thread| {
            let mut records = self.records[thread.index()].lock().unwrap();
            loop {
                // The lock is released before the batch is solved.
                let Some(batch) = queue.lock().unwrap().next() else { break };
                batch.parse(&mut records, entry.simd.unwrap_or_default());
                batch.records = records.len();
                entry.run(records.puzzle_slice(), &mut batch.outcomes, &mut batch.ratings);
            }
        });
        start.elapsed()
    }
}

impl Batch<'_> {
    /// Parses the records of the batch.
    pub fn parse(&self, records: &mut Records, level: SimdLevel) {
        records.read(Layout::lines(), self.text, level, usize::MAX);
    }
}

/// FNV-1a with 64 bits. Not fast, but simple enough that anyone can reproduce a hash.
/// Source: Fowler, Noll and Vo; the 1a variant multiplies after the exclusive or.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Fnv(u64);

impl Fnv {
    pub const START: Fnv = Fnv(0xcbf2_9ce4_8422_2325);

    pub fn of(bytes: &[u8]) -> Fnv {
        let mut hash = Fnv::START;
        hash.add(bytes);
        hash
    }

    pub fn hex(self) -> String {
        format!("{:016x}", self.0)
    }

    pub fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// The hash of all outcomes, as described at [`Report::outcomes_hash`](super::Report::outcomes_hash).
pub fn outcomes_hash(batches: &[Batch]) -> Fnv {
    let mut hash = Fnv::START;
    for Batch { outcomes, ratings, .. } in batches {
        for (k, row) in outcomes.rows().iter().enumerate() {
            hash.add(&[outcomes.statuses()[k] as u8]);
            hash.add(&outcomes.solution_counts()[k].to_le_bytes());
            hash.add(&outcomes.guesses()[k].to_le_bytes());
            hash.add(row);
            if let Some(rating) = ratings.get(k) {
                [rating.er, rating.ep, rating.ed].iter().for_each(|tenths| hash.add(&tenths.0.to_le_bytes()));
            }
        }
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_spread_over_all_records_and_consists_of_whole_ones() {
        let text = Text::from(b"# head\n11\n\n22 tail\n33\n44");
        let part = spread(&text, 2).unwrap();
        assert_eq!(&*part.lines, b"11\n44\n");
        assert!(spread(&text, 4).is_none());

        let numbers: Vec<String> = (0..10_000).map(|k| format!("{k}\n")).collect();
        let part = spread(&Text::from(&numbers.concat()), 100).unwrap();
        let part: Vec<usize> =
            str::from_utf8(&part.lines).unwrap().lines().map(|k| k.parse().unwrap()).collect();
        assert_eq!(part.len(), 100);
        assert!((0..).zip(&part).all(|(k, record)| record / 100 == k), "{part:?}");
        // Every residue modulo 20 occurs. A constant step of 100 would select only one.
        assert_eq!(part.iter().map(|k| k % 20).collect::<std::collections::HashSet<_>>().len(), 20);
    }
}
