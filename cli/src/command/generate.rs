//! `rapidoku generate`: random puzzles with one solution, and random complete grids.

mod hard;
mod pattern;

use std::hash::{BuildHasher, RandomState};
use std::io::{self, IsTerminal};
use std::ops::{Range, RangeInclusive};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use anyhow::{bail, ensure};
use clap::builder::PossibleValuesParser;
use clap::{ArgGroup, ValueHint};
use rapidoku::file::{Error, Event, Format, GeneratedRows, Generation, Run, Stats};
use rapidoku::generate::{ClueSymmetry, Filter, Generator, HardPuzzle, HardSet, Patterned, Weighted};
use rapidoku::rating::{Difficulty, Technique};
use rapidoku::{CancelToken, Cancelled, Puzzle, Solver, Status};
use rapidoku_jobs::convert::{MAX_PUZZLES, Printed};
use rapidoku_jobs::generate::{Form, Made};
use rapidoku_jobs::solver::LimitedSolver;

use crate::args::named;
use crate::args::number::{Hardest, TechniqueParser, parse_er, parse_number, parse_range};
use crate::args::output::{self, OutputFormat};
use crate::args::solver::SimdArgs;
use crate::number::counted;
use crate::print::{self, PrintArgs};
use crate::progress::{Generating, Work};
use crate::run::{OutputArgs, Task};
use crate::stderr;
use crate::weights::Weights;

/// Generate random puzzles with one solution, or random complete grids.
///
/// The clues of a random complete grid are tried in random order, and each is removed if the puzzle keeps exactly one
/// solution. The result is minimal: without any one of its clues it has several solutions. Every complete grid is
/// equally likely. Puzzles are not: those with few clues are overrepresented. With --unbiased, every minimal puzzle is
/// equally likely.
///
/// The output depends only on the seed and the options, not on the number of threads or the instruction set, and the
/// first rows are the same for every N. With a filter (--clues, --guesses, --er, --hardest), 'generate' continues until
/// N puzzles have passed, and tells how many were tried. It does not end if none passes, unless --max-tries is given.
#[derive(clap::Args)]
#[command(group = ArgGroup::new("filter").args(FILTERS).multiple(true), after_help = "\
Examples:
  rapidoku generate 1000 --seed 7 -o puzzles.txt
  rapidoku generate 100 --clues 22..23 --hardest singles --format csv
  rapidoku generate 1000 --symmetry half-turn
  rapidoku generate 100 --pattern pattern.txt
  rapidoku generate 60 --er 2.0..3.0 --per-page 4 -o book.html
  rapidoku generate 100 --most-guesses --format csv
  rapidoku generate 200 --unbiased --stats
  rapidoku generate 100000 --unbiased --columns puzzle,weight -o weighted.csv
  rapidoku generate --grids | head -n 5")]
pub struct Args {
    /// Number of rows; without it the output is endless.
    #[arg(value_name = "N", value_parser = parse_number)]
    n: Option<u64>,

    /// Seed of the random numbers. Without it, one is drawn; a message and --stats have it.
    #[arg(long, value_name = "SEED", value_hint = ValueHint::Other)]
    seed: Option<u64>,

    /// Generate complete grids instead of puzzles.
    #[arg(long, conflicts_with_all = ["clues", "guesses", "hardest", "er"])]
    grids: bool,

    /// Generate puzzles whose cells with clues have this symmetry. Cells that the symmetry exchanges are cleared
    /// together, so the puzzles are minimal only among those with this symmetry: single clues can often be removed.
    #[arg(long, value_name = "SYMMETRY", value_parser = named(&ClueSymmetry::ALL, ClueSymmetry::name), conflicts_with = "grids")]
    symmetry: Option<ClueSymmetry>,

    /// Generate puzzles whose clues are exactly at the cells of a pattern: 81 characters, '.' or '0' for a blank and
    /// anything else for a clue, or a file with them. The puzzles need not be minimal. With 27 clues and more, or with
    /// --unbiased, random grids are tested, and every puzzle with this pattern and one solution is equally likely. With
    /// fewer clues, a search changes digits until there is one solution. Its puzzles are not equally likely, and may
    /// repeat if few have the pattern.
    #[arg(long, hide_short_help = true, value_name = "MASK|FILE", value_hint = ValueHint::FilePath,
        conflicts_with_all = ["grids", "symmetry"])]
    pattern: Option<PathBuf>,

    /// With a filter, give up with exit code 1 after N random puzzles in a row that do not pass. With --pattern, give
    /// up after N tries without a puzzle. When random grids are tested, a try lays the pattern on a grid, which takes a
    /// core less than a microsecond if there are few clues; the default is 1,000,000,000. In the search over digits, a
    /// try counts the solutions of a puzzle, up to some thousands; the default is 1,000,000.
    #[arg(long, hide_short_help = true, value_name = "N", value_hint = ValueHint::Other, requires = "filter", value_parser = parse_number)]
    max_tries: Option<u64>,

    /// Generate minimal puzzles that are all equally likely: about 1 in 4300 of those without this option. Puzzles that
    /// are very unlikely without it are repeated, which is about 3 % of the rows. With --pattern, test random grids
    /// also if the pattern has fewer than 27 clues: with 24 clues a puzzle takes 100,000 tries, with 22 10,000,000 and
    /// more. With the column 'weight', write all minimal puzzles, with the weights that correct their bias.
    #[arg(long, hide_short_help = true, conflicts_with_all = ["grids", "symmetry"])]
    unbiased: bool,

    /// Search for the N puzzles that take the lane engine the most guesses, no two of them equivalent. The search
    /// starts with random minimal puzzles and changes one or two clues of the best ones. The best puzzle comes first;
    /// CSV and JSON lines have the column 'guesses'. N is at most 1,000,000. With FILE, the search starts with the
    /// puzzles at the start of its lines; '-' is standard input.
    #[arg(long, hide_short_help = true, value_name = "FILE", value_hint = ValueHint::FilePath, num_args = 0..=1, require_equals = true, requires = "n", conflicts_with_all = ["grids", "symmetry", "pattern", "unbiased", "clues", "guesses", "hardest", "er"])]
    most_guesses: Option<Option<PathBuf>>,

    /// Number of rounds of --most-guesses. Each round changes up to 256 puzzles. The time is proportional to R.
    #[arg(long, hide_short_help = true, value_name = "R", value_hint = ValueHint::Other, requires = "most_guesses", default_value_t = 8)]
    rounds: u64,

    /// Only puzzles with this number of clues: A..B (or A-B) includes both ends, each of which may be missing; A is one
    /// number.
    #[arg(long, value_name = "A..B", value_parser = parse_range)]
    clues: Option<RangeInclusive<u64>>,

    /// Write only puzzles for which the lane engine makes this number of guesses to prove that the solution is unique.
    #[arg(long, hide_short_help = true, value_name = "A..B", value_parser = parse_range)]
    guesses: Option<RangeInclusive<u64>>,

    /// Only puzzles with this rating on the scale of Sudoku Explainer, as in 'rapidoku rate': 4.0..5.0, 7.1, or a
    /// level: easy, medium, hard, expert, fiendish.
    #[arg(long, value_name = "A..B", value_parser = parse_er)]
    er: Option<RangeInclusive<Difficulty>>,

    /// Only puzzles whose hardest technique, as in 'rapidoku rate', is one of these: names and ranges, such as
    /// naked-pair,hidden-pair or naked-pair..hidden-triplet. 'singles', alone: puzzles that naked and hidden singles
    /// solve.
    #[arg(long, value_name = "TECHNIQUE,..", value_delimiter = ',', value_parser = TechniqueParser)]
    hardest: Vec<Hardest>,

    /// Columns of CSV and JSON lines, in this order. 'guesses' are those of the lane engine; 'er' and 'hardest' are
    /// those of 'rapidoku rate', which take time; 'weight' needs --unbiased. Selects CSV unless another format is
    /// chosen.
    #[arg(long, value_name = "COLUMN,...", value_delimiter = ',', value_parser = PossibleValuesParser::new(COLUMNS),
        conflicts_with = "grids")]
    columns: Vec<String>,

    /// Output format: rows of 81 characters, or the columns puzzle (or solution, for grids) as CSV or JSON lines. For
    /// print, 'html' and 'svg' have numbered puzzles, at most 100,000, and their solutions at the end.
    #[arg(long, value_name = "FORMAT", value_parser = output::parser(FORMATS))]
    format: Option<OutputFormat>,

    #[command(flatten)]
    print: PrintArgs,

    #[command(flatten)]
    simd: SimdArgs,

    #[command(flatten)]
    output: OutputArgs,
}

/// Rows that a worker generates at a time: enough that few lanes are idle at the end.
const PER_BATCH: u64 = 1024;

/// The formats of the output.
const FORMATS: &[OutputFormat] = {
    use OutputFormat::*;
    &[Text, Csv, Jsonl, Npy, Grid, Frame, Html, Svg]
};

/// The options with which not every try gives a row.
const FILTERS: [&str; 5] = ["pattern", "clues", "guesses", "er", "hardest"];

/// The columns of CSV and JSON lines.
const COLUMNS: [&str; 7] = ["puzzle", "solution", "clues", "guesses", "er", "hardest", "weight"];

/// Runs `rapidoku generate`.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let rows = args.n.unwrap_or(u64::MAX);
    let target = args.target()?;
    let seed = args.seed.unwrap_or_else(|| {
        // At most nine digits, which people can copy. The standard library draws the keys of its hash maps at random.
        let seed = RandomState::new().hash_one(()) % 1_000_000_000;
        args.output.message(format_args!("seed: {seed}"));
        seed
    });
    let pattern = args.pattern.as_deref().map(|argument| pattern::patterned(argument, seed, args)).transpose()?;
    let pattern = pattern.as_ref();
    let generating = Generating {
        seed,
        rows: args.n,
        weights: args.is_weighted().then(Weights::default),
        tried: args.has_filter().then(AtomicU64::default),
        passed: AtomicU64::default(),
    };
    let task = Task { work: Work::Generating(&generating), ..Task::solving(LimitedSolver::unique(args.simd.level)) };
    let search = args.most_guesses.as_ref().map(|starts| hard::prepare(args, seed, starts.as_deref()));
    let search = search.transpose()?;
    let stats = args.output.start(Run::default(), &task, None, |run, on_event| {
        let generator = Generator::new(seed).level(args.simd.level);
        let hard = search.map(|search| search());
        Generate { args, target, generator, pattern, hard, generating: &generating }.run(run, on_event)
    })?;
    if let Some(tries) = generating.tries() {
        args.output.message(format_args!("puzzles {tries}"));
    }
    let written = stats.records;
    if written == rows {
        return Ok(0);
    }
    if args.most_guesses.is_some() {
        stderr::message(format_args!("puzzles found: {written} of {rows}; more --rounds may find more"));
        return Ok(0);
    }
    let tries = match pattern {
        Some(pattern) => pattern::tries(pattern),
        None => counted(args.max_tries.unwrap_or(u64::MAX), "puzzle") + " in a row that did not pass",
    };
    stderr::message(format_args!("gave up after {tries}; puzzles written: {written} (--max-tries)"));
    Ok(1)
}

impl Args {
    /// The format of the output.
    fn target(&self) -> anyhow::Result<OutputFormat> {
        let chosen = output::choose_format(self.format, self.output.path(), FORMATS, FORMATS[0])?;
        let name = chosen.name();
        let is_table = matches!(chosen.format(), Format::Csv | Format::Jsonl);
        let is_alone = self.hardest.len() == 1 || !self.hardest.contains(&None);
        ensure!(is_alone, "--hardest singles: no other technique can be beside it");
        let may_weigh = self.is_weighted() || !self.has_weights();
        ensure!(may_weigh, "--columns weight requires --unbiased, without --pattern");
        if print::is_printed(chosen) {
            ensure!(!self.grids, "--format {name} is for puzzles; use csv");
            ensure!(
                self.n.is_some_and(|n| n <= MAX_PUZZLES),
                "--format {name} needs N, which is at most {MAX_PUZZLES}"
            );
        }
        if self.columns.is_empty() || is_table {
            Ok(chosen)
        } else if chosen == OutputFormat::Text && self.format.is_none() {
            Ok(OutputFormat::Csv)
        } else {
            bail!("--columns requires --format csv or jsonl")
        }
    }

    /// The columns of the rows.
    fn columns(&self) -> Vec<&str> {
        match self {
            Args { columns, .. } if !columns.is_empty() => columns.iter().map(String::as_str).collect(),
            Args { grids: true, .. } => vec!["solution"],
            Args { most_guesses: Some(_), .. } => vec!["puzzle", "guesses"],
            _ => vec!["puzzle"],
        }
    }

    /// Whether puzzles have their weights.
    fn has_weights(&self) -> bool {
        self.columns.iter().any(|column| column == "weight")
    }

    /// Whether minimal puzzles have weights.
    fn is_weighted(&self) -> bool {
        self.unbiased && self.pattern.is_none()
    }

    /// Whether puzzles may be filtered out.
    fn has_filter(&self) -> bool {
        let Args { clues, guesses, er, hardest, .. } = self;
        clues.is_some() || guesses.is_some() || er.is_some() || !hardest.is_empty()
    }
}

/// The puzzles in rows of a puzzle and its solution, numbered from 1.
fn printed(rows: &[u8]) -> Vec<Printed> {
    let rows = str::from_utf8(rows).expect("rows are ASCII").lines().filter_map(|row| row.split_once(','));
    let printed = |(number, (puzzle, solution)): (u64, (&str, &str))| Printed {
        number,
        heading: String::new(),
        er: None,
        puzzle: puzzle.parse().expect("it was written from a puzzle"),
        solution: solution.parse().ok(),
        status: Status::Unique,
    };
    (1..).zip(rows).map(printed).collect()
}

/// Writes generated puzzles or grids.
struct Generate<'a> {
    args: &'a Args,
    target: OutputFormat,
    generator: Generator,
    pattern: Option<&'a Patterned>,
    hard: Option<HardSet>,
    generating: &'a Generating,
}

impl Generate<'_> {
    fn run(&self, run: Run, on_event: &mut dyn FnMut(Event)) -> Result<Stats, Error> {
        let Generate { args, target, pattern, .. } = *self;
        let max_tries = args.max_tries.unwrap_or(u64::MAX);
        let rows = args.n.unwrap_or(u64::MAX);
        // Few numbers of these modes give a row.
        let per_batch = match pattern {
            Some(pattern) => pattern.per_batch(rows),
            None if args.is_weighted() && !args.has_weights() => PER_BATCH,
            None => PER_BATCH.min(rows.max(1)),
        };
        let header = match target.format() {
            Format::Csv => args.columns().join(",") + "\n",
            _ => String::new(),
        };
        let document = |rows: &[u8]| print::write(target, &printed(rows), &args.print);
        let said = Mutex::new(Instant::now());
        let generation = Generation {
            header: header.as_bytes(),
            is_array: target.format() == Format::Npy,
            per_batch: per_batch.min(max_tries.max(1)),
            max_rows: self.hard.as_ref().map_or(rows, |found| found.puzzles.len() as u64),
            max_fruitless: pattern.map_or(max_tries, Patterned::max_fruitless),
            document: if print::is_printed(target) { Some(&document) } else { None },
            on_batch: &|tried, passed| self.count(tried, passed, &said),
            rows: &|numbers, rows, cancel| self.write(numbers, rows, cancel),
        };
        run.generate(&generation, on_event)
    }

    /// Counts a batch, and tells each minute that there are no puzzles.
    fn count(&self, tried: u64, passed: u64, said: &Mutex<Instant>) {
        self.generating.add(tried, passed);
        // On a terminal the progress says the same.
        if self.generating.passed.load(Ordering::Relaxed) > 0 || io::stderr().is_terminal() {
            return;
        }
        let mut said = said.lock().expect("no thread panics with the lock");
        if said.elapsed().as_secs() >= 60 {
            *said = Instant::now();
            let tries = self.generating.tries().map_or(String::new(), |tries| format!("; {tries}"));
            self.args.output.message(format_args!("no puzzles yet{tries}"));
        }
    }

    /// Writes the rows of the puzzles or grids with these numbers.
    fn write(&self, numbers: Range<u64>, rows: &mut GeneratedRows, cancel: &CancelToken) -> Result<(), Cancelled> {
        let form = Form {
            format: self.target.format(),
            is_grid: self.target == OutputFormat::Grid,
            has_solution: print::is_printed(self.target),
            columns: self.args.columns(),
        };
        if self.args.grids {
            let grids = self.generator.grids(numbers);
            rows.tried = grids.len() as u64;
            form.write_grids(&grids, rows);
            return Ok(());
        }
        let mut made = self.make(numbers.clone(), cancel)?;
        rows.tried = made.len() as u64;
        self.filter(&mut made, cancel)?;
        if let Some(weights) = &self.generating.weights {
            self.weigh(weights, &made, numbers);
        }
        self.compute(&form.columns, &mut made, cancel)?;
        form.write(&made, rows);
        Ok(())
    }

    /// Adds the weights of the puzzles that are written.
    fn weigh(&self, weights: &Weights, made: &[Made], numbers: Range<u64>) {
        if self.args.has_weights() {
            // Without a filter, these are the puzzles that are written.
            let rows = self.args.n.unwrap_or(u64::MAX).saturating_sub(numbers.start);
            let written = made.iter().filter_map(|made| made.weight).take(rows as usize);
            weights.add(made.len().min(rows as usize), written, 2_f64.powi(32));
        } else {
            // Copies of a puzzle follow each other.
            let copies = made.chunk_by(|a, b| a.puzzle == b.puzzle).map(|copies| copies.len() as f64);
            weights.add(made.len(), copies, 1.0);
        }
    }

    /// Computes the numbers of some columns.
    fn compute(&self, columns: &[&str], made: &mut [Made], cancel: &CancelToken) -> Result<(), Cancelled> {
        let puzzles: Vec<Puzzle> = made.iter().map(|made| made.puzzle).collect();
        if columns.contains(&"guesses") && self.hard.is_none() {
            let outcomes = Solver::new().level(self.args.simd.level).threads(1).solve(&puzzles);
            made.iter_mut().zip(outcomes.guesses()).for_each(|(made, guesses)| made.guesses = Some(*guesses));
        }
        if columns.iter().any(|column| matches!(*column, "er" | "hardest")) {
            let ratings = self.args.simd.rater().rate_all(&puzzles, cancel)?;
            made.iter_mut().zip(ratings).for_each(|(made, rating)| made.rating = Some(rating));
        }
        Ok(())
    }

    /// The puzzles with these numbers.
    fn make(&self, numbers: Range<u64>, cancel: &CancelToken) -> Result<Vec<Made>, Cancelled> {
        let Generate { args, generator, .. } = self;
        if let Some(HardSet { puzzles, .. }) = &self.hard {
            let [start, end] = [numbers.start, numbers.end].map(|at| (at as usize).min(puzzles.len()));
            let made =
                |hard: &HardPuzzle| Made { guesses: Some(hard.guesses), ..Made::new(hard.puzzle, hard.solution) };
            return Ok(puzzles[start..end].iter().map(made).collect());
        }
        if args.is_weighted() {
            let all = if args.has_weights() {
                generator.weighted(numbers, cancel)?
            } else {
                generator.unbiased(numbers, cancel)?
            };
            let made = |one: Weighted| Made { weight: Some(one.weight), ..Made::new(one.puzzle, one.solution) };
            return Ok(all.into_iter().map(made).collect());
        }
        let pairs = match self.pattern {
            Some(pattern) => pattern.puzzles(numbers, cancel)?,
            None => generator.symmetric(args.symmetry.unwrap_or(ClueSymmetry::Any), numbers, cancel)?,
        };
        Ok(pairs.into_iter().map(|(puzzle, solution)| Made::new(puzzle, solution)).collect())
    }

    /// Keeps the puzzles that pass all filters.
    fn filter(&self, puzzles: &mut Vec<Made>, cancel: &CancelToken) -> Result<(), Cancelled> {
        let Args { clues, guesses, hardest, er, simd, .. } = self.args;
        let mut filter = Filter::default();
        (filter.clues, filter.guesses) = (clues.clone(), guesses.clone());
        filter.singles_only = hardest.contains(&None);
        let is_listed = |technique: &Technique| hardest.iter().flatten().any(|range| range.contains(technique));
        filter.hardest = Technique::ALL.into_iter().filter(is_listed).collect();
        filter.er = er.clone();
        filter.retain(simd.level, puzzles, |made| &made.puzzle, cancel)
    }
}
