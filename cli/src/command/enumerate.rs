//! `rapidoku enumerate`: all solutions of each puzzle.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use clap::ValueHint;
use rapidoku::file::internal::{Row, push_number};
use rapidoku::file::{BatchView, Format, Job, Needs, RowSink};
use rapidoku::grid::CELLS;
use rapidoku::{Outcomes, Solver};

use crate::args::number::parse_positive;
use crate::args::output::{self, OutputFormat};
use crate::args::solver::SearchArgs;
use crate::progress::Work;
use crate::run::{RunArgs, Task};

/// Write all solutions of each puzzle, with the number of the record.
///
/// Records are numbered from 1 over all inputs. The order of the solutions of a record depends only on the puzzle. A
/// smaller limit gives the first of them, which come from many parts of the search if there are thousands. A row of
/// text has 81 digits, a space and the record number.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rapidoku enumerate puzzles.txt --limit 10
  echo 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8.... | rapidoku enumerate")]
pub struct Args {
    /// Write at most N solutions per record.
    #[arg(long, value_name = "N", value_hint = ValueHint::Other, value_parser = parse_positive)]
    limit: Option<u64>,

    #[command(flatten)]
    search: SearchArgs,

    /// Output format: solution and record number as text, or record and solution as CSV or JSON lines.
    /// Without it, the extension of the output selects the format, else it is text.
    #[arg(long, value_name = "FORMAT", value_parser = output::parser(OutputFormat::ROWS))]
    format: Option<OutputFormat>,

    #[command(flatten)]
    run: RunArgs,
}

/// Runs `rapidoku enumerate`.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let search = args.search.solver(args.limit.unwrap_or(u64::MAX));
    let format =
        output::choose_format(args.format, args.run.output.path(), OutputFormat::ROWS, OutputFormat::Text)?.format();
    let found = AtomicU64::new(0);
    let solver = Solver::new().level(args.search.simd.level).limits(search.limits);
    let job = Enumerate { solver, format, found: &found };
    args.run.run(&Task { work: Work::Enumerating(&found), ..Task::solving(search) }, &job)?;
    Ok(0)
}

/// Writes every solution of each record, with the record number, in the order of [`Solver::enumerate`].
///
/// A text row (81 digits, a space and the number) is itself a record that all commands can read.
#[derive(Clone, Debug)]
struct Enumerate<'a> {
    solver: Solver,
    format: Format,
    /// The number of solutions found so far.
    found: &'a AtomicU64,
}

/// Solutions between two updates of their number.
const COUNT_INTERVAL: u64 = 1024;

impl Job for Enumerate<'_> {
    fn needs(&self) -> Needs<'_> {
        // A row is about as long as a record.
        let rows = self.solver.current_limits().solutions;
        Needs {
            header: if self.format == Format::Csv { b"record,solution\n" } else { b"" },
            numbers: true,
            solves_in_write: true,
            // A record may have any number of solutions. A thread that is ahead of the writer waits as soon as it has
            // some megabytes of rows, so batches with more of them leave threads idle.
            max_batch_bytes: usize::try_from((4 << 20) / rows).unwrap_or(usize::MAX).max(8 << 10),
        }
    }

    fn write(&self, batch: &BatchView, outcomes: &mut Outcomes, rows: &mut RowSink) -> ControlFlow<()> {
        // The record of the last row, and the texts around its solutions.
        let (mut current, mut around) = (usize::MAX, Around::default());
        let mut uncounted = 0;
        let puzzles = batch.records.puzzle_slice();
        let result = self.solver.enumerate(puzzles, outcomes, batch.cancel, |k, solution| {
            if k != current {
                current = k;
                around = Around::new(batch.records_before + k as u64 + 1, self.format);
            }
            uncounted += 1;
            if uncounted == COUNT_INTERVAL {
                self.found.fetch_add(uncounted, Ordering::Relaxed);
                uncounted = 0;
            }
            let text = rows.text();
            if !around.before.is_empty() {
                text.extend_from_slice(&around.before);
            }
            // Copies of constant lengths are a few moves.
            text.extend_from_slice(&solution[..CELLS]);
            text.extend_from_slice(&around.after);
            text.truncate(text.len() - AFTER + around.after_len);
            rows.flush_if_large()
        });
        self.found.fetch_add(uncounted, Ordering::Relaxed);
        // The run knows whether it was cancelled.
        result.unwrap_or(ControlFlow::Break(()))
    }
}

/// The most bytes after a solution: a space, a number and a line feed.
const AFTER: usize = 22;

/// The texts before and after the solutions of a record.
#[derive(Default)]
struct Around {
    before: Vec<u8>,
    /// Padded.
    after: [u8; AFTER],
    after_len: usize,
}

impl Around {
    fn new(record: u64, format: Format) -> Around {
        let blank = [b'.'; CELLS];
        let mut row = Vec::new();
        if format == Format::Text {
            row.extend_from_slice(&blank);
            row.push(b' ');
            push_number(&mut row, record);
            row.push(b'\n');
        } else {
            Row::start(&mut row, format).number("record", record).word("solution", &blank).end();
        }
        let at = row.windows(CELLS).position(|cells| cells == blank).expect("the solution is in its row");
        let (mut after, rest) = ([0; AFTER], &row[at + CELLS..]);
        after[..rest.len()].copy_from_slice(rest);
        Around { before: row[..at].to_vec(), after, after_len: rest.len() }
    }
}
