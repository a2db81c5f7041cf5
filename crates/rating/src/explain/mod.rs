//! Explains the status of a puzzle: clashing clues, the reason why there is no solution, the cells in which two
//! solutions differ, or the steps that lead to the only solution.

mod refute;
mod singles;
mod text;

use std::ops::ControlFlow;

use crate::grid::{Candidates, Cell, HOUSE_CELLS, House, Puzzle, PuzzleError, Solution};
use crate::outcome::{Limits, Status};
use crate::rating::{self, Rater, Rating};
use crate::solver::{Engine, Solver};

pub use refute::{core, refute};
pub use singles::{Contradiction, Single};

/// The status of a puzzle and the reason for it. In JSON the field `status` names the variant.
///
/// ```
/// use rapidoku::rating::Technique;
/// use rapidoku::{Explanation, Puzzle};
///
/// let puzzle: Puzzle =
///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// let Explanation::Unique { rating, steps, .. } = Explanation::of(&puzzle) else { panic!("it has one solution") };
/// assert_eq!(rating.hardest(), Some(Technique::HiddenSingle));
/// assert_eq!(steps[0].to_string(), "hidden single (1.2): r1c6 = 8, the only place in box 2");
/// # Ok::<(), rapidoku::PuzzleError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(tag = "status", rename_all = "kebab-case"))]
pub enum Explanation {
    /// The record is not a puzzle, or its clues clash.
    Invalid {
        /// The first error.
        reason: PuzzleError,
        /// Every digit that occurs several times in a house, ordered by house, then digit. Empty if the record is not a
        /// puzzle.
        clashes: Vec<Clash>,
    },
    /// There is no solution.
    #[cfg_attr(feature = "serde", serde(rename = "none"))]
    NoSolution {
        /// Singles that lead to a contradiction, if there are any.
        refutation: Option<Refutation>,
        /// A subset of the clues (or of the cells with their candidates) that has no solution. In JSON a puzzle, or
        /// pencilmarks if a cell has several candidates.
        #[cfg_attr(feature = "serde", serde(serialize_with = "as_clues"))]
        core: Candidates,
        /// Whether the subset is known to be minimal: without any one of its clues there is a solution. Always true
        /// without a cap on guesses.
        core_is_minimal: bool,
    },
    /// There are several solutions.
    Multiple {
        /// The first two solutions of [`Candidates::solutions`].
        solutions: [Solution; 2],
        /// The cells in which they differ.
        differ: Vec<Cell>,
    },
    /// There is one solution.
    Unique {
        /// The difficulty of the steps.
        rating: Rating,
        /// The steps that lead to the solution, always the first one of the simplest technique that applies. They end
        /// before the solution if the verdict of the rating is [`Stuck`](rating::Verdict::Stuck).
        steps: Vec<rating::Step>,
        /// The solution.
        solution: Solution,
    },
    /// The cap on guesses ended the search.
    GaveUp,
}

/// A digit that occurs several times in a house.
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
    /// The singles, in order. The contradiction needs each of them.
    pub steps: Vec<Single>,
    /// The contradiction after them.
    pub contradiction: Contradiction,
}

impl Explanation {
    /// Explains why a puzzle has no, one or several solutions.
    pub fn of(puzzle: &Puzzle) -> Explanation {
        Explanation::new(Ok(puzzle.into()), u64::MAX)
    }

    /// Explains a record: the candidates of a puzzle, or the reason why it is not a puzzle. The explanation is
    /// [`Explanation::GaveUp`] if the search for two solutions needs more than `max_guesses`, which is also the cap of
    /// each search for a smaller set of clues without a solution.
    pub fn new(record: Result<Candidates, PuzzleError>, max_guesses: u64) -> Explanation {
        let start = match record {
            Ok(start) => start,
            Err(reason) => return Explanation::Invalid { reason, clashes: Vec::new() },
        };
        if let Some(reason) = start.clues().clash() {
            return Explanation::Invalid { reason, clashes: clashes(&start.clues()) };
        }
        let solver = Solver::new().engine(Engine::Scalar).limits(Limits::UNIQUE.max_guesses(max_guesses));
        match solver.solve(&[start]).statuses()[0] {
            Status::Unique => unique(start),
            Status::Multiple => {
                let mut solutions = start.solutions();
                let [first, second] = [(); 2].map(|()| solutions.next().expect("there are at least two"));
                multiple(first, second)
            }
            Status::NoSolution => {
                let (core, core_is_minimal) = core(start, max_guesses);
                Explanation::NoSolution { refutation: refute(start), core, core_is_minimal }
            }
            _ => Explanation::GaveUp,
        }
    }

    /// The status that is explained.
    pub fn status(&self) -> Status {
        match self {
            Explanation::Invalid { .. } => Status::Invalid,
            Explanation::NoSolution { .. } => Status::NoSolution,
            Explanation::Multiple { .. } => Status::Multiple,
            Explanation::Unique { .. } => Status::Unique,
            Explanation::GaveUp => Status::GaveUp,
        }
    }
}

fn clashes(puzzle: &Puzzle) -> Vec<Clash> {
    let pairs = (0..27).flat_map(|house| (1..=9).map(move |digit| (house, digit)));
    let clash = |(house, digit): (u8, u8)| {
        let there = HOUSE_CELLS[house as usize].iter().filter(|cell| puzzle.cells()[**cell as usize] == digit);
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

/// Solves a puzzle with one solution step by step.
fn unique(start: Candidates) -> Explanation {
    let solution = start.solutions().next().expect("it has one");
    let mut steps = Vec::new();
    let rating = Rater::new().explain(start, &mut |step| {
        steps.push(step.clone());
        ControlFlow::Continue(())
    });
    Explanation::Unique { rating, steps, solution }
}

#[cfg(feature = "serde")]
fn as_clues<S: serde::Serializer>(candidates: &Candidates, serializer: S) -> Result<S::Ok, S::Error> {
    match candidates.puzzle() {
        Some(puzzle) => serializer.collect_str(&puzzle),
        None => serializer.collect_str(candidates),
    }
}
