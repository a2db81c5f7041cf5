//! Stages 3 and 4: a job that writes solutions as grids of nine lines.

use std::io::Write;
use std::ops::ControlFlow;

use crate::outcome::{BLANK_ROW, Outcomes};
use crate::record::BatchView;
use crate::run::job::{BatchSolver, Job, Needs};
use crate::solver::Solver;
use crate::write::RowSink;

/// A [`Job`] that solves puzzles and writes each solution as a grid of nine lines.
///
/// ```
/// use rapidoku::Solver;
/// use rapidoku::file::{Output, Run, SolveGrids};
///
/// let folder = tempfile::tempdir()?;
/// let [input, output] = ["puzzles.txt", "grids.txt"].map(|name| folder.path().join(name));
/// std::fs::write(&input, "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n")?;
/// let job = SolveGrids::new(Solver::new());
/// let run = Run::default().input(&input).output(Output::create(&output)?);
/// run.start(&job, &mut |_| {})?;
/// assert!(std::fs::read_to_string(&output)?.starts_with("5 3 4 6 7 8 9 1 2\n6 7 2 1 9 5 3 4 8\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct SolveGrids<S = Solver> {
    /// The solver.
    pub solver: S,
    /// `false`: nine lines of nine digits separated by spaces, or dots if there is no solution, and an empty line
    /// between two grids. Grid `k` belongs to record `k`.
    ///
    /// `true`: a title with the number of the record and its status (`Grid 1: unique`), the solution in a frame if
    /// there is one, and an empty line.
    pub framed: bool,
}

impl<S> SolveGrids<S> {
    /// Plain grids.
    pub fn new(solver: S) -> SolveGrids<S> {
        SolveGrids { solver, framed: false }
    }
}

impl<S: BatchSolver> Job for SolveGrids<S> {
    fn needs(&self) -> Needs<'_> {
        Needs { numbers: true, ..Needs::default() }
    }

    fn solver(&self) -> Option<&dyn BatchSolver> {
        Some(&self.solver)
    }

    fn write(&self, batch: &BatchView, outcomes: &mut Outcomes, rows: &mut RowSink) -> ControlFlow<()> {
        for (k, status) in outcomes.statuses().iter().enumerate() {
            let text = rows.text();
            let record = batch.records_before + k as u64 + 1;
            let solution = outcomes.solution(k);
            if self.framed {
                let _ = writeln!(text, "Grid {record}: {status}");
                if let Some(solution) = solution {
                    let _ = writeln!(text, "{solution:#}");
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
