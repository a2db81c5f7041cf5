//! Rules for guesses.
//!
//! The first rule is the cheapest. The others are for puzzles that are hard with it, see [`restart`](crate::restart).

use std::cmp::Reverse;

use super::{ALL, Cells, Grid, PLACED, bits};

/// The number of cells with the fewest candidates that are compared for a guess.
const TIES: usize = 4;
/// The number of cells that are tried in a look-ahead: more make no difference.
const TRIED: usize = 8;

/// A guess, or what became of the grid instead.
pub(super) enum Look {
    /// It has no solution.
    Dead,
    /// It lost candidates and is to be propagated again.
    Reduced,
    /// Bit number and digit of the guess.
    Guess(usize, usize),
}

/// For each bit number, ten times the number of contradictions that followed at once from a guess there, and the number
/// of those that followed from guesses at its peers. A contradiction is often near: with peers, a third as many searches
/// take more than 200 guesses.
#[derive(Clone)]
pub(super) struct Weights([u32; 96]);

impl Weights {
    pub fn new() -> Weights {
        Weights([10; 96])
    }

    /// Counts a contradiction after a guess at this bit number.
    pub fn add(&mut self, bit: usize) {
        self.0[bit] += 9;
        // The peers and the cell itself.
        for near in bits(ALL & !PLACED[bit] | 1 << bit) {
            self.0[near] += 1;
        }
    }
}

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
        (bit, self.lowest_digit(bit))
    }

    /// Chooses a cell with the fewest candidates in relation to its weight: dom/wdeg by Boussemart, Hemery, Lecoutre and
    /// Sais (*Boosting Systematic Search by Weighting Constraints*, 2004).
    ///
    /// Where a contradiction involves few cells of an almost empty grid, other rules guess elsewhere first and refute it
    /// again and again. This one soon begins with the cells of the contradiction: hundreds of guesses instead of millions.
    pub(super) fn branch_by_weight(&self, weights: &Weights) -> (usize, usize) {
        let planes = self.candidate_counts();
        let count = |bit: usize| (0..4).map(|n| (planes[n] >> bit & 1) << n).sum::<Cells>() as u64;
        let mut cells = bits(self.open).map(|bit| (count(bit), u64::from(weights.0[bit]), bit));
        let first = cells.next().expect("an unsolved grid has an open cell");
        // Compares the quotients n / weight.
        let (.., bit) =
            cells.fold(first, |best, cell| if cell.0 * best.1 < best.0 * cell.1 { cell } else { best });
        (bit, self.lowest_digit(bit))
    }

    /// Tries the candidates of the first cells with the fewest candidates. One that leads to a contradiction is removed.
    /// Otherwise the guess is at the cell whose candidates have the greatest consequences.
    ///
    /// This is the rule of the SAT solvers Satz and March. A puzzle of pencilmarks may need thousands of guesses with every
    /// other rule. With look-ahead it needs a seventh of them, each of which takes the time of a dozen.
    pub(super) fn look_ahead(&mut self) -> Look {
        let before = self.count();
        let (mut best, mut most) = (None, 0);
        for bit in bits(self.fewest()).take(TRIED) {
            let mut score = 1_u64;
            for digit in 0..9 {
                if self.candidates[digit] >> bit & 1 == 0 {
                    continue;
                }
                let mut child = self.clone();
                child.place(bit, digit);
                if !child.propagate() {
                    self.remove(bit, digit);
                    return if self.propagate() { Look::Reduced } else { Look::Dead };
                }
                score = score.saturating_mul(1 + u64::from(before - child.count()));
            }
            if score > most {
                (best, most) = (Some(bit), score);
            }
        }
        let bit = best.expect("an unsolved grid has an open cell");
        Look::Guess(bit, self.lowest_digit(bit))
    }

    fn lowest_digit(&self, bit: usize) -> usize {
        let digit = self.candidates.iter().position(|set| set >> bit & 1 == 1);
        digit.expect("propagation leaves no cell without candidates")
    }

    /// The number of candidates of each cell: bit `n` of it is in set `n`.
    fn candidate_counts(&self) -> [Cells; 4] {
        let mut planes = [0; 4];
        for set in self.candidates {
            let mut carry = set;
            for plane in &mut planes {
                (*plane, carry) = (*plane ^ carry, *plane & carry);
            }
        }
        planes
    }

    /// The open cells with the fewest candidates.
    fn fewest(&self) -> Cells {
        let mut fewest = self.open;
        for plane in self.candidate_counts().iter().rev() {
            if fewest & !plane != 0 {
                fewest &= !plane;
            }
        }
        fewest
    }

    /// The number of candidates of all cells.
    fn count(&self) -> u32 {
        self.candidates.iter().map(|set| set.count_ones()).sum()
    }
}
