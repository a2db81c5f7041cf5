//! All solutions of each puzzle, passed on or counted, puzzle by puzzle.
//!
//! Puzzles are searched side by side, each in a lane, up to [`FIRST_GUESSES`]; nearly all searches end there. The
//! solutions wait in memory, and no further puzzles are taken when there are many.
//!
//! A puzzle that has more to search is then continued alone, in all lanes. The stack that its lane left is an ordered
//! list of parts of the search, which is [divided](divide) further. In turns each part makes some guesses:
//!
//! ```text
//! first search    |  turn 1               |  turn 2
//! depth first     |  part 1, 2, 3, ...    |  what is left of part 1, 2, 3, ...
//! ```
//!
//! Solutions come in this order. It depends on the puzzle only, and the memory for them is that of a turn. A
//! depth-first order would have to keep the solutions of all parts but the first.
//!
//! A search that has found no solution after some thousand guesses is dropped, and the puzzle is searched again as an
//! equivalent one, as by [`restart`]. Guesses of two digits are not made: most of their alternatives would be searched
//! anyway.

use std::cell::Cell;
use std::num::NonZeroU64;
use std::ops::{ControlFlow, RangeInclusive};

use super::batch::Batch;
use super::collect::{Collector, Found, Part, Suspended, divide};
use super::search::Search;
use super::split::Solve;
use super::task::Task;
use crate::cancel::{CancelToken, Cancelled};
use crate::outcome::{Limits, Outcomes, OutcomesMut, PuzzleSlice, ROW, Status};
use crate::parallel::{count_threads, for_each};
use crate::restart::Attempt;
use crate::simd::SimdLevel;

/// The number of puzzles that are taken at a time, at most.
const PUZZLES: usize = 8192;
/// The guesses of a puzzle before it is continued alone. A guess leads to one solution at most, so this bounds memory:
/// the puzzles in lanes and in the queue, 32 at most, may have 5.4 MB of solutions.
const FIRST_GUESSES: u64 = 2048;
/// The number of parts of a puzzle that is continued alone. Their stacks fit into a cache: with 256 parts, solutions
/// take 1.2 times as long.
const PARTS: usize = 128;
/// The guesses of each part in a turn.
const TURN: u64 = 128;
/// The same while there are fewer than [`PARTS`].
const SHORT_TURN: u64 = 16;
/// Up to this limit a count ends in the first search, because a puzzle that is continued alone makes guesses beyond it.
const LOW_LIMIT: u64 = 1 << 15;
/// The number of parts that a thread searches at a time, at most and at least. 64 parts find 0.7 MB of solutions, with
/// fewer than 16 there are idle lanes.
const CHUNK: RangeInclusive<usize> = 16..=64;

thread_local! {
    /// The results of the first search, and of parts, kept by this thread from call to call: allocating them costs page
    /// faults.
    static BUFFERS: Cell<(Results, Vec<Results>)> = Cell::default();
}

/// What becomes of solutions.
pub enum Sink<'a> {
    /// They are passed on, with the index of the puzzle, in the order of the puzzles, until a call breaks.
    Each(&'a mut dyn FnMut(usize, &[u8; ROW]) -> ControlFlow<()>),
    /// They are counted. A call has the number of further solutions of a puzzle that is continued alone.
    Count(&'a mut dyn FnMut(u64)),
}

/// Why a search ends early.
pub enum Stop {
    Break,
    Cancelled,
}

impl From<Cancelled> for Stop {
    fn from(Cancelled: Cancelled) -> Stop {
        Stop::Cancelled
    }
}

impl Sink<'_> {
    /// Takes `n` solutions of puzzle `k`.
    fn take(&mut self, k: usize, n: u64, mut rows: impl Iterator<Item = [u8; ROW]>) -> Result<(), Stop> {
        match self {
            Sink::Each(each) => {
                if rows.any(|row| each(k, &row).is_break()) {
                    return Err(Stop::Break);
                }
            }
            Sink::Count(on_found) => on_found(n),
        }
        Ok(())
    }
}

/// For a search of parts.
const NO_PUZZLES: PuzzleSlice = PuzzleSlice::Clues(&[]);

/// What all searches of a call have in common.
#[derive(Clone, Copy)]
struct Options<'a> {
    level: SimdLevel,
    /// Of each puzzle or part, only the first solution becomes a row.
    counts: bool,
    cancel: &'a CancelToken,
}

/// The results of a search of puzzles, or of parts. Both are numbered from 0.
#[derive(Default)]
struct Results {
    found: Found,
    outcomes: Outcomes,
    /// In the order of their numbers.
    suspended: Vec<Suspended>,
    /// The number of puzzles or parts that have been searched.
    searched: usize,
}

impl Results {
    /// Searches the first puzzles, or all parts, up to limits.
    fn search(
        &mut self,
        options: Options,
        given: PuzzleSlice,
        parts: &[Part],
        limits: Limits,
    ) -> Result<(), Cancelled> {
        let Options { level, counts, cancel } = options;
        let Results { found, outcomes, suspended, searched } = self;
        found.numbers.clear();
        suspended.clear();
        outcomes.resize(given.len() + parts.len());
        let batch = Batch::new(given, outcomes.as_mut());
        let mut task = Collector { batch, parts, found, counts, resumed: 0, suspended };
        level.run(Search { task: Task::Collect(&mut task), limits, cancel })?;
        *searched = task.batch.loaded + parts.len();
        found.sort(*searched);
        suspended.sort_unstable_by_key(|suspended| suspended.number);
        Ok(())
    }
}

/// Finds the solutions of puzzles into `outcomes`, which has an entry for each, and gives them to `sink`. `threads`
/// threads search a puzzle that is continued alone, 0 for all of the pool.
pub fn enumerate(
    level: SimdLevel,
    given: PuzzleSlice,
    limits: Limits,
    threads: usize,
    mut outcomes: OutcomesMut,
    cancel: &CancelToken,
    sink: &mut Sink,
) -> Result<(), Stop> {
    let options = Options { level, counts: matches!(sink, Sink::Count(_)), cancel };
    let first_guesses = match limits.solutions.get() {
        limit @ ..=LOW_LIMIT if options.counts => FIRST_GUESSES.max(2 * limit),
        _ => FIRST_GUESSES,
    };
    let threads = count_threads(threads);
    let (mut first, mut chunks) = BUFFERS.take();
    let mut from = 0;
    while from < given.len() {
        let mut entries = outcomes.reborrow();
        entries.split_off_front(from);
        // The lanes do not look at the token in a short search.
        cancel.check()?;
        let puzzles = given.slice(from..given.len().min(from + PUZZLES));
        let first_limits = limits.max_guesses(first_guesses.min(limits.guesses));
        search_first(options, puzzles, first_limits, entries, &mut first)?;
        let mut suspended = std::mem::take(&mut first.suspended).into_iter().peekable();
        for number in 0..first.searched {
            let k = from + number;
            let solutions = outcomes.solutions[k];
            if !options.counts {
                sink.take(k, solutions, first.found.rows(number).copied())?;
            }
            let Some(rest) = suspended.next_if(|rest| rest.number as usize == number) else { continue };
            if first_guesses >= limits.guesses {
                continue;
            }
            let mut alone = Alone {
                options,
                limits,
                threads,
                chunks: &mut chunks,
                k,
                given: given.slice(k..k + 1),
                parts: vec![rest.part],
                solutions,
                guesses: outcomes.guesses[k],
                attempt: Attempt::for_many(0),
                attempts: 0,
                before: 0,
                is_capped: false,
                first_row: &mut outcomes.rows[k],
                sink,
            };
            alone.finish()?;
            let Alone { solutions, guesses, is_capped, .. } = alone;
            outcomes.set_counts(k, Status::of_search(solutions, limits, is_capped), solutions, guesses);
        }
        from += first.searched;
    }
    BUFFERS.set((first, chunks));
    Ok(())
}

/// Searches the first puzzles, side by side, into `entries`. The rows are those to be passed on.
fn search_first(
    options: Options,
    puzzles: PuzzleSlice,
    limits: Limits,
    mut entries: OutcomesMut,
    first: &mut Results,
) -> Result<(), Cancelled> {
    if options.counts {
        first.suspended.clear();
        let task = Task::Solve(Solve::new(Batch::new(puzzles, entries), Some(&mut first.suspended)));
        options.level.run(Search { task, limits, cancel: options.cancel })?;
        first.suspended.sort_unstable_by_key(|suspended| suspended.number);
        first.searched = puzzles.len();
        return Ok(());
    }
    first.search(options, puzzles, &[], limits)?;
    let Outcomes { status, solutions, guesses, .. } = &first.outcomes;
    for number in 0..first.searched {
        entries.set_counts(number, status[number], solutions[number], guesses[number]);
        if let Some(row) = first.found.rows(number).next() {
            entries.rows[number] = *row;
        }
    }
    Ok(())
}

/// A puzzle that is continued alone.
struct Alone<'a, 's> {
    options: Options<'a>,
    limits: Limits,
    threads: usize,
    chunks: &'a mut Vec<Results>,
    /// The index of the puzzle.
    k: usize,
    given: PuzzleSlice<'a>,
    /// What is left, in the order of the search.
    parts: Vec<Part>,
    /// The solutions and guesses so far.
    solutions: u64,
    guesses: u64,
    attempt: Attempt,
    /// The number of attempts before this one.
    attempts: u32,
    /// The guesses of the attempts before.
    before: u64,
    /// The limit of guesses has been reached.
    is_capped: bool,
    /// Receives the first solution.
    first_row: &'a mut [u8; ROW],
    sink: &'a mut Sink<'s>,
}

impl Alone<'_, '_> {
    /// Finishes the search.
    fn finish(&mut self) -> Result<(), Stop> {
        while let Some(wanted) = self.wanted().filter(|_| !self.parts.is_empty()) {
            self.options.cancel.check()?;
            if self.solutions == 0 && self.guesses - self.before >= self.attempt.cap {
                self.restart(wanted)?;
            } else {
                self.turn(wanted)?;
            }
        }
        Ok(())
    }

    /// The number of solutions up to the limit, unless a limit has been reached.
    fn wanted(&self) -> Option<NonZeroU64> {
        NonZeroU64::new(self.limits.solutions.get() - self.solutions).filter(|_| !self.is_capped)
    }

    /// Has each part make some guesses.
    fn turn(&mut self, wanted: NonZeroU64) -> Result<(), Stop> {
        divide(&mut self.parts, PARTS);
        let parts = std::mem::take(&mut self.parts);
        let guesses = if parts.len() < PARTS { SHORT_TURN } else { TURN };
        let (options, limits) = (self.options, Limits::up_to(wanted).max_guesses(guesses));
        // The number of threads decides what is searched at a time, but not what is taken of it.
        let chunk = parts.len().div_ceil(self.threads).clamp(*CHUNK.start(), *CHUNK.end());
        for group in parts.chunks(chunk * self.threads) {
            let group: Vec<_> = group.chunks(chunk).collect();
            self.run(group.len(), |at, chunk| chunk.search(options, NO_PUZZLES, group[at], limits))?;
            (0..group.len()).try_for_each(|at| self.take(at))?;
            if self.wanted().is_none() {
                break;
            }
        }
        Ok(())
    }

    /// Drops the search and starts that of the next equivalent puzzle.
    #[cold]
    fn restart(&mut self, wanted: NonZeroU64) -> Result<(), Stop> {
        self.before = self.guesses;
        self.parts.clear();
        self.attempts += 1;
        let (options, attempt) = (self.options, Attempt::for_many(self.attempts));
        let limits = Limits::up_to(wanted).max_guesses(attempt.cap.min(FIRST_GUESSES));
        attempt.search(self.given, &[0], |image| self.run(1, |_, chunk| chunk.search(options, image, &[], limits)))?;
        self.attempt = attempt;
        self.take(0)
    }

    /// Searches `n` chunks on the threads of the call.
    fn run(
        &mut self,
        n: usize,
        search: impl Fn(usize, &mut Results) -> Result<(), Cancelled> + Sync,
    ) -> Result<(), Cancelled> {
        if self.chunks.len() < n {
            self.chunks.resize_with(n, Results::default);
        }
        let chunks = self.chunks[..n].iter_mut().enumerate();
        for_each(self.threads, n, chunks, |(at, chunk)| search(at, chunk))
    }

    /// Takes the solutions of a chunk, and keeps what is left of its parts.
    fn take(&mut self, at: usize) -> Result<(), Stop> {
        let Results { found, outcomes, suspended, .. } = &mut self.chunks[at];
        self.parts.extend(suspended.drain(..).map(|suspended| suspended.part));
        for (number, guesses) in outcomes.guesses.iter().enumerate() {
            let wanted = self.limits.solutions.get() - self.solutions;
            if self.is_capped || wanted == 0 {
                break;
            }
            self.is_capped = *guesses > self.limits.guesses - self.guesses;
            if self.is_capped {
                self.guesses = self.limits.guesses;
                break;
            }
            self.guesses += guesses;
            let n = outcomes.solutions[number].min(wanted);
            let rows = found.rows(number).take(usize::try_from(n).unwrap_or(usize::MAX)).map(|row| {
                let mut row = *row;
                self.attempt.undo(&mut row);
                row
            });
            if self.solutions == 0
                && let Some(row) = rows.clone().next()
            {
                *self.first_row = row;
            }
            self.solutions += n;
            self.sink.take(self.k, n, rows)?;
        }
        Ok(())
    }
}
