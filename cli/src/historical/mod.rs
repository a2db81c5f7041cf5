//! Seven small solvers that their authors described on the web, each as it was described.
//!
//! They are rivals in benchmarks, and oracles in tests that share no idea with the lane engine. None is made
//! faster than its description: a list that the original builds anew for every cell is built anew here.
//!
//! Where an original stops at its first solution, the recursion here goes on until [`Limits::solutions`] solutions
//! are found, in the order in which it meets them; with a limit of 1 it is the original. Clashing clues are
//! found before the start ([`Status::Invalid`]), because on those several of the originals give a wrong
//! solution or never end.
//!
//! [`Limits::guesses`] counts the steps that each solver's own work consists of:
//!
//! | solver | one guess is |
//! |---|---|
//! | `twenty-line`, `three-line`, `small-model-clone`, `small-model` | a digit put into a blank cell after its row, column and box allowed it |
//! | `brute-force` | a digit put into a blank cell, to see whether it fits |
//! | `subsets`, `model-clone` | a digit assumed in a cell that had several candidates |
//!
//! So even a puzzle that others solve without a guess may exceed a low cap.

mod brute_force;
mod model_clone;
mod small_model;
mod small_model_clone;
mod subsets;
mod three_line;
mod twenty_line;

use std::fmt;
use std::ops::ControlFlow;

use rapidoku::grid::CELLS;
use rapidoku::{Limits, Outcome, Puzzle, Solution, Status};

/// A historical solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Historical {
    /// After an obfuscated C program of twenty lines.
    TwentyLine,
    /// After a C++ tutorial.
    BruteForce,
    /// After a C program of 2005 that finds all solutions.
    Subsets,
    /// The first step of a JavaScript solver: 81 x 9 candidates, cloned at every level.
    ModelClone,
    /// Its second step: what each row, column and box has, cloned at every level.
    SmallModelClone,
    /// Its third step: the same, undone instead of cloned.
    SmallModel,
    /// After a Perl program of three lines.
    ThreeLine,
}

/// A solver: the grid `0` for blank, whose clues do not clash, and where to report.
type Solver = fn(&[u8; CELLS], &mut Journal) -> ControlFlow<()>;

impl Historical {
    /// All of them.
    pub const ALL: [Historical; 7] = [
        Historical::TwentyLine,
        Historical::BruteForce,
        Historical::Subsets,
        Historical::ModelClone,
        Historical::SmallModelClone,
        Historical::SmallModel,
        Historical::ThreeLine,
    ];

    /// The word for it on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Historical::TwentyLine => "twenty-line",
            Historical::BruteForce => "brute-force",
            Historical::Subsets => "subsets",
            Historical::ModelClone => "model-clone",
            Historical::SmallModelClone => "small-model-clone",
            Historical::SmallModel => "small-model",
            Historical::ThreeLine => "three-line",
        }
    }

    /// Searches one puzzle.
    pub fn solve(self, puzzle: &Puzzle, limits: Limits) -> Outcome {
        if puzzle.clash().is_some() {
            return Outcome::INVALID;
        }
        let mut journal = Journal { limits, solutions: 0, guesses: 0, capped: false, first: None };
        // Why it is over is told by the journal.
        let _ = self.solver()(puzzle.cells(), &mut journal);
        let Journal { solutions, guesses, capped, first, .. } = journal;
        let status = Status::of_search(solutions, limits, capped);
        let solution = first.map(|cells| Solution::from_cells(cells).expect("solvers report full grids"));
        Outcome::new(status, solutions, guesses).with_solution(solution)
    }

    fn solver(self) -> Solver {
        match self {
            Historical::TwentyLine => twenty_line::solve,
            Historical::BruteForce => brute_force::solve,
            Historical::Subsets => subsets::solve,
            Historical::ModelClone => model_clone::solve,
            Historical::SmallModelClone => small_model_clone::solve,
            Historical::SmallModel => small_model::solve,
            Historical::ThreeLine => three_line::solve,
        }
    }
}

impl fmt::Display for Historical {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a solver has found, and when it is to stop: it passes every break on with `?`.
struct Journal {
    limits: Limits,
    solutions: u64,
    guesses: u64,
    capped: bool,
    first: Option<[u8; CELLS]>,
}

impl Journal {
    /// Asks for one more guess. Breaks at the cap.
    fn guess(&mut self) -> ControlFlow<()> {
        if self.guesses == self.limits.guesses {
            self.capped = true;
            return ControlFlow::Break(());
        }
        self.guesses += 1;
        ControlFlow::Continue(())
    }

    /// Notes a solution. Breaks at the limit.
    fn solution(&mut self, cells: &[u8; CELLS]) -> ControlFlow<()> {
        self.first.get_or_insert(*cells);
        self.solutions += 1;
        if self.solutions == self.limits.solutions.get() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}
