use rapidoku::Puzzle;
use rapidoku::file::{InputFormat, InputOptions};

use crate::{reading, reference};

/// Text made of the lines that grids are made of: every way to read it finds the records of the reference.
///
/// A byte below 128 is itself. Others stand for frequent pieces, so that the fuzzer finds complete grids.
pub fn grids(bytes: &[u8]) {
    let mut text = Vec::new();
    for &byte in bytes {
        match PIECES.get(usize::from(byte).wrapping_sub(128)) {
            Some(piece) => text.extend_from_slice(piece),
            None => text.push(byte),
        }
    }
    // Files of other formats are rejected by their first bytes.
    text.splice(..0, *b"\n");
    // The blanks in rules are recognised from the head of a file.
    if text.len() > 32 << 10 || reading::has_magic(&text) {
        return;
    }
    // Lists of cells, which the reference does not know.
    let is_title = |line: &[u8]| [&b"[Puzzle]"[..], b"[State]"].contains(&line.trim_ascii());
    let is_list = |line: &[u8]| !is_title(line) && line.iter().any(|byte| b",;/()[]{}\"'=".contains(byte));
    if reference::lines(&text).iter().any(|(_, line)| is_list(line)) {
        return;
    }
    let slow: Vec<_> = reference::grids(&text)
        .into_iter()
        .map(|(start, cells)| (start as u64, cells.map(|cells| Puzzle::from_cells(cells).unwrap())))
        .collect();
    let format = InputOptions::default().format(InputFormat::Grids);
    let read = reading::read_in_all_ways(&text, &format).expect("grids are never rejected");
    let read: Vec<_> = read.iter().map(|record| (record.start, record.puzzle)).collect();
    assert_eq!(read, slow);
}

const PIECES: [&[u8]; 24] = [
    b"53..7....\n",
    b"6..195...\n",
    b".98....6.\n8...6...3\n4..8.3..1\n",
    b"7...2...6\n.6....28.\n...419..5\n....8..79\n",
    b"5 3 . | . 7 . | . . .\n",
    b"| 6 . . | 1 9 5 | . . . |\r\n",
    b"+-------+-------+-------+\n",
    b"------+-------+------\n",
    b"5--17*-*4\n",
    b"---------\n",
    b"*********\n",
    b"\xE2\x94\x82",
    b"\xE2\x94\x80\xE2\x94\xBC",
    b"\n",
    b"\r\n",
    b"\n\n",
    b"Grid 01\n",
    b"[Puzzle]\n",
    b"[State]\n",
    b"# comment\n",
    b"                                                                ",
    b"9.......\n",
    b"1234567890\n",
    b"x23456789\n",
];
