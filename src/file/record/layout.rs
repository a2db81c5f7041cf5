//! Stage 2, records: the layout of an input and the parts of its records.

use std::borrow::Cow;
use std::io;

use memchr::memrchr;

use super::array::Array;
use super::objects::Objects;
use super::rows::split;
use super::spread::Spread;
use super::{Grids, LineFormat, Rows, games, line_at, line_feeds, quotes};
use crate::grid::{CELLS, PuzzleError, parse_candidates, parse_field, parse_line};

/// The layout of an input: where its puzzles are.
///
/// The methods that take `text` and `start` expect the text of a batch and the offset of one of its records, see
/// [`BatchView::text`](crate::file::BatchView::text) and [`Records::starts`](crate::file::Records::starts). With other
/// values their results are meaningless, but they do not panic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    pub(in crate::file) kind: Kind,
    /// For lines: whether a note follows some puzzle in the lines that were examined.
    pub(in crate::file) has_notes: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::file) enum Kind {
    /// A puzzle at the start of each line.
    Lines,
    /// A puzzle in a field of each line.
    Rows(Rows),
    /// A puzzle in 81 fields of each line.
    Spread(Spread),
    /// A puzzle in a member of an object of JSON in each line.
    Objects(Objects),
    /// A puzzle in nine lines.
    Grids(Grids),
    /// A puzzle in each element of OpenSudoku XML.
    Games,
    /// An array of numbers.
    Array(Array),
}

impl From<Kind> for Layout {
    fn from(kind: Kind) -> Layout {
        Layout { kind, has_notes: false }
    }
}

impl Layout {
    /// A puzzle at the start of each line.
    #[doc(hidden)]
    pub const LINES: Layout = Layout { kind: Kind::Lines, has_notes: false };

    /// Lines of pencilmarks without other fields.
    #[doc(hidden)]
    pub fn pencilmarks() -> Layout {
        let rows = Rows {
            delimiter: b',',
            puzzle: 0,
            pencilmarks: true,
            solution: None,
            names: Vec::new(),
            header: None,
            is_header_crlf: false,
        };
        Kind::Rows(rows).into()
    }

    /// Whether there is a puzzle at the start of each line.
    pub fn is_lines(&self) -> bool {
        matches!(self.kind, Kind::Lines)
    }

    /// Whether each line is a row of named or numbered fields that include the puzzle: a table, or JSON lines.
    pub fn is_table(&self) -> bool {
        matches!(self.kind, Kind::Rows(_) | Kind::Spread(_) | Kind::Objects(_))
    }

    /// Whether each line is an object of JSON.
    pub fn is_jsonl(&self) -> bool {
        matches!(self.kind, Kind::Objects(_))
    }

    /// Whether each puzzle is a grid of nine lines.
    pub fn is_grids(&self) -> bool {
        matches!(self.kind, Kind::Grids(_))
    }

    /// Whether each record is a line, or several lines, of its own. That is not so in XML and in arrays.
    pub fn has_lines(&self) -> bool {
        !matches!(self.kind, Kind::Array(_) | Kind::Games)
    }

    /// Whether the puzzles are pencilmarks.
    pub fn has_pencilmarks(&self) -> bool {
        match &self.kind {
            Kind::Rows(rows) => rows.pencilmarks,
            Kind::Objects(objects) => objects.pencilmarks,
            Kind::Grids(grids) => grids.candidates,
            _ => false,
        }
    }

    /// Whether there is a column of solutions, or 81 of them.
    pub fn has_solution(&self) -> bool {
        match &self.kind {
            Kind::Objects(objects) => objects.solution.is_some(),
            _ => self.rows().is_some_and(|rows| rows.solution.is_some()),
        }
    }

    /// The table, if this is one of delimited fields.
    fn rows(&self) -> Option<&Rows> {
        match &self.kind {
            Kind::Rows(rows) | Kind::Spread(Spread { rows, .. }) => Some(rows),
            _ => None,
        }
    }

    /// The header of a table as in the input, without its line end.
    pub fn header(&self) -> Option<&[u8]> {
        self.rows()?.header.as_deref()
    }

    /// The header line with its line end; with a line feed if it is the only line and has none.
    pub(in crate::file) fn header_line(&self) -> Option<Vec<u8>> {
        let rows = self.rows()?;
        let end: &[u8] = if rows.is_header_crlf { b"\r\n" } else { b"\n" };
        rows.header.as_ref().map(|header| [header, end].concat())
    }

    /// The names of the columns of a table, in order; numbers from 1 if there is no header. For JSON lines, the names of
    /// the members of the first objects. Empty for other layouts.
    pub fn columns(&self) -> &[String] {
        match &self.kind {
            Kind::Objects(objects) => &objects.names,
            _ => self.rows().map_or(&[], |rows| &rows.names),
        }
    }

    /// The same as bytes, because they need not be UTF-8.
    pub(in crate::file) fn column_bytes(&self) -> Vec<Vec<u8>> {
        match self.rows() {
            Some(Rows { header: Some(header), delimiter, .. }) => {
                split(header, *delimiter).iter().map(|name| name.trim_ascii().to_vec()).collect()
            }
            _ => self.columns().iter().map(|name| name.clone().into_bytes()).collect(),
        }
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
        match (&self.kind, &other.kind) {
            (Kind::Rows(mine), Kind::Rows(theirs)) => {
                (mine.delimiter, mine.puzzle, mine.pencilmarks)
                    == (theirs.delimiter, theirs.puzzle, theirs.pencilmarks)
            }
            (mine, theirs) => std::mem::discriminant(mine) == std::mem::discriminant(theirs),
        }
    }

    /// The reason why the record at `start` is invalid, and the offset of the line with the error. `None` if the record is
    /// a puzzle whose clues do not clash.
    pub fn diagnose(&self, text: &[u8], start: usize) -> Option<(usize, PuzzleError)> {
        let parsed = match &self.kind {
            Kind::Lines => parse_line(line_at(text, start)).map_err(|error| (start, error)),
            Kind::Rows(rows) => {
                let (line, error) = rows.diagnose(rows.row_at(text, start))?;
                return Some((start + line, error));
            }
            Kind::Objects(objects) => {
                return objects.diagnose(line_at(text, start)).map(|error| (start, error));
            }
            Kind::Spread(spread) => {
                return spread.diagnose(spread.rows.row_at(text, start)).map(|error| (start, error));
            }
            Kind::Games => games::next(text, start)?.puzzle,
            Kind::Grids(grids) => grids.next(text, start)?.puzzle,
            Kind::Array(array) => array.parse(text, start).map_err(|error| (start, error)),
        };
        match parsed {
            Ok(puzzle) => puzzle.clash().map(|clash| (start, clash)),
            Err(error) => Some(error),
        }
    }

    /// The 81 cells, or 729 pencilmarks, of the record at `start` as in the input. `None` if it is not a puzzle.
    pub fn cells<'t>(&self, text: &'t [u8], start: usize) -> Option<Cow<'t, [u8]>> {
        match &self.kind {
            Kind::Lines => {
                let line = line_at(text, start);
                parse_line(line).ok().map(|_| Cow::Borrowed(&line[..CELLS]))
            }
            Kind::Rows(rows) => {
                let row = rows.row_at(text, start);
                if rows.pencilmarks { rows.candidates(row).map(drop) } else { rows.parse(row).map(drop) }
                    .ok()?;
                rows.field(row, rows.puzzle).ok().map(|(_, cells)| Cow::Borrowed(cells))
            }
            Kind::Objects(objects) => {
                let (_, cells) = objects.puzzle_of(line_at(text, start)).ok()?;
                let is_puzzle = match objects.pencilmarks {
                    true => parse_candidates(&cells).is_ok(),
                    false => parse_field(&cells).is_ok(),
                };
                is_puzzle.then_some(cells)
            }
            Kind::Grids(grids) => {
                let grid = grids.next(text, start)?;
                grid.puzzle.is_ok().then_some(Cow::Owned(grid.cells))
            }
            Kind::Spread(spread) => {
                let cells = spread.cells(spread.rows.row_at(text, start)).ok()?;
                Some(Cow::Owned(cells.to_vec()))
            }
            Kind::Games => {
                let game = games::next(text, start)?;
                game.puzzle.is_ok().then_some(Cow::Owned(game.cells))
            }
            Kind::Array(array) => {
                let puzzle = array.parse(text, start).ok()?;
                Some(puzzle.cells().iter().map(|digit| b'0' + digit).collect())
            }
        }
    }

    /// The same for a record that is known to be a puzzle, without parsing it again.
    pub(in crate::file) fn cells_of_puzzle<'t>(&self, text: &'t [u8], start: usize) -> Option<Cow<'t, [u8]>> {
        match &self.kind {
            // A solver that does not look at its puzzles never reports an invalid one, so the range may be too long.
            Kind::Lines => text.get(start..start.checked_add(CELLS)?).map(Cow::Borrowed),
            Kind::Rows(rows) => {
                let (_, cells) = rows.field(rows.row_at(text, start), rows.puzzle).ok()?;
                Some(Cow::Borrowed(cells))
            }
            Kind::Objects(objects) => {
                let (_, cells) = objects.puzzle_of(line_at(text, start)).ok()?;
                Some(cells)
            }
            Kind::Grids(_) | Kind::Array(_) | Kind::Spread(_) | Kind::Games => self.cells(text, start),
        }
    }

    /// The text of the record at `start` where its puzzle should be: the line, the field of a table, the lines of a grid
    /// with spaces for line breaks, or the numbers of an array. The row, if it does not reach the column.
    #[doc(hidden)]
    pub fn puzzle_text<'t>(&self, text: &'t [u8], start: usize) -> Cow<'t, [u8]> {
        if let Kind::Rows(rows) = &self.kind {
            let mut values = Vec::new();
            rows.values(rows.row_at(text, start), &mut values);
            if rows.puzzle < values.len() {
                return values.swap_remove(rows.puzzle);
            }
        }
        if let Kind::Objects(objects) = &self.kind
            && let Ok((_, puzzle)) = objects.puzzle_of(line_at(text, start))
        {
            return puzzle;
        }
        if let Kind::Array(array) = self.kind {
            let numbers: Vec<String> = array.numbers(text, start).map(|number| number.to_string()).collect();
            return Cow::Owned(numbers.join(" ").into_bytes());
        }
        if let Kind::Spread(spread) = &self.kind {
            return Cow::Owned(spread.puzzle_text(spread.rows.row_at(text, start)));
        }
        let lines = self.record_lines(text, start).trim_ascii_end();
        match self.kind {
            Kind::Grids(_) | Kind::Games => {
                lines.iter().map(|&byte| if byte == b'\n' { b' ' } else { byte }).collect()
            }
            _ => Cow::Borrowed(lines),
        }
    }

    /// The content of the solution column in the row at `start`, and its offset in the row. `None` if the table has no
    /// such column or the row does not reach it.
    pub fn solution<'t>(&self, text: &'t [u8], start: usize) -> Option<(usize, Cow<'t, [u8]>)> {
        match &self.kind {
            Kind::Rows(rows) => {
                let (offset, field) = rows.field(rows.row_at(text, start), rows.solution?).ok()?;
                Some((offset, Cow::Borrowed(field)))
            }
            Kind::Spread(spread) => spread.solution(spread.rows.row_at(text, start)),
            Kind::Objects(objects) => objects.field(line_at(text, start), objects.solution?),
            _ => None,
        }
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
        match &self.kind {
            Kind::Rows(rows) | Kind::Spread(Spread { rows, .. }) => {
                rows.values(rows.row_at(text, start), values)
            }
            Kind::Objects(objects) => objects.values(line_at(text, start), as_json, values),
            Kind::Lines => {
                values.clear();
                // Most lines end after the puzzle.
                if !matches!(text.get(start.saturating_add(CELLS)), None | Some(b'\n' | b'\r')) {
                    values.extend(note(line_at(text, start)).map(Cow::Borrowed));
                }
            }
            _ => values.clear(),
        }
    }

    /// The lines of the record at `start`, including the last line feed if there is one.
    pub fn record_lines<'t>(&self, text: &'t [u8], start: usize) -> &'t [u8] {
        let end = match &self.kind {
            Kind::Lines | Kind::Objects(_) => {
                start.saturating_add(line_at(text, start).len()).saturating_add(1)
            }
            Kind::Rows(rows) | Kind::Spread(Spread { rows, .. }) => {
                start.saturating_add(rows.row_at(text, start).len()).saturating_add(1)
            }
            Kind::Games => games::next(text, start).map_or(text.len(), |game| game.end),
            Kind::Grids(grids) => grids.next(text, start).map_or(text.len(), |grid| grid.end),
            Kind::Array(array) => start.saturating_add(array.record_bytes()),
        };
        text.get(start..end.min(text.len())).unwrap_or_default()
    }

    /// The number of bytes of all records, if the start of the input tells it.
    pub(super) fn expected_bytes(&self) -> Option<u64> {
        match self.kind {
            Kind::Array(array) => Some(array.total_bytes()),
            _ => None,
        }
    }

    /// Subtracts the size of a batch from the number of bytes that are expected. `None` is the end of the input.
    ///
    /// # Errors
    /// When the input has more or fewer bytes.
    pub(super) fn check_size(&self, expected: u64, batch: Option<usize>) -> io::Result<u64> {
        match self.kind {
            Kind::Array(array) => array.check_size(expected, batch),
            _ => Ok(expected),
        }
    }

    /// The end of the last record that is complete whatever follows `text`, which starts between records.
    pub(super) fn last_boundary(&self, text: &[u8]) -> Option<usize> {
        match &self.kind {
            Kind::Lines | Kind::Objects(_) => memrchr(b'\n', text).map(|at| at + 1),
            Kind::Rows(rows) | Kind::Spread(Spread { rows, .. }) => {
                quotes::last_boundary(text, rows.delimiter)
            }
            Kind::Games => games::last_boundary(text),
            Kind::Grids(grids) => grids.last_boundary(text),
            Kind::Array(array) => array.last_boundary(text),
        }
    }

    /// The number of lines that end in a part of a batch. An array has no lines; its records are counted instead.
    pub fn count_lines(&self, part: &[u8]) -> u64 {
        match self.kind {
            Kind::Array(array) => (part.len() / array.record_bytes()) as u64,
            _ => line_feeds(part),
        }
    }
}

/// The text after the puzzle at the start of a line, without the separator and spaces around it.
pub(super) fn note(line: &[u8]) -> Option<&[u8]> {
    let rest = line.get(CELLS..)?.trim_ascii();
    let note = rest.strip_prefix(b",").or(rest.strip_prefix(b";")).unwrap_or(rest).trim_ascii_start();
    (!note.is_empty() && parse_line(line).is_ok()).then_some(note)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::file::record::{ColumnRef, Form, InputFormat, Records, recognise};
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
            form in prop::sample::select(vec![
                Form::Auto, Form::Lines, Form::Csv, Form::Tsv, Form::Grids, Form::Pencilmarks, Form::Jsonl,
                Form::Npy, Form::Candidates, Form::OpenSudoku,
            ]),
            delimiter: Option<u8>,
            column in column(),
            solution_column in column(),
            no_header: bool,
            is_all: bool,
            start in prop_oneof![0..300usize, Just(usize::MAX)],
        ) {
            let format = InputFormat { form, delimiter, column, solution_column, no_header };
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
            let error = recognise(b"a\n", true, &InputFormat::default().delimiter(delimiter)).unwrap_err();
            assert_eq!(error.reason, format!("unsupported delimiter '{}'", delimiter.escape_ascii()));
        }
    }

    #[test]
    fn a_table_has_columns_and_a_header() {
        let text = [&b"id,Puzzle\r\n7,"[..], &[b'.'; CELLS], b"\r\n"].concat();
        let layout = recognise(&text, true, &InputFormat::default()).unwrap().layout;
        assert!(layout.is_table() && !layout.is_lines() && !layout.is_grids() && !layout.has_pencilmarks());
        assert_eq!(
            (layout.columns(), layout.header()),
            (&["id".into(), "Puzzle".into()][..], Some(&b"id,Puzzle"[..]))
        );
        assert_eq!((Layout::LINES.columns().len(), Layout::LINES.header()), (0, None));
    }
}
