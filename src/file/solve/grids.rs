//! Solutions as grids of nine lines.

use std::io::Write;
use std::ops::ControlFlow;

use crate::cancel::{CancelToken, Cancelled};
use crate::file::record::{Layout, Records};
use crate::file::run::job::{BatchSolver, BatchView, Job, RowSink};
use crate::outcome::{BLANK_ROW, Outcomes};
use crate::solver::Solver;

/// A [`Job`] that solves puzzles and writes each solution as a grid of nine lines.
#[derive(Clone, Copy, Debug, Default)]
pub struct SolveGrids<S = Solver> {
    /// Solves the puzzles.
    pub solver: S,
    /// `false`: nine lines of nine digits with spaces between them, or dots if there is no solution, and an empty line
    /// between two grids. Grid `k` belongs to record `k`.
    ///
    /// `true`: a title with the number of the record and its status, as in `Grid 1: unique`, the solution in a frame if
    /// there is one, and an empty line.
    pub framed: bool,
}

impl<S: BatchSolver> Job for SolveGrids<S> {
    fn needs_numbers(&self) -> bool {
        true
    }

    fn accept(&self, layout: &Layout) -> Result<(), String> {
        super::accept(&self.solver, layout)
    }

    fn solve(
        &self,
        records: &Records,
        outcomes: &mut Outcomes,
        cancel: &CancelToken,
    ) -> Result<(), Cancelled> {
        self.solver.solve_batch(records.given(), outcomes, cancel)
    }

    fn write(&self, batch: &BatchView, outcomes: &mut Outcomes, rows: &mut RowSink) -> ControlFlow<()> {
        for (k, status) in outcomes.statuses().iter().enumerate() {
            let text = rows.text();
            let record = batch.records_before + k as u64 + 1;
            let solution = outcomes.solution(k);
            if self.framed {
                let _in_memory = writeln!(text, "Grid {record}: {status}");
                if let Some(solution) = solution {
                    let _in_memory = writeln!(text, "{solution:#}");
                }
                text.push(b'\n');
            } else {
                if record > 1 {
                    text.push(b'\n');
                }
                write_spaced(if solution.is_some() { &outcomes.rows()[k] } else { &BLANK_ROW }, text);
            }
            rows.flush_if_large()?;
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
