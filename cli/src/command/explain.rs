//! `rapidoku explain`: why each puzzle has no, one or several solutions.

use std::io::{self, IsTerminal};

use clap::ValueHint;
use rapidoku::Limits;
use rapidoku_jobs::explain::{Explain, Page};
use rapidoku_jobs::solver::{LimitedSolver, SolverKind};

use crate::args::number::parse_number;
use crate::args::output::{self, OutputFormat};
use crate::run::{RunArgs, Task};
use crate::steps_page;

/// Explain why each puzzle is invalid or has no, one or several solutions.
///
/// Invalid: the clues that clash, or the reason why the record is not a puzzle. No solution: a chain of singles that
/// ends in a contradiction, if there is one, and a minimal set of clues without a solution (removing any of them makes
/// it solvable). Several solutions: two of them, and the cells in which they differ. One solution: the rating that
/// 'rate' gives, and the steps to the solution, always by the simplest technique that applies, with the reasoning of
/// chains. Text is coloured on a terminal, unless the environment variable NO_COLOR is set.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rapidoku explain puzzles.txt
  rapidoku explain hard.txt -o steps.html
  rapidoku explain --steps 1 puzzle.txt
  rapidoku check puzzles.txt --only none | rapidoku explain --format json")]
pub struct Args {
    /// Output format. By default, the extension of the output selects it, or else it is text.
    #[arg(long, value_name = "FORMAT", value_parser = output::parser(FORMATS))]
    format: Option<OutputFormat>,

    /// For a puzzle with one solution, show N steps only, then the technique of the one after them, and not the
    /// solution. 0 is a hint that does not spoil, 1 is the next step.
    #[arg(long, value_name = "N", value_hint = ValueHint::Other, value_parser = parse_number)]
    steps: Option<u64>,

    /// Give up on a puzzle after N guesses (status 'gave-up').
    #[arg(long, value_name = "N", value_hint = ValueHint::Other, value_parser = parse_number)]
    max_guesses: Option<u64>,

    #[command(flatten)]
    run: RunArgs,
}

/// The formats of the rows.
const FORMATS: &[OutputFormat] = &[OutputFormat::Text, OutputFormat::Jsonl, OutputFormat::Html];

/// Runs `rapidoku explain`.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let max_guesses = args.max_guesses.unwrap_or(u64::MAX);
    let format = output::choose_format(args.format, args.run.output.path(), FORMATS, FORMATS[0])?;
    let page = || Page { frame: steps_page::frame(), section: steps_page::section };
    let job = Explain {
        page: (format == OutputFormat::Html).then(page),
        is_json: format == OutputFormat::Jsonl,
        most_steps: args.steps.map(|most| most as usize),
        colour: args.run.output.writes_to_stdout() && io::stdout().is_terminal() && !no_color,
        max_guesses,
    };
    let limits = Limits::UNIQUE.max_guesses(max_guesses);
    let solver = LimitedSolver { kind: SolverKind::Scalar, limits };
    args.run.run(&Task { reports_invalid: true, ..Task::solving(solver) }, &job)?;
    Ok(0)
}
