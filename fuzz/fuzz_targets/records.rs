//! Any bytes as lines: the fast reading finds what a slow reading of the rules finds.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rapidoku::Puzzle;
use rapidoku::file::internal::{parse_line};
use rapidoku::file::{Records};

fuzz_target!(|text: &[u8]| {
    let mut records = Records::default();
    records.read(text);
    let slow: Vec<_> =
        text.split(|&byte| byte == b'\n').filter(|line| is_record(without_return(line))).collect();
    let read = |line: &&[u8]| cells(without_return(line));
    let puzzles: Vec<_> = slow.iter().map(|line| read(line).unwrap_or(Puzzle::MALFORMED)).collect();
    assert_eq!(records.puzzles(), puzzles);
    for (line, &start) in slow.iter().zip(records.starts()) {
        assert!(text[start as usize..].starts_with(line));
        assert_eq!(parse_line(line).ok(), read(line));
    }
});

fn without_return(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

fn is_record(line: &[u8]) -> bool {
    line.iter().any(|byte| !b" \t\r".contains(byte)) && line[0] != b'#'
}

/// The puzzle of a line, byte by byte.
fn cells(line: &[u8]) -> Option<Puzzle> {
    let mut cells = [0; 81];
    for (cell, at) in cells.iter_mut().zip(0..) {
        *cell = match *line.get(at)? {
            digit @ b'1'..=b'9' => digit - b'0',
            b'.' | b'0' | b'-' | b'_' | b'*' | b'?' | b'x' | b'X' => 0,
            _ => return None,
        };
    }
    let ends = line.get(81).is_none_or(|byte| b" \t,;".contains(byte));
    if ends { Puzzle::from_cells(cells) } else { None }
}
