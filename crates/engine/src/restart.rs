//! Restarts: a bound on the worst case of a search.
//!
//! The number of guesses that a depth-first search needs has a heavy tail: a few puzzles take millions, because an
//! early guess was unlucky and is refuted only at great depth. Gomes, Selman and Kautz described this for quasigroup
//! completion (*Boosting Combinatorial Search Through Randomization*, 1998). Such a puzzle is hard for one order of
//! guesses.
//!
//! So a puzzle is solved in attempts:
//!
//! 1. The search of the engine, up to [`FIRST_CAP`] guesses ([`FIRST_CAP_OF_SCALAR`] in the scalar engine), or
//!    [`MARKS_CAP`] in pencilmarks that are not [like clues](crate::grid::Candidates::are_like_clues). Nearly all
//!    searches end here.
//! 2. Otherwise that search is dropped, and the puzzle is searched from the start [with look-ahead](crate::lanes). Each
//!    of its guesses takes the time of 25 guesses in lanes, but it needs far fewer: nearly all puzzles of clues are
//!    solved in dozens.
//! 3. In puzzles of clues, and pencilmarks like them, look-ahead has a cap as well, because its guesses can be unlucky
//!    too. Then images of the puzzle under fixed symmetries are searched with look-ahead, another one for each attempt.
//!    The caps double after every four attempts. Other pencilmarks that are hard have large search trees in every
//!    image, so they have no third attempt.
//!
//! The outcome has the guesses of all attempts, and the solutions of the last one. It depends on the puzzle, the engine
//! and the limits only.
//!
//! A search for more than [`MANY`] solutions has a long way to go even if no guess is unlucky. In lanes it
//! [enumerates](crate::lanes::enumerate) them, and is restarted only while it has found no solution. Its attempts are
//! in lanes, at the puzzle and then at images of it. The caps grow. The scalar engine makes one attempt: it [searches
//! for one solution](crate::lanes::find_one) in parts of the search that may have none.

use crate::cancel::Cancelled;
use crate::grid::Symmetry;
use crate::outcome::{Limits, Outcomes, OutcomesMut, PuzzleSlice, ROW, Status};

/// The caps of the first attempt. No puzzle of the benchmark sets needs more than 638 guesses in lanes and 948 in the
/// scalar engine. In an almost empty grid, a guess takes 2.6 µs if the puzzle is alone in its batch, and 0.4 µs in the
/// scalar engine.
const FIRST_CAP: u64 = 640;
const FIRST_CAP_OF_SCALAR: u64 = 1024;
/// The same for pencilmarks that are not like clues. One of these may take six sweeps of the lane engine for each
/// guess.
const MARKS_CAP: u64 = 128;
/// The cap of the next attempts at puzzles of clues, beside a guess for each solution. It doubles after four attempts.
const NEXT_CAP: u64 = 64;
/// Up to this number of solutions a search is restarted although it has found solutions. Puzzles with many solutions
/// yield one about every other guess.
const MANY: u64 = 128;
/// The cap of the first attempt of an enumeration.
const FIRST_CAP_OF_MANY: u64 = 4096;
/// The caps of its next attempts.
const LANES_CAP: u64 = 96;

/// The search of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    /// The lane engine, which enumerates if there are to be many solutions.
    Lanes,
    /// The scalar engine.
    Scalar,
    /// The search with look-ahead.
    LookAhead,
}

/// An attempt at a puzzle.
pub(crate) struct Attempt {
    pub method: Method,
    /// The maximal number of guesses.
    pub cap: u64,
    /// The puzzle is searched as its image under this symmetry.
    symmetry: Option<Symmetry>,
}

impl Attempt {
    /// Attempt `number` of an enumeration in lanes.
    pub fn for_many(number: u32) -> Attempt {
        let cap = match number.checked_sub(1) {
            None => FIRST_CAP_OF_MANY,
            Some(later) => LANES_CAP << (later / 2 * 3).min(50),
        };
        // The puzzle itself is searched first.
        let symmetry = (number > 0).then(|| Symmetry::of_seed(number.into()));
        Attempt { method: Method::Lanes, cap, symmetry }
    }

    /// Calls `search` with the images of some puzzles, or these puzzles themselves.
    pub fn search<T>(&self, given: PuzzleSlice, which: &[usize], search: impl FnOnce(PuzzleSlice) -> T) -> T {
        match given {
            PuzzleSlice::Clues(all) => search((&self.images(all, which, Symmetry::puzzle)).into()),
            PuzzleSlice::Candidates(all) => search((&self.images(all, which, Symmetry::candidates)).into()),
        }
    }

    fn images<T: Copy>(&self, all: &[T], which: &[usize], image: fn(&Symmetry, &T) -> T) -> Vec<T> {
        which.iter().map(|&k| self.symmetry.as_ref().map_or(all[k], |symmetry| image(symmetry, &all[k]))).collect()
    }

    /// Turns a solution that [`search`](Attempt::search) has found into one of the puzzle.
    pub fn undo(&self, row: &mut [u8; ROW]) {
        if let Some(symmetry) = &self.symmetry {
            let cells = row.first_chunk_mut().expect("a row is longer");
            *cells = symmetry.inverse().text(cells);
        }
    }
}

/// The attempts at a puzzle, one after another.
#[derive(Clone, Copy)]
struct Attempts {
    /// At pencilmarks that are not like clues.
    is_marks: bool,
    first: Method,
    /// The limit of solutions.
    solutions: u64,
}

impl Attempts {
    /// The attempt after `made` others.
    fn get(self, made: u32) -> Attempt {
        let Attempts { is_marks, first, solutions } = self;
        if solutions > MANY {
            return Attempt { method: first, cap: u64::MAX, symmetry: None };
        }
        let cap = match made.checked_sub(1) {
            None if is_marks => MARKS_CAP,
            None if first == Method::Scalar => FIRST_CAP_OF_SCALAR,
            None => FIRST_CAP,
            Some(_) if is_marks => u64::MAX,
            Some(later) => (NEXT_CAP << (later / 4).min(50)) + solutions,
        };
        let method = if made == 0 { first } else { Method::LookAhead };
        // The puzzle itself is searched with each method first.
        let symmetry = (made >= 2).then(|| Symmetry::of_seed(made.into()));
        Attempt { method, cap, symmetry }
    }
}

/// Whether the limit of solutions is more than [`MANY`].
pub(crate) fn is_for_many(limits: Limits) -> bool {
    limits.solutions.get() > MANY
}

/// Solves puzzles in attempts, the first with the method `first`. `solve` makes one attempt at some puzzles, up to
/// limits, into as many entries.
pub(crate) fn run(
    first: Method,
    limits: Limits,
    given: PuzzleSlice,
    mut outcomes: OutcomesMut,
    mut solve: impl FnMut(Method, PuzzleSlice, Limits, OutcomesMut) -> Result<(), Cancelled>,
) -> Result<(), Cancelled> {
    let is_marks = matches!(given, PuzzleSlice::Candidates(_));
    let attempts = Attempts { is_marks, first, solutions: limits.solutions.get() };
    let cap = attempts.get(0).cap;
    solve(first, given, limits.max_guesses(cap.min(limits.guesses)), outcomes.reborrow())?;
    // Also with no guess left: an attempt may need none.
    if cap <= limits.guesses && outcomes.status.contains(&Status::GaveUp) {
        Restarts { limits, given, outcomes, solve: &mut solve }.run(attempts)?;
    }
    Ok(())
}

struct Restarts<'a, F> {
    limits: Limits,
    given: PuzzleSlice<'a>,
    outcomes: OutcomesMut<'a>,
    solve: &'a mut F,
}

impl<F: FnMut(Method, PuzzleSlice, Limits, OutcomesMut) -> Result<(), Cancelled>> Restarts<'_, F> {
    /// Makes all attempts after the first at the puzzles that reached its cap.
    #[cold]
    fn run(&mut self, attempts: Attempts) -> Result<(), Cancelled> {
        let open = self.open((0..self.given.len()).collect());
        let PuzzleSlice::Candidates(all) = self.given else {
            return self.restart(attempts, open);
        };
        // Those like clues are searched again with the caps of clues: the candidates of a puzzle have its outcome.
        let (like_clues, marks) = open.into_iter().partition(|&k| all[k].are_like_clues());
        let attempts_like_clues = Attempts { is_marks: false, ..attempts };
        self.restart(attempts, marks)?;
        self.attempt(&attempts_like_clues.get(0), &like_clues, 0)?;
        self.restart(attempts_like_clues, self.open(like_clues))
    }

    /// Those of some puzzles that reached a cap.
    fn open(&self, which: Vec<usize>) -> Vec<usize> {
        which.into_iter().filter(|&k| self.outcomes.status[k] == Status::GaveUp).collect()
    }

    /// Makes further attempts at puzzles that reached the cap of the first.
    fn restart(&mut self, attempts: Attempts, mut open: Vec<usize>) -> Result<(), Cancelled> {
        // The guesses of all attempts so far.
        let mut spent = 0_u64;
        for made in 1.. {
            spent = spent.saturating_add(attempts.get(made - 1).cap);
            if open.is_empty() || spent > self.limits.guesses {
                break;
            }
            self.attempt(&attempts.get(made), &open, spent)?;
            open = self.open(open);
        }
        Ok(())
    }

    /// Makes an attempt at some puzzles after `before` guesses.
    fn attempt(&mut self, attempt: &Attempt, which: &[usize], before: u64) -> Result<(), Cancelled> {
        if which.is_empty() {
            return Ok(());
        }
        let mut outcomes = Outcomes::new();
        outcomes.resize(which.len());
        let limits = self.limits.max_guesses(attempt.cap.min(self.limits.guesses - before));
        attempt.search(self.given, which, |images| (self.solve)(attempt.method, images, limits, outcomes.as_mut()))?;
        for (i, &k) in which.iter().enumerate() {
            let to = &mut self.outcomes;
            (to.status[k], to.solutions[k]) = (outcomes.status[i], outcomes.solutions[i]);
            to.guesses[k] = before + outcomes.guesses[i];
            to.rows[k] = outcomes.rows[i];
            if outcomes.solutions[i] > 0 {
                attempt.undo(&mut to.rows[k]);
            }
        }
        Ok(())
    }
}
