//! A dataset as plain lines, whatever its form: to make it out is no part of what is timed.

use crate::batch::{Batch, Cutter, Manner};
use crate::error::Error;
use crate::input::Input;
use crate::pipeline;
use crate::record::{Layout, Reading, Records};

/// Reads all of an input. Lines of puzzles stay as they are, with all that stands in them; of any other layout each
/// record becomes a line of 81 cells, an invalid one if it is no puzzle.
///
/// # Errors
/// When it cannot be opened, made out or read, or its puzzles are in pencilmarks.
pub fn load(input: &Input, reading: &Reading) -> Result<Vec<u8>, Error> {
    let size = pipeline::MAX_BATCH;
    let manner = Manner { may_map: true, size, whole_lines: true, reading: reading.clone() };
    let mut cutter = Cutter::new(vec![input.clone()], manner);
    let (mut batch, mut records, mut lines) = (Batch::default(), Records::default(), Vec::new());
    while cutter.next(&mut batch)? {
        let layout = &batch.origin().layout;
        if layout.has_pencilmarks() {
            let seen = "its puzzles are in pencilmarks; this command takes clues only".to_owned();
            return Err(Error::Layout { name: batch.origin().name.clone(), seen });
        }
        // The last line of a file in an archive may have no end.
        if batch.is_first && lines.last().is_some_and(|&byte| byte != b'\n') {
            lines.push(b'\n');
        }
        if *layout == Layout::Lines {
            lines.extend_from_slice(batch.text());
            continue;
        }
        records.read_as(layout, batch.text());
        for puzzle in &records.puzzles {
            lines.extend(puzzle.cells().map(|digit| if digit == 0 { b'.' } else { b'0' + digit }));
            lines.push(b'\n');
        }
    }
    Ok(lines)
}
