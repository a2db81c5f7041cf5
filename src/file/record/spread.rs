//! Stage 2, records: tables with a column for each of the 81 cells.
//!
//! * A cell is an element of `notation.rs`, possibly with spaces around it: a digit, a blank character or nothing, `5.0`, `nan` or `-1`.
//! * The puzzle is in 81 consecutive columns. Other columns may precede and follow them, for example an identifier or the
//!   81 cells of the solution.
//! * The first row is a header if its 81 fields differ from each other, which the cells of a grid cannot. If the names tell the
//!   cells (`cell_names.rs`), their order does not matter.
//!
//! Recognition considers all runs of 81 columns, and how many rows have a puzzle there whose clues do not clash. The puzzle
//! is the run with the most such rows; if several have as many, the one whose names tell the cells. Runs of complete grids
//! are considered only if no other has a puzzle, or else for the solution.

use std::borrow::Cow;

use super::cell_names::{Name, cells_of_names};
use super::cells::finish_line;
use super::choose::{find_name, is_puzzle, name_of};
use super::format::{Division, Format, Header, Record};
use super::input_options::{ColumnRef, InputOptions};
use super::rows::Rows;
use super::{LineFormat, Records, notation, quotes};
use crate::grid::{CELLS, Puzzle, PuzzleError, is_cell};
use crate::simd::{Simd, SimdLevel};

/// The columns of such a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spread {
    /// The table. The columns of the puzzle and of the solution are the first of 81.
    pub(crate) rows: Rows,
    /// Whether the solution is in 81 columns too.
    solution_is_spread: bool,
    /// The cell of each of the 81 columns, if they are not row by row.
    order: Option<[u8; CELLS]>,
    solution_order: Option<[u8; CELLS]>,
}

/// The order of the cells of columns.
#[inline(always)]
fn arranged(cells: [u8; CELLS], order: &Option<[u8; CELLS]>) -> [u8; CELLS] {
    let Some(order) = order else { return cells };
    let mut arranged = cells;
    for (&cell, &to) in cells.iter().zip(order) {
        arranged[usize::from(to)] = cell;
    }
    arranged
}

/// The cell of a field.
fn cell_of(field: &[u8]) -> Option<u8> {
    notation::cell_of(field.trim_ascii())
}

/// The 81 cells of the fields from `first` on, or the index of the first field that is none or is missing.
fn cells_of(fields: &[impl AsRef<[u8]>], first: usize) -> Result<[u8; CELLS], usize> {
    let mut cells = [0; CELLS];
    let fields = fields.get(first..).unwrap_or_default();
    for (at, cell) in cells.iter_mut().enumerate() {
        *cell = fields.get(at).and_then(|field| cell_of(field.as_ref())).ok_or(first.saturating_add(at))?;
    }
    Ok(cells)
}

impl Spread {
    fn fields<'t>(&self, row: &'t [u8]) -> Vec<Cow<'t, [u8]>> {
        let mut values = Vec::new();
        self.rows.fields(row, &mut values);
        values
    }

    /// The first bytes of the 81 fields in the line at the start of `text`, if all but the last one have a single byte, and
    /// the offset after the last one.
    #[inline(always)]
    fn pairs(&self, text: &[u8]) -> Option<([u8; CELLS], usize)> {
        let start = self.rows.start_in_line(text)?;
        let (pairs, rest) = text.get(start..)?.split_first_chunk::<{ 2 * (CELLS - 1) }>()?;
        let (mut cells, mut differences) = ([*rest.first()?; CELLS], 0);
        for (cell, pair) in cells.iter_mut().zip(pairs.as_chunks::<2>().0) {
            *cell = pair[0];
            differences |= pair[1] ^ self.rows.delimiter;
        }
        (differences == 0).then_some((cells, start + 2 * CELLS - 1))
    }

    /// The cells of the puzzle of a row.
    pub(super) fn cells(&self, row: &[u8]) -> Result<[u8; CELLS], PuzzleError> {
        if let Some((cells, end)) = self.pairs(row)
            && row.get(end).is_none_or(|&byte| byte == self.rows.delimiter)
            && cells.iter().fold(true, |all, &byte| all & is_cell(byte))
        {
            return Ok(arranged(cells, &self.order));
        }
        let values = self.fields(row);
        let number = |index: usize| u32::try_from(index.saturating_add(1)).unwrap_or(u32::MAX);
        let cells = cells_of(&values, self.rows.puzzle).map_err(|index| match index < values.len() {
            true => PuzzleError::BadField { field: number(index) },
            false => PuzzleError::MissingField { field: number(index), fields: values.len() as u32 },
        })?;
        Ok(arranged(cells, &self.order))
    }

    fn joined(&self, row: &[u8], first: usize) -> Vec<u8> {
        self.fields(row).into_iter().skip(first).take(CELLS).collect::<Vec<_>>().join(&b' ')
    }
}

impl Format for Spread {
    fn name(&self) -> &'static str {
        "table with a column for each cell"
    }

    fn division(&self) -> Division {
        self.rows.division()
    }

    fn record<'t>(&self, text: &'t [u8], start: usize) -> Record<'t> {
        let cells = self.cells(self.rows.row_at(text, start));
        Record {
            end: self.end(text, start),
            line: start,
            cells: cells.map(|cells| Cow::Owned(cells.to_vec())),
        }
    }

    fn read(&self, level: SimdLevel, text: &[u8], records: &mut Records, limit: usize) -> usize {
        records.read_lines(level, text, self, limit)
    }

    fn end(&self, text: &[u8], start: usize) -> usize {
        self.rows.end(text, start)
    }

    /// The fields of the puzzle, separated by spaces.
    fn puzzle_text<'t>(&self, text: &'t [u8], start: usize) -> Cow<'t, [u8]> {
        Cow::Owned(self.joined(self.rows.row_at(text, start), self.rows.puzzle))
    }

    fn columns(&self) -> Option<&[String]> {
        self.rows.columns()
    }

    fn column_bytes(&self) -> Vec<Vec<u8>> {
        self.rows.column_bytes()
    }

    fn header(&self) -> Option<&Header> {
        self.rows.header()
    }

    fn values<'t>(&self, text: &'t [u8], start: usize, as_json: bool, values: &mut Vec<Cow<'t, [u8]>>) {
        self.rows.values(text, start, as_json, values);
        // An empty field would be a blank cell.
        let (first, end) = (self.rows.puzzle, self.rows.puzzle + CELLS);
        if values.len() < end {
            values.resize(values.len().max(first), Cow::Borrowed(b""));
            values.resize(end, Cow::Borrowed(b"missing"));
        }
    }

    fn has_solution(&self) -> bool {
        self.rows.has_solution()
    }

    /// The solution, and its offset if it is one field.
    fn solution<'t>(&self, text: &'t [u8], start: usize) -> Option<(usize, Cow<'t, [u8]>)> {
        if !self.solution_is_spread {
            return self.rows.solution(text, start);
        }
        let (row, first) = (self.rows.row_at(text, start), self.rows.solution?);
        let cells = cells_of(&self.fields(row), first);
        let solution = |cells| arranged(cells, &self.solution_order).to_vec();
        Some((0, Cow::Owned(cells.map_or_else(|_| self.joined(row, first), solution))))
    }
}

impl LineFormat for Spread {
    #[inline(always)]
    fn read_plain<S: Simd>(&self, s: S, text: &[u8], puzzle: &mut Puzzle) -> Option<usize> {
        if self.order.is_some() || text[0] == b'#' {
            return None;
        }
        let (cells, end) = self.pairs(text)?;
        finish_line(s, text, end, &cells, self.rows.delimiter, puzzle)
    }

    fn record_length(&self, text: &[u8]) -> usize {
        quotes::row_length(text, self.rows.delimiter)
    }

    fn parse(&self, row: &[u8]) -> Result<Puzzle, PuzzleError> {
        let cells = self.cells(row)?;
        Ok(Puzzle(cells.map(|byte| if byte.is_ascii_digit() { byte - b'0' } else { 0 })))
    }
}

/// How many rows have a puzzle in 81 columns.
#[derive(Clone, Copy)]
struct Run {
    first: usize,
    /// The cells of the columns, if their names tell it.
    order: Option<[u8; CELLS]>,
    puzzles: usize,
    /// Whether most of the puzzles are complete.
    is_complete: bool,
}

impl Run {
    fn new(rows: &[Vec<Vec<u8>>], first: usize, order: Option<[u8; CELLS]>) -> Run {
        let (mut puzzles, mut complete) = (0, 0);
        for row in rows {
            let Ok(cells) = cells_of(row, first) else { continue };
            let cells = arranged(cells, &order);
            let puzzle = Puzzle(cells.map(|byte| if byte.is_ascii_digit() { byte - b'0' } else { 0 }));
            if puzzle.clue_count() > 0 && puzzle.clash().is_none() {
                puzzles += 1;
                complete += usize::from(puzzle.clue_count() == CELLS);
            }
        }
        Run { first, order, puzzles, is_complete: complete * 2 > puzzles }
    }
}

/// Recognises the columns in the first rows of a table with this delimiter, and how many rows have a puzzle. `None` if it has
/// no 81 columns of cells.
///
/// # Errors
/// If there are several, or those that `format` names have none.
pub(super) fn recognise(
    rows: &[Vec<Vec<u8>>],
    delimiter: u8,
    options: &InputOptions,
) -> Option<(usize, Result<Spread, String>)> {
    let width = rows.iter().map(Vec::len).max()?;
    let header = if options.no_header { &[][..] } else { &rows[0][..] };
    let cell_names: Vec<Name> = header.iter().map(|name| Name::new(name.trim_ascii())).collect();
    let run = |first| Run::new(rows, first, cell_names.get(first..first + CELLS).and_then(cells_of_names));
    let runs: Vec<Run> = (0..width.checked_sub(CELLS - 1)?).map(run).collect();
    let most = runs.iter().map(|run| run.puzzles).max().filter(|&most| most > 0)?;
    let differ = |first: usize| {
        let Some(fields) = rows[0].get(first..first + CELLS) else { return false };
        let mut sorted: Vec<&[u8]> = fields.iter().map(|field| field.trim_ascii()).collect();
        sorted.sort_unstable();
        sorted.windows(2).all(|pair| pair[0] != pair[1])
    };
    let has_header = !options.no_header && runs.iter().any(|run| run.puzzles == most && differ(run.first));
    let name = |field: &Vec<u8>| String::from_utf8_lossy(field.trim_ascii()).into_owned();
    let names: Vec<String> = match has_header {
        true => rows[0].iter().map(name).collect(),
        false => (1..=width).map(|number| number.to_string()).collect(),
    };
    let find = |column: &ColumnRef| match column {
        ColumnRef::Index(index) if *index < width => Ok(*index),
        ColumnRef::Index(index) => Err(format!("no column {}", index.saturating_add(1))),
        ColumnRef::Name(name) => find_name(&names, name).ok_or_else(|| format!("no column '{name}'")),
    };
    // The runs with the most puzzles, of those with names that tell the cells if there are any.
    let best = |candidates: Vec<Run>| {
        let most =
            candidates.iter().map(|run| run.puzzles).max().filter(|&most| most > 0).unwrap_or(usize::MAX);
        let best: Vec<Run> = candidates.into_iter().filter(|run| run.puzzles == most).collect();
        let numbered: Vec<Run> = best.iter().copied().filter(|run| run.order.is_some()).collect();
        if numbered.is_empty() { best } else { numbered }
    };
    let puzzle = || -> Result<usize, String> {
        if let Some(column) = &options.column {
            return match find(column)? {
                first if first + CELLS <= width => Ok(first),
                _ => Err("no 81 columns from the one of --column on".to_owned()),
            };
        }
        let complete = best(runs.iter().copied().filter(|run| run.is_complete).collect());
        // Complete grids that are shifted by a column clash, puzzles with few clues need not.
        let is_apart = |run: &Run| complete.iter().all(|other| run.first.abs_diff(other.first) >= CELLS);
        let open = best(runs.iter().copied().filter(|run| !run.is_complete && is_apart(run)).collect());
        let wins = open
            .first()
            .is_some_and(|run| complete.first().is_none_or(|other| run.puzzles * 2 > other.puzzles));
        match if wins { &open } else { &complete }[..] {
            [run] => Ok(run.first),
            [first, .., last] => Err(format!(
                "ambiguous columns: the 81 cells may start in columns {} to {}; choose the first one with --column",
                name_of(&names, first.first),
                name_of(&names, last.first)
            )),
            [] => Err("no 81 columns of cells".to_owned()),
        }
    };
    let spread = || -> Result<Spread, String> {
        let puzzle = puzzle()?;
        let (mut solution, mut solution_is_spread) = (None, false);
        if let Some(column) = &options.solution_column {
            let column = find(column)?;
            let fields = rows.iter().filter_map(|row| row.get(column));
            solution = Some(column);
            solution_is_spread = !fields.into_iter().any(|field| is_puzzle(field));
        } else {
            let is_apart = |run: &Run| run.first.abs_diff(puzzle) >= CELLS;
            if let [run] =
                best(runs.iter().copied().filter(|run| run.is_complete && is_apart(run)).collect())[..]
            {
                (solution, solution_is_spread) = (Some(run.first), true);
            }
        }
        // The caller knows the line.
        let header = has_header.then_some(Header { line: Vec::new(), is_crlf: false });
        let rows = Rows {
            delimiter,
            puzzle,
            pencilmarks: false,
            checks_others: false,
            pads: false,
            has_rulers: false,
            hashed: None,
            solution,
            names: names.clone(),
            header,
        };
        let order = |first: usize| {
            let order = runs.get(first).and_then(|run| run.order).filter(|_| has_header);
            order.filter(|order| !order.is_sorted())
        };
        let solution_order = solution.and_then(order);
        Ok(Spread { rows, solution_is_spread, order: order(puzzle), solution_order })
    };
    Some((most, spread()))
}
