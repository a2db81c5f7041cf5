//! A pass over a text: batches, and the threads that share them.

use std::slice::IterMut;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use rapidoku::file::internal::thread_pool;
use rapidoku::file::{Error, Layout, Records};
use rapidoku::rating::Rating;
use rapidoku::{Outcomes, SimdLevel, Work};

use super::hash::Fnv;
use super::report::Histogram;
use super::{Entry, Text};

/// A part of the text, and its outcomes in the latest pass.
pub struct Batch<'t> {
    pub text: &'t [u8],
    layout: &'t Layout,
    pub records: usize,
    pub outcomes: Outcomes,
    /// The rating of each record, if the entry rates.
    pub ratings: Vec<Rating>,
    pub work: Work,
    pub timings: Timings,
}

/// The time that a batch took in all passes.
#[derive(Default)]
pub struct Timings {
    pub parse: Duration,
    pub solve: Duration,
}

/// Splits the text at line ends into batches of about `size` bytes.
pub fn split_into_batches<'t>(text: &'t Text, size: usize) -> Vec<Batch<'t>> {
    let (layout, mut text) = (&text.layout, &*text.lines);
    let mut batches = Vec::new();
    while !text.is_empty() {
        let from = size.min(text.len());
        let end = memchr::memchr(b'\n', &text[from..]).map_or(text.len(), |at| from + at + 1);
        let (batch, rest) = text.split_at(end);
        batches.push(Batch {
            text: batch,
            layout,
            records: 0,
            outcomes: Outcomes::default(),
            ratings: Vec::new(),
            work: Work::default(),
            timings: Timings::default(),
        });
        text = rest;
    }
    batches
}

/// The threads of an entry, each with its scratch memory.
pub struct WorkerPool {
    threads: rayon::ThreadPool,
    scratch: Vec<Mutex<Scratch>>,
}

/// Used by one thread only, so that its lock is never contended.
#[derive(Default)]
struct Scratch {
    records: Records,
    batch_times: Histogram,
}

impl WorkerPool {
    pub fn new(threads: usize) -> Result<WorkerPool, Error> {
        let scratch = (0..threads).map(|_| Mutex::default()).collect();
        Ok(WorkerPool { threads: thread_pool(threads)?, scratch })
    }

    /// Solves every batch once, and returns how long it took.
    pub fn run_pass(&self, batches: &mut [Batch], entry: &Entry) -> Duration {
        let start = Instant::now();
        let queue = Mutex::new(batches.iter_mut());
        self.threads.broadcast(|thread| {
            let mut scratch = self.scratch[thread.index()].lock().unwrap();
            while let Some(batch) = pop(&queue) {
                let time = batch.solve(&mut scratch.records, entry);
                scratch.batch_times.add(time);
            }
        });
        start.elapsed()
    }

    /// Returns the times of all batches since the previous call.
    pub fn take_batch_times(&self) -> Histogram {
        let mut all = Histogram::default();
        for scratch in &self.scratch {
            all.merge(std::mem::take(&mut scratch.lock().unwrap().batch_times));
        }
        all
    }
}

/// Takes a batch. A function of its own, so that the lock is released before the batch is solved.
fn pop<'q, 't>(queue: &Mutex<IterMut<'q, Batch<'t>>>) -> Option<&'q mut Batch<'t>> {
    queue.lock().unwrap().next()
}

impl Batch<'_> {
    /// Parses the records of the batch.
    pub fn parse(&self, records: &mut Records, level: SimdLevel) {
        records.read_as(self.layout, self.text, level);
    }

    fn solve(&mut self, records: &mut Records, entry: &Entry) -> Duration {
        let start = Instant::now();
        self.parse(records, entry.level);
        self.records = records.len();
        let parsed = Instant::now();
        self.work = entry.run(records.puzzle_slice(), &mut self.outcomes, &mut self.ratings);
        let solved = Instant::now();
        self.timings.parse += parsed - start;
        self.timings.solve += solved - parsed;
        solved - start
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
    fn batches_end_at_line_ends_and_lose_nothing() {
        let text = b"one\ntwo\n\nthree";
        for size in 0..20 {
            let lines = text.into();
            let batches = split_into_batches(&lines, size);
            assert!(batches.iter().rev().skip(1).all(|batch| batch.text.ends_with(b"\n")));
            assert_eq!(batches.iter().flat_map(|batch| batch.text).copied().collect::<Vec<_>>(), text);
        }
    }
}
