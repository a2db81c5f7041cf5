use rapidoku::file::internal::parse_line;
use rapidoku::file::{InputFormat, InputOptions, Layout, Records};
use rapidoku::{Puzzle, SimdLevel};

use crate::{reading, reference};

/// Any bytes as lines: every level finds the records that the reference finds, and a single text is parsed likewise.
pub fn records(text: &[u8]) {
    let slow: Vec<_> = reference::lines(text)
        .into_iter()
        .filter(|(_, line)| reference::is_record(reference::without_return(line)))
        .map(|(start, line)| (start as u32, puzzle(reference::indented_line(line))))
        .collect();
    for level in SimdLevel::available() {
        let mut records = Records::default();
        records.read_as(Layout::lines(), text, level);
        let puzzle = |k: usize| records.is_puzzle(k).then_some(records.puzzles()[k]);
        let found: Vec<_> = records.starts().iter().copied().zip((0..records.len()).map(puzzle)).collect();
        assert_eq!(found, slow);
        assert_eq!(records.lines(), reference::lines(text).len() as u64);
    }
    for (start, line) in reference::lines(text) {
        assert_eq!(parse_line(line).ok().map(|puzzle| *puzzle.cells()), reference::line(line), "at {start}");
    }
    // From a file the same, unless its first bytes are those of a byte order mark or of another format.
    let is_plain = !text.first().is_some_and(|&byte| matches!(byte, 0x1F | 0x28 | 0x50..=0x5F | 0x93 | 0xEF));
    match reading::read_in_all_ways(text, &InputOptions::default().format(InputFormat::Lines)) {
        Ok(read) => {
            let read: Vec<_> = read.iter().map(|record| (record.start as u32, record.puzzle)).collect();
            assert!(read == slow || !is_plain);
        }
        Err(message) => assert!(!is_plain || message.contains("unsupported format"), "{message}"),
    }
    let trimmed = text.trim_ascii();
    if !trimmed.contains(&b'\n') {
        let parsed = Puzzle::try_from(text).ok().map(|puzzle| *puzzle.cells());
        assert_eq!(parsed, reference::line(trimmed));
    }
}

/// The puzzle of a record.
fn puzzle(cells: Option<[u8; 81]>) -> Option<Puzzle> {
    cells.map(|cells| Puzzle::from_cells(cells).unwrap())
}
