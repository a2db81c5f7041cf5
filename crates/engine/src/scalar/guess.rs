//! The rule for guesses.

use std::cmp::Reverse;

use super::{Cells, Grid, PLACED};
use crate::grid::bits;

/// The number of cells with the fewest candidates that are compared for a guess.
const TIES: usize = 4;

impl Grid {
    /// Chooses the guess in a grid without naked singles, as bit number and digit: a cell with the fewest candidates,
    /// and the lowest of these.
    ///
    /// Of the first [`TIES`] such cells it takes the one with the most peers of the kind (the earliest of several),
    /// because its digit is likely to settle them: a quarter fewer guesses on hard puzzles than with the first cell.
    /// Comparing all such cells costs more than it saves.
    pub(super) fn branch(&self) -> (usize, usize) {
        let fewest = self.fewest();
        let seen = |&bit: &usize| ((fewest & !PLACED[bit]).count_ones(), Reverse(bit));
        let bit = bits(fewest).take(TIES).max_by_key(seen).expect("an unsolved grid has an open cell");
        let digit = self.candidates.iter().position(|set| set >> bit & 1 == 1);
        (bit, digit.expect("propagation leaves no cell without candidates"))
    }

    /// The open cells with the fewest candidates.
    fn fewest(&self) -> Cells {
        // The number of candidates of each cell: bit `n` of it is in set `n`.
        let mut planes = [0; 4];
        for set in self.candidates {
            let mut carry = set;
            for plane in &mut planes {
                (*plane, carry) = (*plane ^ carry, *plane & carry);
            }
        }
        let mut fewest = self.open;
        for plane in planes.iter().rev() {
            if fewest & !plane != 0 {
                fewest &= !plane;
            }
        }
        fewest
    }
}
