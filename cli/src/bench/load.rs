//! Loads a dataset of any format as lines of text, so that only lines are read in the time that counts.

use std::fmt::Display;
use std::io::Write;

use rapidoku::SimdLevel;
use rapidoku::file::internal::{Batch, BatchReader, MAX_BATCH, ReadOptions};
use rapidoku::file::{Error, Input, InputOptions, Records};

/// The puzzles to solve, one record per line: 81 cells followed by anything, or 729 pencilmarks.
#[derive(Clone, Debug)]
pub struct Text {
    /// The lines, including blank lines and comments.
    pub lines: Vec<u8>,
    /// Whether the puzzles are given as pencilmarks, which [not every
    /// solver](rapidoku_jobs::solver::SolverKind::supports_candidates) supports.
    pub has_pencilmarks: bool,
}

/// Lines of 81 cells.
impl<T: AsRef<[u8]> + ?Sized> From<&T> for Text {
    fn from(lines: &T) -> Text {
        Text { lines: lines.as_ref().to_vec(), has_pencilmarks: false }
    }
}

/// Reads an input to its end. Each record becomes a line of 81 cells or 729 pencilmarks; a record that is not a puzzle
/// becomes an invalid one.
///
/// # Errors
/// When the input cannot be opened or read, is refused, or has both clues and pencilmarks.
pub fn load(input: &Input, options: &InputOptions) -> Result<Text, Error> {
    let options = ReadOptions { mapping: crate::signals::mapping(), size: MAX_BATCH, input: options.clone() };
    let mut reader = BatchReader::new(vec![input.clone()], options);
    let (mut batch, mut records) = (Batch::default(), Records::default());
    // The records as clues and as pencilmarks, until the first puzzle decides.
    let (mut lines, mut marks, mut has_pencilmarks) = (Vec::new(), Vec::new(), None);
    while reader.next(&mut batch)? {
        let layout = &batch.origin().layout;
        let mut rest = batch.text();
        while !rest.is_empty() {
            let (part, after) = rest.split_at(records.read(layout, rest, SimdLevel::default(), usize::MAX));
            rest = after;
            let has_marks = !records.pencilmarks().is_empty();
            if (0..records.len()).any(|k| records.is_puzzle(k))
                && *has_pencilmarks.get_or_insert(has_marks) != has_marks
            {
                let reason = "it has pencilmarks and clues; measure them apart";
                return Err(Error::Format { name: input.name(), reason: reason.to_owned() });
            }
            if has_pencilmarks != Some(false) {
                write_lines((0..records.len()).map(|k| records.candidates(k)), &mut marks);
            }
            match layout.is_lines() {
                _ if has_pencilmarks == Some(true) => {}
                true => lines.extend_from_slice(part),
                false => write_lines(records.puzzles(), &mut lines),
            }
        }
    }
    let has_pencilmarks = has_pencilmarks == Some(true);
    Ok(Text { lines: if has_pencilmarks { marks } else { lines }, has_pencilmarks })
}

fn write_lines(puzzles: impl IntoIterator<Item = impl Display>, lines: &mut Vec<u8>) {
    for puzzle in puzzles {
        writeln!(lines, "{puzzle}").expect("a vector accepts all bytes");
    }
}
