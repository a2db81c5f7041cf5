//! Stage 2, records: the choice of the columns of puzzles and of solutions.
//!
//! The puzzle is the column with a well-known name ([`PUZZLES`]), or the only one with blanks, or the only one. If several
//! columns qualify: ambiguous. [`InputFormat`] overrides this.

use std::fmt::Write;

use super::input_format::{ColumnRef, Form, InputFormat};
use super::pencilmarks;
use crate::grid::{CELLS, is_cell};

/// Well-known names of the columns of puzzles and of solutions.
pub(super) const PUZZLES: [&str; 10] =
    ["puzzle", "puzzles", "question", "questions", "quiz", "quizzes", "sudoku", "unsolved", "board", "grid"];
pub(super) const SOLUTIONS: [&str; 5] = ["solution", "solutions", "answer", "answers", "solved"];

/// A table whose columns are to be identified.
pub(super) struct Choice {
    /// The fields of the first rows.
    pub rows: Vec<Vec<Vec<u8>>>,
    /// Whether the first row may be a header, so that its fields do not count.
    pub skips_first: bool,
    /// Whether the puzzles are pencilmarks.
    pub pencilmarks: bool,
    /// Columns that contain puzzles.
    pub fields: Vec<usize>,
    /// The names of the columns; numbers from 1 without a header.
    pub names: Vec<String>,
    /// The phrase that introduces the names in messages. `None` if there are no names.
    pub header: Option<&'static str>,
}

impl Choice {
    pub fn puzzle(&self, format: &InputFormat) -> Result<usize, String> {
        if let Some(column) = &format.column {
            return self.find(column);
        }
        let named = self.named(&PUZZLES);
        let with_blanks = self.with_blanks();
        match (&named[..], &with_blanks[..], &self.fields[..]) {
            (&[index], ..) => Ok(index),
            (_, &[index], _) => Ok(index),
            (_, [], &[index]) => Ok(index),
            // With an explicit form, the only column may consist of invalid pencilmarks.
            ([], [], []) if format.form == Form::Pencilmarks => Ok(0),
            ([], [], []) => Err(format!("no column of puzzles: {}", self.describe())),
            (named, with_blanks, all) => {
                let several =
                    [named, with_blanks, all].into_iter().find(|found| found.len() > 1).unwrap_or(all);
                Err(format!(
                    "ambiguous column: puzzles may be in {}; choose one with --column",
                    self.list(several)
                ))
            }
        }
    }

    pub fn solution(&self, format: &InputFormat, puzzle: usize) -> Result<Option<usize>, String> {
        if let Some(column) = &format.solution_column {
            return self.find(column).map(Some);
        }
        if let [index] = self.named(&SOLUTIONS)[..] {
            return Ok(Some(index));
        }
        let with_blanks = self.with_blanks();
        let full: Vec<_> = if self.pencilmarks {
            count_fields(&self.rows, self.skips_first, is_puzzle).0
        } else {
            let others = self.fields.iter().copied();
            others.filter(|index| *index != puzzle && !with_blanks.contains(index)).collect()
        };
        Ok(if let [index] = full[..] { Some(index) } else { None })
    }

    /// The index of a column.
    pub fn find(&self, column: &ColumnRef) -> Result<usize, String> {
        match column {
            ColumnRef::Index(index) => {
                let has = |row: &Vec<Vec<u8>>| *index < row.len();
                match self.rows.is_empty() || self.rows.iter().any(has) {
                    true => Ok(*index),
                    false => Err(format!("no column {}: {}", index.saturating_add(1), self.describe())),
                }
            }
            ColumnRef::Name(name) => {
                find_name(&self.names, name).ok_or_else(|| format!("no column '{name}': {}", self.describe()))
            }
        }
    }

    fn named(&self, names: &[&str]) -> Vec<usize> {
        let is_named = |&index: &usize| self.header.is_some() && named(self.names[index].as_bytes(), names);
        (0..self.names.len()).filter(is_named).collect()
    }

    /// The columns of puzzles with blanks. A few blanks, compared to another column, are errors in solutions.
    fn with_blanks(&self) -> Vec<usize> {
        if self.pencilmarks {
            return self.fields.clone();
        }
        let blanks = |&index: &usize| {
            let of_field =
                |field: &Vec<u8>| field.iter().filter(|byte| !(b'1'..=b'9').contains(*byte)).count();
            let fields = self.rows.iter().filter_map(|row| row.get(index));
            fields.filter(|field| is_puzzle(field)).map(of_field).sum::<usize>()
        };
        let counts: Vec<_> = self.fields.iter().map(blanks).collect();
        let most = counts.iter().copied().max().unwrap_or(0);
        let columns = self.fields.iter().zip(counts);
        columns.filter(|&(_, blanks)| blanks > 0 && blanks * 4 >= most).map(|(&index, _)| index).collect()
    }

    pub fn describe(&self) -> String {
        match (self.rows.is_empty(), self.header) {
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
        for (i, &index) in columns.iter().enumerate() {
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

/// The fields that are as `wanted` at least half as often as the most frequent one, and the count of that one.
pub(super) fn count_fields(
    rows: &[Vec<Vec<u8>>],
    skips_first: bool,
    wanted: fn(&[u8]) -> bool,
) -> (Vec<usize>, usize) {
    let mut counts = Vec::new();
    let body = if skips_first && rows.len() > 1 { &rows[1..] } else { rows };
    for row in body {
        for (index, field) in row.iter().enumerate() {
            counts.resize(counts.len().max(index + 1), 0);
            counts[index] += usize::from(wanted(field));
        }
    }
    let most = counts.iter().copied().max().unwrap_or(0);
    let fields = (0..counts.len()).filter(|&index| counts[index] > 0 && counts[index] * 2 >= most).collect();
    (fields, most)
}

/// The fields that contain puzzles, and how often the most frequent one does.
pub(super) fn puzzle_fields(
    rows: &[Vec<Vec<u8>>],
    skips_first: bool,
    pencilmarks: bool,
) -> (Vec<usize>, usize) {
    count_fields(rows, skips_first, if pencilmarks { pencilmarks::looks_like } else { is_puzzle })
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

pub(super) fn is_puzzle(field: &[u8]) -> bool {
    field.len() == CELLS && field.iter().all(|&byte| is_cell(byte))
}
