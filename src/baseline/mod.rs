//! Seven small solvers that their authors described on the web, each as it was described.
//!
//! They are rivals in benchmarks, and oracles in tests that share no idea with the lane engine. None is made
//! faster than its description: a list that the original builds anew for every cell is built anew here.
//!
//! Where an original stops at its first solution, the recursion here goes on until [`Search::limit`] solutions
//! are found, in the order in which it meets them; with a limit of 1 it is the original. Clashing clues are
//! found before the start ([`Status::Invalid`]), because on those several of the originals give a wrong
//! solution or never end.
//!
//! [`Search::max_guesses`] counts the steps that each solver's own work consists of:
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

use crate::engine::{BLANK_ROW, Outcomes, Search};
use crate::grid::{CELLS, Puzzle, Solution, Status};
use crate::scalar::Answer;

/// A historical solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Baseline {
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

impl Baseline {
    /// All of them.
    pub const ALL: [Baseline; 7] = [
        Baseline::TwentyLine,
        Baseline::BruteForce,
        Baseline::Subsets,
        Baseline::ModelClone,
        Baseline::SmallModelClone,
        Baseline::SmallModel,
        Baseline::ThreeLine,
    ];

    /// The word for it on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Baseline::TwentyLine => "twenty-line",
            Baseline::BruteForce => "brute-force",
            Baseline::Subsets => "subsets",
            Baseline::ModelClone => "model-clone",
            Baseline::SmallModelClone => "small-model-clone",
            Baseline::SmallModel => "small-model",
            Baseline::ThreeLine => "three-line",
        }
    }

    /// Searches one puzzle.
    pub fn solve(self, puzzle: &Puzzle, search: Search) -> Answer {
        if puzzle.clash().is_some() {
            return Answer { status: Status::Invalid, solution: None, solutions: 0, guesses: 0 };
        }
        let mut journal = Journal { search, solutions: 0, guesses: 0, capped: false, first: None };
        // Why it is over is told by the journal.
        let _ = self.solver()(puzzle.cells(), &mut journal);
        let Journal { solutions, guesses, capped, first, .. } = journal;
        let status = Status::of_search(solutions, search.limit, capped);
        let solution = first.map(|cells| Solution::from_cells(cells).expect("solvers report full grids"));
        Answer { status, solution, solutions, guesses }
    }

    fn solver(self) -> Solver {
        match self {
            Baseline::TwentyLine => twenty_line::solve,
            Baseline::BruteForce => brute_force::solve,
            Baseline::Subsets => subsets::solve,
            Baseline::ModelClone => model_clone::solve,
            Baseline::SmallModelClone => small_model_clone::solve,
            Baseline::SmallModel => small_model::solve,
            Baseline::ThreeLine => three_line::solve,
        }
    }

    /// Solves `puzzles` into `outcomes`, which has an entry for each.
    pub(crate) fn solve_batch(self, puzzles: &[Puzzle], search: Search, outcomes: &mut Outcomes) {
        for (k, puzzle) in puzzles.iter().enumerate() {
            let answer = self.solve(puzzle, search);
            outcomes.status[k] = answer.status;
            outcomes.solutions[k] = answer.solutions;
            outcomes.guesses[k] = answer.guesses;
            outcomes.rows[k] = BLANK_ROW;
            if let Some(solution) = answer.solution {
                for (byte, digit) in outcomes.rows[k].iter_mut().zip(solution.cells()) {
                    *byte = b'0' + digit;
                }
            }
        }
    }
}

impl fmt::Display for Baseline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a solver has found, and when it is to stop: it passes every break on with `?`.
struct Journal {
    search: Search,
    solutions: u64,
    guesses: u64,
    capped: bool,
    first: Option<[u8; CELLS]>,
}

impl Journal {
    /// Asks for one more guess. Breaks at the cap.
    fn guess(&mut self) -> ControlFlow<()> {
        if self.guesses == self.search.max_guesses {
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
        if self.solutions == self.search.limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
