//! Enumeration: all solutions of each puzzle, puzzle by puzzle.
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
use super::collect::{Collector, Found, NO_PUZZLES, Part, Results, divide};
use crate::cancel::{CancelToken, Cancelled};
use crate::outcome::{Limits, OutcomesMut, PuzzleSlice, ROW, Status};
use crate::parallel::{count_threads, for_each};
use crate::restart::{Attempt, Attempts, Method};
use crate::simd::SimdLevel;

/// The guesses of a puzzle before it is continued alone. A guess leads to one solution at most, so this bounds memory:
/// the puzzles in lanes and in the queue, 32 at most, may have 5.4 MB of solutions.
const FIRST_GUESSES: u64 = 2048;
/// No further puzzles are taken when there are this number of solutions, which are 0.7 MB.
const MAX_ROWS: usize = 1 << 13;
/// The number of parts of a puzzle that is continued alone. Their stacks fit into a cache: with 256 parts, solutions
/// take 1.2 times as long.
const PARTS: usize = 128;
/// The guesses of each part in a turn.
const TURN: u64 = 128;
/// The same while there are fewer than [`PARTS`].
const SHORT_TURN: u64 = 16;
/// The number of parts that a thread searches at a time, at most and at least. 64 parts find 0.7 MB of solutions, with
/// fewer than 16 there are idle lanes.
const CHUNK: RangeInclusive<usize> = 16..=64;

thread_local! {
    /// The buffers of this thread, kept from call to call: allocating them costs page faults.
    static BUFFERS: Cell<Buffers> = Cell::default();
}

#[derive(Default)]
struct Buffers {
    /// The solutions of the first search of each puzzle.
    first: Found,
    chunks: Vec<Results>,
}

/// The parameters of a call.
struct Search<'a> {
    level: SimdLevel,
    limits: Limits,
    threads: usize,
    cancel: &'a CancelToken,
}

/// Finds the solutions of puzzles into `outcomes`, which has an entry for each, and passes them to `each`: the index of
/// the puzzle and the solution, in the order of the puzzles. Ends when `each` breaks. `threads` threads search a puzzle
/// that is continued alone, 0 for all of the pool.
pub fn enumerate(
    level: SimdLevel,
    given: PuzzleSlice,
    limits: Limits,
    threads: usize,
    mut outcomes: OutcomesMut,
    cancel: &CancelToken,
    each: &mut impl FnMut(usize, &[u8; ROW]) -> ControlFlow<()>,
) -> Result<ControlFlow<()>, Cancelled> {
    let search = Search { level, limits, threads: count_threads(threads), cancel };
    let mut buffers = BUFFERS.take();
    let Buffers { first, chunks } = &mut buffers;
    let mut from = 0;
    while from < given.len() {
        let mut entries = outcomes.reborrow();
        entries.split_off_front(from);
        let batch = Batch::new(given.slice(from..given.len()), entries.reborrow());
        let mut collector =
            Collector { found: Some(first), max_rows: MAX_ROWS, ..Collector::new(batch, &[]) };
        collector.run(level, limits.max_guesses(FIRST_GUESSES.min(limits.guesses)), cancel)?;
        let (loaded, suspended) = (collector.batch.loaded, collector.suspended);
        let mut suspended = suspended.into_iter().peekable();
        first.sort(&entries.solutions[..loaded]);
        for number in 0..loaded {
            let k = from + number;
            let mut rows = first.rows(number);
            if let Some(row) = rows.clone().next() {
                entries.rows[number] = *row;
            }
            if rows.try_for_each(|row| each(k, row)).is_break() {
                return Ok(ControlFlow::Break(()));
            }
            let Some((_, part)) = suspended.next_if(|(of, _)| *of as usize == number) else { continue };
            if FIRST_GUESSES >= limits.guesses {
                continue;
            }
            // The attempts are those of a search for many solutions, also at a low limit.
            let mut attempts = Attempts::new(Method::Lanes, Limits::ALL);
            let mut alone = Alone {
                search: &search,
                chunks: &mut *chunks,
                given: given.slice(k..k + 1),
                parts: vec![part],
                solutions: entries.solutions[number],
                guesses: entries.guesses[number],
                attempt: attempts.next_attempt(),
                attempts,
                before: 0,
                is_capped: false,
                first_row: &mut entries.rows[number],
            };
            if alone.finish(&mut |row| each(k, row))?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
            let Alone { solutions, guesses, is_capped, .. } = alone;
            entries.set_counts(number, Status::of_search(solutions, limits, is_capped), solutions, guesses);
        }
        from += loaded;
    }
    BUFFERS.set(buffers);
    Ok(ControlFlow::Continue(()))
}

/// A puzzle that is continued alone.
struct Alone<'a> {
    search: &'a Search<'a>,
    chunks: &'a mut Vec<Results>,
    given: PuzzleSlice<'a>,
    /// What is left, in the order of the search.
    parts: Vec<Part>,
    /// The solutions and guesses so far.
    solutions: u64,
    guesses: u64,
    attempt: Attempt,
    /// The attempts after this one.
    attempts: Attempts,
    /// The guesses of the attempts before.
    before: u64,
    /// The limit of guesses has been reached.
    is_capped: bool,
    /// Receives the first solution.
    first_row: &'a mut [u8; ROW],
}

impl Alone<'_> {
    /// Finishes the search, and passes solutions to `each`.
    fn finish(
        &mut self,
        each: &mut impl FnMut(&[u8; ROW]) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Cancelled> {
        while !self.parts.is_empty()
            && !self.is_capped
            && let Some(wanted) = NonZeroU64::new(self.search.limits.solutions.get() - self.solutions)
        {
            let is_fruitless = self.solutions == 0 && self.guesses - self.before >= self.attempt.cap;
            let result = if is_fruitless { self.restart(wanted, each) } else { self.turn(wanted, each) };
            if result?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Whether a limit has been reached.
    fn has_ended(&self) -> bool {
        self.is_capped || self.solutions == self.search.limits.solutions.get()
    }

    /// Has each part make some guesses.
    fn turn(
        &mut self,
        wanted: NonZeroU64,
        each: &mut impl FnMut(&[u8; ROW]) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Cancelled> {
        divide(&mut self.parts, PARTS);
        let parts = std::mem::take(&mut self.parts);
        let guesses = if parts.len() < PARTS { SHORT_TURN } else { TURN };
        let limits = Limits::up_to(wanted).max_guesses(guesses);
        // The number of threads decides what is searched at a time, but not what is taken of it.
        let Search { level, threads, cancel, .. } = *self.search;
        let chunk = parts.len().div_ceil(threads).clamp(*CHUNK.start(), *CHUNK.end());
        for group in parts.chunks(chunk * threads) {
            let group: Vec<_> = group.chunks(chunk).collect();
            self.run(group.len(), |at, chunk| {
                chunk.search(level, NO_PUZZLES, group[at], limits, None, cancel)
            })?;
            for at in 0..group.len() {
                if self.take(at, each).is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
            if self.has_ended() {
                break;
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Drops the search and starts that of the next equivalent puzzle.
    #[cold]
    fn restart(
        &mut self,
        wanted: NonZeroU64,
        each: &mut impl FnMut(&[u8; ROW]) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Cancelled> {
        self.before = self.guesses;
        self.parts.clear();
        let attempt = self.attempts.next_attempt();
        let Search { level, cancel, .. } = *self.search;
        let limits = Limits::up_to(wanted).max_guesses(attempt.cap.min(FIRST_GUESSES));
        attempt.search(self.given, &[0], |image| {
            self.run(1, |_, chunk| chunk.search(level, image, &[], limits, None, cancel))
        })?;
        self.attempt = attempt;
        Ok(self.take(0, each))
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
        for_each(self.search.threads, n, chunks, || (), |(), (at, chunk)| search(at, chunk))
    }

    /// Passes the solutions of a chunk to `each`, and keeps what is left of its parts.
    fn take(&mut self, at: usize, each: &mut impl FnMut(&[u8; ROW]) -> ControlFlow<()>) -> ControlFlow<()> {
        let Results { found, outcomes, suspended } = &mut self.chunks[at];
        self.parts.extend(suspended.drain(..).map(|(_, part)| part));
        let limits = self.search.limits;
        for (number, guesses) in outcomes.guesses.iter().enumerate() {
            if self.is_capped || self.solutions == limits.solutions.get() {
                break;
            }
            self.is_capped = *guesses > limits.guesses - self.guesses;
            if self.is_capped {
                self.guesses = limits.guesses;
                break;
            }
            self.guesses += guesses;
            let room = usize::try_from(limits.solutions.get() - self.solutions).unwrap_or(usize::MAX);
            for row in found.rows(number).take(room) {
                let mut row = *row;
                self.attempt.undo(&mut row);
                if self.solutions == 0 {
                    *self.first_row = row;
                }
                self.solutions += 1;
                each(&row)?;
            }
        }
        ControlFlow::Continue(())
    }
}
