//! Counting: the number of solutions of a puzzle that has many, in all lanes and on several threads.
//!
//! The outcome is that of the depth-first search in one lane, also at a limit. The search is an ordered list of
//! disjoint parts, the entries of stacks. In turns, the first of them make some guesses each:
//!
//! ```text
//! before a turn    part 1              | part 2    | part 3 ...
//! after it         searched, what is left | searched  | part 3 ...
//! the next turn    entries of what is left            , part 3 ...
//! ```
//!
//! What has been searched counts as soon as nothing before it is left. If a limit is in it, it is searched again up to
//! the limit. Parts at the end are searched in vain then, so parts at the start come first.

use std::collections::VecDeque;
use std::num::NonZeroU64;

use super::collect::{NO_PUZZLES, Part, Results};
use crate::cancel::{CancelToken, Cancelled};
use crate::outcome::{Limits, OutcomesMut, PuzzleSlice, Status};
use crate::parallel::{count_threads, for_each};
use crate::simd::SimdLevel;

/// The guesses of a part in a turn: a small part of those before, because a limit makes the last turns useless.
fn turn_after(guesses: u64) -> u64 {
    (guesses / 1024).clamp(FIRST_TURN, 256)
}

/// The guesses in the first turn.
const FIRST_TURN: u64 = 32;
/// The parts that a thread searches at a time. Lanes are idle at the end of each turn.
const PARTS: usize = 128;

/// What a search has found.
#[derive(Clone, Copy, Default)]
struct Count {
    solutions: u64,
    guesses: u64,
    /// It would need more guesses than its limit.
    is_capped: bool,
}

enum Piece {
    Open(Part),
    Searched(Searched),
}

/// A part after a turn, without what is left of it.
struct Searched {
    start: Part,
    solutions: u64,
    guesses: u64,
}

/// Counts the solutions of puzzles, one after the other, on `threads` threads, 0 for all of the pool. Calls `on_found`
/// with the number of solutions since the last call. Writes no rows.
pub fn count(
    level: SimdLevel,
    given: PuzzleSlice,
    limits: Limits,
    mut outcomes: OutcomesMut,
    threads: usize,
    cancel: &CancelToken,
    on_found: &mut dyn FnMut(u64),
) -> Result<(), Cancelled> {
    let search = Search { level, cancel, threads: count_threads(threads) };
    for k in 0..given.len() {
        let Count { solutions, guesses, is_capped } =
            search.count(given.slice(k..k + 1), limits, on_found)?;
        outcomes.set_counts(k, Status::of_search(solutions, limits, is_capped), solutions, guesses);
    }
    Ok(())
}

impl Count {
    fn left_of(&self, limits: Limits) -> Limits {
        let solutions = NonZeroU64::new(limits.solutions.get() - self.solutions);
        let solutions = solutions.expect("the search has not reached its limit");
        Limits::up_to(solutions).max_guesses(limits.guesses - self.guesses)
    }

    /// Adds the results of a single search.
    fn add(&mut self, results: &Results, on_found: &mut dyn FnMut(u64)) {
        let (solutions, guesses) = (results.outcomes.solutions[0], results.outcomes.guesses[0]);
        self.solutions += solutions;
        self.guesses += guesses;
        on_found(solutions);
    }
}

struct Search<'a> {
    level: SimdLevel,
    cancel: &'a CancelToken,
    threads: usize,
}

impl Search<'_> {
    /// Counts the solutions of one puzzle, up to limits.
    fn count(
        &self,
        given: PuzzleSlice,
        limits: Limits,
        on_found: &mut dyn FnMut(u64),
    ) -> Result<Count, Cancelled> {
        let (mut total, mut results) = (Count::default(), Results::default());
        results.search(self.level, given, &[], limits, Some(FIRST_TURN), self.cancel)?;
        total.add(&results, on_found);
        if limits.guesses < FIRST_TURN {
            total.is_capped = !results.suspended.is_empty();
            return Ok(total);
        }
        let mut pieces: VecDeque<_> =
            results.suspended.drain(..).map(|(_, part)| Piece::Open(part)).collect();
        while let Some(piece) = pieces.pop_front() {
            let Piece::Searched(Searched { start, solutions, guesses }) = piece else {
                pieces.push_front(piece);
                self.turn(&mut pieces, turn_after(total.guesses))?;
                continue;
            };
            let left = total.left_of(limits);
            if solutions >= left.solutions.get() || guesses > left.guesses {
                results.search(self.level, NO_PUZZLES, &[start], left, Some(u64::MAX), self.cancel)?;
                total.add(&results, on_found);
                total.is_capped = total.solutions < limits.solutions.get();
                break;
            }
            total.solutions += solutions;
            total.guesses += guesses;
            on_found(solutions);
        }
        Ok(total)
    }

    /// Has the first parts make up to `guesses` guesses each.
    fn turn(&self, pieces: &mut VecDeque<Piece>, guesses: u64) -> Result<(), Cancelled> {
        let (mut parts, mut between) = (Vec::new(), Vec::new());
        while parts.len() < PARTS * self.threads
            && let Some(piece) = pieces.pop_front()
        {
            match piece {
                Piece::Open(mut part) => {
                    if let Some(newest) = part.split_newest() {
                        pieces.push_front(Piece::Open(part));
                        part = newest;
                    }
                    parts.push(part);
                }
                searched => between.push((parts.len(), searched)),
            }
        }
        let mut chunks: Vec<Results> = Vec::new();
        chunks.resize_with(parts.len().div_ceil(PARTS), Results::default);
        let searches = chunks.iter_mut().zip(parts.chunks(PARTS));
        for_each(
            self.threads,
            searches.len(),
            searches,
            || (),
            |(), (results, parts): (&mut Results, _)| {
                results.search(self.level, NO_PUZZLES, parts, Limits::ALL, Some(guesses), self.cancel)
            },
        )?;
        for (chunk, results) in chunks.into_iter().enumerate().rev() {
            let Results { outcomes, mut suspended, .. } = results;
            for number in (0..outcomes.len()).rev() {
                let start = parts.pop().expect("one for each outcome");
                while let Some((_, searched)) = between.pop_if(|(at, _)| *at > chunk * PARTS + number) {
                    pieces.push_front(searched);
                }
                if let Some((_, left)) = suspended.pop_if(|(of, _)| *of as usize == number) {
                    pieces.push_front(Piece::Open(left));
                }
                let (solutions, guesses) = (outcomes.solutions[number], outcomes.guesses[number]);
                pieces.push_front(Piece::Searched(Searched { start, solutions, guesses }));
            }
        }
        Ok(())
    }
}
