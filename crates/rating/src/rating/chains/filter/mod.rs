//! What only saves time: proofs that a search would find nothing, or nothing that comes first.

mod cycle_bounds;
mod exclusions;
mod forcing_lengths;
mod links;
mod rows;
mod static_chains;
mod upper_bounds;

pub use upper_bounds::{LEVELS, Set};

use static_chains::StaticChains;
use upper_bounds::UpperBounds;

use super::Mode;
use super::closure::CandidateSet;
use crate::grid::CELLS;
use crate::rating::state::State;
use crate::rating::tables::BIT_OF;

/// What is known about the puzzle and the grid at hand.
#[derive(Default)]
pub struct Known {
    /// The digit of each cell in the solution as a set.
    pub right: Vec<u16>,
    /// The candidates of the solution. Under an assumption there is none to go by.
    pub solution: CandidateSet,
    /// The most that follows from each assumption about the grid.
    pub upper_bounds: UpperBounds,
    /// Whether technique 21 found nothing on the grid, so that every static chain under an assumption depends on what
    /// is gone.
    pub has_no_chains: bool,
    covers_level: bool,
}

impl Known {
    /// Starts with a puzzle.
    pub fn start(&mut self, solution: [u8; CELLS]) {
        solution.map(|digit| 1 << (digit - 1)).as_slice().clone_into(&mut self.right);
        self.solution = [0; 9];
        BIT_OF.iter().zip(solution).for_each(|(cell, digit)| self.solution[digit as usize - 1] |= cell);
        self.upper_bounds.clear();
        (self.has_no_chains, self.covers_level) = (false, false);
    }

    /// The static chains of the grid.
    pub fn chains(&mut self, grid: &State) -> &mut dyn StaticChains {
        let chains = self.upper_bounds.chains(grid, &self.solution);
        chains.update(grid);
        chains
    }

    /// The static chains of the grid at hand, for a state under an assumption.
    pub fn chains_left(&mut self, left: &State) -> &mut dyn StaticChains {
        self.upper_bounds.chains(left, &self.solution)
    }

    /// Notes which technique begins on the grid. Returns the level of the upper bounds, if they cover it.
    pub fn begin(&mut self, grid: &State, mode: Mode) -> Option<usize> {
        self.chains(grid);
        let Mode::Dynamic(level) = mode else { return None };
        self.upper_bounds.update(grid);
        let level = Some(level as usize).filter(|&level| level < LEVELS);
        self.covers_level = level.is_some();
        level
    }

    /// Whether no static closure on the grid has a contradiction: it would be a chain. Cells with a single candidate
    /// start no chain.
    pub fn has_no_contradictions(&self, grid: &State) -> bool {
        self.has_no_chains && grid.counted()[0] == 0
    }

    /// Whether cycles within chains do not matter if they come after the chains of all candidates that they remove:
    /// those chains depend on what is gone, so they count. Chains within chains of higher levels count all.
    pub fn bounds_cycles(&self) -> bool {
        self.has_no_chains && self.covers_level
    }

    /// Whether an assumption holds in the solution.
    pub fn is_right(&self, assumption: super::Triple) -> bool {
        let (cell, digit, on) = super::parts(assumption);
        (self.solution[digit] >> cell & 1 == 1) == on
    }
}
