//! `rapidoku bench`: the speed of solvers, from text in memory to solutions in memory.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::ValueHint;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use rapidoku::SimdLevel;
use rapidoku::file::internal::thread_count;
use rapidoku::file::{Error, Input, Output, Unfinished};

use crate::args::input::FormatArgs;
use crate::args::number::parse_positive;
use crate::args::output::{OutputFormat, check_name};
use crate::args::solver::{LEVELS, engine_names, engine_parser, limits, parse_level};
use crate::args::{parse_threads, threads_of_environment};
use crate::bench::progress::BenchProgress;
use crate::bench::{
    self, BenchError, Benchmark, Dataset, Difficulty, Entry, ResultRow, Rival, Session, Text, Workload,
    compare, html, markdown, table,
};
use crate::operands::{self, Outputs};
use crate::progress::ProgressMode;
use crate::solver::SolverKind;
use crate::{exit, signals, stderr};

/// Measure the speed of solvers and check their answers.
///
/// The time is that from text in memory to solutions in memory. A round parses and solves all records of a file,
/// repeatedly if the file is short. Several solvers take turns, round by round. Reading and recognising the file,
/// warming up and checking are not timed. No time is given for a file if an answer is wrong or differs between rounds
/// or solvers; the exit code is then 1. Ctrl-C ends the measurement after the current round, and the finished rounds are
/// reported; a second one, or one before the end of the first timed round, ends the program at once.
///
/// With --rate, puzzles are rated instead, as 'rapidoku rate' does.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rapidoku bench puzzles.txt --limit 2 -j 1
  rapidoku bench --engine lanes,scalar
  rapidoku bench easy.txt hard.txt --simd all --report page.html
  rapidoku bench puzzles.txt -j 1 --limit 2 --rival 'mine=./mine {input}' --report page.html
  rapidoku bench puzzles.txt -j 1 --limit 2 --rival 'mine=./bench_mine {input} {limit} {rounds}'
  rapidoku bench puzzles.txt -j 1 --rate --rival 'mine=./rate_mine {input}'")]
pub struct Args {
    /// Puzzle files in any input format, measured one after the other; without any, the two built-in datasets.
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Measure ratings on the scale of Sudoku Explainer instead of solvers. The time includes the proof that the solution is unique.
    #[arg(long, conflicts_with_all = ["engine", "simd", "limit", "max_guesses"])]
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

    /// Give up on a puzzle after N guesses (status 'limit').
    #[arg(long, value_name = "N", value_hint = ValueHint::Other)]
    max_guesses: Option<u64>,

    /// Like --max-guesses, for historical solvers only; 0 means no cap. By default, two million divided by the number
    /// of records that they get. Puzzles that a solver gives up on count neither in its rate nor in the comparison of
    /// answers.
    #[arg(long, value_name = "N", value_hint = ValueHint::Other)]
    slow_max_guesses: Option<u64>,

    /// Measure historical solvers on at most N records, spread evenly over the file; 0 means all.
    #[arg(long, value_name = "N", value_hint = ValueHint::Other, default_value_t = 200)]
    slow_records: usize,

    /// Number of timed rounds.
    #[arg(long, value_name = "N", value_hint = ValueHint::Other, default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,

    /// Number of untimed rounds at the start.
    #[arg(long, value_name = "N", value_hint = ValueHint::Other, default_value_t = 1)]
    warmup: u32,

    /// Also time another program: the wall time of the whole command, which starts, reads, solves and writes. Its start-up
    /// time is measured with an empty file. Its answers are compared if it prints a line for each record: a solution, or a number
    /// of solutions. With --rate, the first number with one decimal in each line is its rating (ER), and ratings that differ are
    /// counted. {limit} stands for --limit. With {rounds}, the command times itself, as for the scripts of the project: it
    /// prints the puzzles per second of each round on a line.
    #[arg(long, value_name = "NAME=COMMAND {input}", value_parser = Rival::parse)]
    rival: Vec<Rival>,

    /// Compare with an earlier run that was saved with --json.
    #[arg(long, value_name = "RUN.json")]
    compare: Option<PathBuf>,

    /// Print one JSON object instead of tables.
    #[arg(long, conflicts_with = "csv")]
    json: bool,

    /// Print CSV instead of tables, with a row for each file and solver.
    #[arg(long)]
    csv: bool,

    /// Write a self-contained HTML report with plots to FILE. Also measures speed by difficulty, unless puzzles are rated: five
    /// rounds for each group of at least ten records.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,

    /// Write tables in Markdown to FILE.
    #[arg(long, value_name = "FILE")]
    export_markdown: Option<PathBuf>,

    /// Show progress on standard error.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = ProgressMode::Auto)]
    progress: ProgressMode,

    #[command(flatten)]
    format: FormatArgs,
}

#[derive(Clone)]
enum Levels {
    All,
    One(SimdLevel),
}

fn levels_parser() -> impl TypedValueParser<Value = Levels> {
    PossibleValuesParser::new(LEVELS.into_iter().chain(["all"])).try_map(|name| parse_levels(&name))
}

fn parse_levels(name: &str) -> Result<Levels, String> {
    if name == "all" { Ok(Levels::All) } else { parse_level(name).map(Levels::One) }
}

/// The datasets that are part of the program.
const BUILT_IN_DATASETS: [(&str, &[u8]); 2] = [
    ("classics.txt (built in)", include_bytes!(concat!(env!("RAPIDOKU_BUILT_IN_DATASETS"), "/classics.txt"))),
    (
        "sample_10k.txt (built in)",
        include_bytes!(concat!(env!("RAPIDOKU_BUILT_IN_DATASETS"), "/sample_10k.txt")),
    ),
];

/// Runs `rapidoku bench`.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    // All files are opened before the first measurement: a bad path fails at once, not after an hour.
    let earlier = args.compare.as_deref().map(compare::read).transpose()?;
    let unfinished = Unfinished::default();
    signals::clean_up_on_signals(&unfinished).context("cannot install signal handlers")?;
    let [report, markdown] = args.create_outputs(&unfinished)?;

    let threads = if args.threads.is_empty() { threads_of_environment()? } else { args.threads.clone() };
    let (workload, limit) = if args.rate { (Workload::Rating, 2) } else { (Workload::Solving, args.limit) };
    let mut session = Session::new(workload, limit, args.warmup as usize, args.rounds as usize);
    let mut code = ExitCode::SUCCESS;
    let files = args.load_files()?;
    let progress = BenchProgress::new(args.progress, files.len());
    for (index, (file, text)) in files.iter().enumerate() {
        match args.measure(Source { index, file, text }, &threads, &unfinished, &progress, &mut session) {
            Ok(()) if signals::is_interrupted() => break,
            Ok(()) => {}
            Err(BenchError::Interrupted) => break,
            Err(BenchError::Error(error)) => {
                progress.finish();
                return Err(error.into());
            }
            Err(error) => {
                progress.message(format_args!("{file}: {error}"));
                code = ExitCode::from(1);
            }
        }
    }
    progress.finish();
    if signals::is_interrupted() {
        code = ExitCode::from(exit::INTERRUPTED);
    }
    session.load_at_end = bench::load_average();
    if session.results.is_empty() {
        return Ok(code);
    }
    for (output, page) in [(report, html::page as fn(&Session) -> String), (markdown, markdown::page)] {
        if let Some(mut output) = output {
            output.write(page(&session).as_bytes())?;
            output.finish()?;
        }
    }
    let comparison = earlier.map(|earlier| compare::compare(&earlier, &session));
    let text = if args.json {
        serde_json::to_string_pretty(&session)? + "\n"
    } else if args.csv {
        table::csv(&session)
    } else {
        table::tables(&session) + comparison.as_deref().unwrap_or_default()
    };
    let mut output = operands::stdout()?;
    output.write(text.as_bytes())?;
    output.finish()?;
    if let Some(comparison) = comparison.filter(|_| args.json || args.csv) {
        stderr::lines(&comparison);
    }
    Ok(code)
}

impl Args {
    /// Creates the files of the report and of the Markdown tables.
    fn create_outputs(&self, unfinished: &Unfinished) -> anyhow::Result<[Option<Output>; 2]> {
        self.report.as_ref().map_or(Ok(()), |path| check_name("--report", path, OutputFormat::Html))?;
        let inputs: Vec<_> = self.files.iter().map(|path| Input::from_operand(path)).collect();
        // The tables go to standard output.
        let stdout = Some("the tables");
        let mut outputs = Outputs { inputs: &inputs, unfinished, sync: true, force: None, stdout };
        let mut create = |name, path: &Option<PathBuf>| {
            path.as_ref().map(|path| outputs.create(name, Some(path))).transpose()
        };
        Ok([create("--report", &self.report)?, create("--export-markdown", &self.export_markdown)?])
    }

    /// The names and contents of the files.
    fn load_files(&self) -> Result<Vec<(String, Text<'static>)>, Error> {
        if self.files.is_empty() {
            return Ok(BUILT_IN_DATASETS.map(|(name, text)| (name.to_owned(), text.into())).into());
        }
        let format = self.format.options();
        let load = |path: &PathBuf| {
            let input = Input::from_operand(path);
            Ok((input.name(), bench::load(&input, &format)?))
        };
        self.files.iter().map(load).collect()
    }

    /// Measures all solvers on a dataset, and adds the results to the session.
    fn measure(
        &self,
        Source { index, file, text }: Source,
        threads: &[usize],
        unfinished: &Unfinished,
        progress: &BenchProgress,
        session: &mut Session,
    ) -> Result<(), BenchError> {
        let solvers = self.supported_solvers(file, text, progress)?;
        let combinations = Self::with_threads(&solvers, threads);
        let caps = self.historical_caps(text);
        let entries =
            combinations.iter().map(|&(solver, threads)| self.entry(solver, threads, caps)).collect();
        let benchmark = Benchmark {
            entries,
            rivals: self.rival.clone(),
            warmup: session.warmup,
            rounds: session.rounds,
            unfinished: unfinished.clone(),
            on_step: &|step| progress.step(index, file, step),
        };
        let results = benchmark.run(text)?;
        let first = &results.reports[0];
        session.datasets.push(Dataset {
            file: file.to_owned(),
            records: first.records_in_text,
            entries: results.reports.len(),
            hash: first.dataset_hash.clone(),
            rivals: results.rivals,
            difficulty: (self.report.is_some() && !self.rate).then(|| {
                let on_bucket = |done, total| progress.difficulty(index, file, done, total);
                self.measure_difficulty(text, &solvers, on_bucket)
            }),
        });
        let rows = combinations.into_iter().zip(benchmark.entries).zip(results.reports);
        session.results.extend(rows.map(|(((solver, threads), entry), report)| ResultRow {
            file: file.to_owned(),
            name: entry.name,
            engine: entry.algorithm,
            simd: solver.level().filter(|_| !self.rate).map(|level| level.name().to_owned()),
            threads: thread_count(threads),
            max_guesses: Some(entry.limits.guesses).filter(|&cap| cap != u64::MAX),
            report,
        }));
        Ok(())
    }

    /// The solvers that support the puzzles of a file. Reports those that do not.
    fn supported_solvers(
        &self,
        file: &str,
        text: &Text,
        progress: &BenchProgress,
    ) -> Result<Vec<SolverKind>, BenchError> {
        let (supported, others): (Vec<_>, Vec<_>) = self
            .solvers()
            .into_iter()
            .partition(|solver| solver.supports_candidates() || !text.has_pencilmarks());
        if others.is_empty() {
            return Ok(supported);
        }
        let names: Vec<_> = others.iter().map(|solver| solver.name()).collect();
        let who = match &names[..] {
            [name] => format!("the {name} engine supports"),
            names => format!("the engines {} support", names.join(", ")),
        };
        let reason = format!("unsupported pencilmarks: {who} clues only");
        if supported.is_empty() {
            return Err(Error::Format { name: file.to_owned(), reason }.into());
        }
        progress.message(format_args!("{file}: {reason}"));
        Ok(supported)
    }

    /// The solvers of the command line, each with all its instruction sets.
    fn solvers(&self) -> Vec<SolverKind> {
        let names = self.engine.iter().flat_map(|name| match name.as_str() {
            "all" => engine_names().collect(),
            name => vec![name],
        });
        let levels: Vec<_> = self
            .simd
            .iter()
            .flat_map(|levels| match levels {
                Levels::All => SimdLevel::available(),
                Levels::One(level) => vec![*level],
            })
            .collect();
        let mut solvers = Vec::new();
        for name in names {
            for &level in &levels {
                let solver = SolverKind::from_name(name, level).expect("the parser accepts known names only");
                // Only the lanes depend on the level.
                if !solvers.contains(&solver) {
                    solvers.push(solver);
                }
            }
        }
        solvers
    }

    /// Each solver with each number of threads, without duplicates.
    fn with_threads(solvers: &[SolverKind], threads: &[usize]) -> Vec<(SolverKind, usize)> {
        let mut combinations = Vec::new();
        for &solver in solvers {
            for &threads in threads {
                if !combinations.contains(&(solver, threads)) {
                    combinations.push((solver, threads));
                }
            }
        }
        combinations
    }

    /// The caps on the work of historical solvers for this text.
    fn historical_caps(&self, text: &Text) -> HistoricalCaps {
        let lines = text.lines().iter().filter(|&&byte| byte == b'\n').count().max(1);
        let max_records = Some(self.slow_records).filter(|&records| records != 0);
        let share = HISTORICAL_GUESSES / max_records.map_or(lines, |records| records.min(lines)) as u64;
        let cap = match self.slow_max_guesses {
            Some(0) => u64::MAX,
            Some(guesses) => guesses,
            None => share.max(1000),
        };
        HistoricalCaps { max_guesses: cap.min(self.max_guesses.unwrap_or(u64::MAX)), max_records }
    }

    fn entry(&self, solver: SolverKind, threads: usize, caps: HistoricalCaps) -> Entry<'static> {
        if self.rate {
            return Entry::rater(threads);
        }
        let limits = limits(self.limit, self.max_guesses);
        if !matches!(solver, SolverKind::Historical(_)) {
            return Entry::solver(solver, limits, threads);
        }
        let limits = limits.max_guesses(caps.max_guesses);
        Entry { max_records: caps.max_records, ..Entry::solver(solver, limits, threads) }
    }

    fn measure_difficulty(
        &self,
        text: &Text,
        solvers: &[SolverKind],
        on_bucket: impl Fn(usize, usize),
    ) -> Difficulty {
        let caps = self.historical_caps(text);
        let entries: Vec<_> = solvers.iter().map(|&solver| self.entry(solver, 1, caps)).collect();
        Difficulty::measure(text, &entries, on_bucket)
    }
}

/// A dataset, and its index among all.
#[derive(Clone, Copy)]
struct Source<'s> {
    index: usize,
    file: &'s str,
    text: &'s Text<'static>,
}

/// The default number of guesses of a historical solver in a pass, divided among its records.
const HISTORICAL_GUESSES: u64 = 2_000_000;

/// Caps that keep a historical solver from running for hours.
#[derive(Clone, Copy)]
struct HistoricalCaps {
    max_guesses: u64,
    max_records: Option<usize>,
}
