//! Times a solver from text in memory to solutions in memory, and gives no time without an answer.
//!
//! [`run`] cuts the text into batches once, then makes passes over all of it: a pass parses each
//! batch into puzzles and solves them into rows of text, on as many threads as asked for. A round is
//! one pass, or as many as it takes to last [`ROUND_TIME`]; the rate of a round is puzzles over time.
//! Nothing is read, written or checked inside a round.
//!
//! Between rounds all outcomes are hashed ([`outcomes_hash`](Report::outcomes_hash)), and after the
//! last one every outcome is checked by [`verify`]. When a hash differs or an outcome
//! is wrong there is a [`Refusal`] instead of a [`Report`].

use std::fmt;
use std::slice::IterMut;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::engine::{BLANK_ROW, Outcomes, ROW, Search, Work};
use crate::error::Error;
use crate::grid::{Puzzle, Solution, Status};
use crate::pipeline;
use crate::record::{self, Records};
use crate::stats::Counts;
use crate::verify;

/// The least time that a round takes. Shorter files are solved several times a round, because the
/// clock, the scheduler and the waking of threads would drown a single pass.
pub const ROUND_TIME: Duration = Duration::from_millis(100);

/// How to measure.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// What the solver is told to look for; the checker holds the outcomes against it.
    pub search: Search,
    /// Threads that share the batches, 0 for as many as the machine has.
    pub threads: usize,
    /// Rounds before the timed ones.
    pub warmup: usize,
    /// Timed rounds; at least one is made.
    pub rounds: usize,
    /// Bytes of text in a batch, give or take a record and below 4 GiB; less where each thread's share is
    /// smaller. By default as many as in a run from file to file.
    pub batch_bytes: usize,
}

impl Default for Plan {
    /// One thread, search to a proof of uniqueness, one round to warm up and seven that count.
    fn default() -> Plan {
        let search = Search { limit: 2, max_guesses: u64::MAX };
        Plan { search, threads: 1, warmup: 1, rounds: 7, batch_bytes: pipeline::MAX_BATCH }
    }
}

/// What a set of puzzles came to, and how fast.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Records in the text, invalid ones included.
    pub records: usize,
    /// The same by status.
    pub counts: Counts,
    /// Guesses over all records.
    pub guesses: u64,
    /// Guesses over records.
    pub guesses_per_puzzle: f64,
    /// FNV-1a of the text, 64 bits in hexadecimal.
    pub dataset_hash: String,
    /// FNV-1a over all records in their order, 64 bits in hexadecimal. A record adds its status (one
    /// byte, its place in [`Status::ALL`]), its number of solutions and its guesses (eight bytes each,
    /// least significant first), and its row (81 cells and a line feed). The same on every machine,
    /// for every number of threads and every batch size.
    pub outcomes_hash: String,
    /// Passes over the text in each round.
    pub passes: u32,
    /// Rates of the timed rounds.
    pub puzzles_per_second: Rates,
    /// Part of the threads' working time in the timed rounds that went into parsing, `0.0..=1.0`.
    pub parse_share: f64,
    /// Lanes that held a puzzle over all lanes of all sweeps, `0.0..=1.0`; of an engine with lanes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub occupancy: Option<f64>,
}

/// Puzzles per second over the timed rounds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rates {
    /// The middle one, or the mean of the two in the middle.
    pub median: f64,
    /// The slowest round.
    pub min: f64,
    /// The fastest round.
    pub max: f64,
    /// `(max - min) / median`.
    pub spread: f64,
    /// Each round, in the order they were run.
    pub rounds: Vec<f64>,
}

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// Nothing to solve.
    #[error("no records")]
    Empty,
    /// The solver gave an answer that cannot be right.
    #[error("record {record}: {reason}; no time is given for wrong answers")]
    Wrong {
        /// The record, counted from 1.
        record: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// The outcomes of a round are not those of the rounds before it.
    #[error("the rounds disagree about the outcomes; no time is given")]
    Unsteady,
    /// The threads cannot be started.
    #[error(transparent)]
    Threads(#[from] Error),
}

/// Measures `solve` on the records of `text`.
///
/// `solve` gets the puzzles of a batch, with [`Puzzle::MALFORMED`] for a record that is none, and leaves
/// one outcome for each; [`Engine::solve`](crate::engine::Engine::solve) does that. It is called from
/// several threads at once.
///
/// # Errors
/// A [`Refusal`] where there is nothing to solve, an outcome is wrong, the rounds differ, or threads
/// cannot be had.
pub fn run<S>(text: &[u8], plan: &Plan, solve: S) -> Result<Report, Refusal>
where
    S: Fn(&[Puzzle], &mut Outcomes) -> Work + Sync,
{
    let threads = pipeline::threads(plan.threads);
    let crew = Crew::new(threads)?;
    let share = text.len().div_ceil(threads);
    let mut batches = cut(text, plan.batch_bytes.min(share));

    // The first pass fills caches and buffers; where it was short, the second tells how long one takes.
    let mut pass = crew.pass(&mut batches, &solve);
    if pass < ROUND_TIME {
        pass = crew.pass(&mut batches, &solve);
    }
    let passes = (ROUND_TIME.as_secs_f64() / pass.as_secs_f64()).ceil().clamp(1.0, 1e6) as u32;
    let hash = outcomes_hash(&batches);
    let records: usize = batches.iter().map(|batch| batch.records).sum();
    if records == 0 {
        return Err(Refusal::Empty);
    }

    let mut rates = Vec::new();
    for round in 0..plan.warmup + plan.rounds.max(1) {
        if round == plan.warmup {
            batches.iter_mut().for_each(|batch| batch.clock = Clock::default());
        }
        let time: Duration = (0..passes).map(|_| crew.pass(&mut batches, &solve)).sum();
        if round >= plan.warmup {
            rates.push(records as f64 * f64::from(passes) / time.as_secs_f64());
        }
        if outcomes_hash(&batches) != hash {
            return Err(Refusal::Unsteady);
        }
    }
    check(&batches, plan.search)?;

    let mut counts = Counts::default();
    batches.iter().for_each(|batch| counts += Counts::of(&batch.outcomes.status));
    let guesses = batches.iter().flat_map(|batch| &batch.outcomes.guesses).sum();
    Ok(Report {
        records,
        counts,
        guesses,
        guesses_per_puzzle: guesses as f64 / records as f64,
        dataset_hash: Fnv::of(text).to_string(),
        outcomes_hash: hash.to_string(),
        passes,
        puzzles_per_second: Rates::of(rates),
        parse_share: parse_share(&batches),
        occupancy: occupancy(&batches),
    })
}

/// A stretch of text with what it came to.
struct Batch<'t> {
    text: &'t [u8],
    records: usize,
    outcomes: Outcomes,
    work: Work,
    clock: Clock,
}

/// Where a batch's time went.
#[derive(Default)]
struct Clock {
    parse: Duration,
    solve: Duration,
}

/// Cuts the text at line ends into batches of about `size` bytes.
fn cut(text: &[u8], size: usize) -> Vec<Batch<'_>> {
    let mut text = record::skip_byte_order_mark(text);
    let mut batches = Vec::new();
    while !text.is_empty() {
        let from = size.min(text.len());
        let end = memchr::memchr(b'\n', &text[from..]).map_or(text.len(), |at| from + at + 1);
        let (batch, rest) = text.split_at(end);
        batches.push(Batch {
            text: batch,
            records: 0,
            outcomes: Outcomes::default(),
            work: Work::default(),
            clock: Clock::default(),
        });
        text = rest;
    }
    batches
}

/// The threads, and a buffer of records for each.
struct Crew {
    pool: rayon::ThreadPool,
    records: Vec<Mutex<Records>>,
}

impl Crew {
    fn new(threads: usize) -> Result<Crew, Error> {
        let records = (0..threads).map(|_| Mutex::default()).collect();
        Ok(Crew { pool: pipeline::pool(threads)?, records })
    }

    /// Solves every batch once and tells how long that took.
    fn pass<S>(&self, batches: &mut [Batch], solve: &S) -> Duration
    where
        S: Fn(&[Puzzle], &mut Outcomes) -> Work + Sync,
    {
        let start = Instant::now();
        let queue = Mutex::new(batches.iter_mut());
        self.pool.broadcast(|thread| {
            let mut records = self.records[thread.index()].lock().unwrap();
            while let Some(batch) = next(&queue) {
                batch.solve(&mut records, solve);
            }
        });
        start.elapsed()
    }
}

/// Takes a batch; the lock is gone when this returns, not when the batch is done.
fn next<'q, 't>(queue: &Mutex<IterMut<'q, Batch<'t>>>) -> Option<&'q mut Batch<'t>> {
    queue.lock().unwrap().next()
}

impl Batch<'_> {
    fn solve<S: Fn(&[Puzzle], &mut Outcomes) -> Work>(&mut self, records: &mut Records, solve: &S) {
        let start = Instant::now();
        records.read(self.text);
        self.records = records.puzzles.len();
        let parsed = Instant::now();
        self.work = solve(&records.puzzles, &mut self.outcomes);
        self.clock.parse += parsed - start;
        self.clock.solve += parsed.elapsed();
    }
}

/// Holds every outcome against its puzzle.
fn check(batches: &[Batch], search: Search) -> Result<(), Refusal> {
    let (mut records, mut before) = (Records::default(), 0);
    for Batch { text, outcomes, .. } in batches {
        records.read(text);
        let wrong = |i, reason| Refusal::Wrong { record: before + i + 1, reason };
        let Outcomes { status, solutions, guesses, rows } = outcomes;
        let n = records.puzzles.len();
        let lengths = [status.len(), solutions.len(), guesses.len(), rows.len()];
        if let Some(short) = lengths.into_iter().find(|&length| length != n) {
            return Err(wrong(short.min(n), format!("{short} outcomes for {n} records of a batch")));
        }
        for (i, puzzle) in records.puzzles.iter().enumerate() {
            check_one(puzzle, outcomes, i, search).map_err(|reason| wrong(i, reason))?;
        }
        before += n;
    }
    Ok(())
}

fn check_one(puzzle: &Puzzle, outcomes: &Outcomes, i: usize, search: Search) -> Result<(), String> {
    let (status, found, row) = (outcomes.status[i], outcomes.solutions[i], &outcomes.rows[i]);
    if found > search.limit {
        return Err(format!("{found} solutions, limit {}", search.limit));
    }
    let capped = status == Status::Limit && outcomes.guesses[i] >= search.max_guesses;
    let expected = match puzzle.clash() {
        None => Status::of_search(found, search.limit, capped),
        Some(_) => Status::Invalid,
    };
    if status != expected {
        return Err(format!("status {status} instead of {expected}"));
    }
    if found == 0 {
        return if *row == BLANK_ROW { Ok(()) } else { Err("a solution where there is none".into()) };
    }
    let solution = solution(row).ok_or("a row that is not 81 digits and a line feed")?;
    verify::check(puzzle, &solution).map_err(|flaw| flaw.to_string())
}

fn solution(row: &[u8; ROW]) -> Option<Solution> {
    let (cells, end) = row.split_first_chunk()?;
    let solution = Solution::from_cells(cells.map(|byte| byte.wrapping_sub(b'0')))?;
    (end == b"\n").then_some(solution)
}

fn parse_share(batches: &[Batch]) -> f64 {
    let parse: Duration = batches.iter().map(|batch| batch.clock.parse).sum();
    let solve: Duration = batches.iter().map(|batch| batch.clock.solve).sum();
    parse.as_secs_f64() / (parse + solve).as_secs_f64()
}

fn occupancy(batches: &[Batch]) -> Option<f64> {
    let mut work = Work::default();
    batches.iter().for_each(|batch| work += batch.work);
    (work.lanes > 0).then(|| work.busy_lanes as f64 / work.lanes as f64)
}

impl Rates {
    fn of(rounds: Vec<f64>) -> Rates {
        let mut sorted = rounds.clone();
        sorted.sort_by(f64::total_cmp);
        let n = sorted.len();
        let (min, max) = (sorted[0], sorted[n - 1]);
        let median = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2.0;
        Rates { median, min, max, spread: (max - min) / median, rounds }
    }
}

fn outcomes_hash(batches: &[Batch]) -> Fnv {
    let mut hash = Fnv::START;
    for Outcomes { status, solutions, guesses, rows } in batches.iter().map(|batch| &batch.outcomes) {
        for (((status, solutions), guesses), row) in status.iter().zip(solutions).zip(guesses).zip(rows) {
            hash.add(&[*status as u8]);
            hash.add(&solutions.to_le_bytes());
            hash.add(&guesses.to_le_bytes());
            hash.add(row);
        }
    }
    hash
}

/// FNV-1a, 64 bits: slow by today's measure, but short enough for anyone to redo a hash with.
/// Source: Fowler, Noll and Vo, the variant that multiplies last.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Fnv(u64);

impl Fnv {
    const START: Fnv = Fnv(0xcbf2_9ce4_8422_2325);

    fn of(bytes: &[u8]) -> Fnv {
        let mut hash = Fnv::START;
        hash.add(bytes);
        hash
    }

    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

impl fmt::Display for Fnv {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fnv_gives_the_published_values() {
        assert_eq!(Fnv::of(b"").to_string(), "cbf29ce484222325");
        assert_eq!(Fnv::of(b"a").to_string(), "af63dc4c8601ec8c");
        assert_eq!(Fnv::of(b"foobar").to_string(), "85944171f73967e8");
    }

    #[test]
    fn median_of_even_and_odd_counts() {
        assert_eq!(Rates::of(vec![3.0, 1.0, 2.0]).median, 2.0);
        let rates = Rates::of(vec![4.0, 1.0, 2.0, 3.0]);
        assert_eq!((rates.median, rates.min, rates.max, rates.spread), (2.5, 1.0, 4.0, 1.2));
    }

    #[test]
    fn cuts_at_line_ends_and_loses_nothing() {
        let text = b"one\ntwo\n\nthree";
        for size in 0..20 {
            let batches = cut(text, size);
            assert!(batches.iter().rev().skip(1).all(|batch| batch.text.ends_with(b"\n")));
            assert_eq!(batches.iter().flat_map(|batch| batch.text).copied().collect::<Vec<_>>(), text);
        }
    }
}
