//! Many texts of one puzzle each, with the vectors of a SIMD level.

use crate::grid::{CELLS, Puzzle, is_cell};
use crate::simd::{Kernel, Simd, SimdLevel};

/// Reads puzzle `k` from text `k`: a line of 81 cells or a grid of nine lines, as [`Puzzle`] describes. A text that is not
/// a puzzle becomes [`Puzzle::MALFORMED`]; parse it to learn why.
///
/// Faster than parsing text by text. The result does not depend on the SIMD level.
///
/// # Panics
/// If there are more puzzles than texts, or more texts than puzzles.
///
/// ```
/// use rapidoku::{Puzzle, SimdLevel, parse_texts};
///
/// let texts = ["53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79", "oops"];
/// let mut puzzles = [Puzzle::EMPTY; 2];
/// parse_texts(SimdLevel::detect(), texts, &mut puzzles);
/// assert_eq!(puzzles, [texts[0].parse()?, Puzzle::MALFORMED]);
/// # Ok::<(), rapidoku::PuzzleError>(())
/// ```
pub fn parse_texts<T: AsRef<[u8]>>(
    level: SimdLevel,
    texts: impl IntoIterator<Item = T>,
    puzzles: &mut [Puzzle],
) {
    level.run(ParseTexts { texts: texts.into_iter(), puzzles });
}

struct ParseTexts<'a, I> {
    texts: I,
    puzzles: &'a mut [Puzzle],
}

impl<T: AsRef<[u8]>, I: Iterator<Item = T>> Kernel for ParseTexts<'_, I> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) {
        for puzzle in self.puzzles {
            let text = self.texts.next().expect("there are as many texts as puzzles");
            let text = text.as_ref();
            // Nearly all texts are 81 cells and nothing else.
            if !text.try_into().is_ok_and(|cells| convert(s, cells, puzzle)) {
                *puzzle = text.try_into().unwrap_or(Puzzle::MALFORMED);
            }
        }
        assert!(self.texts.next().is_none(), "there are as many puzzles as texts");
    }
}

/// Converts 81 cells at once. Returns `false` if a byte is not a cell.
#[inline(always)]
pub(crate) fn convert<S: Simd>(s: S, text: &[u8; CELLS], puzzle: &mut Puzzle) -> bool {
    // Nearly all files use `.` or `0` for blanks, which `digits` accepts. It maps all other bytes to 0 too, so for other
    // blanks only the check remains.
    s.digits(text, &mut puzzle.0) || text.iter().fold(true, |all, &byte| all & is_cell(byte))
}
