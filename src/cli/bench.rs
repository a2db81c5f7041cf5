//! `rapidoku bench`: measures the solver on files, from text in memory to solutions in memory.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use rapidoku::bench::{self, Plan, Refusal, Report};
use rapidoku::engine::Search;
use rapidoku::error::Error;
use rapidoku::grid::Status;
use rapidoku::output::Output;
use rapidoku::pipeline;
use rapidoku::simd::Level;
use rapidoku::stats::Counts;
use serde::Serialize;

use super::{EngineArgs, say};

/// Time the solver from text in memory to solutions in memory, and check its answers.
///
/// A round parses and solves all records of a file, several times over where that is short. Reading the
/// file, warming up and checking are not timed. No time is given for answers that are wrong or differ
/// between rounds: the exit code is then 1.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rapidoku bench puzzles.txt --limit 2 -j 1
  rapidoku bench easy.txt hard.txt --json")]
pub struct Args {
    /// Files of puzzles, measured one after the other.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Threads that solve, 0 for as many as the machine has.
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0, env = "RAPIDOKU_THREADS")]
    threads: usize,

    /// Stop at N solutions per puzzle: 1 finds one, 2 proves that it is the only one, more count.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    limit: u64,

    /// Give a puzzle up after N guesses (status `limit`).
    #[arg(long, value_name = "N")]
    max_guesses: Option<u64>,

    /// Rounds that are timed.
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,

    /// Rounds before those.
    #[arg(long, value_name = "N", default_value_t = 1)]
    warmup: u32,

    #[command(flatten)]
    engine: EngineArgs,

    /// Print a JSON object instead of a table.
    #[arg(long)]
    json: bool,
}

/// What was measured, where, and how.
#[derive(Serialize)]
struct Session {
    version: &'static str,
    engine: &'static str,
    /// Instruction set, of an engine that has a choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    simd: Option<&'static str>,
    threads: usize,
    cpu: String,
    limit: u64,
    /// Absent without a cap.
    #[serde(skip_serializing_if = "Option::is_none")]
    max_guesses: Option<u64>,
    warmup: usize,
    rounds: usize,
    files: Vec<FileReport>,
}

#[derive(Serialize)]
struct FileReport {
    file: String,
    #[serde(flatten)]
    report: Report,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let plan = args.plan();
    let engine = args.engine.engine();
    let mut session = Session {
        version: env!("CARGO_PKG_VERSION"),
        engine: engine.name(),
        simd: engine.level().map(Level::name),
        threads: plan.threads,
        cpu: cpu_model(),
        limit: args.limit,
        max_guesses: args.max_guesses,
        warmup: plan.warmup,
        rounds: plan.rounds,
        files: Vec::new(),
    };
    let mut code = ExitCode::SUCCESS;
    for path in &args.files {
        let file = path.display().to_string();
        let text = fs::read(path).map_err(|cause| Error::Read { name: file.clone(), cause })?;
        let solve = |puzzles: &_, outcomes: &mut _| engine.solve(puzzles, plan.search, outcomes);
        match bench::run(&text, &plan, solve) {
            Ok(report) => session.files.push(FileReport { file, report }),
            Err(Refusal::Threads(error)) => return Err(error.into()),
            Err(refusal) => {
                say(format_args!("rapidoku: {file}: {refusal}"));
                code = ExitCode::from(1);
            }
        }
    }
    if !session.files.is_empty() {
        let text = match args.json {
            true => serde_json::to_string_pretty(&session)? + "\n",
            false => headline(&session) + &table(&session.files),
        };
        Output::stdout().write(text.as_bytes())?;
    }
    Ok(code)
}

impl Args {
    fn plan(&self) -> Plan {
        Plan {
            search: Search { limit: self.limit, max_guesses: self.max_guesses.unwrap_or(u64::MAX) },
            threads: pipeline::threads(self.threads),
            warmup: self.warmup as usize,
            rounds: self.rounds as usize,
            ..Plan::default()
        }
    }
}

/// The processor's name where the system tells it (Linux), else its architecture.
fn cpu_model() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model =
        info.lines().find(|line| line.starts_with("model name")).and_then(|line| line.split_once(": "));
    model.map_or(std::env::consts::ARCH, |(_, name)| name).to_owned()
}

fn headline(session: &Session) -> String {
    let Session { version, engine, simd, threads, cpu, limit, warmup, rounds, .. } = session;
    let simd = simd.map_or(String::new(), |level| format!(" ({level})"));
    format!(
        "rapidoku {version}, {engine}{simd}, limit {limit}, threads {threads}, rounds {rounds} after {warmup}, {cpu}\n"
    )
}

/// One row per file, every column as wide as its widest cell.
fn table(files: &[FileReport]) -> String {
    let head = [
        "file",
        "records",
        "puzzles/s",
        "min",
        "max",
        "spread",
        "guesses/puzzle",
        "parse",
        "lanes busy",
        "outcomes",
        "statuses",
    ];
    let mut rows = vec![head.map(String::from)];
    rows.extend(files.iter().map(|FileReport { file, report }| {
        let rates = &report.puzzles_per_second;
        [
            file.clone(),
            report.records.to_string(),
            format!("{:.0}", rates.median),
            format!("{:.0}", rates.min),
            format!("{:.0}", rates.max),
            format!("{:.1} %", 100.0 * rates.spread),
            format!("{:.2}", report.guesses_per_puzzle),
            format!("{:.1} %", 100.0 * report.parse_share),
            report.occupancy.map_or("-".into(), |share| format!("{:.1} %", 100.0 * share)),
            report.outcomes_hash.clone(),
            statuses(report.counts),
        ]
    }));
    let widths: [usize; 11] =
        std::array::from_fn(|i| rows.iter().map(|row| row[i].chars().count()).max().unwrap_or(0));
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().zip(widths).enumerate().map(|(i, (cell, width))| match i {
            0 => format!("{cell:width$}"),
            10 => cell.clone(),
            _ => format!("{cell:>width$}"),
        });
        text += cells.collect::<Vec<_>>().join("  ").trim_end();
        text.push('\n');
    }
    text
}

/// Those that occur: `3 unique, 1 invalid`.
fn statuses(counts: Counts) -> String {
    let Counts { solved, unique, multiple, none, invalid, limit } = counts;
    let named = Status::ALL.into_iter().zip([solved, unique, multiple, none, invalid, limit]);
    let occurring = named.filter(|&(_, count)| count > 0);
    occurring.map(|(status, count)| format!("{count} {status}")).collect::<Vec<_>>().join(", ")
}
