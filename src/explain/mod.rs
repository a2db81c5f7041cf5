//! Why a puzzle is what it is: what clashes, why there is no solution, where solutions differ, or how to solve it.

mod refute;
mod text;

use crate::grid::{Candidates, Cell, HOUSE_CELLS, House, Puzzle, PuzzleError, Solution};
use crate::outcome::{Limits, Status};
use crate::technique::{self, Contradiction, Step, Technique};

pub use refute::{core, refute};

/// What there is to say about a record. As JSON, `status` tells which of these it is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(tag = "status", rename_all = "lowercase"))]
pub enum Explanation {
    /// It is no puzzle, or clues clash.
    Invalid {
        /// The first trouble.
        reason: PuzzleError,
        /// Every digit that stands several times in a house: by house, then digit.
        clashes: Vec<Clash>,
    },
    /// There is no solution.
    None {
        /// The singles that lead to a contradiction, if singles do.
        refutation: Option<Refutation>,
        /// Clues (or cells with their candidates) that have no solution by themselves already; without any of them,
        /// the others have one. As JSON its clues, or its pencilmarks where these say more.
        #[cfg_attr(feature = "serde", serde(serialize_with = "as_clues"))]
        core: Candidates,
    },
    /// There are several solutions.
    Multiple {
        /// The first two that [`Candidates::solutions`] gives.
        solutions: [Solution; 2],
        /// The cells in which these differ.
        differ: Vec<Cell>,
    },
    /// There is one solution.
    Unique {
        /// It.
        solution: Solution,
        /// How to find it. Of a guess that is refuted only that is told: the step removes the candidate.
        steps: Vec<Step>,
        /// The hardest technique among all steps, those of refuted guesses too.
        hardest: Option<Technique>,
        /// Digits that were assumed.
        guesses: u64,
        /// Assumptions that were refuted.
        backtracks: u64,
    },
    /// The cap on guesses ended the search.
    Limit,
}

/// A digit that stands several times in a house.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Clash {
    /// The digit.
    pub digit: u8,
    /// The house.
    pub house: House,
    /// The cells of the house that hold it.
    pub cells: Vec<Cell>,
}

/// A chain of singles that ends in a contradiction.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Refutation {
    /// The singles, in order; none that the contradiction does not need.
    pub steps: Vec<Step>,
    /// What they come to.
    pub contradiction: Contradiction,
}

impl Explanation {
    /// Explains a record: the candidates of a puzzle, or the reason why it is none. Puzzles are given up after
    /// `max_guesses`.
    pub fn new(record: Result<Candidates, PuzzleError>, max_guesses: u64) -> Explanation {
        let start = match record {
            Ok(start) => start,
            Err(reason) => return Explanation::Invalid { reason, clashes: Vec::new() },
        };
        if let Some(reason) = start.clues().clash() {
            return Explanation::Invalid { reason, clashes: clashes(&start.clues()) };
        }
        let mut search = start.solutions().limits(Limits::UNIQUE.max_guesses(max_guesses));
        let solutions: Vec<_> = search.by_ref().collect();
        match (search.outcome().status, &solutions[..]) {
            (Status::Unique, _) => unique(start),
            (Status::Multiple, &[first, second]) => multiple(first, second),
            (Status::None, _) => {
                Explanation::None { refutation: refute(start), core: core(start, max_guesses) }
            }
            _ => Explanation::Limit,
        }
    }

    /// The status that it explains.
    pub fn status(&self) -> Status {
        match self {
            Explanation::Invalid { .. } => Status::Invalid,
            Explanation::None { .. } => Status::None,
            Explanation::Multiple { .. } => Status::Multiple,
            Explanation::Unique { .. } => Status::Unique,
            Explanation::Limit => Status::Limit,
        }
    }
}

fn clashes(puzzle: &Puzzle) -> Vec<Clash> {
    let pairs = (0..27).flat_map(|house| (1..=9).map(move |digit| (house, digit)));
    let clash = |(house, digit): (u8, u8)| {
        let there =
            HOUSE_CELLS[house as usize].iter().filter(|cell| puzzle.cells()[**cell as usize] == digit);
        let cells: Vec<_> = there.map(|&cell| Cell(cell)).collect();
        (cells.len() > 1).then_some(Clash { digit, house: House(house), cells })
    };
    pairs.filter_map(clash).collect()
}

fn multiple(first: Solution, second: Solution) -> Explanation {
    let both = first.cells().iter().zip(second.cells());
    let differ = (0..).zip(both).filter(|(_, (a, b))| a != b).map(|(cell, _)| Cell(cell)).collect();
    Explanation::Multiple { solutions: [first, second], differ }
}

/// Solves a puzzle that has one solution step by step.
fn unique(start: Candidates) -> Explanation {
    let mut steps = Vec::new();
    // Where the open guesses are.
    let mut guesses = Vec::new();
    let rating = technique::solve(start, &mut |step| {
        if step.technique == Technique::Guess {
            match step.placement() {
                Some(_) => guesses.push(steps.len()),
                None => steps.truncate(guesses.pop().expect("only a guess is refuted")),
            }
        }
        steps.push(step.clone());
    });
    Explanation::Unique {
        solution: rating.solution.expect("it has one"),
        steps,
        hardest: rating.hardest,
        guesses: rating.guesses,
        backtracks: rating.backtracks,
    }
}

/// The clues where they say everything, else the pencilmarks.
#[cfg(feature = "serde")]
fn as_clues<S: serde::Serializer>(candidates: &Candidates, serializer: S) -> Result<S::Ok, S::Error> {
    match candidates.puzzle() {
        Some(puzzle) => serializer.collect_str(&puzzle),
        None => serializer.collect_str(candidates),
    }
}

impl Puzzle {
    /// Explains why the puzzle has no, one or several solutions: see [`Explanation`].
    pub fn explain(&self) -> Explanation {
        Explanation::new(Ok(self.into()), u64::MAX)
    }
}
