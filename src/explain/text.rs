//! Explanations for people.

use std::fmt::Write;

use super::Explanation;
use crate::grid::{CELLS, Cell, Puzzle};
use crate::technique::Step;

/// How a cell stands out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Paint {
    Plain,
    Bold,
    Green,
    Red,
    Yellow,
}

impl Paint {
    /// The code of ECMA-48, "select graphic rendition".
    fn code(self) -> &'static str {
        match self {
            Paint::Plain => "0",
            Paint::Bold => "1",
            Paint::Green => "32",
            Paint::Red => "1;31",
            Paint::Yellow => "33",
        }
    }
}

impl Explanation {
    /// Some lines for people about `puzzle` (not needed for a record that is none), with or without colour.
    /// They say the same without.
    pub fn to_text(&self, puzzle: &Puzzle, colour: bool) -> String {
        let mut text = format!("{}\n", self.headline(puzzle));
        match self {
            Explanation::Invalid { clashes, .. } => {
                for clash in clashes {
                    let cells = cells(&clash.cells);
                    let _ = writeln!(text, "digit {} several times in {}: {cells}", clash.digit, clash.house);
                }
                if !clashes.is_empty() {
                    let clashing = |cell| clashes.iter().any(|clash| clash.cells.contains(&cell));
                    text +=
                        &grid(
                            puzzle.cells(),
                            colour,
                            |cell| {
                                if clashing(cell) { Paint::Red } else { Paint::Plain }
                            },
                        );
                }
            }
            Explanation::None { refutation, core } => {
                text += &grid(puzzle.cells(), colour, |cell| of_clue(core, cell, Paint::Red));
                match refutation {
                    Some(refutation) => {
                        text += &list(&refutation.steps);
                        let _ = writeln!(text, "{}", refutation.contradiction);
                    }
                    None => {
                        text += "no contradiction follows from singles: search finds that there is none\n"
                    }
                }
                let clues = core.clues();
                let _ = writeln!(
                    text,
                    "these {clues} clues alone have no solution, but without any one of them there is one:"
                );
                text += &grid(core.cells(), colour, |_| Paint::Red);
            }
            Explanation::Multiple { solutions: [first, second], differ } => {
                let mut common = *first.cells();
                differ.iter().for_each(|cell| common[cell.0 as usize] = STAR);
                text += &grid(&common, colour, |cell| {
                    if differ.contains(&cell) { Paint::Yellow } else { of_clue(puzzle, cell, Paint::Bold) }
                });
                let _ = writeln!(text, "two solutions, which differ where * is: {}", cells(differ));
                let _ = writeln!(text, "{first}\n{second}");
            }
            Explanation::Unique { solution, steps, .. } => {
                text += &grid(solution.cells(), colour, |cell| match of_clue(puzzle, cell, Paint::Bold) {
                    Paint::Plain => Paint::Green,
                    paint => paint,
                });
                text += &list(steps);
            }
            Explanation::Limit => {}
        }
        text
    }

    fn headline(&self, puzzle: &Puzzle) -> String {
        let status = self.status();
        match self {
            Explanation::Invalid { reason, .. } => format!("{status}: {reason}"),
            Explanation::Unique { hardest, guesses, backtracks, .. } => {
                let hardest = hardest.map_or("nothing", |technique| technique.name());
                let clues = puzzle.clues();
                format!(
                    "{status}: {clues} clues, hardest step {hardest}, {guesses} guesses, {backtracks} backtracks"
                )
            }
            _ => format!("{status}: {} clues", puzzle.clues()),
        }
    }
}

/// Stands for a cell that differs.
const STAR: u8 = 10;

fn of_clue(puzzle: &Puzzle, cell: Cell, paint: Paint) -> Paint {
    if puzzle.cells()[cell.0 as usize] != 0 { paint } else { Paint::Plain }
}

fn cells(cells: &[Cell]) -> String {
    cells.iter().map(Cell::to_string).collect::<Vec<_>>().join(" ")
}

/// The steps, numbered.
fn list(steps: &[Step]) -> String {
    steps.iter().zip(1..).map(|(step, number)| format!("{number:>4}. {step}\n")).collect()
}

/// A framed grid, cells being digits, 0 for a blank, or [`STAR`].
fn grid(digits: &[u8; CELLS], colour: bool, paint: impl Fn(Cell) -> Paint) -> String {
    let mut text = String::new();
    for (cell, &digit) in digits.iter().enumerate() {
        if cell == 27 || cell == 54 {
            text += "------+-------+------\n";
        }
        if cell % 9 == 3 || cell % 9 == 6 {
            text += "| ";
        }
        let symbol = b".123456789*"[digit as usize] as char;
        let paint = paint(Cell(cell as u8));
        if colour && paint != Paint::Plain {
            let _ = write!(text, "\x1b[{}m{symbol}\x1b[0m", paint.code());
        } else {
            text.push(symbol);
        }
        text.push(if cell % 9 == 8 { '\n' } else { ' ' });
    }
    text
}
