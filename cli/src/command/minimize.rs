//! `rapidoku minimize`: minimal puzzles contained in each puzzle.

use std::ops::{ControlFlow, Range};
use std::process::ExitCode;

use clap::ValueHint;
use rapidoku::file::internal::push_number;
use rapidoku::file::{BatchSolver, BatchView, Format, Job, Needs, RowSink, Table, Value};
use rapidoku::generate::Minimizer;
use rapidoku::grid::CELLS;
use rapidoku::{CancelToken, Cancelled, Outcome, Outcomes, Puzzle};

use crate::args::output::OutputFormat;
use crate::rows::RowArgs;
use crate::run::Task;
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

    #[command(flatten)]
    rows: RowArgs,
}

/// Runs `rapidoku minimize`.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let Args { all, seed, rows } = args;
    let solver = rows.search.solver(2);
    let minimizer = Minimizer::new(*seed).level(rows.search.level());
    let format = rows.choose_format(OutputFormat::ROWS)?.format();
    let defaults = match all {
        Some(_) => ["record", "number", "minimized", "status"],
        None => ["puzzle", "minimized", "removed", "status"],
    };
    let table = rows.table.table(format, &COMPUTED, &defaults)?;
    let max = all.map(|max| max as usize);
    let stats = rows.run.run(&Task::solving(solver), &Minimize { solver, minimizer, max, table })?;
    rows.run.report_statuses(&stats.counts, stats.counts.unique);
    Ok(ExitCode::SUCCESS)
}

const COMPUTED: [&str; 4] = ["minimized", "removed", "number", "complete"];

/// Writes one minimal puzzle in each record, or all: as text with the number of the record, or in a table.
struct Minimize {
    solver: LimitedSolver,
    minimizer: Minimizer,
    /// The maximal number for each record; `None` for one.
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
        // All minimal puzzles of a record take much longer than reading it.
        let max_batch_bytes = if self.max.is_some() { 8 << 10 } else { usize::MAX };
        Needs { numbers: self.max.is_some(), solves_in_write: true, max_batch_bytes, ..Needs::default() }
    }

    fn solver(&self) -> Option<&dyn BatchSolver> {
        Some(&self.solver)
    }

    fn write(&self, batch: &BatchView, outcomes: &mut Outcomes, rows: &mut RowSink) -> ControlFlow<()> {
        let records = self.max.map_or(outcomes.len().max(1), |max| (PUZZLES_AT_ONCE / max).clamp(1, 64));
        for start in (0..outcomes.len()).step_by(records) {
            let end = outcomes.len().min(start + records);
            self.write_range(batch, start..end, outcomes, rows)?;
        }
        ControlFlow::Continue(())
    }
}

/// Minimal puzzles of a record, and whether these are all, if that is asked for.
type Found = (Vec<Puzzle>, Option<bool>);

impl Minimize {
    /// Writes the puzzles of some records of a batch.
    fn write_range(
        &self,
        batch: &BatchView,
        range: Range<usize>,
        outcomes: &Outcomes,
        rows: &mut RowSink,
    ) -> ControlFlow<()> {
        let puzzles = &batch.records.puzzles()[range.clone()];
        let mut part = Outcomes::new();
        part.reset(puzzles.len());
        for (to, from) in range.clone().enumerate() {
            part.set(to, outcomes.get(from).unwrap_or(Outcome::INVALID));
        }
        let Ok(all) = self.find(puzzles, &part, batch.cancel) else { return ControlFlow::Break(()) };
        let mut writer = self.table.writer(batch);
        for ((k, puzzle), contained) in range.zip(puzzles).zip(&all) {
            match contained {
                Some((minimal, is_complete)) => {
                    for (number, minimal) in (1..).zip(minimal) {
                        if self.table.format == Format::Text {
                            self.push_text(minimal, batch.records_before + k as u64 + 1, rows.text());
                        } else {
                            let cells = symbols(minimal, self.table.blank);
                            let removed = (puzzle.clue_count() - minimal.clue_count()) as u64;
                            let [removed, number] = [removed, number].map(Value::Number);
                            let complete = is_complete.map_or(Value::Missing, Value::Flag);
                            let values = [Value::Cells(cells), removed, number, complete];
                            writer.write_row(outcomes, k, &values, rows);
                        }
                        rows.flush_if_large()?;
                    }
                }
                None if self.table.format != Format::Text => {
                    writer.write_row(outcomes, k, &[const { Value::Missing }; 4], rows);
                }
                None if self.max.is_none() => rows.text().push(b'\n'),
                None => {}
            }
            rows.flush_if_large()?;
        }
        ControlFlow::Continue(())
    }

    /// The minimal puzzles of each record.
    fn find(
        &self,
        puzzles: &[Puzzle],
        outcomes: &Outcomes,
        cancel: &CancelToken,
    ) -> Result<Vec<Option<Found>>, Cancelled> {
        let Some(max) = self.max else {
            let one = self.minimizer.minimize(puzzles, outcomes, cancel)?;
            return Ok(one.into_iter().map(|one| one.map(|minimal| (vec![minimal], None))).collect());
        };
        let all = self.minimizer.all(puzzles, outcomes, max, cancel)?.into_iter();
        Ok(all.map(|all| all.map(|all| (all.puzzles, Some(all.is_complete)))).collect())
    }

    fn push_text(&self, minimal: &Puzzle, record: u64, text: &mut Vec<u8>) {
        text.extend_from_slice(&minimal.to_ascii());
        if self.max.is_some() {
            text.push(b' ');
            push_number(text, record);
        }
        text.push(b'\n');
    }
}

fn symbols(puzzle: &Puzzle, blank: Option<u8>) -> [u8; CELLS] {
    puzzle.to_ascii().map(|cell| if cell == b'.' { blank.unwrap_or(b'.') } else { cell })
}
