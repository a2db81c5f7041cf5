//! Many texts of one puzzle each, with the vectors of a SIMD level.

use crate::grid::{CELLS, Puzzle, digits};
use crate::simd::{Kernel, Simd, SimdLevel};

/// Reads puzzle `k` from text `k`: a line of 81 cells or a grid of nine lines, as [`Puzzle`] describes. Returns the
/// indices of the texts that are not puzzles; parse them to learn why. Each gets clues that clash, so that its status
/// is [`Status::Invalid`](crate::outcome::Status::Invalid).
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
/// assert_eq!(parse_texts(SimdLevel::detect(), texts, &mut puzzles), [1]);
/// assert_eq!(puzzles[0], texts[0].parse()?);
/// # Ok::<(), rapidoku::PuzzleError>(())
/// ```
pub fn parse_texts<T: AsRef<[u8]>>(
    level: SimdLevel,
    texts: impl IntoIterator<Item = T>,
    puzzles: &mut [Puzzle],
) -> Vec<usize> {
    level.run(ParseTexts { texts: texts.into_iter(), puzzles })
}

struct ParseTexts<'a, I> {
    texts: I,
    puzzles: &'a mut [Puzzle],
}

impl<T: AsRef<[u8]>, I: Iterator<Item = T>> Kernel for ParseTexts<'_, I> {
    type Output = Vec<usize>;

    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) -> Vec<usize> {
        let mut not_puzzles = Vec::new();
        for (k, puzzle) in self.puzzles.iter_mut().enumerate() {
            let text = self.texts.next().expect("there are as many texts as puzzles");
            let text = text.as_ref();
            // Nearly all texts are 81 cells and nothing else.
            if !text.try_into().is_ok_and(|cells| convert(s, cells, puzzle)) {
                *puzzle = text.try_into().unwrap_or_else(|_| {
                    not_puzzles.push(k);
                    Puzzle::CLASHING
                });
            }
        }
        assert!(self.texts.next().is_none(), "there are as many puzzles as texts");
        not_puzzles
    }
}

/// Converts 81 cells at once. Returns `false` if they are not those of a puzzle.
#[inline(always)]
#[doc(hidden)]
pub fn convert<S: Simd>(s: S, text: &[u8; CELLS], puzzle: &mut Puzzle) -> bool {
    // Nearly all files use `.` or `0` for blanks, which `digits` accepts. It maps all other bytes to 0 too, so for
    // other blanks only the check remains.
    s.digits(text, &mut puzzle.0) || digits(text).is_some()
}
