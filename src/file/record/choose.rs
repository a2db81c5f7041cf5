//! Stage 2, records: the choice of the columns of puzzles and of solutions.
//!
//! Each column is described by what its fields are in the rows that were examined: puzzles with blanks, complete grids, or fields
//! that resemble a puzzle. The puzzle is, in this order:
//!
//! 1. the column that the user names;
//! 2. the only column with a well-known name ([`PUZZLES`]), unless it has no puzzles and another one has. It is ambiguous if another
//!    column has some of its clues: then it may be a board in play;
//! 3. the only column of puzzles with blanks, unless it has the name of solutions;
//! 4. without such a column, the only one of fields that resemble puzzles: its records are invalid, but no other column is that of
//!    the puzzles;
//! 5. without these, the only column of complete grids, unless it has the name of solutions.
//!
//! If several columns qualify, the choice is ambiguous.

use std::borrow::Cow;
use std::fmt::Write;

use super::foreign::{Rejection, RejectionKind};
use super::input_options::{ColumnRef, InputFormat, InputOptions};
use super::notation::{self, Content, is_complete};
use super::pencilmarks;
use crate::grid::{CELLS, PuzzleError, is_cell};

/// Well-known names of the columns of puzzles and of solutions.
pub(super) const PUZZLES: [&str; 10] =
    ["puzzle", "puzzles", "question", "questions", "quiz", "quizzes", "sudoku", "unsolved", "board", "grid"];
pub(super) const SOLUTIONS: [&str; 5] = ["solution", "solutions", "answer", "answers", "solved"];
/// Columns and files with such names have no puzzles unless the user says so.
const RESULTS: [&str; 11] = [
    "target",
    "targets",
    "result",
    "results",
    "completion",
    "response",
    "label",
    "labels",
    "output",
    "outputs",
    "y",
];

/// Columns that the program makes of the puzzles in another one.
const DERIVED: [&str; 3] = ["canonical", "minimized", "method"];

/// What the fields of a column are, as numbers of rows.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    /// Puzzles with blanks, or pencilmarks.
    pub open: usize,
    pub complete: usize,
    /// Fields that resemble a puzzle.
    pub damaged: usize,
    /// Puzzles and grids of 81 characters, not in another notation.
    pub plain: usize,
    /// Blank cells of all puzzles.
    blanks: usize,
}

impl Tally {
    /// Puzzles and complete grids.
    pub fn puzzles(&self) -> usize {
        self.open + self.complete
    }

    fn count(&mut self, field: &[u8], pencilmarks: bool) {
        if pencilmarks {
            self.open += usize::from(pencilmarks::looks_like(field));
            self.complete += usize::from(is_puzzle(field));
            return;
        }
        self.plain += usize::from(is_puzzle(field.trim_ascii()));
        match Content::of(field) {
            Content::Open { blanks } => {
                self.open += 1;
                self.blanks += blanks;
            }
            Content::Complete => self.complete += 1,
            Content::Damaged => self.damaged += 1,
            Content::Other => {}
        }
    }
}

/// The columns of some rows.
pub(super) fn tally(rows: &[Vec<Vec<u8>>], pencilmarks: bool) -> Vec<Tally> {
    let mut tallies: Vec<Tally> = Vec::new();
    for row in rows {
        tallies.resize(tallies.len().max(row.len()), Tally::default());
        for (tally, field) in tallies.iter_mut().zip(row) {
            tally.count(field, pencilmarks);
        }
    }
    tallies
}

/// The columns that have at least half as many of something as the column with the most.
pub(super) fn most(tallies: &[Tally], count: impl Fn(&Tally) -> usize) -> Vec<usize> {
    let most = tallies.iter().map(&count).max().unwrap_or(0);
    let is_one = |index: &usize| count(&tallies[*index]) > 0 && 2 * count(&tallies[*index]) >= most;
    (0..tallies.len()).filter(is_one).collect()
}

/// A table whose columns are to be identified.
pub(super) struct Choice<'a> {
    /// The rows that were examined.
    pub rows: &'a [Vec<Vec<u8>>],
    pub tallies: &'a [Tally],
    /// The number of fields of the longest row.
    pub width: usize,
    /// Whether the puzzles are pencilmarks.
    pub pencilmarks: bool,
    /// The names of the columns; numbers from 1 without a header.
    pub names: Vec<String>,
    /// The phrase that introduces the names in messages. `None` if there are no names.
    pub header: Option<&'static str>,
}

impl Choice<'_> {
    pub fn puzzle(&self, options: &InputOptions) -> Result<usize, Rejection> {
        if let Some(column) = &options.column {
            return Ok(self.find(column)?);
        }
        let index = self.recognise(options)?;
        match self.names.get(index) {
            Some(name) if self.header.is_some() && are_columns_or_boxes(name) => Err(format!(
                "the parts of a puzzle are called columns or boxes, but only rows are read; --column {} takes them for rows",
                index + 1
            )
            .into()),
            _ => Ok(index),
        }
    }

    fn recognise(&self, options: &InputOptions) -> Result<usize, Rejection> {
        let named = self.named(&PUZZLES);
        // A column of solutions has blanks where a solution is missing.
        let (solutions, open): (Vec<_>, Vec<_>) =
            self.open().into_iter().partition(|&index| self.has_word(index, &SOLUTIONS));
        if let [index] = named[..] {
            let column = self.tallies.get(index).copied().unwrap_or_default();
            let is_empty = column.puzzles() + column.damaged == 0;
            let is_other = |&other: &usize| other != index && (is_empty || self.has_clues_of(index, other));
            let others: Vec<usize> = open.iter().copied().filter(is_other).collect();
            match &others[..] {
                [] => return Ok(index),
                _ if is_empty => {}
                others => return Err(self.ambiguous(&[&[index], others].concat())),
            }
        }
        if open.is_empty() && !solutions.is_empty() {
            return Err(self.no_puzzles(&solutions));
        }
        let complete: Vec<usize> = match self.pencilmarks {
            true => Vec::new(),
            false => most(self.tallies, Tally::puzzles),
        };
        let is_result = |&index: &usize| self.has_word(index, &SOLUTIONS) || self.has_word(index, &RESULTS);
        let (results, unnamed): (Vec<_>, Vec<_>) = complete.into_iter().partition(is_result);
        match (&open[..], &unnamed[..]) {
            (&[index], _) | ([], &[index]) => Ok(index),
            ([], []) if !results.is_empty() => Err(self.no_puzzles(&results)),
            // With an explicit form, the only column may consist of invalid pencilmarks.
            ([], []) if options.format == InputFormat::Pencilmarks && named.is_empty() => Ok(0),
            ([], []) if named.is_empty() => Err(format!("no column of puzzles: {}", self.describe()).into()),
            (open, unnamed) => {
                let several = [&named[..], open, unnamed].into_iter().find(|found| found.len() > 1);
                Err(self.ambiguous(several.unwrap_or(unnamed)))
            }
        }
    }

    fn ambiguous(&self, columns: &[usize]) -> Rejection {
        let list = self.list(columns);
        format!("ambiguous column: puzzles may be in {list}; choose one with --column").into()
    }

    fn no_puzzles(&self, solutions: &[usize]) -> Rejection {
        let list = self.list(solutions);
        let reason = format!(
            "no column of puzzles: {list} has complete grids or the name of solutions; --column reads them as puzzles"
        );
        Rejection { reason, kind: RejectionKind::Solutions }
    }

    /// Whether a column has some of the clues of another one, or marks them by ones: then the other one is a board in play.
    fn has_clues_of(&self, board: usize, start: usize) -> bool {
        let is_clue = |byte: &u8| (b'1'..=b'9').contains(byte);
        let cells =
            |row: &Vec<Vec<u8>>, index: usize| row.get(index).and_then(|field| notation::cells_of(field));
        let pairs = self.rows.iter().filter_map(|row| cells(row, board).zip(cells(row, start)));
        let is_part = |(board, start): ([u8; CELLS], [u8; CELLS])| {
            let is_mask = start.iter().filter(|byte| is_clue(byte)).all(|&byte| byte == b'1');
            let is_same = |(start, cell): (&u8, &u8)| start == cell || (is_mask && is_clue(cell));
            start.iter().zip(&board).filter(|(start, _)| is_clue(start)).all(is_same)
        };
        let count = |cells: [u8; CELLS]| cells.iter().filter(|byte| is_clue(byte)).count();
        pairs.clone().all(is_part) && pairs.clone().any(|(board, start)| count(start) < count(board))
    }

    pub fn solution(&self, options: &InputOptions, puzzle: usize) -> Result<Option<usize>, String> {
        if let Some(column) = &options.solution_column {
            return self.find(column).map(Some);
        }
        if let [index] = self.named(&SOLUTIONS)[..] {
            return Ok(Some(index));
        }
        let full: Vec<_> = if self.pencilmarks {
            most(self.tallies, |tally| tally.complete)
        } else {
            let open = self.with_blanks();
            let others = most(self.tallies, Tally::puzzles).into_iter();
            others.filter(|index| *index != puzzle && !open.contains(index)).collect()
        };
        Ok(if let [index] = full[..] { Some(index) } else { None })
    }

    /// The index of a column.
    pub fn find(&self, column: &ColumnRef) -> Result<usize, String> {
        match column {
            ColumnRef::Index(index) => match self.width == 0 || *index < self.width {
                true => Ok(*index),
                false => Err(format!("no column {}: {}", index.saturating_add(1), self.describe())),
            },
            ColumnRef::Name(name) => {
                find_name(&self.names, name).ok_or_else(|| format!("no column '{name}': {}", self.describe()))
            }
        }
    }

    fn named(&self, names: &[&str]) -> Vec<usize> {
        let is_named = |&index: &usize| self.header.is_some() && named(self.names[index].as_bytes(), names);
        (0..self.names.len()).filter(is_named).collect()
    }

    /// Whether a column has one of these names, alone or with other words.
    fn has_word(&self, index: usize, words: &[&str]) -> bool {
        self.header.is_some() && self.names.get(index).is_some_and(|name| has_word(name, words))
    }

    /// The columns of puzzles with blanks. A few blanks, compared to another column, are errors in solutions.
    fn with_blanks(&self) -> Vec<usize> {
        let fields = most(self.tallies, Tally::puzzles).into_iter();
        let most = self.tallies.iter().map(|tally| tally.blanks).max().unwrap_or(0);
        fields
            .filter(|&index| {
                let blanks = self.tallies[index].blanks;
                blanks > 0 && blanks * 4 >= most
            })
            .collect()
    }

    /// The columns of puzzles with blanks, or else of fields that resemble puzzles.
    fn open(&self) -> Vec<usize> {
        if self.pencilmarks {
            return most(self.tallies, |tally| tally.open);
        }
        let mut damaged = most(self.tallies, |tally| tally.puzzles() + tally.damaged);
        damaged.retain(|&index| self.tallies[index].damaged > 0);
        let open = self.with_blanks();
        // A grid with a few blanks is a solution with errors if another column may have the puzzles.
        const FEW: usize = 12;
        let is_nearly_complete = |&index: &usize| {
            let Tally { open, complete, blanks, .. } = self.tallies[index];
            blanks < FEW * (open + complete)
        };
        if open.iter().all(is_nearly_complete) && !damaged.is_empty() { damaged } else { open }
    }

    pub fn describe(&self) -> String {
        match (self.width == 0, self.header) {
            (true, _) => "the input is empty".to_owned(),
            (_, Some(header)) => {
                format!("{header} {}", self.list(&(0..self.names.len()).collect::<Vec<_>>()))
            }
            (_, None) => {
                let plural = if self.names.len() == 1 { "" } else { "s" };
                format!("there is no header, and the first row has {} field{plural}", self.names.len())
            }
        }
    }

    fn list(&self, columns: &[usize]) -> String {
        let mut list = String::from(if columns.len() == 1 { "column " } else { "columns " });
        const SOME: usize = 12;
        for (i, &index) in columns.iter().enumerate() {
            if i == SOME && columns.len() > SOME + 1 {
                let _ = write!(list, " and {} more", columns.len() - SOME);
                break;
            }
            let before = match i {
                0 => "",
                _ if i + 1 == columns.len() => " and ",
                _ => ", ",
            };
            let name = name_of(&self.names, index);
            let _ = write!(list, "{before}{name}");
        }
        list
    }
}

/// The name of a column, or else its number: the first row may be shorter than others.
pub(super) fn name_of(names: &[String], index: usize) -> String {
    names.get(index).cloned().unwrap_or_else(|| (index + 1).to_string())
}

/// The index of a name, or else of one that differs only in case.
pub(in super::super) fn find_name(names: &[String], name: &str) -> Option<usize> {
    let exact = names.iter().position(|other| other == name);
    exact.or_else(|| names.iter().position(|other| other.eq_ignore_ascii_case(name)))
}

pub(super) fn named(field: &[u8], names: &[&str]) -> bool {
    let field = field.trim_ascii();
    names.iter().any(|name| name.as_bytes().eq_ignore_ascii_case(field))
}

/// Whether a word before a grid says that it is a solution. "Solved" may be a status.
pub(super) fn is_solution_label(word: &[u8]) -> bool {
    named(word, &SOLUTIONS[..4])
}

/// Checks the cells of a record with other fields. A complete grid is not the puzzle if one of the others may be, or says that this
/// is the solution.
///
/// # Errors
/// [`PuzzleError::CompleteGrid`]
pub(super) fn check_others<'f>(
    cells: &[u8],
    others: impl FnOnce() -> Vec<Cow<'f, [u8]>>,
) -> Result<(), PuzzleError> {
    let is_puzzle = |field: &[u8]| matches!(Content::of(field), Content::Open { .. } | Content::Damaged);
    // The puzzle may be one field, or have a field for each cell or row, also in brackets.
    let is_part = |field: &&[u8]| matches!(field.len(), 1 | 9) && field.iter().all(|&byte| is_cell(byte));
    let have_puzzle_or_label = |others: &[Cow<[u8]>]| {
        let parts = others.iter().map(|field| field.trim_ascii()).filter(is_part).map(<[u8]>::len);
        has_label(others) || others.iter().any(|field| is_puzzle(field)) || parts.sum::<usize>() >= CELLS - 9
    };
    match is_complete(cells) && have_puzzle_or_label(&others()) {
        true => Err(PuzzleError::CompleteGrid),
        false => Ok(()),
    }
}

/// Whether a field, or two of them, are a label of a solution: `Solution`, `Answer 1:`, `Result:`. Words that may be the status of the
/// record need the colon.
fn has_label(fields: &[Cow<[u8]>]) -> bool {
    let mut before: &[u8] = b"";
    fields.iter().any(|field| {
        let label = field.strip_suffix(b":").unwrap_or_default();
        let digits = label.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        let word = match &label[..label.len() - digits] {
            [] if digits > 0 => before,
            word => word,
        };
        before = field;
        is_solution_label(field)
            || [&SOLUTIONS[..], &RESULTS, &["sol", "expected", "completed"]]
                .iter()
                .any(|known| named(word, known))
    })
}

/// Whether a name is one of solutions or results, alone or with other words.
pub(super) fn names_results(name: &str) -> bool {
    has_word(name, &SOLUTIONS) || has_word(name, &RESULTS)
}

fn has_word(name: &str, known: &[&str]) -> bool {
    let name = name.to_ascii_lowercase();
    name.split(|letter: char| !letter.is_alphanumeric()).any(|word| known.contains(&word))
}

/// Whether this is the name of a list of the columns or boxes of a puzzle, or these are the names of nine fields of them.
fn are_columns_or_boxes(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let parts: Vec<&str> = name.split([',', ';', '\t', ' ']).filter(|part| !part.is_empty()).collect();
    let are_parts = parts.len() == 9
        && parts.iter().all(|part| ["col", "box", "block"].iter().any(|word| part.starts_with(word)));
    are_parts || ["columns", "cols", "boxes", "blocks"].contains(&name.as_str())
}

/// Forgets what columns have that the program computes from the puzzles, if there are others.
pub(super) fn ignore_derived<'n>(tallies: &mut [Tally], names: impl Iterator<Item = &'n [u8]> + Clone) {
    let derived = |(tally, name): (&Tally, &[u8])| named(name, &DERIVED).then_some(tally.puzzles());
    let all: usize = tallies.iter().map(Tally::puzzles).sum();
    let has_others =
        tallies.len() > CELLS || all > tallies.iter().zip(names.clone()).filter_map(derived).sum();
    for (tally, name) in tallies.iter_mut().zip(names) {
        if has_others && named(name, &DERIVED) {
            *tally = Tally::default();
        }
    }
}

/// The fields of a record that may be its puzzle.
pub(super) fn not_derived<'f>(names: &[String], fields: Vec<Cow<'f, [u8]>>) -> Vec<Cow<'f, [u8]>> {
    let is_derived = |at: usize| names.get(at).is_some_and(|name| named(name.as_bytes(), &DERIVED));
    fields.into_iter().enumerate().filter(|(at, _)| !is_derived(*at)).map(|(_, field)| field).collect()
}

/// Whether a field has 81 cells and nothing else.
pub(super) fn is_puzzle(field: &[u8]) -> bool {
    field.len() == CELLS && field.iter().all(|&byte| is_cell(byte))
}
