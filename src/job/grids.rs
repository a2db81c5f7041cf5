//! `solve --format grid` and `frame`: solutions as grids of nine lines.

use std::io::Write;
use std::ops::ControlFlow;

use super::{Job, Lot, Sheet};
use crate::engine::{BLANK_ROW, Outcomes};
use crate::grid::{CELLS, Solution};

/// Writes a grid for each record.
#[derive(Clone, Copy, Debug)]
pub enum Grids {
    /// Nine lines of nine digits with spaces between them, as old solvers print them; dots where there is no solution
    /// to give. An empty line stands between two grids, so that grid `k` is always that of record `k`.
    Spaced,
    /// A title, `Grid 1: unique`, with the number of the record and its status, and under it the solution in a
    /// frame where there is one to give; then an empty line.
    Framed,
}

impl Job for Grids {
    fn numbered(&self) -> bool {
        true
    }

    fn write(&self, lot: &Lot, outcomes: &mut Outcomes, sheet: &mut Sheet) -> ControlFlow<()> {
        let Outcomes { status, solutions, rows, .. } = outcomes;
        for (k, ((status, &found), row)) in status.iter().zip(&*solutions).zip(rows).enumerate() {
            let text = sheet.text();
            let record = lot.records_before + k as u64 + 1;
            match self {
                Grids::Spaced => {
                    if record > 1 {
                        text.push(b'\n');
                    }
                    write_spaced(if found > 0 { row } else { &BLANK_ROW }, text);
                }
                Grids::Framed => {
                    let _in_memory = writeln!(text, "Grid {record}: {status}");
                    if found > 0
                        && let Some(digits) = row.first_chunk::<CELLS>()
                        && let Some(solution) =
                            Solution::from_cells(digits.map(|byte| byte.wrapping_sub(b'0')))
                    {
                        let _in_memory = writeln!(text, "{solution:#}");
                    }
                    text.push(b'\n');
                }
            }
            sheet.turn()?;
        }
        ControlFlow::Continue(())
    }
}

fn write_spaced(row: &[u8], text: &mut Vec<u8>) {
    let (lines, _) = row.as_chunks::<9>();
    for line in lines {
        text.extend(line.iter().enumerate().flat_map(|(at, &cell)| [cell, b" \n"[at / 8]]));
    }
}
