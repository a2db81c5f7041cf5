//! `solve --format grid`: solutions as people draw them.

use std::io::Write;
use std::ops::ControlFlow;

use super::{Job, Lot, Sheet};
use crate::engine::Outcomes;
use crate::grid::{CELLS, Solution};

/// Writes a title, `Grid 1: unique`, with the number of the record and its status, and under it the solution in a
/// frame where there is one to give; then an empty line.
#[derive(Clone, Copy, Debug)]
pub struct Grids;

impl Job for Grids {
    fn numbered(&self) -> bool {
        true
    }

    fn write(&self, lot: &Lot, outcomes: &mut Outcomes, sheet: &mut Sheet) -> ControlFlow<()> {
        let Outcomes { status, solutions, rows, .. } = outcomes;
        for (k, ((status, &found), row)) in status.iter().zip(&*solutions).zip(rows).enumerate() {
            let text = sheet.text();
            let record = lot.records_before + k as u64 + 1;
            let _in_memory = writeln!(text, "Grid {record}: {status}");
            if found > 0
                && let Some(digits) = row.first_chunk::<CELLS>()
                && let Some(solution) = Solution::from_cells(digits.map(|byte| byte.wrapping_sub(b'0')))
            {
                let _in_memory = writeln!(text, "{solution:#}");
            }
            text.push(b'\n');
            sheet.turn()?;
        }
        ControlFlow::Continue(())
    }
}
