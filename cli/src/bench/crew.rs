//! The work of a pass: batches of text, and threads that share them.

use std::slice::IterMut;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::hash::Fnv;
use super::report::Histogram;
use super::{Contestant, Text};
use rapidoku::file::Error;
use rapidoku::file::internal::{skip_byte_order_mark, thread_pool};
use rapidoku::file::{Layout, Records};
use rapidoku::{Level, Outcomes, Work};

/// A stretch of text with what it came to.
pub struct Batch<'t> {
    pub text: &'t [u8],
    layout: &'t Layout,
    pub records: usize,
    pub outcomes: Outcomes,
    pub work: Work,
    pub clock: Clock,
}

/// Where a batch's time went.
#[derive(Default)]
pub struct Clock {
    pub parse: Duration,
    pub solve: Duration,
}

/// Cuts the text at line ends into batches of about `size` bytes.
pub fn cut<'t>(text: &'t Text, size: usize) -> Vec<Batch<'t>> {
    let (layout, mut text) = (&text.layout, skip_byte_order_mark(&text.lines));
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
            work: Work::default(),
            clock: Clock::default(),
        });
        text = rest;
    }
    batches
}

/// The threads of a contestant, and what each needs for itself.
pub struct Crew {
    pool: rayon::ThreadPool,
    desks: Vec<Mutex<Scratch>>,
}

#[derive(Default)]
struct Scratch {
    records: Records,
    /// How long its batches took.
    batches: Histogram,
}

impl Crew {
    pub fn new(threads: usize) -> Result<Crew, Error> {
        let desks = (0..threads).map(|_| Mutex::default()).collect();
        Ok(Crew { pool: thread_pool(threads)?, desks })
    }

    /// Solves every batch once and tells how long that took.
    pub fn pass(&self, batches: &mut [Batch], who: &Contestant) -> Duration {
        let start = Instant::now();
        let queue = Mutex::new(batches.iter_mut());
        self.pool.broadcast(|thread| {
            let mut desk = self.desks[thread.index()].lock().unwrap();
            while let Some(batch) = next(&queue) {
                let time = batch.solve(&mut desk.records, who);
                desk.batches.add(time);
            }
        });
        start.elapsed()
    }

    /// How long the batches took since this was last asked.
    pub fn take_latencies(&self) -> Histogram {
        let mut all = Histogram::default();
        for desk in &self.desks {
            all.merge(std::mem::take(&mut desk.lock().unwrap().batches));
        }
        all
    }
}

/// Takes a batch; the lock is gone when this returns, not when the batch is done.
fn next<'q, 't>(queue: &Mutex<IterMut<'q, Batch<'t>>>) -> Option<&'q mut Batch<'t>> {
    queue.lock().unwrap().next()
}

impl Batch<'_> {
    /// Reads its records.
    pub fn read(&self, records: &mut Records, level: Level) {
        records.read_as(self.layout, self.text, level);
    }

    fn solve(&mut self, records: &mut Records, who: &Contestant) -> Duration {
        let start = Instant::now();
        self.read(records, who.level);
        self.records = records.len();
        let parsed = Instant::now();
        self.work = (who.solve)(records.puzzle_slice(), who.limits, &mut self.outcomes);
        let solved = Instant::now();
        self.clock.parse += parsed - start;
        self.clock.solve += solved - parsed;
        solved - start
    }
}

pub fn outcomes_hash(batches: &[Batch]) -> Fnv {
    let mut hash = Fnv::START;
    for outcomes in batches.iter().map(|batch| &batch.outcomes) {
        let counts = outcomes.solution_counts().iter().zip(outcomes.guesses());
        for ((status, (solutions, guesses)), row) in
            outcomes.statuses().iter().zip(counts).zip(outcomes.rows())
        {
            hash.add(&[*status as u8]);
            hash.add(&solutions.to_le_bytes());
            hash.add(&guesses.to_le_bytes());
            hash.add(row);
        }
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_at_line_ends_and_loses_nothing() {
        let text = b"one\ntwo\n\nthree";
        for size in 0..20 {
            let lines = text.into();
            let batches = cut(&lines, size);
            assert!(batches.iter().rev().skip(1).all(|batch| batch.text.ends_with(b"\n")));
            assert_eq!(batches.iter().flat_map(|batch| batch.text).copied().collect::<Vec<_>>(), text);
        }
    }
}
