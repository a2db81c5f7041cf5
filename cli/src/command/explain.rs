//! `rapidoku explain`: why each puzzle has no, one or several solutions.

use std::io::{self, IsTerminal};
use std::ops::ControlFlow;

use clap::ValueHint;
use rapidoku::file::internal::escape;
use rapidoku::file::{BatchView, Error, Job, LastRows, Needs, RowSink};
use rapidoku::rating::{Step, Technique};
use rapidoku::{Candidates, Explanation, Limits, Outcomes, PuzzleError};
use serde::Serialize;

use crate::args::number::parse_number;
use crate::args::output::{self, OutputFormat};
use crate::run::{RunArgs, Task};
use crate::solver::{LimitedSolver, SolverKind};
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
    let job = Explain {
        format,
        most_steps: args.steps.map(|most| most as usize),
        frame: if format == OutputFormat::Html { steps_page::frame() } else { Default::default() },
        colour: args.run.output.writes_to_stdout() && io::stdout().is_terminal() && !no_color,
        max_guesses,
    };
    let limits = Limits::UNIQUE.max_guesses(max_guesses);
    let solver = LimitedSolver { kind: SolverKind::Scalar, limits };
    args.run.run(&Task { reports_invalid: true, ..Task::solving(solver) }, &job)?;
    Ok(0)
}

/// Explains each record, as text, as one JSON object per line, or in a page.
struct Explain {
    format: OutputFormat,
    /// The number of steps to show instead of all and the solution.
    most_steps: Option<usize>,
    /// What comes before and after the puzzles of a page.
    frame: [String; 2],
    /// Whether to colour text with ANSI escape sequences.
    colour: bool,
    /// Give up on a puzzle after this many guesses.
    max_guesses: u64,
}

/// A row of JSON output.
#[derive(Serialize)]
struct JsonRow<'a> {
    input: &'a str,
    line: u64,
    record: u64,
    puzzle: &'a str,
    #[serde(flatten)]
    shown: Shown<'a>,
}

/// What is shown of an explanation.
#[derive(Serialize)]
#[serde(untagged)]
enum Shown<'a> {
    All(&'a Explanation),
    /// The next steps of a puzzle with one solution, and the technique of the one after them.
    Next {
        status: &'static str,
        steps: &'a [Step],
        next: Option<Technique>,
    },
}

impl Shown<'_> {
    fn to_text(&self, candidates: &Candidates, colour: bool) -> String {
        match self {
            Shown::All(explanation) => explanation.to_text(candidates, colour),
            Shown::Next { status, steps, next } => {
                let numbered = steps.iter().zip(1..).map(|(step, n)| format!("{n:>4}. {}", step.to_text()));
                let next = steps_page::next(*next);
                format!("{status}\n{:#}\n{}{next}\n", candidates.clues(), numbered.collect::<String>())
            }
        }
    }
}

impl Job for Explain {
    fn needs(&self) -> Needs<'_> {
        let header = self.frame[0].as_bytes();
        Needs { header, numbers: true, solves_in_write: true, ..Needs::default() }
    }

    fn write(&self, batch: &BatchView, outcomes: &mut Outcomes, rows: &mut RowSink) -> ControlFlow<()> {
        let (mut line, mut counted) = (batch.lines_before + 1, 0);
        for (k, &start) in batch.records.starts().iter().enumerate() {
            let candidates = batch.records.candidates(k);
            line += batch.layout.count_lines(&batch.text[counted..start as usize]);
            counted = start as usize;
            let parsed = match batch.layout.diagnose(batch.record(k)) {
                Some((_, reason)) if !matches!(reason, PuzzleError::Clash { .. }) => Err(reason),
                _ => Ok(candidates),
            };
            let explanation = Explanation::new(parsed, self.max_guesses);
            outcomes.set_status(k, explanation.status());
            let shown = match (&explanation, self.most_steps) {
                (Explanation::Unique { steps, .. }, Some(most)) => Shown::Next {
                    status: explanation.status().name(),
                    steps: &steps[..most.min(steps.len())],
                    next: steps.get(most).map(|step| step.technique),
                },
                _ => Shown::All(&explanation),
            };
            let input = escape(batch.input);
            if self.format == OutputFormat::Html {
                let name = format!("{input}:{line}");
                let section = steps_page::section(&name, &candidates, &explanation, self.most_steps);
                rows.text().extend_from_slice(section.as_bytes());
            } else if self.format == OutputFormat::Jsonl {
                let puzzle = batch.cells(k).unwrap_or_else(|| batch.layout.puzzle_text(batch.record(k)));
                let row = JsonRow {
                    input: batch.input,
                    line,
                    record: batch.records_before + k as u64 + 1,
                    puzzle: &String::from_utf8_lossy(&puzzle),
                    shown,
                };
                serde_json::to_writer(rows.text(), &row).expect("a vector accepts all bytes");
            } else {
                let text = format!("{input}:{line}: {}", shown.to_text(&candidates, self.colour));
                rows.text().extend_from_slice(text.as_bytes());
            }
            rows.text().push(b'\n');
            rows.flush_if_large()?;
        }
        ControlFlow::Continue(())
    }

    fn finish(&self, rows: &mut LastRows) -> Result<(), Error> {
        rows.write(self.frame[1].as_bytes())
    }
}
