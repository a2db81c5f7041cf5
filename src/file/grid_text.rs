//! Puzzles in the text formats of other programs.

use crate::grid::{CELLS, Candidates};

/// Appends nine lines of nine cells after a title (`.sdk`).
pub fn push_sdk(text: &mut Vec<u8>, cells: &[u8; CELLS]) {
    text.extend_from_slice(b"[Puzzle]\n");
    for row in cells.chunks(9) {
        text.extend_from_slice(row);
        text.push(b'\n');
    }
}

/// Appends a framed grid and an empty line (`.ss`).
pub fn push_ss(text: &mut Vec<u8>, cells: &[u8; CELLS]) {
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

/// Appends nine lines of nine cells separated by spaces, with rules between the boxes, and an empty line.
pub fn push_grid(text: &mut Vec<u8>, cells: &[u8; CELLS]) {
    for (number, row) in cells.chunks(9).enumerate() {
        if number == 3 || number == 6 {
            text.extend_from_slice(b"------+-------+------\n");
        }
        for (at, cell) in row.iter().enumerate() {
            let before: &[u8] = match at {
                0 => b"",
                3 | 6 => b" | ",
                _ => b" ",
            };
            text.extend_from_slice(before);
            text.push(*cell);
        }
        text.push(b'\n');
    }
    text.push(b'\n');
}

/// Appends nine lines of nine lists of candidates, and an empty line (`.sdx`).
pub fn push_sdx(text: &mut Vec<u8>, candidates: &Candidates) {
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
pub fn push_candidates(text: &mut Vec<u8>, candidates: &Candidates) {
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
pub fn push_game(text: &mut Vec<u8>, cells: &[u8; CELLS]) {
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
