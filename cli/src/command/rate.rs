//! `rapidoku rate`: how difficult each puzzle is for people.

use std::ops::ControlFlow;
use std::process::ExitCode;

use clap::ValueEnum;
use rapidoku::file::{BatchSolver, BatchView, Format, Job, RowSink, Table, Value};
use rapidoku::{Outcomes, Status, technique};

use crate::args::solver::SearchArgs;
use crate::args::table::TableArgs;
use crate::redundant;
use crate::run::RunArgs;
use crate::solver::LimitedSolver;

/// Rate each puzzle by the hardest technique that it requires, guesses and backtracks.
///
/// Writes puzzle,status,clues,singles_only,hardest,guesses,backtracks, or the columns of --columns. The simplest technique
/// that applies is always used. From the simplest to the hardest: naked single, hidden single, pointing, claiming, naked
/// pair, hidden pair, naked triple, hidden triple, naked quad, hidden quad, guess. A guess tries the lowest candidate of the
/// first cell with the fewest candidates. The search ends at the first solution.
///
/// CSV and JSON lines can also have the columns 'minimal' (true if no clue can be removed) and 'redundant' (the number of
/// clues that can be removed on their own). They take time only if --columns names them.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rapidoku rate puzzles.txt -o rated.csv
  rapidoku rate kaggle.csv.gz --format jsonl")]
pub struct Args {
    /// Output format. By default, the extension of the output selects it, or else it is CSV.
    #[arg(long, value_enum)]
    format: Option<RateForm>,

    #[command(flatten)]
    table: TableArgs,

    #[command(flatten)]
    search: SearchArgs,

    #[command(flatten)]
    run: RunArgs,
}

#[derive(Clone, Copy, ValueEnum)]
enum RateForm {
    /// CSV with a header.
    Csv,
    /// One JSON object per line; also 'json' and 'ndjson'.
    #[value(aliases = ["json", "ndjson"])]
    Jsonl,
}

/// Runs `rapidoku rate`.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let format = match args.run.choose_format(args.format, RateForm::Csv)? {
        RateForm::Csv => Format::Csv,
        RateForm::Jsonl => Format::Jsonl,
    };
    let solver = args.search.solver(2);
    let defaults = ["puzzle", "status", "clues", "singles_only", "hardest", "guesses", "backtracks"];
    let table = args.table.table(format, &COMPUTED, &defaults)?;
    args.run.run(solver, &Rate { solver, table })?;
    Ok(ExitCode::SUCCESS)
}

/// The columns of a rating, and those that need a search for each clue.
const COMPUTED: [&str; 6] = ["singles_only", "hardest", "guesses", "backtracks", "minimal", "redundant"];

/// Writes the rating of each record, which is that of [`technique::solve`]: it stops at the first solution. A record
/// without a solution has no rating, and a complete grid has no hardest technique.
#[derive(Clone, Debug)]
struct Rate {
    solver: LimitedSolver,
    table: Table,
}

impl Job for Rate {
    fn table(&self) -> Option<&Table> {
        Some(&self.table)
    }

    fn solver(&self) -> Option<&dyn BatchSolver> {
        Some(&self.solver)
    }

    fn solves_in_write(&self) -> bool {
        true
    }

    fn write(&self, batch: &BatchView, outcomes: &mut Outcomes, rows: &mut RowSink) -> ControlFlow<()> {
        let is_rated = COMPUTED[..4].iter().any(|name| self.table.has(name));
        let counts = redundant::count(&self.table, self.solver, batch, outcomes);
        self.table.write(batch, outcomes, rows, |k, values| {
            values[4..].clone_from_slice(&redundant::values(&counts, k));
            let status = outcomes.statuses()[k];
            if !is_rated || !matches!(status, Status::Unique | Status::Multiple | Status::Solved) {
                return;
            }
            let rating = technique::solve(batch.records.candidates(k), &mut |_| ());
            let hardest = rating.hardest.map_or(Value::Missing, |technique| Value::Word(technique.name()));
            values[..4].clone_from_slice(&[
                Value::Flag(rating.singles_only()),
                hardest,
                Value::Number(rating.guesses),
                Value::Number(rating.backtracks),
            ]);
        })
    }
}
