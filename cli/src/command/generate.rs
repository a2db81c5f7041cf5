//! `rapidoku generate`: random puzzles with one solution, and random complete grids.

use std::borrow::Cow;
use std::ops::{ControlFlow, RangeInclusive};
use std::process::ExitCode;

use clap::builder::PossibleValuesParser;
use rapidoku::file::internal::{Row, push_npy_row};
use rapidoku::file::{BatchView, Format, Job, Layout, RowSink};
use rapidoku::generate::Generator;
use rapidoku::technique::{self, Technique};
use rapidoku::{
    CancelToken, Candidates, Limits, Outcome, Outcomes, Puzzle, SimdLevel, Solution, Solver, Status,
};

use crate::args::GridFormat;
use crate::args::solver::parse_level;
use crate::run::OutputArgs;
use crate::solver::{LimitedSolver, SolverKind};

/// Generate random minimal puzzles with one solution, or random complete grids.
///
/// The clues of a random complete grid are removed in random order, each if the puzzle keeps exactly one solution. The result
/// is minimal: without any of its clues it has several solutions. Every complete grid is equally likely. Puzzles are not:
/// those with few clues are overrepresented. The output depends only on the seed and the options, not on the number of
/// threads or the instruction set, and the first lines are the same for every N.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rapidoku generate 1000 --seed 7 -o puzzles.txt
  rapidoku generate 100 --clues 22..23 --singles-only --format csv
  rapidoku generate --grids | head -n 5")]
pub struct Args {
    /// Number of rows; without it the output is endless.
    #[arg(value_name = "N")]
    n: Option<u64>,

    /// Seed of the random numbers.
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,

    /// Generate complete grids instead of puzzles.
    #[arg(long, conflicts_with_all = ["minimal", "with_solution", "clues", "singles_only", "guesses", "hardest"])]
    grids: bool,

    /// Generate minimal puzzles; this is the default.
    #[arg(long)]
    minimal: bool,

    /// Write the solution after each puzzle: in text after a comma, otherwise in the column 'solution'.
    #[arg(long)]
    with_solution: bool,

    /// Only puzzles with this number of clues: A..B includes both ends, each of which may be missing; A is one number.
    #[arg(long, value_name = "A..B", value_parser = parse_range)]
    clues: Option<RangeInclusive<u64>>,

    /// Only puzzles that are solved by naked and hidden singles.
    #[arg(long)]
    singles_only: bool,

    /// Only puzzles for which the lane engine makes this number of guesses to prove that there is one solution.
    #[arg(long, value_name = "A..B", value_parser = parse_range)]
    guesses: Option<RangeInclusive<u64>>,

    /// Only puzzles whose hardest technique is this one, as in 'rapidoku rate'.
    #[arg(long, value_name = "TECHNIQUE", value_parser = technique_parser())]
    hardest: Option<String>,

    /// Output format: rows of 81 characters, or the columns puzzle (or solution, for grids) as CSV or JSON lines.
    #[arg(long, value_enum)]
    format: Option<GridFormat>,

    /// Instruction set of the search; 'auto' selects the widest that this machine supports.
    #[arg(long, value_name = "LEVEL", default_value = "auto", value_parser = parse_level)]
    simd: SimdLevel,

    #[command(flatten)]
    output: OutputArgs,
}

/// Rows that a worker generates at a time: enough that few lanes are idle at the end.
const PER_BATCH: u64 = 1024;

/// Runs `rapidoku generate`.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let solver = LimitedSolver { kind: SolverKind::Lanes(args.simd), limits: Limits::UNIQUE };
    let rows = args.n.unwrap_or(u64::MAX);
    let format = args.output.choose_format(args.format, GridFormat::Text)?.format();
    if format == Format::Npy && args.with_solution {
        anyhow::bail!("--with-solution: a NumPy array has one grid per row; choose another format");
    }
    let generator = Generator::new(args.seed).level(args.simd);
    args.output.run_numbers(
        solver,
        &Generate { args, format, generator },
        PER_BATCH.min(rows.max(1)),
        rows,
    )?;
    Ok(ExitCode::SUCCESS)
}

/// Parses `A..B`, `A..`, `..B` or `A`.
fn parse_range(text: &str) -> Result<RangeInclusive<u64>, String> {
    let number = |text: &str| text.parse::<u64>().map_err(|error| format!("'{text}': {error}"));
    let (first, last) = match text.split_once("..") {
        None => (number(text)?, number(text)?),
        Some((first, last)) => (
            if first.is_empty() { 0 } else { number(first)? },
            if last.is_empty() { u64::MAX } else { number(last)? },
        ),
    };
    if first > last {
        Err("the first number is greater than the last one".to_owned())
    } else {
        Ok(first..=last)
    }
}

fn technique_parser() -> PossibleValuesParser {
    Technique::ALL.map(Technique::name).into()
}

/// Writes generated puzzles or grids.
struct Generate<'a> {
    args: &'a Args,
    format: Format,
    generator: Generator,
}

impl Job for Generate<'_> {
    fn header(&self, _: Option<&Layout>) -> Result<Cow<'_, [u8]>, String> {
        let header: &[u8] = match (self.args.grids, self.args.with_solution) {
            (true, _) => b"solution\n",
            (_, true) => b"puzzle,solution\n",
            _ => b"puzzle\n",
        };
        Ok(Cow::Borrowed(if self.format == Format::Csv { header } else { b"" }))
    }

    fn writes_array(&self) -> bool {
        self.format == Format::Npy
    }

    fn write(&self, batch: &BatchView, outcomes: &mut Outcomes, rows: &mut RowSink) -> ControlFlow<()> {
        if self.args.grids {
            outcomes.reset((batch.numbers.end - batch.numbers.start) as usize);
            for (k, number) in batch.numbers.clone().enumerate() {
                self.write_row(None, Some(&self.generator.grid(number)), rows.text());
                outcomes.set_status(k, Status::Unique);
            }
            return ControlFlow::Continue(());
        }
        let Ok(mut puzzles) = self.generator.minimal(batch.numbers.clone(), &CancelToken::new()) else {
            return ControlFlow::Break(());
        };
        self.filter(&mut puzzles, outcomes);
        outcomes.reset(puzzles.len());
        for (k, (puzzle, solution)) in puzzles.iter().enumerate() {
            self.write_row(Some(puzzle), self.args.with_solution.then_some(solution), rows.text());
            outcomes.set(k, Outcome::new(Status::Unique, 1, 0));
        }
        ControlFlow::Continue(())
    }
}

impl Generate<'_> {
    /// Keeps the puzzles that pass all filters. The cheap filters come first.
    fn filter(&self, puzzles: &mut Vec<(Puzzle, Solution)>, outcomes: &mut Outcomes) {
        let Args { clues, singles_only, guesses, hardest, simd, .. } = self.args;
        if let Some(range) = clues {
            puzzles.retain(|(puzzle, _)| range.contains(&(puzzle.clue_count() as u64)));
        }
        if let Some(range) = guesses {
            let given: Vec<Puzzle> = puzzles.iter().map(|(puzzle, _)| *puzzle).collect();
            Solver::new().level(*simd).threads(1).solve_into(&given, outcomes);
            let mut found = outcomes.guesses().iter();
            puzzles.retain(|_| found.next().is_some_and(|guesses| range.contains(guesses)));
        }
        if *singles_only || hardest.is_some() {
            puzzles.retain(|(puzzle, _)| {
                let rating = technique::solve(Candidates::from(puzzle), &mut |_| ());
                let name = rating.hardest.map(Technique::name);
                (!singles_only || rating.singles_only()) && (hardest.is_none() || hardest.as_deref() == name)
            });
        }
    }

    fn write_row(&self, puzzle: Option<&Puzzle>, solution: Option<&Solution>, text: &mut Vec<u8>) {
        let puzzle =
            puzzle.map(|puzzle| puzzle.cells().map(|digit| if digit == 0 { b'.' } else { b'0' + digit }));
        let solution = solution.map(Solution::to_ascii);
        let format = self.format;
        if format == Format::Text {
            for (k, cells) in [puzzle, solution].iter().flatten().enumerate() {
                if k > 0 {
                    text.push(b',');
                }
                text.extend_from_slice(cells);
            }
            return text.push(b'\n');
        }
        if format == Format::Npy {
            return puzzle.or(solution).iter().for_each(|cells| push_npy_row(text, cells));
        }
        let mut row = Row::start(text, format);
        if let Some(cells) = &puzzle {
            row.word("puzzle", cells);
        }
        if let Some(cells) = &solution {
            row.word("solution", cells);
        }
        row.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_include_their_ends() {
        assert_eq!(parse_range("22..24"), Ok(22..=24));
        assert_eq!(parse_range("22.."), Ok(22..=u64::MAX));
        assert_eq!(parse_range("..24"), Ok(0..=24));
        assert_eq!(parse_range("24"), Ok(24..=24));
        for text in ["", "a", "24..22", "1...2", "-1"] {
            assert!(parse_range(text).is_err(), "{text}");
        }
    }
}
