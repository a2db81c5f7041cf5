//! `rapidoku generate`: random puzzles with one solution, and random complete grids.

mod hard;
mod pattern;

use std::ops::{Range, RangeInclusive};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueHint;
use clap::builder::PossibleValuesParser;
use rapidoku::file::internal::{Row, push_npy_row};
use rapidoku::file::{Format, GeneratedRows, Generation, Run};
use rapidoku::generate::{ClueSymmetry, Filter, Generator, HardPuzzle, HardSet, Patterned, Weighted};
use rapidoku::rating::{Difficulty, Technique};
use rapidoku::{CancelToken, Cancelled, Limits, Puzzle, SimdLevel, Solution};

use crate::args::number::{parse_er, parse_number, parse_range};
use crate::args::output::{self, OutputFormat};
use crate::args::solver::parse_level;
use crate::progress::Work;
use crate::run::{OutputArgs, Task};
use crate::solver::{LimitedSolver, SolverKind};
use crate::stderr;
use crate::weights::Weights;

/// Generate random puzzles with one solution, or random complete grids.
///
/// The clues of a random complete grid are tried in random order, and each is removed if the puzzle keeps exactly one
/// solution. The result is minimal: without any one of its clues it has several solutions. Every complete grid is equally
/// likely. Puzzles are not: those with few clues are overrepresented. With --unbiased, every minimal puzzle is equally likely.
///
/// The output depends only on the seed and the options, not on the number of threads or the instruction set, and the first
/// rows are the same for every N. With a filter (--clues, --singles-only, --guesses, --hardest), 'generate' continues until N
/// puzzles have passed, and does not end if none does.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rapidoku generate 1000 --seed 7 -o puzzles.txt
  rapidoku generate 100 --clues 22..23 --singles-only --format csv
  rapidoku generate 1000 --symmetry half-turn
  rapidoku generate 100 --pattern pattern.txt
  rapidoku generate 100 --hard --format csv
  rapidoku generate 200 --unbiased --stats
  rapidoku generate 100000 --unbiased --weights --format csv -o weighted.csv
  rapidoku generate --grids | head -n 5")]
pub struct Args {
    /// Number of rows; without it the output is endless.
    #[arg(value_name = "N", value_parser = parse_number)]
    n: Option<u64>,

    /// Seed of the random numbers.
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,

    /// Generate complete grids instead of puzzles.
    #[arg(long, conflicts_with_all = ["minimal", "with_solution", "clues", "singles_only", "guesses", "hardest", "er"])]
    grids: bool,

    /// Generate minimal puzzles; this is the default.
    #[arg(long)]
    minimal: bool,

    /// Generate puzzles whose cells with clues have this symmetry. Cells that the symmetry exchanges are cleared together, so
    /// the puzzles are minimal only among those with this symmetry: single clues can often be removed.
    #[arg(long, value_name = "SYMMETRY", value_parser = symmetry_parser(), conflicts_with_all = ["grids", "minimal"])]
    symmetry: Option<String>,

    /// Generate puzzles whose clues are exactly at the cells of a pattern: 81 characters, '.' or '0' for a blank and anything
    /// else for a clue, or a file with them. The puzzles need not be minimal. With 27 clues and more, or with --uniform, random
    /// grids are tested, and every puzzle with this pattern and one solution is equally likely. With fewer clues, a search changes
    /// digits until there is one solution. Its puzzles are not equally likely, and may repeat if few have the pattern.
    #[arg(long, value_name = "MASK|FILE", value_hint = ValueHint::FilePath,
        conflicts_with_all = ["grids", "minimal", "symmetry", "unbiased"])]
    pattern: Option<PathBuf>,

    /// With --pattern, test random grids also if the pattern has fewer than 27 clues. With 24 clues a puzzle takes 100,000
    /// tries, with 22 10,000,000 and more.
    #[arg(long, requires = "pattern")]
    uniform: bool,

    /// With --pattern, give up with exit code 1 after this number of tries without a puzzle. When random grids are tested, a try lays
    /// the pattern on a grid, which takes a core less than a microsecond if there are few clues; the default is 1,000,000,000.
    /// In the search over digits, a try counts the solutions of a puzzle, up to some thousands; the default is 1,000,000.
    #[arg(long, value_name = "N", value_hint = ValueHint::Other, requires = "pattern", value_parser = parse_number)]
    max_tries: Option<u64>,

    /// Generate minimal puzzles that are all equally likely: about 1 in 4300 of those without this option. Puzzles that are
    /// very unlikely without it are repeated, which is about 3 % of the rows.
    #[arg(long, conflicts_with_all = ["grids", "symmetry"])]
    unbiased: bool,

    /// With --unbiased, write all minimal puzzles, with the weights that correct their bias: in text after a comma, otherwise
    /// in the column 'weight'.
    #[arg(long, requires = "unbiased")]
    weights: bool,

    /// Search for the N puzzles that take the lane engine the most guesses, no two of them equivalent. The search starts with
    /// random minimal puzzles and changes one or two clues of the best ones. The best puzzle comes first; CSV and JSON lines have
    /// the column 'guesses'. N is at most 1,000,000.
    #[arg(long, requires = "n", conflicts_with_all = ["grids", "symmetry", "pattern", "unbiased", "clues", "singles_only",
        "guesses", "hardest", "er"])]
    hard: bool,

    /// With --hard, start with the puzzles in FILE, one at the start of each line; '-' is standard input.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "hard")]
    from: Option<PathBuf>,

    /// Number of rounds of --hard. Each round changes up to 256 puzzles. The time is proportional to R.
    #[arg(long, value_name = "R", value_hint = ValueHint::Other, requires = "hard", default_value_t = 8)]
    rounds: u64,

    /// Write the solution after each puzzle: in text after a comma, otherwise in the column 'solution'.
    #[arg(long)]
    with_solution: bool,

    /// Only puzzles with this number of clues: A..B (or A-B) includes both ends, each of which may be missing; A is one number.
    #[arg(long, value_name = "A..B", value_parser = parse_range)]
    clues: Option<RangeInclusive<u64>>,

    /// Write only puzzles that naked and hidden singles solve.
    #[arg(long)]
    singles_only: bool,

    /// Write only puzzles for which the lane engine makes this number of guesses to prove that the solution is unique.
    #[arg(long, value_name = "A..B", value_parser = parse_range)]
    guesses: Option<RangeInclusive<u64>>,

    /// Only puzzles with this rating on the scale of Sudoku Explainer, as in 'rapidoku rate': 4.0..5.0, or 7.1.
    #[arg(long, value_name = "A..B", value_parser = parse_er)]
    er: Option<RangeInclusive<Difficulty>>,

    /// Only puzzles whose hardest technique is this one, as in 'rapidoku rate'.
    #[arg(long, value_name = "TECHNIQUE", value_parser = technique_parser())]
    hardest: Option<String>,

    /// Output format: rows of 81 characters, or the columns puzzle (or solution, for grids) as CSV or JSON lines.
    #[arg(long, value_name = "FORMAT", value_parser = output::parser(OutputFormat::GRIDS))]
    format: Option<OutputFormat>,

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
    let format = args.output.choose_format(args.format, OutputFormat::GRIDS)?.format();
    if format == Format::Npy && args.with_solution {
        anyhow::bail!("--with-solution: a NumPy array has one grid per row; choose another format");
    }
    let generator = Generator::new(args.seed).level(args.simd);
    let symmetry = args.symmetry.as_deref().map_or(ClueSymmetry::Any, |name| {
        ClueSymmetry::ALL.into_iter().find(|symmetry| symmetry.name() == name).expect("checked by clap")
    });
    let pattern = args.pattern.as_deref().map(|argument| pattern::patterned(argument, args)).transpose()?;
    let pattern = pattern.as_ref();
    // Few numbers of these modes give a row.
    let per_batch = match pattern {
        Some(pattern) => pattern.per_batch(rows),
        None if args.unbiased && !args.weights => PER_BATCH,
        None => PER_BATCH.min(rows.max(1)),
    };
    let weights = Weights::default();
    let work = if args.unbiased { Work::Weighing(&weights) } else { Work::Solving };
    let search = args.hard.then(|| hard::Prepared::new(args)).transpose()?;
    let stats =
        args.output.start(Run::default(), &Task::new(work, Some(solver)), None, |run, on_event| {
            let hard = search.map(|search| search.run());
            let max_rows = hard.as_ref().map_or(rows, |found| found.puzzles.len() as u64);
            let generate = Generate { args, format, generator, symmetry, pattern, hard, weights: &weights };
            let header = generate.header();
            let generation = Generation {
                header: header.as_bytes(),
                is_array: format == Format::Npy,
                per_batch,
                max_rows,
                max_fruitless: pattern.map_or(u64::MAX, Patterned::max_fruitless),
                rows: &|numbers, rows, cancel| generate.write(numbers, rows, cancel),
            };
            run.generate(&generation, on_event)
        })?;
    let written = stats.records;
    if written == rows {
        return Ok(ExitCode::SUCCESS);
    }
    if args.hard {
        stderr::message(format_args!("puzzles found: {written} of {rows}; more --rounds find more"));
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(pattern) = pattern {
        stderr::message(format_args!("{}", pattern::failure(pattern, written)));
    }
    Ok(ExitCode::from(1))
}

fn symmetry_parser() -> PossibleValuesParser {
    ClueSymmetry::ALL.map(ClueSymmetry::name).into()
}

fn technique_parser() -> PossibleValuesParser {
    Technique::ALL.map(Technique::name).into()
}

/// Writes generated puzzles or grids.
struct Generate<'a> {
    args: &'a Args,
    format: Format,
    generator: Generator,
    symmetry: ClueSymmetry,
    pattern: Option<&'a Patterned>,
    hard: Option<HardSet>,
    weights: &'a Weights,
}

/// A generated puzzle.
struct Made {
    puzzle: Puzzle,
    solution: Solution,
    weight: Option<f64>,
    guesses: Option<u64>,
}

impl From<HardPuzzle> for Made {
    fn from(hard: HardPuzzle) -> Made {
        let HardPuzzle { puzzle, solution, guesses, .. } = hard;
        Made { puzzle, solution, weight: None, guesses: Some(guesses) }
    }
}

impl From<(Puzzle, Solution)> for Made {
    fn from((puzzle, solution): (Puzzle, Solution)) -> Made {
        Made { puzzle, solution, weight: None, guesses: None }
    }
}

impl From<Weighted> for Made {
    fn from(weighted: Weighted) -> Made {
        let Weighted { puzzle, solution, weight, .. } = weighted;
        Made { puzzle, solution, weight: Some(weight), guesses: None }
    }
}

fn convert<T: Into<Made>>(made: Vec<T>) -> Vec<Made> {
    made.into_iter().map(T::into).collect()
}

impl Generate<'_> {
    fn header(&self) -> String {
        let Args { grids, with_solution, weights, hard, .. } = *self.args;
        let columns = [
            (!grids, "puzzle"),
            (grids || with_solution, "solution"),
            (weights, "weight"),
            (hard, "guesses"),
        ];
        let columns: Vec<&str> =
            columns.into_iter().filter_map(|(is_wanted, name)| is_wanted.then_some(name)).collect();
        if self.format == Format::Csv { columns.join(",") + "\n" } else { String::new() }
    }

    /// Writes the rows of the puzzles or grids with these numbers.
    fn write(
        &self,
        numbers: Range<u64>,
        rows: &mut GeneratedRows,
        cancel: &CancelToken,
    ) -> Result<(), Cancelled> {
        if self.args.grids {
            for number in numbers {
                let grid = self.generator.grid(number);
                rows.push(|text| self.write_row(None, Some(&grid), None, text));
            }
            return Ok(());
        }
        let mut made = self.make(numbers.clone(), cancel)?;
        self.filter(&mut made, cancel)?;
        if self.args.weights {
            // Without a filter, these are the puzzles that are written.
            let rows = self.args.n.unwrap_or(u64::MAX).saturating_sub(numbers.start);
            let weights = made.iter().filter_map(|made| made.weight).take(rows as usize);
            self.weights.add(made.len().min(rows as usize), weights, 2_f64.powi(32));
        } else if self.args.unbiased {
            // Copies of a puzzle follow each other.
            let copies = made.chunk_by(|a, b| a.puzzle == b.puzzle).map(|copies| copies.len() as f64);
            self.weights.add(made.len(), copies, 1.0);
        }
        for Made { puzzle, solution, weight, guesses } in &made {
            let solution = self.args.with_solution.then_some(solution);
            let weight = weight.filter(|_| self.args.weights).map(|weight| ("weight", format!("{weight:e}")));
            let guesses = guesses.filter(|_| self.format != Format::Text);
            let guesses = guesses.map(|guesses| ("guesses", guesses.to_string()));
            rows.push(|text| self.write_row(Some(puzzle), solution, weight.or(guesses), text));
        }
        Ok(())
    }

    /// The puzzles with these numbers.
    fn make(&self, numbers: Range<u64>, cancel: &CancelToken) -> Result<Vec<Made>, Cancelled> {
        if let Some(found) = &self.hard {
            let in_range = |number: u64| (number as usize).min(found.puzzles.len());
            return Ok(convert(found.puzzles[in_range(numbers.start)..in_range(numbers.end)].to_vec()));
        }
        if let Some(pattern) = self.pattern {
            return pattern.puzzles(numbers, cancel).map(convert);
        }
        match (self.args.unbiased, self.args.weights) {
            (true, true) => self.generator.weighted(numbers, cancel).map(convert),
            (true, false) => self.generator.unbiased(numbers, cancel).map(convert),
            _ => self.generator.symmetric(self.symmetry, numbers, cancel).map(convert),
        }
    }

    /// Keeps the puzzles that pass all filters.
    fn filter(&self, puzzles: &mut Vec<Made>, cancel: &CancelToken) -> Result<(), Cancelled> {
        let Args { clues, singles_only, guesses, hardest, er, simd, .. } = self.args;
        let is_hardest = |technique: &Technique| hardest.as_deref() == Some(technique.name());
        let mut filter = Filter::default();
        (filter.clues, filter.guesses, filter.singles_only) = (clues.clone(), guesses.clone(), *singles_only);
        filter.hardest = Technique::ALL.into_iter().filter(is_hardest).collect();
        filter.er = er.clone();
        filter.retain(*simd, puzzles, |made| &made.puzzle, cancel)
    }

    fn write_row(
        &self,
        puzzle: Option<&Puzzle>,
        solution: Option<&Solution>,
        number: Option<(&str, String)>,
        text: &mut Vec<u8>,
    ) {
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
            if let Some((_, number)) = number {
                text.push(b',');
                text.extend_from_slice(number.as_bytes());
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
        if let Some((name, number)) = &number {
            row.json(name, number.as_bytes());
        }
        row.end();
    }
}
