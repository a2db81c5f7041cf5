//! Loads a dataset of any format as lines of text, so that recognising and unpacking it is not timed.

use std::fmt::Display;
use std::io::Write;

use rapidoku::SimdLevel;
use rapidoku::file::internal::{Batch, BatchReader, MAX_BATCH, ReadOptions};
use rapidoku::file::{Error, Input, InputOptions, Layout, Records};

/// The puzzles to solve, one record per line: 81 cells followed by anything, or 729 pencilmarks.
#[derive(Clone, Debug)]
pub struct Text {
    pub(super) lines: Vec<u8>,
    pub(super) layout: Layout,
}

/// Lines of 81 cells.
impl<T: AsRef<[u8]> + ?Sized> From<&T> for Text {
    fn from(lines: &T) -> Text {
        Text { lines: lines.as_ref().to_vec(), layout: Layout::lines().clone() }
    }
}

impl Text {
    /// Whether the puzzles are given as pencilmarks, which [not every
    /// solver](crate::solver::SolverKind::supports_candidates) supports.
    pub fn has_pencilmarks(&self) -> bool {
        self.layout.has_pencilmarks()
    }

    /// The lines, including blank lines and comments.
    pub fn lines(&self) -> &[u8] {
        &self.lines
    }
}

/// Reads an input to its end. Lines of puzzles are kept as they are. Of any other layout, each record becomes a line
/// of 81 cells or 729 pencilmarks; a record that is not a puzzle becomes an invalid one.
///
/// # Errors
/// When the input cannot be opened, recognised or read, or when an archive mixes clues and pencilmarks.
pub fn load(input: &Input, options: &InputOptions) -> Result<Text, Error> {
    let options = ReadOptions {
        mapping: crate::signals::mapping(),
        size: MAX_BATCH,
        first_size: 0,
        whole_lines: true,
        input: options.clone(),
    };
    let mut reader = BatchReader::new(vec![input.clone()], options);
    let (mut batch, mut records, mut lines) = (Batch::default(), Records::default(), Vec::new());
    let mut has_pencilmarks = None;
    while reader.next(&mut batch)? {
        let layout = &batch.origin().layout;
        if *has_pencilmarks.get_or_insert(layout.has_pencilmarks()) != layout.has_pencilmarks() {
            let reason = "some files of the archive contain pencilmarks and others clues; extract them first";
            return Err(Error::Format { name: input.name(), reason: reason.to_owned() });
        }
        // The last line of a file in an archive may lack a line feed.
        if batch.is_first && lines.last().is_some_and(|&byte| byte != b'\n') {
            lines.push(b'\n');
        }
        if layout.is_lines() {
            lines.extend_from_slice(batch.text());
            continue;
        }
        records.read_as(layout, batch.text(), SimdLevel::default());
        if layout.has_pencilmarks() {
            write_lines(records.pencilmarks(), &mut lines);
        } else {
            write_lines(records.puzzles(), &mut lines);
        }
    }
    let layout = if has_pencilmarks == Some(true) { Layout::pencilmarks() } else { Layout::lines().clone() };
    Ok(Text { lines, layout })
}

fn write_lines(puzzles: &[impl Display], lines: &mut Vec<u8>) {
    for puzzle in puzzles {
        writeln!(lines, "{puzzle}").expect("a vector accepts all bytes");
    }
}
