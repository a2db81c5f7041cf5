//! What all commands that take records to rows have in common: inputs, output, threads, progress, statistics.

use std::fmt;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use rapidoku::file::internal::REPORTED;
use rapidoku::file::{
    self, BatchSolver, Config, Counts, Error, Event, Format, Input, Job, Layout, Mapping, Output, Stats,
    Unfinished,
};
use rapidoku::{Level, Limits};
use serde::Serialize;

use crate::args::FormatArgs;
use crate::error_report::Errors;
use crate::progress::{Progress, When};
use crate::solver::LimitedSolver;
use crate::{EngineArgs, say, signals};

/// Inputs, output and manners of a run.
#[derive(clap::Args)]
pub struct RunArgs {
    /// Files of puzzles; none or - is standard input.
    #[arg(value_name = "INPUT")]
    inputs: Vec<PathBuf>,

    /// Write to FILE, which appears when it is complete, instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Threads that solve, 0 for as many as the machine has.
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0, env = "RAPIDOKU_THREADS")]
    threads: usize,

    /// Read files instead of mapping them to memory.
    #[arg(long)]
    no_mmap: bool,

    /// Show a progress bar on standard error; auto does on a terminal.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto)]
    progress: When,

    /// Print statistics on standard error.
    #[arg(long)]
    stats: bool,

    /// Write statistics to FILE as JSON.
    #[arg(long, value_name = "FILE")]
    stats_json: Option<PathBuf>,

    /// Write every invalid record to FILE as JSON lines: input, record, line, byte_offset, column, reason.
    #[arg(long, value_name = "FILE")]
    errors: Option<PathBuf>,

    /// No reports of invalid records, no progress bar unless asked for.
    #[arg(short, long)]
    quiet: bool,

    #[command(flatten)]
    format: FormatArgs,

    #[arg(long, hide = true, value_name = "N")]
    batch_bytes: Option<usize>,
}

/// Who searches, and how far.
#[derive(clap::Args)]
pub struct SearchArgs {
    /// Give a puzzle up after N guesses (status `limit`).
    #[arg(long, value_name = "N")]
    max_guesses: Option<u64>,

    #[command(flatten)]
    engine: EngineArgs,
}

impl SearchArgs {
    /// The solver, up to so many solutions of a puzzle.
    pub fn up_to(&self, solutions: u64) -> LimitedSolver {
        LimitedSolver { kind: self.engine.solver(), limits: limits(solutions, self.max_guesses) }
    }
}

/// Rejects pencilmarks if the solver does not take candidates.
pub fn accept_pencilmarks(solver: &LimitedSolver, layout: &Layout) -> Result<(), String> {
    if !layout.has_pencilmarks() {
        return Ok(());
    }
    solver.accept_candidates().map_err(|reason| format!("its puzzles are in pencilmarks; {reason}"))
}

/// The limits of a command line, where the parser rejects 0 solutions.
pub fn limits(solutions: u64, max_guesses: Option<u64>) -> Limits {
    let solutions = NonZeroU64::new(solutions).unwrap_or(NonZeroU64::MIN);
    Limits::up_to(solutions).max_guesses(max_guesses.unwrap_or(u64::MAX))
}

/// Form of the output of commands that write rows.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Form {
    Text,
    Csv,
    Jsonl,
}

impl Form {
    pub fn format(self) -> Format {
        match self {
            Form::Text => Format::Text,
            Form::Csv => Format::Csv,
            Form::Jsonl => Format::Jsonl,
        }
    }
}

impl RunArgs {
    /// Runs `job` and reports on standard error. `solver` is what the job solves with, for the statistics.
    pub fn run<J: Job>(&self, solver: LimitedSolver, job: &J) -> anyhow::Result<Stats> {
        let unfinished = Unfinished::default();
        signals::clean_up_on_signals(&unfinished)?;
        let config = self.config(solver);
        let output = match &self.output {
            Some(path) if !self.writes_to_stdout() => Output::create(path, &unfinished)?,
            _ => Output::stdout(),
        };
        // Whether it can be written is better known before the run than after it.
        let stats_output =
            self.stats_json.as_ref().map(|path| Output::create(path, &unfinished)).transpose()?;

        let mut errors = Errors::create(self.errors.as_deref(), &unfinished)?;

        let stats = self.watch(&config, job, output, &mut errors)?;

        errors.finish()?;
        let report = StatsReport::new(solver, &stats);
        if let Some(output) = stats_output {
            write_json(output, &report)?;
        }
        if self.stats {
            say(format_args!("{}", report.to_string().trim_end()));
        }
        Ok(stats)
    }

    pub fn writes_to_stdout(&self) -> bool {
        self.output.as_ref().is_none_or(|path| path == Path::new("-"))
    }

    fn config(&self, solver: LimitedSolver) -> Config {
        let mut config = Config::default()
            .mapping(if self.no_mmap { Mapping::NEVER } else { signals::mapping() })
            .format(self.format.format())
            .level(solver.kind.level().unwrap_or_default())
            .reported(if self.errors.is_some() { u64::MAX } else { REPORTED })
            .threads(self.threads);
        config.inputs = match &self.inputs[..] {
            [] => vec![Input::Stdin],
            operands => operands.iter().map(|operand| Input::from_operand(operand)).collect(),
        };
        config.batch_bytes = self.batch_bytes;
        config
    }

    /// The run, with what it has to tell meanwhile.
    fn watch<J: Job>(
        &self,
        config: &Config,
        job: &J,
        output: Output,
        errors: &mut Errors,
    ) -> Result<Stats, Error> {
        let mut progress = Progress::new(self.progress, self.quiet);
        // What the job writes itself need not be said again.
        let quiet = self.quiet || job.reports_invalid();
        let mut reported = 0;
        let result = file::run(config, job, output, &mut |event| match event {
            Event::Invalid(record) => {
                if !quiet && reported < REPORTED {
                    progress
                        .say(format_args!("rapidoku: {}:{}: {}", record.input, record.line, record.reason));
                    reported += 1;
                }
                errors.add(&record);
            }
            Event::Progress { stats, total_bytes } => progress.show(stats, total_bytes),
            _ => {}
        });
        progress.finish();
        let invalid = result.as_ref().map_or(0, |stats| stats.counts.invalid);
        if invalid > 0 && !quiet {
            let more = if invalid > reported {
                format!(", {} of them not shown", invalid - reported)
            } else {
                String::new()
            };
            say(format_args!("rapidoku: invalid records: {invalid}{more}"));
        }
        result
    }
}

fn write_json(mut output: Output, report: &StatsReport) -> anyhow::Result<()> {
    let mut json = serde_json::to_vec_pretty(report)?;
    json.push(b'\n');
    output.write(&json)?;
    Ok(output.finish()?)
}

/// The statistics of a run with what they are about, as `--stats-json` writes them and `--stats` prints them.
#[derive(Serialize)]
struct StatsReport<'a> {
    /// The version of this program.
    version: &'static str,
    /// The solver.
    engine: &'static str,
    /// Its SIMD level, if it uses one.
    #[serde(skip_serializing_if = "Option::is_none")]
    simd: Option<&'static str>,
    /// Solutions to stop at, per puzzle.
    limit: u64,
    #[serde(flatten)]
    stats: &'a Stats,
}

impl<'a> StatsReport<'a> {
    fn new(solver: LimitedSolver, stats: &'a Stats) -> StatsReport<'a> {
        StatsReport {
            version: env!("CARGO_PKG_VERSION"),
            engine: solver.kind.name(),
            simd: solver.kind.level().map(Level::name),
            limit: solver.limits.solutions.get(),
            stats,
        }
    }
}

impl fmt::Display for StatsReport<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stats = self.stats;
        let Counts { solved, unique, multiple, none, invalid, limit } = stats.counts;
        let (records, guesses) = (stats.records, stats.guesses);
        writeln!(f, "records  {records}, {guesses} guesses")?;
        write!(f, "status   solved {solved}, unique {unique}, multiple {multiple}, ")?;
        writeln!(f, "none {none}, invalid {invalid}, limit {limit}")?;
        writeln!(f, "bytes    {} in, {} out", stats.input_bytes, stats.output_bytes)?;
        write!(f, "time     {:.3} s, {:.0} puzzles/s, ", stats.wall_seconds, stats.puzzles_per_second)?;
        let simd = self.simd.map_or(String::new(), |level| format!(" ({level})"));
        writeln!(f, "{}{simd} engine, threads: {}", self.engine, stats.threads)?;
        write!(
            f,
            "         reading {:.3} s, solving {:.3} s, ",
            stats.reading_seconds, stats.solving_seconds
        )?;
        writeln!(f, "writing {:.3} s (sums over threads)", stats.writing_seconds)
    }
}
