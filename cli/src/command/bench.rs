//! `rapidoku bench`: the speed of solvers, from text in memory to solutions in memory.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use clap::ValueHint;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use rapidoku::SimdLevel;
use rapidoku::file::{Error, Input, Unfinished};
use rapidoku_jobs::solver::SolverKind;

use crate::args::input::FormatArgs;
use crate::args::number::parse_positive;
use crate::args::output::{self, OutputFormat};
use crate::args::solver::{LEVELS, engine_names, engine_parser, limits, parse_level};
use crate::args::{parse_threads, threads_of_environment};
use crate::bench::{self, BenchError, Benchmark, Dataset, Entry, Rival, Session, Text, Workload, load_average};
use crate::operands::Outputs;
use crate::progress::{Display, ProgressMode};
use crate::{exit, signals};

/// Measure the speed of solvers and check their answers.
///
/// The time is that from text in memory to solutions in memory. A round parses and solves all records of a file,
/// repeatedly if the file is short. Several solvers take turns, round by round, after a round that is not timed.
/// Reading and recognising the file and checking are not timed. No time is given for a file if an answer is wrong or
/// differs between rounds or solvers; the exit code is then 1. Ctrl-C ends the measurement after the current round, and
/// the finished rounds are reported; a second one, or one before the end of the first timed round, ends the program at
/// once.
///
/// Historical solvers are measured on 200 records at most, spread evenly over the file, and give up on a puzzle after
/// two million guesses divided by the number of records.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rapidoku bench puzzles.txt --limit 2 -j 1
  rapidoku bench --engine lanes,scalar
  rapidoku bench easy.txt hard.txt --simd all -o page.html
  rapidoku bench puzzles.txt -j 1 --limit 2 --rival ./mine -o page.html
  rapidoku bench puzzles.txt -j 1 --limit 2 --rival 'mine=./bench_mine {input} {limit} {rounds}'
  rapidoku bench puzzles.txt -j 1 --rate --rival ./rate_mine")]
pub struct Args {
    /// Puzzle files in any input format, measured one after the other; without any, the two built-in datasets.
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Measure ratings on the scale of Sudoku Explainer instead of solvers, as 'rapidoku rate' does. The time includes
    /// the proof that the solution is unique.
    #[arg(long, conflicts_with_all = ["engine", "simd", "limit"])]
    rate: bool,

    /// Solvers to measure, separated by commas, or 'all'.
    #[arg(
        long,
        value_name = "NAME,..",
        default_value = "lanes",
        value_delimiter = ',',
        value_parser = engine_parser([PossibleValue::new("all")])
    )]
    engine: Vec<String>,

    /// Instruction sets to measure the engine 'lanes' with, separated by commas, or 'all'; 'auto' selects the widest
    /// that this machine supports.
    #[arg(long, value_name = "LEVEL,..", default_value = "auto", value_delimiter = ',', value_parser = levels_parser())]
    simd: Vec<Levels>,

    /// Numbers of threads to measure with, separated by commas; 0, the default, uses all cores. The environment
    /// variable RAPIDOKU_THREADS changes the default.
    #[arg(short = 'j', long, value_name = "N,..", value_hint = ValueHint::Other, value_delimiter = ',', value_parser = parse_threads)]
    threads: Vec<usize>,

    /// Stop at N solutions of a puzzle: 1 finds a solution, 2 also proves whether it is unique, N counts up to N.
    #[arg(long, value_name = "N", value_hint = ValueHint::Other, default_value_t = 1, value_parser = parse_positive)]
    limit: u64,

    /// Number of timed rounds.
    #[arg(long, value_name = "N", value_hint = ValueHint::Other, default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,

    /// Also time another program, and this one in the same way: the wall time of the whole command, which starts,
    /// reads, solves and writes. It must print a line for each record, which is checked: a solution, a number of
    /// solutions or, with --rate, any text in which the first number with one decimal is the rating (ER). {input}
    /// stands for the file, and is the last argument if it is missing; {limit} stands for --limit. With {rounds}, the
    /// command times itself: for a number in this place it prints the puzzles per second of each round on a line, for
    /// nothing its answers.
    #[arg(long, value_name = "[NAME=]COMMAND", value_hint = ValueHint::CommandString, value_parser = Rival::parse)]
    rival: Vec<Rival>,

    /// Stop a rival that takes longer for a round.
    #[arg(long, value_name = "SECONDS", value_hint = ValueHint::Other, default_value_t = 60, value_parser = parse_positive)]
    timeout: u64,

    /// Output format. By default, the extension of the output selects it, or else it is text.
    #[arg(long, value_name = "FORMAT", value_parser = output::parser(FORMATS))]
    format: Option<OutputFormat>,

    /// Write to FILE instead of standard output; it appears only when it is complete. The extension selects the format:
    /// .html is a page with plots.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,

    /// When to show progress on standard error.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = ProgressMode::Auto)]
    progress: ProgressMode,

    #[command(flatten)]
    input: FormatArgs,
}

type Levels = Vec<SimdLevel>;

fn levels_parser() -> impl TypedValueParser<Value = Levels> {
    PossibleValuesParser::new(LEVELS.into_iter().chain(["all"])).try_map(|name| match &*name {
        "all" => Ok(SimdLevel::available()),
        name => parse_level(name).map(|level| vec![level]),
    })
}

/// The formats of the results.
const FORMATS: &[OutputFormat] = &[OutputFormat::Text, OutputFormat::JsonObject, OutputFormat::Html];

/// The datasets that are part of the program.
const BUILT_IN_DATASETS: [(&str, &[u8]); 2] = [
    ("classics.txt (built in)", include_bytes!(concat!(env!("RAPIDOKU_BUILT_IN_DATASETS"), "/classics.txt"))),
    ("sample_10k.txt (built in)", include_bytes!(concat!(env!("RAPIDOKU_BUILT_IN_DATASETS"), "/sample_10k.txt"))),
];

/// The records that historical solvers are measured on at most, and their guesses in a pass.
const HISTORICAL_RECORDS: usize = 200;
const HISTORICAL_GUESSES: u64 = 2_000_000;

/// Runs `rapidoku bench`.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let format = output::choose_format(args.format, args.output.as_deref(), FORMATS, FORMATS[0])?;
    let unfinished = Unfinished::default();
    signals::clean_up_on_signals(&unfinished).context("cannot install signal handlers")?;
    // All files are opened before the first measurement: a bad path fails at once, not after an hour.
    let inputs: Vec<_> = args.files.iter().map(|path| Input::from_operand(path)).collect();
    let mut outputs = Outputs { inputs: &inputs, unfinished: &unfinished, stdout: None };
    let mut output = outputs.create("--output", args.output.as_deref())?;
    let threads = if args.threads.is_empty() { threads_of_environment()? } else { args.threads.clone() };
    let mut parts = Vec::new();
    for (file, text) in args.load_files(&inputs)? {
        parts.extend(args.parts(file, text)?);
    }

    let (workload, limit) = if args.rate { (Workload::Rating, 2) } else { (Workload::Solving, args.limit) };
    let mut session = Session::new(workload, limit, args.rounds as usize);
    let display = Display::new(args.progress, false, "{percent:>3}% [{bar:20}] {wide_msg} {eta:>5} left");
    let measured = args.measure_all(&parts, &threads, &unfinished, &display, &mut session.datasets);
    display.finish();
    let code = match measured? {
        _ if signals::is_interrupted() => exit::INTERRUPTED,
        is_right => (!is_right).into(),
    };
    if session.datasets.is_empty() {
        return Ok(code);
    }
    session.load_at_end = load_average();
    let text = match format {
        OutputFormat::Html => bench::output::html(&session),
        OutputFormat::JsonObject => serde_json::to_string_pretty(&session)? + "\n",
        _ => bench::output::text(&session),
    };
    output.write(text.as_bytes())?;
    output.finish()?;
    Ok(code)
}

/// A text, and what is measured on it.
struct Part {
    name: String,
    text: Text,
    solvers: Vec<SolverKind>,
    has_rivals: bool,
}

impl Args {
    /// The names and contents of the files.
    fn load_files(&self, inputs: &[Input]) -> Result<Vec<(String, Text)>, Error> {
        if inputs.is_empty() {
            return Ok(BUILT_IN_DATASETS.map(|(name, text)| (name.to_owned(), text.into())).into());
        }
        let format = self.input.options();
        inputs.iter().map(|input| Ok((input.name(), bench::load(input, &format)?))).collect()
    }

    /// The measurements on a file. Historical solvers get a part of a larger file, together with the first of the
    /// others.
    fn parts(&self, file: String, text: Text) -> Result<Vec<Part>, Error> {
        let is_historical = |solver: &SolverKind| matches!(solver, SolverKind::Historical(_));
        let solvers = self.solvers();
        if let Some(solver) = solvers.iter().find(|solver| !solver.supports_candidates())
            && text.has_pencilmarks
        {
            let reason = format!("unsupported pencilmarks: the {} engine supports clues only", solver.name());
            return Err(Error::Format { name: file, reason });
        }
        let (historical, others): (Vec<_>, Vec<_>) = solvers.iter().copied().partition(is_historical);
        let few = if historical.is_empty() { None } else { bench::spread(&text, HISTORICAL_RECORDS) };
        let Some(few) = few else {
            return Ok(vec![Part { name: file, text, solvers, has_rivals: true }]);
        };
        let name = format!("{file}, a sample for slow solvers");
        let solvers = others.first().copied().into_iter().chain(historical).collect();
        let few = Part { name, text: few, solvers, has_rivals: others.is_empty() };
        let whole = Part { name: file, text, solvers: others, has_rivals: true };
        Ok([whole, few].into_iter().filter(|part| !part.solvers.is_empty()).collect())
    }

    /// Measures all parts, until an interruption. Returns whether all answers are right.
    fn measure_all(
        &self,
        parts: &[Part],
        threads: &[usize],
        unfinished: &Unfinished,
        display: &Display,
        datasets: &mut Vec<Dataset>,
    ) -> Result<bool, Error> {
        let mut is_right = true;
        for (index, part) in parts.iter().enumerate() {
            let entries = self.entries(part, threads);
            let mut rivals = if part.has_rivals { self.rival.clone() } else { Vec::new() };
            if rivals.iter().any(Rival::is_command) {
                rivals.insert(0, self.own_command(&entries[0]));
            }
            // This is between rounds only, and no thread of its own draws it, so that it does not disturb the
            // measurement.
            let show = |done, step: &str| {
                if display.is_due(false) {
                    let message = format!("[{}/{}] {}: {step}", index + 1, parts.len(), part.name);
                    display.show(Some(((1000 * index + done) as u64, 1000 * parts.len() as u64)), &message);
                }
            };
            let benchmark = Benchmark {
                entries,
                rivals,
                timeout: Duration::from_secs(self.timeout),
                rounds: self.rounds as usize,
                unfinished: unfinished.clone(),
                on_step: &show,
            };
            let problems = match benchmark.run(&part.name, &part.text) {
                Ok(dataset) => {
                    let problems = dataset.problems().collect();
                    datasets.push(dataset);
                    problems
                }
                Err(BenchError::Interrupted) => break,
                Err(BenchError::Error(error)) => return Err(error),
                Err(refused) => vec![refused.to_string()],
            };
            for problem in problems {
                display.message(format_args!("{}: {problem}", part.name));
                is_right = false;
            }
            if signals::is_interrupted() {
                break;
            }
        }
        Ok(is_right)
    }

    /// The solvers of a part with each number of threads.
    fn entries(&self, part: &Part, threads: &[usize]) -> Vec<Entry<'static>> {
        let records = part.text.lines.iter().filter(|&&byte| byte == b'\n').count().max(1);
        let mut entries: Vec<Entry> = Vec::new();
        for (&solver, &threads) in part.solvers.iter().flat_map(|s| threads.iter().map(move |n| (s, n))) {
            let is_historical = matches!(solver, SolverKind::Historical(_));
            let limits = limits(self.limit, is_historical.then(|| HISTORICAL_GUESSES / records as u64));
            let entry = if self.rate { Entry::rater(threads) } else { Entry::solver(solver, limits, threads) };
            if !entries.iter().any(|other| other.name == entry.name) {
                entries.push(entry);
            }
        }
        entries
    }

    /// This program as a command that does the work of an entry.
    fn own_command(&self, entry: &Entry) -> Rival {
        let common = format!("--quiet --input-format lines -j {}", entry.threads);
        let simd = entry.simd.map_or(String::new(), |level| format!(" --simd {level}"));
        Rival::own(&if self.rate {
            format!("rate {common} --format jsonl --columns er")
        } else {
            format!(
                "solve {common} --engine {}{simd} --limit {} --max-guesses {}",
                entry.engine, self.limit, entry.limits.guesses
            )
        })
    }

    /// The solvers of the command line, each with all its instruction sets.
    fn solvers(&self) -> Vec<SolverKind> {
        let names = self.engine.iter().flat_map(|name| match name.as_str() {
            "all" => engine_names().collect(),
            name => vec![name],
        });
        let solver =
            |name, level: &SimdLevel| SolverKind::from_name(name, *level).expect("the parser accepts known names only");
        names.flat_map(|name| self.simd.iter().flatten().map(move |level| solver(name, level))).collect()
    }
}
