//! `rapidoku count`: the number of solutions of each puzzle.

use std::sync::atomic::{AtomicU64, Ordering};

use clap::ValueHint;
use rapidoku::file::internal::push_number;
use rapidoku::file::{BatchView, Table, Value};
use rapidoku::{Cancelled, Outcomes, Status};

use crate::args::number::parse_positive;
use crate::args::output::OutputFormat;
use crate::progress::Work;
use crate::rows::{Columns, RowArgs};

/// Count the solutions of each puzzle, up to a limit.
///
/// If a puzzle has more solutions than were counted, or may have more, the number in text is a lower bound ('>=1000'),
/// and the column 'exact' of CSV and JSON lines is false. The column 'solutions' is always a number.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rapidoku count puzzles.txt --limit 100
  rapidoku count puzzles.csv.gz --format jsonl")]
pub struct Args {
    /// Stop counting at N solutions of a puzzle.
    #[arg(long, value_name = "N", value_hint = ValueHint::Other, default_value_t = 1_000_000, value_parser = parse_positive)]
    limit: u64,

    #[command(flatten)]
    rows: RowArgs,
}

/// Runs `rapidoku count`.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let found = AtomicU64::new(0);
    let count = Count { limit: args.limit, found: &found };
    let defaults = ["puzzle", "solutions", "exact", "status"];
    let (solver, work) = (args.rows.search.solver(args.limit), Work::Enumerating(&found));
    let counts = args.rows.write(OutputFormat::ROWS, &defaults, solver, count, work)?.counts;
    args.rows.run.report_statuses(&counts, counts.solved + counts.unique + counts.multiple);
    Ok(0)
}

/// The number of solutions of each record, up to a limit.
struct Count<'a> {
    limit: u64,
    /// The number of solutions found so far.
    found: &'a AtomicU64,
}

impl Count<'_> {
    /// Whether there are no more solutions than were found. `None` if the record is not a puzzle.
    fn is_exact(&self, outcomes: &Outcomes, k: usize) -> Option<bool> {
        match outcomes.statuses()[k] {
            Status::Invalid => None,
            Status::GaveUp => Some(false),
            _ => Some(outcomes.solution_counts()[k] < self.limit),
        }
    }
}

impl Columns for Count<'_> {
    const NAMES: &'static [&'static str] = &["exact"];

    type Found = ();

    fn add_solutions(&self, more: u64) {
        self.found.fetch_add(more, Ordering::Relaxed);
    }

    fn find(&self, _: &Table, _: &BatchView, _: &mut Outcomes) -> Result<(), Cancelled> {
        Ok(())
    }

    fn text(&self, (): &(), outcomes: &Outcomes, k: usize, text: &mut Vec<u8>) {
        if self.is_exact(outcomes, k) == Some(false) {
            text.extend_from_slice(b">=");
        }
        push_number(text, outcomes.solution_counts()[k]);
    }

    fn set(&self, _: &Table, (): &(), outcomes: &Outcomes, k: usize, values: &mut [Value]) {
        if let Some(is_exact) = self.is_exact(outcomes, k) {
            values[0] = Value::Flag(is_exact);
        }
    }
}
