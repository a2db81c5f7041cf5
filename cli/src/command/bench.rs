//! `rapidoku bench`: measures solvers on files, from text in memory to solutions in memory.

use std::path::PathBuf;
use std::process::ExitCode;

use crate::bench::{self, BenchError, Contest, Contestant, Dataset, Difficulty, Rival, Row, Session, Text};
use rapidoku::Level;
use rapidoku::file::Error;
use rapidoku::file::Input;
use rapidoku::file::internal::thread_count;
use rapidoku::file::{Output, Unfinished};

use crate::args::FormatArgs;
use crate::bench::{compare, table};
use crate::historical::Historical;
use crate::run::limits;
use crate::solver::SolverKind;
use crate::{engine_name, level, say, signals};

/// Time solvers from text in memory to solutions in memory, and check their answers.
///
/// A round parses and solves all records of a file, several times over where that is short; several solvers take
/// turns, round by round. Reading the file and making it out, warming up and checking are not timed. No time is given for answers that
/// are wrong or differ between rounds or solvers: the exit code is then 1.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rapidoku bench puzzles.txt --limit 2 -j 1
  rapidoku bench --engine lanes,scalar
  rapidoku bench easy.txt hard.txt --simd all --report page.html")]
pub struct Args {
    /// Files of puzzles in any form, measured one after the other; without any, the two sets that the program carries.
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Solvers, separated by commas, or all: lanes (many puzzles side by side), scalar (one at a time), twenty-line,
    /// brute-force, subsets, model-clone, small-model-clone, small-model, three-line.
    #[arg(long, value_name = "NAME,..", default_value = "lanes", value_delimiter = ',', value_parser = engine_or_all)]
    engine: Vec<String>,

    /// Instruction sets of the lanes, separated by commas, or all; auto is the widest that this machine has.
    #[arg(long, value_name = "LEVEL,..", default_value = "auto", value_delimiter = ',', value_parser = level_or_all)]
    simd: Vec<Levels>,

    /// Threads that solve, separated by commas, 0 for as many as the machine has.
    #[arg(
        short = 'j',
        long,
        value_name = "N,..",
        default_value = "0",
        env = "RAPIDOKU_THREADS",
        value_delimiter = ','
    )]
    threads: Vec<usize>,

    /// Stop at N solutions per puzzle: 1 finds one, 2 proves that it is the only one, more count.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    limit: u64,

    /// Give a puzzle up after N guesses (status `limit`).
    #[arg(long, value_name = "N")]
    max_guesses: Option<u64>,

    /// The same for the solvers of old only, 0 for no cap; by default two million shared by the records that each of
    /// them gets. What is given up does not count in the rate and is not held against the others' answers.
    #[arg(long, value_name = "N")]
    slow_max_guesses: Option<u64>,

    /// Give the solvers of old no more than N records, spread evenly over the file, 0 for all.
    #[arg(long, value_name = "N", default_value_t = 200)]
    slow_records: usize,

    /// Rounds that are timed.
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,

    /// Rounds before those.
    #[arg(long, value_name = "N", default_value_t = 1)]
    warmup: u32,

    /// Time another program, too: wall time of the whole command, which starts, reads, solves and writes.
    #[arg(long, value_name = "NAME=COMMAND {input}", value_parser = Rival::parse)]
    rival: Vec<Rival>,

    /// Compare with an earlier run, which --json wrote.
    #[arg(long, value_name = "RUN.json")]
    compare: Option<PathBuf>,

    /// Print a JSON object instead of the tables.
    #[arg(long, conflicts_with = "csv")]
    json: bool,

    /// Print CSV instead of the tables, a row for each file and solver.
    #[arg(long)]
    csv: bool,

    /// Write a page with plots to FILE; measures speed over difficulty as well.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,

    #[command(flatten)]
    format: FormatArgs,
}

#[derive(Clone)]
enum Levels {
    All,
    One(Level),
}

fn level_or_all(name: &str) -> Result<Levels, String> {
    if name == "all" { Ok(Levels::All) } else { level(name).map(Levels::One) }
}

fn engine_or_all(name: &str) -> Result<String, String> {
    if name == "all" { Ok(name.to_owned()) } else { engine_name(name) }
}

/// The sets that every copy of the program carries.
const CARRIED: [(&str, &[u8]); 2] = [
    ("classics.txt (built in)", include_bytes!("../../../datasets/classics.txt")),
    ("sample_10k.txt (built in)", include_bytes!("../../../datasets/sample_10k.txt")),
];

/// Runs the subcommand.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    // What is missing is better known before the run than after it.
    let earlier = args.compare.as_ref().map(compare::read).transpose()?;
    let unfinished = Unfinished::default();
    signals::clean_up_on_signals(&unfinished)?;
    let report = args.report.as_ref().map(|path| Output::create(path, &unfinished)).transpose()?;

    let mut session = Session::new(args.limit, args.warmup as usize, args.rounds as usize);
    let mut code = ExitCode::SUCCESS;
    for (file, text) in args.texts()? {
        match args.measure(&file, &text, &unfinished, &mut session) {
            Ok(()) => {}
            Err(BenchError::Error(error)) => return Err(error.into()),
            Err(refusal) => {
                say(format_args!("rapidoku: {file}: {refusal}"));
                code = ExitCode::from(1);
            }
        }
    }
    if session.results.is_empty() {
        return Ok(code);
    }
    if let Some(mut output) = report {
        output.write(session.page().as_bytes())?;
        output.finish()?;
    }
    let comparison = earlier.map(|earlier| compare::compare(&earlier, &session));
    let text = if args.json {
        serde_json::to_string_pretty(&session)? + "\n"
    } else if args.csv {
        table::csv(&session)
    } else {
        table::tables(&session) + comparison.as_deref().unwrap_or_default()
    };
    Output::stdout().write(text.as_bytes())?;
    if let Some(comparison) = comparison.filter(|_| args.json || args.csv) {
        say(format_args!("{}", comparison.trim_end()));
    }
    Ok(code)
}

impl Args {
    /// Names and contents of the files.
    fn texts(&self) -> anyhow::Result<Vec<(String, Text<'static>)>> {
        if self.files.is_empty() {
            return Ok(CARRIED.map(|(name, text)| (name.to_owned(), text.into())).into());
        }
        let format = self.format.format();
        let read = |path: &PathBuf| {
            let input = Input::from_operand(path);
            Ok((input.name(), bench::load(&input, &format)?))
        };
        self.files.iter().map(read).collect()
    }

    /// Lets all contestants have a go at a dataset and notes how it ended.
    fn measure(
        &self,
        file: &str,
        text: &Text,
        unfinished: &Unfinished,
        session: &mut Session,
    ) -> Result<(), BenchError> {
        let engines = self.takers(file, text)?;
        let field = self.field(&engines);
        let slow = self.slow(text);
        let contestants =
            field.iter().map(|&(engine, threads)| self.contestant(engine, threads, slow)).collect();
        let contest = Contest {
            contestants,
            rivals: self.rival.clone(),
            warmup: session.warmup,
            rounds: session.rounds,
            unfinished: unfinished.clone(),
        };
        let standings = contest.on(text)?;
        let first = &standings.reports[0];
        session.datasets.push(Dataset {
            file: file.to_owned(),
            records: first.records_in_text,
            hash: first.dataset_hash.clone(),
            rivals: standings.rivals,
            difficulty: self.report.is_some().then(|| self.difficulty(text, &engines)),
        });
        let rows = field.into_iter().zip(contest.contestants).zip(standings.reports);
        session.results.extend(rows.map(|(((engine, threads), contestant), report)| Row {
            file: file.to_owned(),
            name: contestant.name,
            engine: engine.name().to_owned(),
            simd: engine.level().map(|level| level.name().to_owned()),
            threads: thread_count(threads),
            max_guesses: Some(contestant.limits.guesses).filter(|&cap| cap != u64::MAX),
            report,
        }));
        Ok(())
    }

    /// The engines that take such puzzles; the others are named.
    fn takers(&self, file: &str, text: &Text) -> Result<Vec<SolverKind>, BenchError> {
        let engines = self.engines().into_iter();
        let (takers, others): (Vec<_>, Vec<_>) =
            engines.partition(|engine| engine.takes_candidates() || !text.has_pencilmarks());
        if others.is_empty() {
            return Ok(takers);
        }
        let names: Vec<_> = others.iter().map(|engine| engine.name()).collect();
        let seen = format!("its puzzles are in pencilmarks; clues only for {}", names.join(", "));
        if takers.is_empty() {
            return Err(Error::Format { name: file.to_owned(), reason: seen }.into());
        }
        say(format_args!("rapidoku: {file}: {seen}"));
        Ok(takers)
    }

    /// Who takes part: engines, each at its levels, each with so many threads.
    fn field(&self, engines: &[SolverKind]) -> Vec<(SolverKind, usize)> {
        let mut field = Vec::new();
        for &engine in engines {
            for &threads in &self.threads {
                if !field.contains(&(engine, threads)) {
                    field.push((engine, threads));
                }
            }
        }
        field
    }

    fn engines(&self) -> Vec<SolverKind> {
        let all = ["lanes", "scalar"].into_iter().chain(Historical::ALL.map(Historical::name));
        let names = self.engine.iter().flat_map(|name| match name.as_str() {
            "all" => all.clone().collect(),
            name => vec![name],
        });
        let mut levels = Vec::new();
        for choice in &self.simd {
            match choice {
                Levels::All => levels.extend(Level::available()),
                Levels::One(level) => levels.push(*level),
            }
        }
        let mut engines = Vec::new();
        for name in names {
            for &level in &levels {
                let engine = SolverKind::from_name(name, level).expect("the parser knows all names");
                if !engines.contains(&engine) {
                    engines.push(engine);
                }
            }
        }
        engines
    }

    /// What solvers of old are spared on this text.
    fn slow(&self, text: &Text) -> Slow {
        let lines = text.lines().iter().filter(|&&byte| byte == b'\n').count().max(1);
        let max_records = Some(self.slow_records).filter(|&records| records != 0);
        let share = GUESSES / max_records.map_or(lines, |records| records.min(lines)) as u64;
        let cap = match self.slow_max_guesses {
            Some(0) => u64::MAX,
            Some(guesses) => guesses,
            None => share.max(1000),
        };
        Slow { max_guesses: cap.min(self.max_guesses.unwrap_or(u64::MAX)), max_records }
    }

    fn contestant(&self, engine: SolverKind, threads: usize, slow: Slow) -> Contestant<'static> {
        let limits = limits(self.limit, self.max_guesses);
        if !matches!(engine, SolverKind::Historical(_)) {
            return Contestant::engine(engine, limits, threads);
        }
        let limits = limits.max_guesses(slow.max_guesses);
        Contestant { max_records: slow.max_records, ..Contestant::engine(engine, limits, threads) }
    }

    fn difficulty(&self, text: &Text, engines: &[SolverKind]) -> Difficulty {
        let slow = self.slow(text);
        let contestants: Vec<_> = engines.iter().map(|&engine| self.contestant(engine, 1, slow)).collect();
        Difficulty::measure(text, &contestants)
    }
}

/// How many guesses the records of a solver of old share in a pass.
const GUESSES: u64 = 2_000_000;

/// What keeps a solver of old from taking hours.
#[derive(Clone, Copy)]
struct Slow {
    max_guesses: u64,
    max_records: Option<usize>,
}
