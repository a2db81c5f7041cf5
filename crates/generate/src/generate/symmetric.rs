//! Puzzles whose clues form a symmetric pattern, top-down: whole orbits of cells in random order, each removed if the
//! puzzle keeps one solution.
//!
//! The result is a function of the grid and the order of orbits.

use std::fmt;

use super::minimize::minimal::FIRST_BLANKS;
use crate::grid::{CELLS, Puzzle};

/// A symmetry of the cells with clues. The digits need not be symmetric.
///
/// ```
/// use rapidoku::Puzzle;
/// use rapidoku::generate::ClueSymmetry;
///
/// let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let puzzle: Puzzle = line.parse()?;
/// let holding = ClueSymmetry::ALL.into_iter().filter(|symmetry| symmetry.holds(&puzzle));
/// let names: Vec<&str> = holding.map(ClueSymmetry::name).collect();
/// assert_eq!(names, ["none", "half-turn"]);
/// # Ok::<(), rapidoku::PuzzleError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ClueSymmetry {
    /// Any cells.
    Any,
    /// Rotation by 180 degrees.
    HalfTurn,
    /// Rotation by 90 degrees.
    QuarterTurn,
    /// Reflection in the horizontal axis: the first row and the last one are alike.
    Horizontal,
    /// Reflection in the vertical axis: the first column and the last one are alike.
    Vertical,
    /// Reflection in the diagonal from the top left to the bottom right: rows and columns are alike.
    Diagonal,
    /// Reflection in both diagonals, which implies the half turn.
    BothDiagonals,
    /// All eight rotations and reflections.
    Full,
}

/// A map of cells.
type Map = fn(usize, usize) -> (usize, usize);

impl ClueSymmetry {
    /// All symmetries.
    pub const ALL: [ClueSymmetry; 8] = [
        ClueSymmetry::Any,
        ClueSymmetry::HalfTurn,
        ClueSymmetry::QuarterTurn,
        ClueSymmetry::Horizontal,
        ClueSymmetry::Vertical,
        ClueSymmetry::Diagonal,
        ClueSymmetry::BothDiagonals,
        ClueSymmetry::Full,
    ];

    /// The name on the command line: `none`, `half-turn`, `quarter-turn`, `horizontal`, `vertical`, `diagonal`,
    /// `both-diagonals` or `full`.
    pub const fn name(self) -> &'static str {
        self.parts().0
    }

    /// Whether the cells with clues have this symmetry.
    pub fn holds(self, puzzle: &Puzzle) -> bool {
        let cells = puzzle.cells();
        let has_clue = |cell: &u8| cells[*cell as usize] != 0;
        self.orbits().iter().all(|orbit| orbit.iter().all(has_clue) || !orbit.iter().any(has_clue))
    }

    /// The name, the number of cells that are blank after the first removals at once, and maps that generate the group.
    pub(super) const fn parts(self) -> (&'static str, u8, &'static [Map]) {
        match self {
            ClueSymmetry::Any => ("none", FIRST_BLANKS, &[]),
            ClueSymmetry::HalfTurn => ("half-turn", 32, &[|r, c| (8 - r, 8 - c)]),
            ClueSymmetry::QuarterTurn => ("quarter-turn", 28, &[|r, c| (c, 8 - r)]),
            ClueSymmetry::Horizontal => ("horizontal", 32, &[|r, c| (8 - r, c)]),
            ClueSymmetry::Vertical => ("vertical", 32, &[|r, c| (r, 8 - c)]),
            ClueSymmetry::Diagonal => ("diagonal", 32, &[|r, c| (c, r)]),
            ClueSymmetry::BothDiagonals => ("both-diagonals", 28, &[|r, c| (c, r), |r, c| (8 - c, 8 - r)]),
            ClueSymmetry::Full => ("full", 24, &[|r, c| (c, r), |r, c| (c, 8 - r)]),
        }
    }

    /// The sets of cells that are clues together, by their first cells.
    pub(super) fn orbits(self) -> Vec<Vec<u8>> {
        let mut orbits: Vec<Vec<u8>> = Vec::new();
        for first in 0..CELLS as u8 {
            if orbits.iter().any(|orbit| orbit.contains(&first)) {
                continue;
            }
            let mut orbit = vec![first];
            let mut at = 0;
            while let Some(&cell) = orbit.get(at) {
                for map in self.parts().2 {
                    let (row, column) = map(cell as usize / 9, cell as usize % 9);
                    let image = (9 * row + column) as u8;
                    if !orbit.contains(&image) {
                        orbit.push(image);
                    }
                }
                at += 1;
            }
            orbits.push(orbit);
        }
        orbits
    }
}

impl fmt::Display for ClueSymmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
