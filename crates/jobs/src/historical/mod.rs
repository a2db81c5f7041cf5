//! Historical solvers: seven small programs that their authors published on the web, reimplemented as described.
//!
//! They are competitors in benchmarks, and test oracles that share no idea with the lane engine. They keep the cost
//! of the original algorithm: if the original rebuilds a list for every cell, so does the code here.
//!
//! If an original stops at the first solution, the recursion here continues until [`Limits::solutions`] solutions are
//! found, in the order of the search; with a limit of 1 it is the original. Clashing clues are rejected before the
//! search ([`Status::Invalid`]), because several originals return a wrong solution or do not terminate on them.
//!
//! [`Limits::guesses`] counts a step that is specific to each solver:
//!
//! | solver | a guess is |
//! |---|---|
//! | `twenty-line`, `three-line`, `small-model-clone`, `small-model` | a digit placed in a blank cell because row, column and box allow it |
//! | `brute-force` | a digit placed in a blank cell to test whether it fits |
//! | `subsets`, `model-clone` | a digit assumed in a cell with several candidates |
//!
//! A puzzle that other solvers solve without a guess may therefore exceed a low cap.

mod brute_force;
mod model_clone;
mod small_model;
mod small_model_clone;
mod subsets;
mod three_line;
mod twenty_line;

use std::ops::ControlFlow;

use rapidoku::grid::{CELLS, box_of, column_of, row_of};
use rapidoku::{Limits, Outcome, Puzzle, Solution, Status};

/// A historical solver.
#[derive(Clone, Copy, Debug)]
pub struct Historical {
    /// The name on the command line and in reports.
    pub name: &'static str,
    /// Searches a grid with `0` for blanks and without clashing clues.
    search: fn(&[u8; CELLS], &mut SearchState) -> ControlFlow<()>,
}

impl Historical {
    /// All historical solvers.
    pub const ALL: [Historical; 7] = [
        // Based on an obfuscated C program of twenty lines.
        Historical { name: "twenty-line", search: twenty_line::solve },
        // Based on a C++ tutorial.
        Historical { name: "brute-force", search: brute_force::solve },
        // Based on a C program of 2005 that finds all solutions.
        Historical { name: "subsets", search: subsets::solve },
        // The three versions of a JavaScript solver: 81 x 9 candidates, cloned at every level; the digits of each row,
        // column and box, cloned at every level; the same, undone instead of cloned.
        Historical { name: "model-clone", search: model_clone::solve },
        Historical { name: "small-model-clone", search: small_model_clone::solve },
        Historical { name: "small-model", search: small_model::solve },
        // Based on a Perl program of three lines.
        Historical { name: "three-line", search: three_line::solve },
    ];

    /// Solves a puzzle.
    pub fn solve(self, puzzle: &Puzzle, limits: Limits) -> Outcome {
        if puzzle.clash().is_some() {
            return Outcome::INVALID;
        }
        let mut state = SearchState { limits, solutions: 0, guesses: 0, capped: false, first: None };
        // A break carries no information: the state holds the reason.
        let _ = (self.search)(puzzle.cells(), &mut state);
        let SearchState { solutions, guesses, capped, first, .. } = state;
        let status = Status::of_search(solutions, limits, capped);
        let solution = first.map(|cells| Solution::from_cells(cells).expect("solvers report complete grids"));
        Outcome::new(status, solutions, guesses).with_solution(solution)
    }
}

/// The houses of a cell.
fn houses(cell: usize) -> [usize; 3] {
    [row_of(cell), 9 + column_of(cell), 18 + box_of(cell)]
}

/// Whether two cells have a house in common.
fn sees(a: usize, b: usize) -> bool {
    row_of(a) == row_of(b) || column_of(a) == column_of(b) || box_of(a) == box_of(b)
}

/// The findings of a search. Its methods break when the search must stop; solvers propagate the break with `?`.
struct SearchState {
    limits: Limits,
    solutions: u64,
    guesses: u64,
    capped: bool,
    first: Option<[u8; CELLS]>,
}

impl SearchState {
    /// Counts a guess. Breaks if the cap is reached.
    fn count_guess(&mut self) -> ControlFlow<()> {
        if self.guesses == self.limits.guesses {
            self.capped = true;
            return ControlFlow::Break(());
        }
        self.guesses += 1;
        ControlFlow::Continue(())
    }

    /// Adds a solution. Breaks if the limit is reached.
    fn add_solution(&mut self, cells: &[u8; CELLS]) -> ControlFlow<()> {
        self.first.get_or_insert(*cells);
        self.solutions += 1;
        if self.solutions == self.limits.solutions.get() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
