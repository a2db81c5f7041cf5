//! `rapidoku minimize`: minimal puzzles contained in each puzzle.

use std::ops::ControlFlow;

use clap::ValueHint;
use rapidoku::file::internal::push_number;
use rapidoku::file::{BatchSolver, BatchView, Format, Job, Needs, RowSink, Table, Value};
use rapidoku::generate::Minimizer;
use rapidoku::{Cancelled, Outcome, Outcomes, Puzzle};

use crate::args::output::OutputFormat;
use crate::progress::Work;
use crate::rows::{Columns, RowArgs};
use crate::run::Task;
use crate::solver::LimitedSolver;

/// Write a minimal puzzle contained in each puzzle, or all of them.
///
/// A puzzle with one solution is minimal if it has several solutions without any one of its clues. The clues of each
/// puzzle are tried in random order, and each is removed if the puzzle keeps one solution. The order depends only on
/// the seed and the puzzle. Records without exactly one solution have no minimal puzzle: an empty line as text, a row
/// with the status otherwise. Pencilmarks are an error.
///
/// CSV and JSON lines have the columns puzzle,minimized,removed,status; 'removed' is the number of clues removed. With
/// --all they are record,number,minimized,status; 'number' counts the minimal puzzles of a record from 1.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rapidoku minimize easy.txt --seed 1 > minimal.txt
  rapidoku minimize easy.txt --all=100 --format csv
  rapidoku minimize kaggle.csv --format csv --passthrough --columns minimized,removed")]
pub struct Args {
    /// Write all minimal puzzles contained in each puzzle, but at most N (1000), as text with the number of the record.
    ///
    /// A puzzle may contain millions. Those of a record are in memory together. If there are more, the column
    /// 'complete' is false.
    #[arg(long, value_name = "N", value_hint = ValueHint::Other, num_args = 0..=1, require_equals = true,
        default_missing_value = "1000", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    all: Option<u64>,

    /// Seed of the random order of removals.
    #[arg(long, value_name = "SEED", value_hint = ValueHint::Other, default_value_t = 0)]
    seed: u64,

    #[command(flatten)]
    rows: RowArgs,
}

/// Runs `rapidoku minimize`.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let rows = &args.rows;
    let solver = rows.search.solver(2);
    let minimizer = Minimizer::new(args.seed).level(rows.search.simd.level);
    let Some(max) = args.all else {
        let defaults = ["puzzle", "minimized", "removed", "status"];
        let stats = rows.write(OutputFormat::ROWS, &defaults, solver, Minimize(minimizer), Work::Solving)?;
        rows.run.report_statuses(&stats.counts, stats.counts.unique);
        return Ok(0);
    };
    let format = rows.choose_format(OutputFormat::ROWS)?.format();
    let table = rows.table.table(format, Minimize::NAMES, &["record", "number", "minimized", "status"])?;
    let max = usize::try_from(max).unwrap_or(usize::MAX);
    let stats = rows.run.run(&Task::solving(solver), &Contained { solver, minimizer, max, table })?;
    rows.run.report_statuses(&stats.counts, stats.counts.unique);
    Ok(0)
}

/// One minimal puzzle in each record.
struct Minimize(Minimizer);

/// A puzzle and a minimal one that it contains.
type Pair = (Puzzle, Puzzle);

/// The first two columns of a minimal puzzle.
fn values_of((puzzle, minimal): &Pair, table: &Table) -> [Value<'static>; 2] {
    let mut cells = minimal.to_ascii();
    if table.blank == Some(b'0') {
        cells.iter_mut().filter(|cell| **cell == b'.').for_each(|cell| *cell = b'0');
    }
    [Value::Cells(cells), Value::Number((puzzle.clue_count() - minimal.clue_count()) as u64)]
}

impl Columns for Minimize {
    const NAMES: &'static [&'static str] = &["minimized", "removed", "number", "complete"];

    const CLUES_ONLY: Option<&'static str> = Some("a minimal puzzle consists of clues");

    type Found = Vec<Option<Pair>>;

    fn needs(&self, _: &Table) -> Needs<'static> {
        Needs { solves_in_write: true, ..Needs::default() }
    }

    fn find(&self, _: &Table, batch: &BatchView, outcomes: &mut Outcomes) -> Result<Self::Found, Cancelled> {
        let puzzles = batch.records.puzzles();
        let found = self.0.minimize(puzzles, outcomes, batch.cancel)?;
        let pairs = puzzles.iter().zip(found).map(|(puzzle, minimal)| Some((*puzzle, minimal?)));
        Ok(pairs.collect())
    }

    fn text(&self, pairs: &Self::Found, _: &Outcomes, k: usize, text: &mut Vec<u8>) {
        text.extend(pairs[k].iter().flat_map(|(_, minimal)| minimal.to_ascii()));
    }

    fn set(&self, table: &Table, pairs: &Self::Found, _: &Outcomes, k: usize, values: &mut [Value]) {
        if let Some(pair) = &pairs[k] {
            let [minimized, removed] = values_of(pair, table);
            values[..3].clone_from_slice(&[minimized, removed, Value::Number(1)]);
        }
    }
}

/// Writes all minimal puzzles in each record: as text with the number of the record, or in a table.
struct Contained {
    solver: LimitedSolver,
    minimizer: Minimizer,
    /// The maximal number for each record.
    max: usize,
    table: Table,
}

/// Minimal puzzles of several records that are in memory at a time: 21 MB for each thread.
const PUZZLES_AT_ONCE: usize = 1 << 18;

impl Job for Contained {
    fn table(&self) -> Option<&Table> {
        Some(&self.table)
    }

    fn accept_candidates(&self) -> Result<(), String> {
        Minimize::CLUES_ONLY.map_or(Ok(()), |reason| Err(reason.to_owned()))
    }

    fn needs(&self) -> Needs<'_> {
        // All minimal puzzles of a record take much longer than reading it.
        Needs { numbers: true, solves_in_write: true, max_batch_bytes: 8 << 10, ..Needs::default() }
    }

    fn solver(&self) -> Option<&dyn BatchSolver> {
        Some(&self.solver)
    }

    fn write(&self, batch: &BatchView, outcomes: &mut Outcomes, rows: &mut RowSink) -> ControlFlow<()> {
        let is_text = self.table.format == Format::Text;
        let mut writer = self.table.writer(batch);
        let at_once = (PUZZLES_AT_ONCE / self.max).clamp(1, 64);
        for (start, puzzles) in (0..).step_by(at_once).zip(batch.records.puzzles().chunks(at_once)) {
            let mut part = Outcomes::new();
            part.reset(puzzles.len());
            for k in 0..puzzles.len() {
                part.set(k, outcomes.get(start + k).unwrap_or(Outcome::INVALID));
            }
            let Ok(all) = self.minimizer.all(puzzles, &part, self.max, batch.cancel) else {
                return ControlFlow::Break(());
            };
            for ((k, puzzle), contained) in (start..).zip(puzzles).zip(&all) {
                let Some(contained) = contained else {
                    if !is_text {
                        writer.write_row(outcomes, k, &[const { Value::Missing }; Minimize::NAMES.len()], rows);
                    }
                    continue;
                };
                for (number, minimal) in (1..).zip(&contained.puzzles) {
                    if is_text {
                        push_text(minimal, batch.records_before + k as u64 + 1, rows.text());
                    } else {
                        let [minimized, removed] = values_of(&(*puzzle, *minimal), &self.table);
                        let values = [minimized, removed, Value::Number(number), Value::Flag(contained.is_complete)];
                        writer.write_row(outcomes, k, &values, rows);
                    }
                    rows.flush_if_large()?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// Appends a minimal puzzle and the number of the record that contains it.
fn push_text(minimal: &Puzzle, record: u64, text: &mut Vec<u8>) {
    text.extend_from_slice(&minimal.to_ascii());
    text.push(b' ');
    push_number(text, record);
    text.push(b'\n');
}
