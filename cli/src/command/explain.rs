//! `rapidoku explain`: why is each puzzle what it is?

use std::io::{self, IsTerminal};
use std::ops::ControlFlow;
use std::process::ExitCode;

use clap::ValueEnum;
use rapidoku::file::internal::puzzle_text;
use rapidoku::file::{BatchView, Job, Records, RowSink};
use rapidoku::{CancelToken, Cancelled, Explanation, Limits, Outcomes, PuzzleError, Status};
use serde::Serialize;

use crate::run::RunArgs;
use crate::solver::{LimitedSolver, SolverKind};

/// Explain each record: what clashes, why there is no solution, where solutions differ, or how to solve it.
///
/// For a puzzle without solution that is the chain of singles that leads to a contradiction, if singles
/// do, and a set of clues that has no solution already, though it has one without any of them. For a puzzle
/// with one solution it is the steps that lead there, each the simplest there is, as `rate` counts them.
/// Text is coloured on a terminal, unless the environment has NO_COLOR.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rapidoku explain puzzles.txt
  rapidoku check puzzles.txt --only none | rapidoku explain --format json")]
pub struct Args {
    /// Text for people, or a JSON object per line.
    #[arg(long, value_enum, default_value_t = ExplainForm::Text)]
    format: ExplainForm,

    /// Give a puzzle up after N guesses (status `limit`).
    #[arg(long, value_name = "N")]
    max_guesses: Option<u64>,

    #[command(flatten)]
    run: RunArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ExplainForm {
    Text,
    #[value(alias = "jsonl")]
    Json,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let max_guesses = args.max_guesses.unwrap_or(u64::MAX);
    let job = Explain {
        json: args.format == ExplainForm::Json,
        colour: args.run.writes_to_stdout() && io::stdout().is_terminal() && !no_color,
        max_guesses,
    };
    let limits = Limits::UNIQUE.max_guesses(max_guesses);
    args.run.run(LimitedSolver { kind: SolverKind::Scalar, limits }, &job)?;
    Ok(ExitCode::SUCCESS)
}

/// Explains each record, for people or as a JSON object per line.
#[derive(Clone, Copy, Debug)]
struct Explain {
    /// JSON rather than text.
    json: bool,
    /// Whether text is to be coloured (by escape sequences of ECMA-48).
    colour: bool,
    /// Give a puzzle up after so many guesses.
    max_guesses: u64,
}

/// What JSON tells besides the explanation.
#[derive(Serialize)]
struct Object<'a> {
    input: &'a str,
    line: u64,
    record: u64,
    puzzle: &'a str,
    #[serde(flatten)]
    explanation: &'a Explanation,
}

impl Job for Explain {
    fn needs_numbers(&self) -> bool {
        true
    }

    fn reports_invalid(&self) -> bool {
        true
    }

    fn solve(&self, records: &Records, outcomes: &mut Outcomes, _: &CancelToken) -> Result<(), Cancelled> {
        outcomes.reset(records.len());
        Ok(())
    }

    fn write(&self, batch: &BatchView, outcomes: &mut Outcomes, rows: &mut RowSink) -> ControlFlow<()> {
        let (mut line, mut counted) = (batch.lines_before + 1, 0);
        for (k, &start) in batch.records.starts().iter().enumerate() {
            let candidates = batch.records.candidates(k);
            line += memchr::memchr_iter(b'\n', &batch.text[counted..start as usize]).count() as u64;
            counted = start as usize;
            let parsed = match batch.layout.diagnose(batch.text, counted) {
                Some((_, reason)) if !matches!(reason, PuzzleError::Clash { .. }) => Err(reason),
                _ => Ok(candidates),
            };
            let explanation = Explanation::new(parsed, self.max_guesses);
            outcomes.set_status(k, explanation.status());
            if self.json {
                let cells = puzzle_text(batch, start, Status::Invalid);
                let object = Object {
                    input: batch.input,
                    line,
                    record: batch.records_before + k as u64 + 1,
                    puzzle: str::from_utf8(&cells).expect("cells are ASCII"),
                    explanation: &explanation,
                };
                serde_json::to_writer(rows.text(), &object).expect("a vector takes all");
            } else {
                let text =
                    format!("{}:{line}: {}", batch.input, explanation.to_text(&candidates, self.colour));
                rows.text().extend_from_slice(text.as_bytes());
            }
            rows.text().push(b'\n');
            rows.flush_if_large()?;
        }
        ControlFlow::Continue(())
    }
}
