use rapidoku::file::internal::parse_line;
use rapidoku::file::{InputFormat, InputOptions, Layout, Records};
use rapidoku::{Puzzle, SimdLevel};

use crate::{reading, reference};

/// Any bytes as lines: every level finds the records that the reference finds, and a single text is parsed likewise.
pub fn records(text: &[u8]) {
    let lines: Vec<_> = reference::lines(text)
        .into_iter()
        .filter(|(_, line)| reference::is_record(reference::without_return(line)))
        .collect();
    let read = |level| {
        let mut records = Records::default();
        records.read_as(Layout::lines(), text, level);
        assert_eq!(records.lines(), reference::lines(text).len() as u64);
        let puzzle = |k: usize| records.is_puzzle(k).then_some(records.puzzles()[k]);
        records.starts().iter().copied().zip((0..records.len()).map(puzzle)).collect::<Vec<_>>()
    };
    let found = read(SimdLevel::PORTABLE);
    assert_eq!(found.len(), lines.len());
    for ((start, puzzle), (at, line)) in found.iter().zip(lines) {
        let cells = reference::indented_line(line);
        // A complete grid is no puzzle if what follows may be one, which the reference does not know.
        let is_solution = puzzle.is_none() && goes_on_after_complete_grid(line);
        assert_eq!(*start as usize, at);
        assert!(
            is_solution || *puzzle == cells.map(|cells| Puzzle::from_cells(cells).unwrap()),
            "at {start}"
        );
    }
    for level in SimdLevel::available() {
        assert_eq!(read(level), found);
    }
    for (start, line) in reference::lines(text) {
        assert_eq!(parse_line(line).ok().map(|puzzle| *puzzle.cells()), reference::line(line), "at {start}");
    }
    // From a file the same, unless its first bytes are those of a byte order mark or of another format.
    let is_plain = !text.first().is_some_and(|&byte| matches!(byte, 0x1F | 0x28 | 0x50..=0x5F | 0x93 | 0xEF));
    match reading::read_in_all_ways(text, &InputOptions::default().format(InputFormat::Lines)) {
        Ok(read) => {
            let read: Vec<_> = read.iter().map(|record| (record.start as u32, record.puzzle)).collect();
            assert!(read == found || !is_plain);
        }
        Err(message) => {
            let expected = ["unsupported format", "unsupported line ends"];
            assert!(!is_plain || expected.iter().any(|reason| message.contains(reason)), "{message}");
        }
    }
    let trimmed = text.trim_ascii();
    if !trimmed.contains(&b'\n') {
        let parsed = Puzzle::try_from(text).ok().map(|puzzle| *puzzle.cells());
        assert_eq!(parsed, reference::line(trimmed));
    }
}

fn goes_on_after_complete_grid(line: &[u8]) -> bool {
    let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line).trim_ascii();
    line.len() > 82 && line[..81].iter().all(|cell| (b'1'..=b'9').contains(cell))
}
