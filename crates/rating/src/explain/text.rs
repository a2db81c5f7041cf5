//! Explanations as text.

use std::fmt::{self, Write};

use super::{Clash, Explanation, Refutation};
use crate::grid::{CELLS, Candidates, Cell, Puzzle, Solution};
use crate::rating::{Digits, Rating};

/// How a cell is highlighted: a code of ECMA-48, "select graphic rendition", or none.
type Paint = &'static str;

const PLAIN: Paint = "";
const BOLD: Paint = "1";
const GREEN: Paint = "32";
const RED: Paint = "1;31";
const YELLOW: Paint = "33";

impl Explanation {
    /// The explanation as several lines of text, for a puzzle with these `candidates` (ignored if the record is not a
    /// puzzle). `colour` adds escape sequences of ECMA-48 and no information.
    pub fn to_text(&self, candidates: &Candidates, colour: bool) -> String {
        self.text(Some(candidates), colour)
    }

    /// The same; without the candidates, what depends on them is left out.
    fn text(&self, candidates: Option<&Candidates>, colour: bool) -> String {
        let puzzle = &candidates.map_or(Puzzle::EMPTY, Candidates::clues);
        let mut text = format!("{}\n", self.headline(candidates));
        match self {
            Explanation::Invalid { clashes, .. } => push_clashes(&mut text, clashes, candidates, colour),
            Explanation::NoSolution { refutation, core, core_is_minimal } => {
                push_refutation(&mut text, refutation.as_ref(), (core, *core_is_minimal), candidates, colour);
            }
            Explanation::Multiple { solutions: [first, second], differ } => {
                let common = |cell| if differ.contains(&cell) { "*".to_owned() } else { digit(first, cell) };
                let paint = |cell| {
                    if differ.contains(&cell) { YELLOW } else { of_clue(puzzle, cell, BOLD) }
                };
                text += &grid(common, colour, paint);
                let _ = writeln!(text, "two solutions, which differ where * is: {}", cells(differ));
                let _ = writeln!(text, "{first}\n{second}");
            }
            Explanation::Unique { solution, steps, .. } => {
                let paint = |cell| match of_clue(puzzle, cell, BOLD) {
                    PLAIN => GREEN,
                    paint => paint,
                };
                if let Some(candidates) = candidates {
                    text += &grid(|cell| marks(candidates, cell), colour, |cell| of_clue(puzzle, cell, BOLD));
                }
                for (step, number) in steps.iter().zip(1..) {
                    let _ = write!(text, "{number:>4}. {}", step.to_text());
                }
                text += &grid(|cell| digit(solution, cell), colour, paint);
            }
            Explanation::GaveUp => {}
        }
        text
    }

    fn headline(&self, candidates: Option<&Candidates>) -> String {
        let of_search = match self {
            Explanation::Invalid { reason, .. } => return format!("{}: {reason}", self.status()),
            Explanation::Unique { rating, .. } => {
                let Rating { er, ep, ed, .. } = rating;
                let hardest = rating.hardest().map_or("none", |technique| technique.name());
                Some(format!("ER {er}, EP {ep}, ED {ed}, hardest technique: {hardest}"))
            }
            _ => None,
        };
        let facts: Vec<_> = candidates.map(given).into_iter().chain(of_search).collect();
        if facts.is_empty() { self.status().to_string() } else { format!("{}: {}", self.status(), facts.join(", ")) }
    }
}

/// The explanation as lines of text, without the grid of the puzzle, which it does not have. [`Explanation::to_text`]
/// has it.
impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text(None, false).trim_end())
    }
}

/// Houses in which a digit is given several times, and the grid with their cells marked.
fn push_clashes(text: &mut String, clashes: &[Clash], candidates: Option<&Candidates>, colour: bool) {
    for clash in clashes {
        let cells = cells(&clash.cells);
        let _ = writeln!(text, "digit {} several times in {}: {cells}", clash.digit, clash.house);
    }
    if let Some(candidates) = candidates.filter(|_| !clashes.is_empty()) {
        let clashing = |cell| clashes.iter().any(|clash| clash.cells.contains(&cell));
        let paint = |cell| if clashing(cell) { RED } else { PLAIN };
        *text += &grid(|cell| marks(candidates, cell), colour, paint);
    }
}

/// Why there is no solution: the steps to a contradiction, and the clues that suffice for it (`core`, and whether each
/// of them is needed).
fn push_refutation(
    text: &mut String,
    refutation: Option<&Refutation>,
    (core, is_minimal): (&Candidates, bool),
    candidates: Option<&Candidates>,
    colour: bool,
) {
    let in_core = |cell: Cell| {
        let is_free = core.cells()[cell.0 as usize] == Candidates::NINE;
        if is_free { PLAIN } else { RED }
    };
    if let Some(candidates) = candidates {
        *text += &grid(|cell| marks(candidates, cell), colour, in_core);
    }
    match refutation {
        Some(refutation) => {
            for (step, number) in refutation.steps.iter().zip(1..) {
                let _ = writeln!(text, "{number:>4}. {step}");
            }
            let _ = writeln!(text, "{}", refutation.contradiction);
        }
        None => *text += "no contradiction follows from singles: search finds that there is none\n",
    }
    let count = core.cells().iter().filter(|&&set| set != Candidates::NINE).count();
    let what = if core.puzzle().is_some() { "clues" } else { "cells" };
    let rest = if is_minimal {
        ", but without any one of them there is one:"
    } else {
        "; some of them may be superfluous, because searches for a smaller set were given up:"
    };
    let _ = writeln!(text, "these {count} {what} alone have no solution{rest}");
    *text += &grid(|cell| marks(core, cell), colour, in_core);
}

/// What is given.
fn given(candidates: &Candidates) -> String {
    let clues = candidates.clues().clue_count();
    match candidates.puzzle() {
        Some(_) => format!("{clues} clues"),
        None => {
            let open = candidates.cells().iter().map(|set| set.count_ones()).filter(|&count| count != 1);
            format!("{clues} clues, {} candidates in the other cells", open.sum::<u32>())
        }
    }
}

fn of_clue(puzzle: &Puzzle, cell: Cell, paint: Paint) -> Paint {
    if puzzle.cells()[cell.0 as usize] != 0 { paint } else { PLAIN }
}

fn cells(cells: &[Cell]) -> String {
    cells.iter().map(Cell::to_string).collect::<Vec<_>>().join(" ")
}

/// The candidates of a cell, a dot for all nine, or a dash for none.
fn marks(candidates: &Candidates, cell: Cell) -> String {
    match candidates.cells()[cell.0 as usize] {
        Candidates::NINE => ".".to_owned(),
        0 => "-".to_owned(),
        set => Digits(set).iter().map(|digit| digit.to_string()).collect(),
    }
}

fn digit(solution: &Solution, cell: Cell) -> String {
    solution.cells()[cell.0 as usize].to_string()
}

/// A framed grid with columns as wide as their widest cell.
fn grid(content: impl Fn(Cell) -> String, colour: bool, paint: impl Fn(Cell) -> Paint) -> String {
    let cells: Vec<_> = (0..CELLS as u8).map(|cell| content(Cell(cell))).collect();
    let width = |column: usize| (0..9).map(|row| cells[9 * row + column].len()).max().unwrap_or(0);
    let widths: [usize; 9] = std::array::from_fn(width);
    let mut text = String::new();
    for (at, cell) in cells.iter().enumerate() {
        if at == 27 || at == 54 {
            let stacks = widths.chunks(3).map(|stack| stack.iter().sum::<usize>() + 3);
            let rules: Vec<_> = stacks.map(|width| "-".repeat(width)).collect();
            let _ = writeln!(text, "{}+-{}+{}", rules[0], rules[1], rules[2]);
        }
        if at % 9 == 3 || at % 9 == 6 {
            text += "| ";
        }
        let paint = paint(Cell(at as u8));
        if colour && paint != PLAIN {
            let _ = write!(text, "\x1b[{}m{cell}\x1b[0m", paint);
        } else {
            text += cell;
        }
        text.push(if at % 9 == 8 { '\n' } else { ' ' });
        if at % 9 < 8 {
            text.extend(std::iter::repeat_n(' ', widths[at % 9] - cell.len()));
        }
    }
    text
}
