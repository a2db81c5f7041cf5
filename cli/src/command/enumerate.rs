//! `rapidoku enumerate`: all solutions of each puzzle.

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::process::ExitCode;

use rapidoku::file::internal::{Row, push_number};
use rapidoku::file::{BatchView, Format, Job, Layout, Records, RowSink};
use rapidoku::{CancelToken, Cancelled, Limits, Outcomes};

use crate::run::{Form, RunArgs, limits};
use crate::solver::{LimitedSolver, SolverKind};

/// Write all solutions of each record, with the number of the record (from 1, over all inputs).
///
/// Solutions of a record come in the order of the scalar solver's search, which depends on the puzzle alone:
/// it branches at a cell with the fewest candidates, lowest digit first. As text a row is the 81 digits, a
/// space and the number.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rapidoku enumerate puzzles.txt --limit 10
  echo 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8.... | rapidoku enumerate")]
pub struct Args {
    /// Stop at N solutions per record instead of writing all.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,

    /// Give a puzzle up after N guesses (status `limit`).
    #[arg(long, value_name = "N")]
    max_guesses: Option<u64>,

    /// Form of the output: solution and number, or record,solution as CSV or JSON lines.
    #[arg(long, value_enum, default_value_t = Form::Text)]
    format: Form,

    #[command(flatten)]
    run: RunArgs,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let limits = limits(args.limit.unwrap_or(u64::MAX), args.max_guesses);
    let solver = LimitedSolver { kind: SolverKind::Scalar, limits };
    args.run.run(solver, &Enumerate { limits, format: args.format.format() })?;
    Ok(ExitCode::SUCCESS)
}

/// Writes every solution of each record, with the record's number, counted from 1 over all inputs.
///
/// The records are in the order of the inputs, and the solutions of each in the order in which the
/// single-puzzle solver finds them: where it branches, at a cell with the fewest candidates, those with the lowest
/// digit there come first. That depends on nothing but the puzzle. As text a row is
/// the 81 digits, a space and the number, so that it is a record itself.
#[derive(Clone, Copy, Debug)]
struct Enumerate {
    limits: Limits,
    /// Form of the output.
    format: Format,
}

impl Job for Enumerate {
    fn header(&self, _: Option<&Layout>) -> Result<Cow<'_, [u8]>, String> {
        Ok(Cow::Borrowed(self.format.header(b"record,solution\n")))
    }

    fn needs_numbers(&self) -> bool {
        true
    }

    /// With four threads records of hundreds of solutions take a third of the time that they take in batches of the
    /// usual size, and those with one 5 % longer; with two threads 60 %, and a fifth longer.
    fn max_batch_bytes(&self) -> usize {
        2 << 10
    }

    fn solve(&self, records: &Records, outcomes: &mut Outcomes, _: &CancelToken) -> Result<(), Cancelled> {
        outcomes.reset(records.len());
        Ok(())
    }

    fn write(&self, batch: &BatchView, outcomes: &mut Outcomes, rows: &mut RowSink) -> ControlFlow<()> {
        for k in 0..batch.records.len() {
            let record = batch.records_before + k as u64 + 1;
            let mut solutions = batch.records.candidates(k).solutions().limits(self.limits);
            for solution in &mut solutions {
                self.write_row(record, &solution.to_ascii(), rows.text());
                rows.flush_if_large()?;
            }
            outcomes.set(k, solutions.outcome());
        }
        ControlFlow::Continue(())
    }
}

impl Enumerate {
    fn write_row(&self, record: u64, digits: &[u8; 81], text: &mut Vec<u8>) {
        if self.format == Format::Text {
            text.extend_from_slice(digits);
            text.push(b' ');
            push_number(text, record);
            text.push(b'\n');
        } else {
            Row::start(text, self.format).number("record", record).word("solution", digits).end();
        }
    }
}
