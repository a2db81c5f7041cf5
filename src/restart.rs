//! Restarts: a bound on the worst case of a search.
//!
//! The number of guesses that a depth-first search needs has a heavy tail: a few puzzles take millions, because an early
//! guess was unlucky and is refuted only at great depth. Gomes, Selman and Kautz described this for quasigroup completion
//! (*Boosting Combinatorial Search Through Randomization*, 1998). Such a puzzle is hard for one order of guesses.
//!
//! So a puzzle is solved in attempts:
//!
//! 1. The search of the engine, up to [`FIRST_CAP`] guesses ([`FIRST_CAP_OF_SINGLE`] in the single-puzzle solver), or
//!    [`MARKS_CAP`] in a puzzle of pencilmarks. Nearly all searches end here.
//! 2. Otherwise that search is dropped, and the puzzle is searched from the start [with look-ahead](crate::lanes). Each
//!    of its guesses takes the time of 25 guesses in lanes, but it needs far fewer: nearly all puzzles of clues are solved in
//!    dozens.
//!
//! The outcome has the guesses of both attempts, and the solutions of the last one. It depends on the puzzle, the engine and
//! the limits only.
//!
//! A search for more than [`MANY`] solutions has a long way to go even if no guess is unlucky. It is restarted only while it
//! has found no solution; after that it goes on to its end. Its attempts are those of the engine, at equivalent puzzles: the
//! images under fixed symmetries, another one for each attempt. The caps grow.

use crate::cancel::Cancelled;
use crate::grid::{CELLS, Candidates, PEERS, Symmetry};
use crate::outcome::{Limits, Outcomes, OutcomesMut, PuzzleSlice, Status, Work};

/// The caps of the first attempt. No puzzle of the benchmark sets needs more than 638 guesses in lanes and 948 in the
/// single-puzzle solver. In an almost empty grid, a guess takes 2.6 µs if the puzzle is alone in its batch, and 0.4 µs in the
/// single-puzzle solver.
const FIRST_CAP: u64 = 640;
const FIRST_CAP_OF_SINGLE: u64 = 1024;
/// The same for pencilmarks that no clues imply. One of these may take six sweeps of the lane engine for each guess.
const MARKS_CAP: u64 = 128;
/// Up to this number of solutions a search is restarted although it has found solutions. It finds them at every guess or
/// two, if they exist.
const MANY: u64 = 128;
/// The cap of the first attempt of searches for more. It is higher because a search that reaches it with a solution is
/// repeated without a cap.
const FIRST_CAP_OF_MANY: u64 = 4096;
/// The caps of its next attempts.
const LANES_CAP: u64 = 96;
const SINGLE_CAP: u64 = 224;

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

    /// The maximal number of guesses of an attempt by the engine.
    pub fn cap(&self, attempt: u32) -> u64 {
        // Twice the same cap.
        let round = attempt.saturating_sub(1) / 2;
        match self.first {
            Method::Single if !self.is_for_many() => FIRST_CAP_OF_SINGLE,
            _ if !self.is_for_many() => FIRST_CAP,
            _ if attempt == 0 => FIRST_CAP_OF_MANY,
            Method::Lanes => LANES_CAP << (3 * round).min(50),
            _ => SINGLE_CAP << (round / 2).min(50),
        }
    }

    /// The cap of the very first search of a batch.
    fn first_cap(&self, given: PuzzleSlice) -> u64 {
        match given {
            PuzzleSlice::Candidates(_) if !self.is_for_many() => MARKS_CAP,
            _ => self.cap(0),
        }
    }
}

/// Whether candidates are those that their clues imply, apart from candidates that clash with a clue.
fn are_of_clues(candidates: &Candidates) -> bool {
    let clues = candidates.clues();
    (0..CELLS).filter(|&cell| clues.cells()[cell] == 0).all(|cell| {
        let clue = |&peer: &u8| clues.cells()[peer as usize];
        let excluded =
            PEERS[cell].iter().map(clue).filter(|&digit| digit != 0).fold(0, |set, d| set | 1 << (d - 1));
        candidates.cells()[cell] | excluded == Candidates::NINE
    })
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
        let open = self.open((0..self.given.len()).collect());
        if self.plan.is_for_many() { self.restart_for_many(open) } else { self.look_ahead(open) }
    }

    /// Those of some puzzles that reached a cap.
    fn open(&self, which: Vec<usize>) -> Vec<usize> {
        which.into_iter().filter(|&k| self.outcomes.status[k] == Status::Limit).collect()
    }

    fn look_ahead(&mut self, open: Vec<usize>) -> Result<Work, Cancelled> {
        let Plan { first, limits } = self.plan;
        let cap = self.plan.cap(0);
        let mut work = Work::default();
        let (mut of_clues, mut marks) = (open, Vec::new());
        if let PuzzleSlice::Candidates(all) = self.given {
            // Candidates that clues imply have the outcome of the clues.
            (of_clues, marks) = of_clues.into_iter().partition(|&k| are_of_clues(&all[k]));
            work += self.attempt(first, None, &of_clues, 0, cap.min(limits.guesses))?;
            of_clues = self.open(of_clues);
        }
        if cap <= limits.guesses {
            work += self.attempt(Method::LookAhead, None, &of_clues, cap, limits.guesses)?;
        }
        work += self.attempt(Method::LookAhead, None, &marks, MARKS_CAP, limits.guesses)?;
        Ok(work)
    }

    fn restart_for_many(&mut self, mut open: Vec<usize>) -> Result<Work, Cancelled> {
        let Plan { first, limits } = self.plan;
        let mut work = Work::default();
        // The guesses of all attempts before the last one, and of all attempts.
        let (mut before, mut spent) = (0, self.plan.cap(0));
        for attempt in 0.. {
            let symmetry = |attempt| (attempt > 0).then(|| symmetry(attempt));
            let found: Vec<_> = open.extract_if(.., |k| self.outcomes.solutions[*k] > 0).collect();
            work += self.attempt(first, symmetry(attempt), &found, before, limits.guesses)?;
            if open.is_empty() || spent > limits.guesses {
                break;
            }
            before = spent;
            spent = spent.saturating_add(self.plan.cap(attempt + 1));
            work += self.attempt(first, symmetry(attempt + 1), &open, before, spent.min(limits.guesses))?;
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
