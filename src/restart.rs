//! Restarts: a bound on the worst case of a search.
//!
//! The number of guesses that a depth-first search needs has a heavy tail: a few puzzles take millions, because an early
//! guess was unlucky and is refuted only at great depth. Gomes, Selman and Kautz described this for quasigroup completion
//! (*Boosting Combinatorial Search Through Randomization*, 1998). Such a puzzle is hard for one order of guesses.
//!
//! So a puzzle is solved in attempts:
//!
//! 1. The search of the engine, up to [`FIRST_CAP`] guesses ([`FIRST_CAP_OF_SINGLE`] in the single-puzzle solver), or
//!    [`MARKS_CAP`] in pencilmarks that are not [like clues](crate::grid::Candidates::are_like_clues). Nearly all searches end here.
//! 2. Otherwise that search is dropped, and the puzzle is searched from the start [with look-ahead](crate::lanes). Each
//!    of its guesses takes the time of 25 guesses in lanes, but it needs far fewer: nearly all puzzles of clues are solved in
//!    dozens.
//! 3. In puzzles of clues, and pencilmarks like them, look-ahead has a cap as well, because its guesses can be unlucky too. Then
//!    images of the puzzle under fixed symmetries are searched with look-ahead, another one for each attempt. The caps double after
//!    every four attempts. Other pencilmarks that are hard have large search trees in every image, so they have no third attempt.
//!
//! The outcome has the guesses of all attempts, and the solutions of the last one. It depends on the puzzle, the engine and
//! the limits only.
//!
//! A search for more than [`MANY`] solutions has a long way to go even if no guess is unlucky. In lanes it is restarted only while
//! it has found no solution; after that it goes on to its end. Its attempts are in lanes, at the puzzle and then at images of it.
//! The caps grow. The single-puzzle solver makes one attempt: it [searches for one solution](crate::lanes::find_one) in parts of
//! the search that may have none.

use crate::cancel::Cancelled;
use crate::grid::{CELLS, Symmetry};
use crate::outcome::{Limits, Outcomes, OutcomesMut, PuzzleSlice, Status, Work};

/// The caps of the first attempt. No puzzle of the benchmark sets needs more than 638 guesses in lanes and 948 in the
/// single-puzzle solver. In an almost empty grid, a guess takes 2.6 µs if the puzzle is alone in its batch, and 0.4 µs in the
/// single-puzzle solver.
const FIRST_CAP: u64 = 640;
const FIRST_CAP_OF_SINGLE: u64 = 1024;
/// The same for pencilmarks that are not like clues. One of these may take six sweeps of the lane engine for each guess.
const MARKS_CAP: u64 = 128;
/// The cap of the next attempts at puzzles of clues, beside a guess for each solution. It doubles after four attempts.
const NEXT_CAP: u64 = 64;
/// Up to this number of solutions a search is restarted although it has found solutions. It finds them at every guess or
/// two, if they exist.
pub(crate) const MANY: u64 = 128;
/// The cap of the first attempt of searches for more. It is higher because a search that reaches it with a solution is
/// repeated without a cap.
const FIRST_CAP_OF_MANY: u64 = 4096;
/// The caps of its next attempts.
const LANES_CAP: u64 = 96;

/// The search of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    /// The lane engine.
    Lanes,
    /// The single-puzzle solver.
    Single,
    /// The search with look-ahead.
    LookAhead,
}

/// The attempts of a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// The method of the first attempt.
    pub first: Method,
    /// The limits of the whole search.
    pub limits: Limits,
}

impl Plan {
    /// Whether the search is restarted only while it has found no solution.
    fn is_for_many(&self) -> bool {
        self.limits.solutions.get() > MANY
    }

    /// The maximal number of guesses of an attempt.
    pub fn cap(&self, attempt: u32) -> u64 {
        // Rounds of two attempts, the first of which has number 1.
        let round = attempt.saturating_sub(1) / 2;
        if self.is_for_many() {
            match self.first {
                Method::Single => u64::MAX,
                _ if attempt == 0 => FIRST_CAP_OF_MANY,
                _ => LANES_CAP << (3 * round).min(50),
            }
        } else {
            match attempt {
                0 if self.first == Method::Single => FIRST_CAP_OF_SINGLE,
                0 => FIRST_CAP,
                // There may be as many solutions, with a guess for each.
                _ => (NEXT_CAP << (round / 2).min(50)) + self.limits.solutions.get(),
            }
        }
    }

    /// The cap of the very first search of a batch.
    fn first_cap(&self, given: PuzzleSlice) -> u64 {
        match given {
            PuzzleSlice::Candidates(_) if !self.is_for_many() => MARKS_CAP,
            _ => self.cap(0),
        }
    }

    /// The method of an attempt at a puzzle of clues.
    fn method(&self, attempt: u32) -> Method {
        if self.is_for_many() || attempt == 0 { self.first } else { Method::LookAhead }
    }

    /// The symmetry of an attempt. The puzzle itself is searched with each method first.
    fn symmetry(&self, attempt: u32) -> Option<Symmetry> {
        let first = if self.is_for_many() { 1 } else { 2 };
        (attempt >= first).then(|| symmetry(attempt))
    }
}

/// The symmetry of an attempt after the first.
pub(crate) fn symmetry(attempt: u32) -> Symmetry {
    Symmetry::of_seed(attempt.into())
}

/// Solves puzzles with restarts. `solve` makes one attempt at some puzzles, up to limits, into as many entries.
pub(crate) fn run(
    plan: Plan,
    given: PuzzleSlice,
    mut outcomes: OutcomesMut,
    mut solve: impl FnMut(Method, PuzzleSlice, Limits, OutcomesMut) -> Result<Work, Cancelled>,
) -> Result<Work, Cancelled> {
    let Plan { first, limits } = plan;
    let cap = plan.first_cap(given);
    let mut work = solve(first, given, limits.max_guesses(cap.min(limits.guesses)), outcomes.reborrow())?;
    // Also with no guess left: an attempt may need none.
    if cap <= limits.guesses && outcomes.status.contains(&Status::Limit) {
        work += Restarts { plan, given, outcomes, solve: &mut solve }.run()?;
    }
    Ok(work)
}

struct Restarts<'a, F> {
    plan: Plan,
    given: PuzzleSlice<'a>,
    outcomes: OutcomesMut<'a>,
    solve: &'a mut F,
}

impl<F: FnMut(Method, PuzzleSlice, Limits, OutcomesMut) -> Result<Work, Cancelled>> Restarts<'_, F> {
    /// Makes all attempts after the first at the puzzles that reached its cap.
    #[cold]
    fn run(&mut self) -> Result<Work, Cancelled> {
        let Plan { first, limits } = self.plan;
        let mut work = Work::default();
        let mut open = self.open((0..self.given.len()).collect());
        if let PuzzleSlice::Candidates(all) = self.given
            && !self.plan.is_for_many()
        {
            // Those like clues are searched again with the caps of clues: the candidates of a puzzle have its outcome.
            let (like_clues, marks): (Vec<_>, Vec<_>) =
                open.into_iter().partition(|&k| all[k].are_like_clues());
            work += self.attempt(Method::LookAhead, None, &marks, MARKS_CAP, limits.guesses)?;
            work += self.attempt(first, None, &like_clues, 0, self.plan.cap(0).min(limits.guesses))?;
            open = self.open(like_clues);
        }
        work += self.restart(open)?;
        Ok(work)
    }

    /// Those of some puzzles that reached a cap.
    fn open(&self, which: Vec<usize>) -> Vec<usize> {
        which.into_iter().filter(|&k| self.outcomes.status[k] == Status::Limit).collect()
    }

    /// Makes attempts at puzzles that reached the first cap.
    fn restart(&mut self, mut open: Vec<usize>) -> Result<Work, Cancelled> {
        let (plan, until) = (self.plan, self.plan.limits.guesses);
        let mut work = Work::default();
        // The guesses of all attempts before the last one, and of all attempts.
        let (mut before, mut spent) = (0, plan.cap(0));
        for attempt in 0.. {
            if plan.is_for_many() {
                let found: Vec<_> = open.extract_if(.., |k| self.outcomes.solutions[*k] > 0).collect();
                work += self.attempt(plan.method(attempt), plan.symmetry(attempt), &found, before, until)?;
            }
            if open.is_empty() || spent > until {
                break;
            }
            before = spent;
            spent = spent.saturating_add(plan.cap(attempt + 1));
            let (method, symmetry) = (plan.method(attempt + 1), plan.symmetry(attempt + 1));
            work += self.attempt(method, symmetry, &open, before, spent.min(until))?;
            open = self.open(open);
        }
        Ok(work)
    }

    /// Makes an attempt at some puzzles after `before` guesses, until there are `until` guesses in all.
    fn attempt(
        &mut self,
        method: Method,
        symmetry: Option<Symmetry>,
        which: &[usize],
        before: u64,
        until: u64,
    ) -> Result<Work, Cancelled> {
        if which.is_empty() {
            return Ok(Work::default());
        }
        let mut outcomes = Outcomes::new();
        outcomes.resize(which.len());
        let limits = self.plan.limits.max_guesses(until - before);
        let work = match self.given {
            PuzzleSlice::Clues(all) => {
                let images = images(all, which, symmetry.as_ref(), Symmetry::puzzle);
                (self.solve)(method, (&images).into(), limits, outcomes.as_mut())?
            }
            PuzzleSlice::Candidates(all) => {
                let images = images(all, which, symmetry.as_ref(), Symmetry::candidates);
                (self.solve)(method, (&images).into(), limits, outcomes.as_mut())?
            }
        };
        for (i, &k) in which.iter().enumerate() {
            let to = &mut self.outcomes;
            (to.status[k], to.solutions[k]) = (outcomes.status[i], outcomes.solutions[i]);
            to.guesses[k] = before + outcomes.guesses[i];
            to.rows[k] = outcomes.rows[i];
            if let Some(symmetry) = symmetry.as_ref().filter(|_| outcomes.solutions[i] > 0) {
                let digits = to.rows[k].first_chunk_mut::<CELLS>().expect("a row is longer");
                symmetry.undo(digits, b'0');
            }
        }
        Ok(work)
    }
}

/// The images of some puzzles under a symmetry, or the puzzles themselves.
fn images<T: Copy>(
    all: &[T],
    which: &[usize],
    symmetry: Option<&Symmetry>,
    image: impl Fn(&Symmetry, &T) -> T,
) -> Vec<T> {
    which.iter().map(|&k| symmetry.map_or(all[k], |symmetry| image(symmetry, &all[k]))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cancel::CancelToken;
    use crate::grid::Puzzle;
    use crate::scalar;

    const LINE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const SOLUTION: &str =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    /// The attempts at a puzzle: method, cap, and whether an image is searched. Attempts before number `n` reach their cap.
    fn attempts(first: Method, limits: Limits, n: usize) -> (Vec<(Method, u64, bool)>, Outcomes) {
        let puzzles: [Puzzle; 1] = [LINE.parse().unwrap()];
        let mut outcomes = Outcomes::new();
        outcomes.resize(1);
        let mut attempts = Vec::new();
        run(
            Plan { first, limits },
            (&puzzles).into(),
            outcomes.as_mut(),
            |method, given, limits, mut outcomes| {
                let PuzzleSlice::Clues(given) = given else { unreachable!("puzzles of clues") };
                attempts.push((method, limits.guesses, given[0] != puzzles[0]));
                if attempts.len() < n {
                    outcomes.set_counts(0, Status::Limit, 0, limits.guesses);
                    return Ok(Work::default());
                }
                scalar::solve_batch(
                    given.into(),
                    limits,
                    outcomes,
                    &mut |_, _| unreachable!(),
                    &CancelToken::new(),
                )
            },
        )
        .unwrap();
        (attempts, outcomes)
    }

    #[test]
    fn images_are_searched_with_growing_caps() {
        use Method::{Lanes, LookAhead, Single};
        let (all, outcomes) = attempts(Lanes, Limits::UNIQUE, 11);
        let mut expected = vec![(Lanes, 640, false), (LookAhead, 66, false)];
        expected.extend([66, 66, 66, 130, 130, 130, 130, 258, 258].map(|cap| (LookAhead, cap, true)));
        assert_eq!(all, expected);
        let before: u64 = expected[..10].iter().map(|(_, cap, _)| cap).sum();
        assert_eq!(outcomes.statuses(), [Status::Unique]);
        assert_eq!(outcomes.guesses(), [before], "the puzzle needs no guess");
        let (single, _) = attempts(Single, Limits::FIRST, 3);
        assert_eq!(single, [(Single, 1024, false), (LookAhead, 65, false), (LookAhead, 65, true)]);
    }

    #[test]
    fn the_solution_of_an_image_is_mapped_back() {
        for first in [Method::Lanes, Method::Single] {
            for limits in [Limits::FIRST, Limits::UNIQUE, Limits::ALL] {
                for n in 1..=9 {
                    let (_, outcomes) = attempts(first, limits, n);
                    let solution = outcomes.solution(0).map(|solution| solution.to_string());
                    assert_eq!(solution.as_deref(), Some(SOLUTION), "{first:?}, {limits:?}, {n} attempts");
                }
            }
        }
    }

    #[test]
    fn a_limit_ends_an_attempt_or_comes_before_the_next() {
        let total = 640 + 66 + 66;
        for (limit, n_attempts) in [(639, 1), (640, 2), (641, 2), (706, 3), (total - 1, 3), (total, 4)] {
            let (all, outcomes) = attempts(Method::Lanes, Limits::UNIQUE.max_guesses(limit), 100);
            assert_eq!(all.len(), n_attempts, "limit {limit}");
            assert_eq!((outcomes.statuses()[0], outcomes.guesses()[0]), (Status::Limit, limit));
        }
    }
}
