//! `rapidoku minimize`: minimal puzzles contained in each puzzle.

use std::ops::{ControlFlow, Range};
use std::process::ExitCode;

use clap::ValueHint;
use rapidoku::file::internal::push_number;
use rapidoku::file::{BatchSolver, BatchView, Format, Job, Needs, RowSink, Table, Value};
use rapidoku::generate::Minimizer;
use rapidoku::{Outcome, Outcomes, Puzzle, SimdLevel};

use crate::args::output::{self, OutputFormat};
use crate::args::solver::SearchArgs;
use crate::args::table::TableArgs;
use crate::run::{RunArgs, Task};
use crate::solver::LimitedSolver;

/// Write a minimal puzzle contained in each puzzle, or all of them.
///
/// A puzzle with one solution is minimal if it has several solutions without any one of its clues. The clues of each puzzle
/// are tried in random order, and each is removed if the puzzle keeps one solution. The order depends only on the seed and
/// the puzzle. Records without exactly one solution have no minimal puzzle: an empty line as text, a row with the status
/// otherwise. Pencilmarks are an error.
///
/// CSV and JSON lines have the columns puzzle,minimized,removed,status; 'removed' is the number of clues removed. With --all
/// they are record,number,minimized,status; 'number' counts the minimal puzzles of a record from 1.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rapidoku minimize easy.txt --seed 1 > minimal.txt
  rapidoku minimize easy.txt --all=100 --format csv
  rapidoku minimize kaggle.csv --format csv --passthrough --columns minimized,removed")]
pub struct Args {
    /// Write all minimal puzzles contained in each puzzle, but at most N (1000), as text with the number of the record.
    ///
    /// A puzzle may contain millions. Those of a record are in memory together. If there are more, the column 'complete' is false.
    #[arg(long, value_name = "N", value_hint = ValueHint::Other, num_args = 0..=1, require_equals = true,
        default_missing_value = "1000", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    all: Option<u64>,

    /// Seed of the random order of removals.
    #[arg(long, value_name = "SEED", value_hint = ValueHint::Other, default_value_t = 0)]
    seed: u64,

    /// Output format. The columns of the command are minimized, removed, number and complete.
    #[arg(long, value_name = "FORMAT", value_parser = output::parser(OutputFormat::ROWS))]
    format: Option<OutputFormat>,

    #[command(flatten)]
    table: TableArgs,

    #[command(flatten)]
    search: SearchArgs,

    #[command(flatten)]
    run: RunArgs,
}

/// Runs `rapidoku minimize`.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let format = args.table.choose_format(args.run.output_path(), args.format, OutputFormat::ROWS)?.format();
    let solver = args.search.solver(2);
    let defaults = if args.all.is_some() {
        ["record", "number", "minimized", "status"]
    } else {
        ["puzzle", "minimized", "removed", "status"]
    };
    let table = args.table.table(format, &COMPUTED, &defaults)?;
    let minimizer = Minimizer::new(args.seed).level(solver.kind.level().unwrap_or_else(SimdLevel::detect));
    let max = args.all.map(|max| usize::try_from(max).unwrap_or(usize::MAX));
    args.run.run(&Task::solving(solver), &Minimize { solver, minimizer, max, table })?;
    Ok(ExitCode::SUCCESS)
}

const COMPUTED: [&str; 4] = ["minimized", "removed", "number", "complete"];

/// Writes minimal puzzles: alone as text, or in a table.
#[derive(Clone, Debug)]
struct Minimize {
    solver: LimitedSolver,
    minimizer: Minimizer,
    /// The maximal number for each record, if all are wanted.
    max: Option<usize>,
    table: Table,
}

/// Minimal puzzles of several records that are in memory at a time: 21 MB for each thread.
const PUZZLES_AT_ONCE: usize = 1 << 18;

impl Job for Minimize {
    fn table(&self) -> Option<&Table> {
        Some(&self.table)
    }

    fn accept_candidates(&self) -> Result<(), String> {
        Err("a minimal puzzle consists of clues".to_owned())
    }

    fn needs(&self) -> Needs<'_> {
        let numbers = self.max.is_some();
        // All minimal puzzles of a record take much longer than reading it.
        let max_batch_bytes = if numbers { 8 << 10 } else { usize::MAX };
        Needs { numbers, solves_in_write: true, max_batch_bytes, ..Needs::default() }
    }

    fn solver(&self) -> Option<&dyn BatchSolver> {
        Some(&self.solver)
    }

    fn write(&self, batch: &BatchView, outcomes: &mut Outcomes, rows: &mut RowSink) -> ControlFlow<()> {
        let Some(max) = self.max else { return self.write_one(batch, outcomes, rows) };
        let records = (PUZZLES_AT_ONCE / max).clamp(1, 64);
        for start in (0..batch.records.len()).step_by(records) {
            let end = batch.records.len().min(start + records);
            self.write_all(batch, start..end, max, outcomes, rows)?;
        }
        ControlFlow::Continue(())
    }
}

impl Minimize {
    /// Writes one puzzle for each record.
    fn write_one(&self, batch: &BatchView, outcomes: &Outcomes, rows: &mut RowSink) -> ControlFlow<()> {
        let puzzles = batch.records.puzzles();
        let Ok(found) = self.minimizer.minimize(puzzles, outcomes, batch.cancel) else {
            return ControlFlow::Break(());
        };
        if self.table.format == Format::Text {
            for minimal in &found {
                if let Some(minimal) = minimal {
                    rows.text().extend_from_slice(&minimal.to_ascii());
                }
                rows.text().push(b'\n');
            }
            return ControlFlow::Continue(());
        }
        self.table.write(batch, outcomes, rows, |k, values| {
            if let Some(minimal) = &found[k] {
                values.clone_from_slice(&self.values(&puzzles[k], minimal, 1, Value::Missing));
            }
        })
    }

    /// Writes all puzzles for each of these records.
    fn write_all(
        &self,
        batch: &BatchView,
        range: Range<usize>,
        max: usize,
        outcomes: &Outcomes,
        rows: &mut RowSink,
    ) -> ControlFlow<()> {
        let puzzles = &batch.records.puzzles()[range.clone()];
        let mut part = Outcomes::new();
        part.reset(puzzles.len());
        for (to, from) in range.clone().enumerate() {
            part.set(to, outcomes.get(from).unwrap_or(Outcome::INVALID));
        }
        let Ok(all) = self.minimizer.all(puzzles, &part, max, batch.cancel) else {
            return ControlFlow::Break(());
        };
        let mut writer = self.table.writer(batch);
        for ((k, puzzle), contained) in range.zip(puzzles).zip(&all) {
            let is_text = self.table.format == Format::Text;
            let Some(contained) = contained else {
                if !is_text {
                    writer.write_row(outcomes, k, &[const { Value::Missing }; 4], rows);
                }
                continue;
            };
            for (number, minimal) in (1..).zip(&contained.puzzles) {
                if is_text {
                    let text = rows.text();
                    text.extend_from_slice(&minimal.to_ascii());
                    text.push(b' ');
                    push_number(text, batch.records_before + k as u64 + 1);
                    text.push(b'\n');
                } else {
                    let complete = Value::Flag(contained.is_complete);
                    writer.write_row(outcomes, k, &self.values(puzzle, minimal, number, complete), rows);
                }
                rows.flush_if_large()?;
            }
        }
        ControlFlow::Continue(())
    }

    fn values(
        &self,
        puzzle: &Puzzle,
        minimal: &Puzzle,
        number: u64,
        complete: Value<'static>,
    ) -> [Value<'static>; 4] {
        let mut cells = minimal.to_ascii();
        if self.table.blank == Some(b'0') {
            cells.iter_mut().filter(|cell| **cell == b'.').for_each(|cell| *cell = b'0');
        }
        let removed = puzzle.clue_count() - minimal.clue_count();
        [Value::Cells(cells), Value::Number(removed as u64), Value::Number(number), complete]
    }
}
