//! Stage 4, rows: the rows of an array of NumPy, of one or two grids.

use super::{Column, Table, Value};
use crate::grid::CELLS;
use crate::outcome::Outcomes;
use crate::record::{BatchView, Layout};
use crate::write::row::push_npy_row;

/// The numbers of a record that is not a puzzle. None of them is a cell, so the row is not a puzzle when it is read
/// again.
const NOT_PUZZLE: [u8; CELLS] = [u8::MAX; CELLS];

/// A grid of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grid {
    /// The puzzle of the record.
    Puzzle,
    /// The solution that the record gives.
    Given,
    /// The solution that was found.
    Found,
    /// The value of the job with this index. Text is that of a record that is not a puzzle.
    Computed(usize),
}

const NO_COLUMNS: &str = "no columns: a NumPy array has puzzle, solution or both";

/// The names of the columns that are grids.
const NAMES: [&str; 2] = ["puzzle", "solution"];

/// The grids of each row of `table`, for inputs of which `first` is the first one.
///
/// # Errors
/// If a column is not a grid.
pub fn grids(table: &Table, first: &Layout) -> Result<Vec<Grid>, String> {
    let all = [NAMES.len() - 1, NAMES.len()][usize::from(first.has_solution())];
    let (columns, solution) = if table.passthrough && table.columns.is_empty() {
        (NAMES[..all].iter().map(|name| table.column(name)).collect(), Grid::Given)
    } else {
        (table.columns.clone(), Grid::Found)
    };
    let grid = |column: &Column| match column {
        Column::Puzzle => Ok(Grid::Puzzle),
        Column::Solution => Ok(solution),
        Column::Computed(name) if NAMES.contains(name) => {
            Ok(Grid::Computed(table.index_of(name).expect("the column is one of them")))
        }
        other => Err(format!("column '{}': a NumPy array has the columns puzzle and solution only", other.name())),
    };
    let grids = columns.iter().map(grid).collect::<Result<Vec<_>, _>>()?;
    if grids.is_empty() { Err(NO_COLUMNS.to_owned()) } else { Ok(grids) }
}

/// Appends the row of record `k`.
pub fn push_row(
    grids: &[Grid],
    batch: &BatchView,
    outcomes: &Outcomes,
    k: usize,
    values: &[Value],
    text: &mut Vec<u8>,
) {
    const NO_SOLUTION: [u8; CELLS] = [b'0'; CELLS];
    for grid in grids {
        let cells = match grid {
            Grid::Puzzle => batch.records.is_puzzle(k).then(|| batch.records.puzzles()[k].to_ascii()),
            Grid::Given => Some(batch.layout.given_solution(batch.record(k)).unwrap_or(NO_SOLUTION)),
            Grid::Found => Some(outcomes.solution(k).map_or(NO_SOLUTION, |solution| solution.to_ascii())),
            Grid::Computed(index) => match &values[*index] {
                Value::Cells(cells) => Some(*cells),
                Value::Missing => Some(NO_SOLUTION),
                _ => None,
            },
        };
        match cells {
            Some(cells) => push_npy_row(text, &cells),
            None => text.extend_from_slice(&NOT_PUZZLE),
        }
    }
}
