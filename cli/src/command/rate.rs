//! `rapidoku rate`: how difficult each puzzle is for people.

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::process::ExitCode;

use clap::ValueEnum;
use rapidoku::file::internal::{Row, puzzle_text};
use rapidoku::file::{BatchSolver, BatchView, Format, Job, Layout, RowSink};
use rapidoku::{Outcomes, Status, technique};

use crate::args::solver::SearchArgs;
use crate::run::RunArgs;
use crate::solver::LimitedSolver;

/// Rate each puzzle by the hardest technique that it requires, guesses and backtracks.
///
/// Writes puzzle,status,clues,singles_only,hardest,guesses,backtracks. The techniques, from the simplest to the
/// hardest: naked single, hidden single, pointing, claiming, naked pair, hidden pair, naked triple, hidden triple,
/// naked quad, hidden quad, guess. A guess is made only if no technique applies: it tries the lowest candidate of the
/// first cell with the fewest candidates.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rapidoku rate puzzles.txt -o rated.csv
  rapidoku rate kaggle.csv.gz --format jsonl")]
pub struct Args {
    /// Output format.
    #[arg(long, value_enum, default_value_t = RateForm::Csv)]
    format: RateForm,

    #[command(flatten)]
    search: SearchArgs,

    #[command(flatten)]
    run: RunArgs,
}

#[derive(Clone, Copy, ValueEnum)]
enum RateForm {
    Csv,
    Jsonl,
}

/// Runs `rapidoku rate`.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let format = match args.format {
        RateForm::Csv => Format::Csv,
        RateForm::Jsonl => Format::Jsonl,
    };
    let solver = args.search.solver(2);
    args.run.run(solver, &Rate { solver, format })?;
    Ok(ExitCode::SUCCESS)
}

/// Writes `puzzle,status,clues,singles_only,hardest,guesses,backtracks` for each record.
///
/// The rating is that of [`technique::solve`], which stops at the first solution. Values that do not exist are empty
/// in CSV and `null` in JSON: the rating of a record without a solution, the number of clues of a record that is not
/// a puzzle, and the hardest technique of a complete grid.
#[derive(Clone, Copy, Debug)]
struct Rate {
    solver: LimitedSolver,
    format: Format,
}

impl Job for Rate {
    fn header(&self, _: Option<&Layout>) -> Result<Cow<'_, [u8]>, String> {
        let header = self.format.header(b"puzzle,status,clues,singles_only,hardest,guesses,backtracks\n");
        Ok(Cow::Borrowed(header))
    }

    fn solver(&self) -> Option<&dyn BatchSolver> {
        Some(&self.solver)
    }

    fn write(&self, batch: &BatchView, outcomes: &mut Outcomes, rows: &mut RowSink) -> ControlFlow<()> {
        for (k, (puzzle, &start)) in batch.records.puzzles().iter().zip(batch.records.starts()).enumerate() {
            let status = outcomes.statuses()[k];
            let cells = puzzle_text(batch, start, status);
            let clues = (!cells.is_empty()).then(|| puzzle.clue_count() as u64);
            let solvable = matches!(status, Status::Unique | Status::Multiple | Status::Solved);
            let rating = solvable.then(|| technique::solve(batch.records.candidates(k), &mut |_| ()));
            let hardest = rating.and_then(|rating| rating.hardest);
            Row::start(rows.text(), self.format)
                .word("puzzle", &cells)
                .word("status", status.name().as_bytes())
                .maybe_number("clues", clues)
                .maybe_flag("singles_only", rating.map(|rating| rating.singles_only()))
                .maybe_word("hardest", hardest.map(|technique| technique.name().as_bytes()))
                .maybe_number("guesses", rating.map(|rating| rating.guesses))
                .maybe_number("backtracks", rating.map(|rating| rating.backtracks))
                .end();
        }
        rows.flush_if_large()
    }
}
