//! Stage 2, records: the layout of an input and the parts of its records.

use std::any::Any;
use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use super::candidate_grids::CandidateGrids;
use super::format::{Format, Header};
use super::grids::Grids;
use super::lines::Lines;
use super::objects::Objects;
use super::rows::Rows;
use crate::grid::{CELLS, PuzzleError};

/// The layout of an input: where its puzzles are.
///
/// The methods that take `text` and `start` expect the text of a batch and the offset of one of its records, see
/// [`BatchView::text`](crate::file::BatchView::text) and [`Records::starts`](crate::file::Records::starts). With other
/// values their results are meaningless, but they do not panic.
#[derive(Clone, Debug)]
pub struct Layout {
    format: Arc<dyn Format>,
}

impl Layout {
    /// The layout of a format.
    pub(super) fn of(format: impl Format) -> Layout {
        Layout { format: Arc::new(format) }
    }

    /// The format.
    pub(in crate::file) fn format(&self) -> &dyn Format {
        &*self.format
    }

    /// The format, if it is of this type.
    fn as_format<F: Format>(&self) -> Option<&F> {
        (self.format() as &dyn Any).downcast_ref()
    }

    /// A puzzle at the start of each line.
    #[doc(hidden)]
    pub fn lines() -> &'static Layout {
        static LINES: LazyLock<Layout> = LazyLock::new(|| Layout::of(Lines::default()));
        &LINES
    }

    /// Lines of pencilmarks without other fields.
    #[doc(hidden)]
    pub fn pencilmarks() -> Layout {
        Layout::of(Rows::pencilmarks())
    }

    /// The name of the layout in messages and statistics: `lines`, `table`, `JSON lines`, ...
    pub fn name(&self) -> &'static str {
        self.format().name()
    }

    /// Whether there is a puzzle at the start of each line.
    pub fn is_lines(&self) -> bool {
        self.as_format::<Lines>().is_some()
    }

    /// For lines: whether a note follows some puzzle in the lines that were examined.
    pub(in crate::file) fn has_notes(&self) -> bool {
        self.as_format().is_some_and(|lines: &Lines| lines.has_notes)
    }

    /// Whether each line is a row of named or numbered fields that include the puzzle: a table, or JSON lines.
    pub fn is_table(&self) -> bool {
        self.format().columns().is_some()
    }

    /// Whether each line is an object of JSON.
    pub fn is_jsonl(&self) -> bool {
        self.as_format::<Objects>().is_some()
    }

    /// Whether the lines are CSV with a header. Without one, programs would take the first row for it.
    pub(in crate::file) fn is_csv(&self) -> bool {
        self.as_format().is_some_and(|rows: &Rows| rows.delimiter == b',' && rows.header.is_some())
    }

    /// Whether each puzzle is a grid of nine lines.
    pub fn is_grids(&self) -> bool {
        self.as_format::<Grids>().is_some() || self.as_format::<CandidateGrids>().is_some()
    }

    /// Whether each record is a line, or several lines, of its own. That is not so in XML and in arrays.
    pub fn has_lines(&self) -> bool {
        self.format().has_lines()
    }

    /// Whether the puzzles are pencilmarks.
    pub fn has_pencilmarks(&self) -> bool {
        self.format().has_pencilmarks()
    }

    /// Whether there is a column of solutions, or 81 of them; in lines, whether a complete grid follows some puzzle in those that
    /// were examined.
    pub fn has_solution(&self) -> bool {
        self.format().has_solution()
    }

    /// The header of a table as in the input, without its line end.
    pub fn header(&self) -> Option<&[u8]> {
        self.format().header().map(|header| &header.line[..])
    }

    /// The header line with its line end; with a line feed if it is the only line and has none.
    pub(in crate::file) fn header_line(&self) -> Option<Vec<u8>> {
        let Header { line, is_crlf } = self.format().header()?;
        let end: &[u8] = if *is_crlf { b"\r\n" } else { b"\n" };
        Some([line, end].concat())
    }

    /// The names of the columns of a table, in order; numbers from 1 if there is no header. For JSON lines, the names of
    /// the members of the first objects. Empty for other layouts.
    pub fn columns(&self) -> &[String] {
        self.format().columns().unwrap_or_default()
    }

    /// The same as bytes, because they need not be UTF-8.
    pub(in crate::file) fn column_bytes(&self) -> Vec<Vec<u8>> {
        self.format().column_bytes()
    }

    /// The index in this table of each column of the first input. Names that differ only in case are the same if no others
    /// are. The k-th column of a name belongs to the k-th column of that name.
    ///
    /// # Errors
    /// When the columns are not the same. The message is about this input, and calls the first one `first_name`.
    pub(in crate::file) fn match_columns(
        &self,
        first: &Layout,
        first_name: &str,
    ) -> Result<Vec<usize>, String> {
        let (names, wanted) = (self.columns(), first.columns());
        let indices = |is_same: fn(&str, &str) -> bool| {
            let mut indices: Vec<usize> = Vec::new();
            for name in wanted {
                let is_free = |index: &usize| !indices.contains(index) && is_same(&names[*index], name);
                let index = (0..names.len()).find(is_free).ok_or_else(|| {
                    let no_table = if self.is_table() { "" } else { ": the input is not a table" };
                    format!("no column '{name}', which '{first_name}' has{no_table}")
                })?;
                indices.push(index);
            }
            Ok(indices)
        };
        let indices =
            indices(|a, b| a == b).or_else(|_: String| indices(|a, b| a.eq_ignore_ascii_case(b)))?;
        match (0..names.len()).find(|index| !indices.contains(index)) {
            None => Ok(indices),
            Some(index) => Err(format!("column '{}' does not occur in '{first_name}'", names[index])),
        }
    }

    /// Checks that records of this layout can follow those of the first input as they are.
    ///
    /// # Errors
    /// When they cannot. The message is about this input, and calls the first one `first_name`.
    pub(in crate::file) fn check_copies(&self, first: &Layout, first_name: &str) -> Result<(), String> {
        let part = if self.header() != first.header() {
            "header"
        } else if !self.is_like(first) {
            "layout"
        } else {
            return Ok(());
        };
        Err(format!("its {part} is not that of '{first_name}', and records are copied as they are"))
    }

    /// Whether records of both layouts can be in one input.
    fn is_like(&self, other: &Layout) -> bool {
        match (self.as_format::<Rows>(), other.as_format::<Rows>()) {
            (Some(mine), Some(theirs)) => {
                (mine.delimiter, mine.puzzle, mine.pencilmarks)
                    == (theirs.delimiter, theirs.puzzle, theirs.pencilmarks)
            }
            _ => (self.format() as &dyn Any).type_id() == (other.format() as &dyn Any).type_id(),
        }
    }

    /// The reason why the record at `start` is invalid, and the offset of the line with the error. `None` if the record is
    /// a puzzle whose clues do not clash.
    pub fn diagnose(&self, text: &[u8], start: usize) -> Option<(usize, PuzzleError)> {
        let record = self.format().record(text, start);
        let line = record.line;
        record.error().map(|error| (line, error))
    }

    /// The 81 cells, or 729 pencilmarks, of the record at `start` as in the input. `None` if it is not a puzzle.
    pub fn cells<'t>(&self, text: &'t [u8], start: usize) -> Option<Cow<'t, [u8]>> {
        self.format().record(text, start).cells.ok()
    }

    /// The same for a record that is known to be a puzzle, without parsing it again.
    pub(in crate::file) fn cells_of_puzzle<'t>(&self, text: &'t [u8], start: usize) -> Option<Cow<'t, [u8]>> {
        self.format().cells_of_puzzle(text, start)
    }

    /// The text of the record at `start` where its puzzle should be: the line, the field of a table, the lines of a grid
    /// with spaces for line breaks, or the numbers of an array. The row, if it does not reach the column.
    #[doc(hidden)]
    pub fn puzzle_text<'t>(&self, text: &'t [u8], start: usize) -> Cow<'t, [u8]> {
        self.format().puzzle_text(text, start)
    }

    /// The content of the solution column in the row at `start`, and its offset in the row. In lines, it is what follows the
    /// puzzle and separators. `None` if the table has no such column or the row does not reach it.
    pub fn solution<'t>(&self, text: &'t [u8], start: usize) -> Option<(usize, Cow<'t, [u8]>)> {
        self.format().solution(text, start)
    }

    /// The complete grid in the solution column of the record at `start`, or after the puzzle of a line, with any text behind it.
    #[doc(hidden)]
    pub fn given_solution(&self, text: &[u8], start: usize) -> Option<[u8; CELLS]> {
        let (_, field) = self.solution(text, start)?;
        let ends = match self.is_lines() {
            true => !field.get(CELLS).is_some_and(u8::is_ascii_digit),
            false => field.len() == CELLS,
        };
        let cells = field.first_chunk().copied().filter(|_| ends)?;
        cells.iter().all(|byte| (b'1'..=b'9').contains(byte)).then_some(cells)
    }

    /// Replaces `values` by the values of the columns of the row at `start`, without quotes. With `as_json`, those of JSON
    /// lines are as in the input, and empty if the object has no such member. Values without a column follow. A line with a
    /// puzzle has one value, the note, if it has one.
    pub(in crate::file) fn values<'t>(
        &self,
        text: &'t [u8],
        start: usize,
        as_json: bool,
        values: &mut Vec<Cow<'t, [u8]>>,
    ) {
        self.format().values(text, start, as_json, values);
    }

    /// The lines of the record at `start`, including the last line feed if there is one.
    pub fn record_lines<'t>(&self, text: &'t [u8], start: usize) -> &'t [u8] {
        text.get(start..self.format().end(text, start).min(text.len())).unwrap_or_default()
    }

    /// The number of lines that end in a part of a batch. An array has no lines; its records are counted instead.
    pub fn count_lines(&self, part: &[u8]) -> u64 {
        self.format().count_lines(part)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::file::record::{ColumnRef, InputFormat, InputOptions, Records, recognise};
    use crate::simd::SimdLevel;

    fn text() -> impl Strategy<Value = Vec<u8>> {
        let piece = prop_oneof![
            4 => "[1-9.]{81}[,; \t\n]",
            2 => "[1-9.]{9}\n",
            1 => "([1-9]|\\.){729}\n",
            1 => "([0-9],){80}[0-9]\n|(1[23]? ){8}4\n|<game data=\"[0-9]{81}\"/>|<opensudoku>\n",
            2 => "puzzle,solution\n|id;quiz\n|\"|\"\"|#|,|;|\r\n|\n|Grid 1\n|\\[State\\]\n",
            2 => "\\{\"(a|puzzle)\": ?\"([1-9.]{81}|[1-9.]{0,3}|\\\\u0031)\"[,} ]{0,2}\r?\n",
            1 => any::<String>(),
        ];
        let bytes = prop::collection::vec(any::<u8>(), 0..40);
        let piece = prop_oneof![8 => piece.prop_map(String::into_bytes), 1 => bytes];
        prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
    }

    fn column() -> impl Strategy<Value = Option<ColumnRef>> {
        prop_oneof![
            Just(None),
            prop::sample::select(vec![0, 1, 2, 7, usize::MAX]).prop_map(|index| Some(index.into())),
            Just(Some("PUZZLE".into())),
        ]
    }

    proptest! {
        #[test]
        fn no_text_no_format_and_no_offset_panics(
            text in text(),
            other in text(),
            format in prop::sample::select(InputFormat::ALL),
            delimiter: Option<u8>,
            column in column(),
            solution_column in column(),
            no_header: bool,
            blank_number: Option<i8>,
            is_all: bool,
            start in prop_oneof![0..300usize, Just(usize::MAX)],
        ) {
            let format =
                InputOptions { format, delimiter, column, solution_column, no_header, pads: is_all, blank_number };
            let Ok(recognised) = recognise(&text, is_all, &format) else { return Ok(()) };
            let layout = recognised.layout;
            // The rest of an input need not look like its head.
            let mut records = Records::default();
            for text in [&text[recognised.skipped_bytes..], &other] {
                records.read_as(&layout, text, SimdLevel::detect());
                let starts = records.starts().iter().map(|&start| start as usize).chain([start]);
                for start in starts {
                    let _ = (layout.diagnose(text, start), layout.cells(text, start));
                    let _ = (layout.solution(text, start), layout.cells_of_puzzle(text, start));
                    let _ = (layout.record_lines(text, start), layout.puzzle_text(text, start));
                    layout.values(text, start, is_all, &mut Vec::new());
                }
                prop_assert_eq!(records.starts().len(), records.len());
            }
        }
    }

    #[test]
    fn delimiters_that_cannot_separate_fields_are_rejected() {
        for delimiter in *b"\"\r\n" {
            let error = recognise(b"a\n", true, &InputOptions::default().delimiter(delimiter)).unwrap_err();
            assert_eq!(error.reason, format!("unsupported delimiter '{}'", delimiter.escape_ascii()));
        }
    }

    #[test]
    fn a_table_has_columns_and_a_header() {
        let text = [&b"id,Puzzle\r\n7,"[..], &[b'.'; CELLS], b"\r\n"].concat();
        let layout = recognise(&text, true, &InputOptions::default()).unwrap().layout;
        assert!(layout.is_table() && !layout.is_lines() && !layout.is_grids() && !layout.has_pencilmarks());
        assert_eq!(
            (layout.columns(), layout.header()),
            (&["id".into(), "Puzzle".into()][..], Some(&b"id,Puzzle"[..]))
        );
        assert_eq!((Layout::lines().columns().len(), Layout::lines().header()), (0, None));
    }
}
