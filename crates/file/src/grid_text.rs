//! Puzzles in the text formats of other programs.

use crate::grid::{self, CELLS};

/// Takes the place of a record that is not a puzzle in formats without text. Its clues clash, so that it is invalid
/// too, and it has blanks, so that it is not taken for a solution among puzzles.
pub const NOT_PUZZLE: [u8; CELLS] = {
    let mut cells = [b'.'; CELLS];
    (cells[0], cells[1]) = (b'1', b'1');
    cells
};

/// A text format of one puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GridText {
    /// A line of 81 characters.
    Lines,
    /// A line of 729 characters.
    Pencilmarks,
    /// Nine lines of nine cells after a title.
    Sdk,
    /// A line of 81 digits.
    Sdm,
    /// Nine lines in a frame.
    Ss,
    /// Nine lines with rules between the boxes.
    Grid,
}

impl GridText {
    /// All of them, with their names as options.
    pub const ALL: [(&str, GridText); 6] = [
        ("lines", GridText::Lines),
        ("pencilmarks", GridText::Pencilmarks),
        ("sdk", GridText::Sdk),
        ("sdm", GridText::Sdm),
        ("ss", GridText::Ss),
        ("grid", GridText::Grid),
    ];

    /// The format with this name.
    pub fn from_name(name: &str) -> Option<GridText> {
        GridText::ALL.iter().find(|(known, _)| *known == name).map(|(_, format)| *format)
    }

    /// Whether it is one line, of which [`push`](GridText::push) does not append the end.
    pub fn is_line(self) -> bool {
        matches!(self, GridText::Lines | GridText::Sdm | GridText::Pencilmarks)
    }

    /// The character for blanks without a choice.
    pub fn blank(self) -> u8 {
        if self == GridText::Sdm { b'0' } else { b'.' }
    }

    /// Appends the cells of a puzzle in a format other than pencilmarks.
    pub fn push(self, text: &mut Vec<u8>, cells: &[u8; CELLS]) {
        match self {
            GridText::Sdk => {
                text.extend_from_slice(b"[Puzzle]\n");
                cells.chunks(9).for_each(|row| text.extend(row.iter().chain(b"\n")));
            }
            GridText::Ss => push_ss(text, cells),
            GridText::Grid => push_grid(text, cells),
            _ => text.extend_from_slice(cells),
        }
    }
}

/// Appends a framed grid and an empty line (`.ss`).
fn push_ss(text: &mut Vec<u8>, cells: &[u8; CELLS]) {
    for (number, row) in cells.chunks(9).enumerate() {
        let rule: &[u8] = if number == 0 { b"*-----------*\n" } else { b"|---+---+---|\n" };
        text.extend_from_slice(if number % 3 == 0 { rule } else { b"" });
        for part in row.chunks(3) {
            text.push(b'|');
            text.extend_from_slice(part);
        }
        text.extend_from_slice(b"|\n");
    }
    text.extend_from_slice(b"*-----------*\n\n");
}

/// Appends a grid as `{:#}` writes it, and an empty line.
pub fn push_grid(text: &mut Vec<u8>, cells: &[u8; CELLS]) {
    grid::push_grid(text, cells);
    text.push(b'\n');
}
