//! A dataset as plain lines, whatever its form: to make it out is no part of what is timed.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::Write;

use rapidoku::file::Error;
use rapidoku::file::Input;
use rapidoku::file::internal::{Batch, BatchReader, ReadOptions};

use rapidoku::file::{InputFormat, Layout, Records};

/// Puzzles to be solved, a record in each line: 81 cells and whatever follows them, or 729 pencilmarks.
#[derive(Clone, Debug)]
pub struct Text<'a> {
    pub(super) lines: Cow<'a, [u8]>,
    pub(super) layout: Layout,
}

/// Lines of 81 cells.
impl<'a, T: AsRef<[u8]> + ?Sized> From<&'a T> for Text<'a> {
    fn from(lines: &'a T) -> Text<'a> {
        Text { lines: Cow::Borrowed(lines.as_ref()), layout: Layout::LINES }
    }
}

impl<'a> From<&'a Text<'_>> for Text<'a> {
    fn from(text: &'a Text) -> Text<'a> {
        Text { lines: Cow::Borrowed(&text.lines), layout: text.layout.clone() }
    }
}

impl Text<'_> {
    /// Whether its puzzles are in pencilmarks, which [not every engine](crate::solver::SolverKind::takes_candidates) takes.
    pub fn has_pencilmarks(&self) -> bool {
        self.layout.has_pencilmarks()
    }

    /// The lines, some of which may be no records.
    pub fn lines(&self) -> &[u8] {
        &self.lines
    }
}

/// Reads all of an input. Lines of puzzles stay as they are, with all that stands in them; of any other layout each
/// record becomes a line of 81 cells or 729 pencilmarks, an invalid one if it is no puzzle.
///
/// # Errors
/// When it cannot be opened, made out or read, or files of an archive are of clues and of pencilmarks.
pub fn load(input: &Input, format: &InputFormat) -> Result<Text<'static>, Error> {
    let size = rapidoku::file::internal::MAX_BATCH;
    let manner =
        ReadOptions { mapping: crate::signals::mapping(), size, whole_lines: true, format: format.clone() };
    let mut cutter = BatchReader::new(vec![input.clone()], manner);
    let (mut batch, mut records, mut lines) = (Batch::default(), Records::default(), Vec::new());
    let mut has_pencilmarks = None;
    while cutter.next(&mut batch)? {
        let layout = &batch.origin().layout;
        if *has_pencilmarks.get_or_insert(layout.has_pencilmarks()) != layout.has_pencilmarks() {
            let seen = "some of its files are of pencilmarks, others of clues; take them apart".to_owned();
            return Err(Error::Format { name: input.name(), reason: seen });
        }
        // The last line of a file in an archive may have no end.
        if batch.is_first && lines.last().is_some_and(|&byte| byte != b'\n') {
            lines.push(b'\n');
        }
        if layout.is_lines() {
            lines.extend_from_slice(batch.text());
            continue;
        }
        records.read_as(layout, batch.text(), rapidoku::Level::default());
        if layout.has_pencilmarks() {
            write_lines(records.pencilmarks(), &mut lines);
        } else {
            write_lines(records.puzzles(), &mut lines);
        }
    }
    let layout = if has_pencilmarks == Some(true) { Layout::pencilmarks() } else { Layout::LINES };
    Ok(Text { lines: Cow::Owned(lines), layout })
}

fn write_lines(puzzles: &[impl Display], lines: &mut Vec<u8>) {
    for puzzle in puzzles {
        writeln!(lines, "{puzzle}").expect("a vector takes all");
    }
}
