//! Restarts: a bound on the worst case of a search.
//!
//! The number of guesses that a depth-first search needs has a heavy tail: a few puzzles take millions, because an early
//! guess was unlucky and is refuted only at great depth. Such a puzzle is hard for one order of guesses. Moved and renamed
//! by a random symmetry, or with another rule for guesses, it often needs a few dozen. Gomes, Selman and Kautz described
//! this for quasigroup completion and proposed restarts (*Boosting Combinatorial Search Through Randomization*, 1998).
//!
//! So a puzzle is solved in attempts:
//!
//! 1. The puzzle as given, up to [`FIRST_CAP`] guesses. Nearly all searches end here.
//! 2. Otherwise that search is dropped, and equivalent puzzles are solved: the images under fixed symmetries, another one
//!    for each attempt. The attempts take turns with several [methods](Method) in rounds, and their caps grow from round
//!    to round:
//!
//! | round | lane engine: weighted, lanes, weighted, look-ahead | single-puzzle solver: four times weighted, look-ahead |
//! |--:|---|---|
//! | 0 | 224, 96, 224, 32 | 224, 224, 224, 224, 32 |
//! | 1 | 224, 768, 224, 2048 | 224, 224, 224, 224, 2048 |
//! | 2 | 448, 6144, 448, 4096 | 448, 448, 448, 448, 4096 |
//!
//! The methods choose guesses by different rules, and what is hard in every form for one of them is easy for another. A
//! contradiction among a few cells of an almost empty grid takes a hundred guesses by weight and a hundred thousand with
//! look-ahead. There are pencilmarks that take 60,000 guesses in lanes and 70 with look-ahead.
//!
//! The outcome has the guesses of all attempts and the solutions of the last one, and the first of these mapped back. It
//! depends on the puzzle, the engine and the limits only.
//!
//! A search for more than [`MANY`] solutions has a long way to go even if no guess is unlucky. It is restarted only while
//! it has found no solution; after that it goes on to its end. It keeps to one method.

use crate::cancel::Cancelled;
use crate::grid::{CELLS, Symmetry};
use crate::outcome::{Limits, Outcomes, OutcomesMut, PuzzleSlice, Status, Work};

/// The cap of the first attempt. No puzzle of the benchmark sets needs more than 638 guesses in lanes and 948 in the
/// single-puzzle solver.
const FIRST_CAP: u64 = 1024;
/// The caps of the first round of attempts after that, by method.
const WEIGHTED_CAP: u64 = 224;
const LANES_CAP: u64 = 96;
const LOOK_AHEAD_CAP: u64 = 32;
/// Up to this number of solutions a search is restarted although it has found solutions. It finds them at every guess or
/// two, if they exist.
const MANY: u64 = 128;
/// The cap of the first attempt of searches for more. It is higher because a search that reaches it with a solution is
/// repeated without a cap.
const FIRST_CAP_OF_MANY: u64 = 4096;

/// How an attempt chooses its guesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    /// The lane engine.
    Lanes,
    /// The single-puzzle solver.
    Single,
    /// The single-puzzle solver with guesses by weight: at cells where guesses have failed.
    Weighted,
    /// The single-puzzle solver with look-ahead.
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

    /// The methods of a round.
    fn round(&self) -> &[Method] {
        match (self.first, self.is_for_many()) {
            (Method::Lanes, true) => &[Method::Lanes; 2],
            (_, true) => &[Method::Single; 2],
            (Method::Lanes, false) => &[Method::Weighted, Method::Lanes, Method::Weighted, Method::LookAhead],
            (_, false) => {
                &[Method::Weighted, Method::Weighted, Method::Weighted, Method::Weighted, Method::LookAhead]
            }
        }
    }

    /// The round of an attempt, and its place there. Attempt 0 comes before the rounds.
    fn place(&self, attempt: u32) -> (u32, usize) {
        let len = self.round().len() as u32;
        ((attempt - 1) / len, ((attempt - 1) % len) as usize)
    }

    /// How an attempt chooses its guesses.
    pub fn method(&self, attempt: u32) -> Method {
        match attempt {
            0 => self.first,
            _ => self.round()[self.place(attempt).1],
        }
    }

    /// The maximal number of guesses of an attempt.
    pub fn cap(&self, attempt: u32) -> u64 {
        if attempt == 0 {
            return if self.is_for_many() { FIRST_CAP_OF_MANY } else { FIRST_CAP };
        }
        let (round, _) = self.place(attempt);
        match self.method(attempt) {
            Method::Weighted | Method::Single => WEIGHTED_CAP << (round / 2).min(50),
            Method::Lanes => LANES_CAP << (3 * round).min(50),
            Method::LookAhead if round == 0 => LOOK_AHEAD_CAP,
            Method::LookAhead => (32 * LOOK_AHEAD_CAP) << round.min(50),
        }
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
    let cap = plan.cap(0).min(limits.guesses);
    let mut work = solve(first, given, limits.max_guesses(cap), outcomes.reborrow())?;
    if cap < limits.guesses && outcomes.status.contains(&Status::Limit) {
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
        let Plan { limits, .. } = self.plan;
        let mut work = Work::default();
        let mut open: Vec<usize> = (0..self.given.len()).collect();
        // The guesses of all attempts before the last one, and of all attempts.
        let (mut before, mut spent) = (0, self.plan.cap(0));
        for attempt in 0.. {
            open.retain(|&k| self.outcomes.status[k] == Status::Limit);
            if self.plan.is_for_many() {
                let found: Vec<_> = open.extract_if(.., |k| self.outcomes.solutions[*k] > 0).collect();
                work += self.attempt(attempt, &found, before, limits.guesses)?;
            }
            if open.is_empty() || spent == limits.guesses {
                break;
            }
            before = spent;
            spent = spent.saturating_add(self.plan.cap(attempt + 1)).min(limits.guesses);
            work += self.attempt(attempt + 1, &open, before, spent)?;
        }
        Ok(work)
    }

    /// Makes an attempt at some puzzles after `before` guesses, until there are `until` guesses in all.
    fn attempt(&mut self, attempt: u32, which: &[usize], before: u64, until: u64) -> Result<Work, Cancelled> {
        let symmetry = (attempt > 0).then(|| symmetry(attempt));
        let mut outcomes = Outcomes::new();
        outcomes.resize(which.len());
        let (method, limits) = (self.plan.method(attempt), self.plan.limits.max_guesses(until - before));
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
