//! The single-puzzle solver.

use crate::engine::{Outcomes, Search};
use crate::grid::Puzzle;

pub(crate) fn solve_batch(_puzzles: &[Puzzle], _search: Search, _outcomes: &mut Outcomes) {
    todo!()
}
