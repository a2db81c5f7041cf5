//! Puzzles in the text formats of other programs.

use crate::grid::{self, CELLS, Candidates};

/// A text format of one puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GridText {
    /// A line of 81 characters.
    Lines,
    /// A line of 729 characters.
    Pencilmarks,
    /// Nine lines after a title.
    Sdk,
    /// A line of 81 digits.
    Sdm,
    /// Nine lines in a frame.
    Ss,
    /// Nine lines of candidates.
    Sdx,
    /// Nine lines with rules between the boxes.
    Grid,
    /// Nine lines of candidates in a frame.
    Candidates,
    /// An element of XML.
    OpenSudoku,
}

impl GridText {
    /// All of them, with their names as options.
    pub const ALL: [(&str, GridText); 9] = [
        ("lines", GridText::Lines),
        ("pencilmarks", GridText::Pencilmarks),
        ("sdk", GridText::Sdk),
        ("sdm", GridText::Sdm),
        ("ss", GridText::Ss),
        ("sdx", GridText::Sdx),
        ("grid", GridText::Grid),
        ("candidates", GridText::Candidates),
        ("opensudoku", GridText::OpenSudoku),
    ];

    /// The format with this name.
    pub fn from_name(name: &str) -> Option<GridText> {
        GridText::ALL.iter().find(|(known, _)| *known == name).map(|(_, format)| *format)
    }

    /// Whether it is one line, of which [`push`](GridText::push) does not append the end.
    pub fn is_line(self) -> bool {
        matches!(self, GridText::Lines | GridText::Sdm | GridText::Pencilmarks)
    }

    /// Whether puzzles are written as candidates.
    pub fn has_candidates(self) -> bool {
        matches!(self, GridText::Pencilmarks | GridText::Sdx | GridText::Candidates)
    }

    /// The character for blanks without a choice.
    pub fn blank(self) -> u8 {
        match self {
            GridText::Sdm | GridText::OpenSudoku => b'0',
            _ => b'.',
        }
    }

    /// Appends the cells of a puzzle in a format without candidates.
    pub fn push(self, text: &mut Vec<u8>, cells: &[u8; CELLS]) {
        match self {
            GridText::Sdk => push_sdk(text, cells),
            GridText::Ss => push_ss(text, cells),
            GridText::Grid => push_grid(text, cells),
            GridText::OpenSudoku => push_game(text, cells),
            _ => text.extend_from_slice(cells),
        }
    }

    /// Appends candidates; `blank` is for those of pencilmarks that are missing.
    pub fn push_candidates(self, text: &mut Vec<u8>, candidates: &Candidates, blank: u8) {
        match self {
            GridText::Sdx => push_sdx(text, candidates),
            GridText::Candidates => push_candidates(text, candidates),
            _ => {
                let start = text.len();
                text.extend_from_slice(candidates.to_string().as_bytes());
                text[start..].iter_mut().filter(|mark| **mark == b'.').for_each(|mark| *mark = blank);
            }
        }
    }
}

/// Appends nine lines of nine cells after a title (`.sdk`).
fn push_sdk(text: &mut Vec<u8>, cells: &[u8; CELLS]) {
    text.extend_from_slice(b"[Puzzle]\n");
    for row in cells.chunks(9) {
        text.extend_from_slice(row);
        text.push(b'\n');
    }
}

/// Appends a framed grid and an empty line (`.ss`).
fn push_ss(text: &mut Vec<u8>, cells: &[u8; CELLS]) {
    text.extend_from_slice(b"*-----------*\n");
    for (number, row) in cells.chunks(9).enumerate() {
        if number == 3 || number == 6 {
            text.extend_from_slice(b"|---+---+---|\n");
        }
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

/// Appends nine lines of nine lists of candidates, and an empty line (`.sdx`).
fn push_sdx(text: &mut Vec<u8>, candidates: &Candidates) {
    for row in candidates.cells().chunks(9) {
        for (at, set) in row.iter().enumerate() {
            text.extend((at > 0).then_some(b' '));
            push_set(text, *set);
        }
        text.push(b'\n');
    }
    text.push(b'\n');
}

/// Appends the same in a frame, with aligned columns.
fn push_candidates(text: &mut Vec<u8>, candidates: &Candidates) {
    let cells = candidates.cells();
    let width = |column: usize| {
        let sets = cells.iter().skip(column).step_by(9);
        sets.map(|set| set.count_ones().max(1) as usize).max().unwrap_or(1)
    };
    let widths: [usize; 9] = std::array::from_fn(width);
    // Each cell is followed by two spaces, and each box preceded by a bar and a space.
    let boxes: Vec<usize> = widths.chunks(3).map(|three| three.iter().sum::<usize>() + 6).collect();
    let push_rule = |text: &mut Vec<u8>, outer: u8, inner: u8| {
        for (at, width) in boxes.iter().enumerate() {
            text.push(if at == 0 { outer } else { inner });
            text.resize(text.len() + width, b'-');
        }
        text.extend_from_slice(&[outer, b'\n']);
    };
    for (number, row) in cells.chunks(9).enumerate() {
        match number {
            0 => push_rule(text, b'*', b'-'),
            3 | 6 => push_rule(text, b'|', b'+'),
            _ => {}
        }
        for (at, (set, width)) in row.iter().zip(widths).enumerate() {
            let before: &[u8] = match at {
                0 => b"| ",
                3 | 6 => b"| ",
                _ => b" ",
            };
            text.extend_from_slice(before);
            let start = text.len();
            push_set(text, *set);
            text.resize(start + width + 1, b' ');
        }
        text.extend_from_slice(b"|\n");
    }
    push_rule(text, b'*', b'-');
    text.push(b'\n');
}

fn push_set(text: &mut Vec<u8>, set: u16) {
    if set == 0 {
        text.push(b'-');
    }
    text.extend((0..9).filter(|digit| set >> digit & 1 == 1).map(|digit| b'1' + digit));
}

/// Appends an element of OpenSudoku XML.
fn push_game(text: &mut Vec<u8>, cells: &[u8; CELLS]) {
    text.extend_from_slice(b"  <game data=\"");
    text.extend_from_slice(cells);
    text.extend_from_slice(b"\" />\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_candidates_are_aligned() {
        let mut cells = [Candidates::NINE; CELLS];
        cells[..18].copy_from_slice(&[1, 3, 0, 4, 5, 6, 7, 8, 9, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
        for (at, cell) in cells.iter_mut().enumerate().skip(18) {
            *cell = 1 << (at % 9);
        }
        let mut text = Vec::new();
        push_candidates(&mut text, &Candidates::from_cells(cells).unwrap());
        let text = String::from_utf8(text).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 14);
        assert!(lines[..13].iter().all(|line| line.len() == lines[0].len()), "{text}");
        assert_eq!(lines[1], "| 1  12  - | 3  13  23 | 123  4  14 |", "{text}");
    }
}
