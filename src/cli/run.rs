//! What all commands that take records to rows have in common: inputs, output, threads, progress, statistics.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use rapidoku::engine::{Engine, Search};
use rapidoku::error::Error;
use rapidoku::input::Input;
use rapidoku::job::{Format, Job};
use rapidoku::output::{Output, Unfinished};
use rapidoku::pipeline::{self, Config, Event, REPORTED};
use rapidoku::stats::Stats;

use super::errors::Errors;
use super::input::ReadingArgs;
use super::progress::{Progress, When};
use super::{EngineArgs, say, signals};

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
    reading: ReadingArgs,

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
    pub fn engine(&self) -> Engine {
        self.engine.engine()
    }

    pub fn up_to(&self, limit: u64) -> Search {
        Search { limit, max_guesses: self.max_guesses.unwrap_or(u64::MAX) }
    }
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
    /// Does `job` and tells on standard error what there is to tell.
    pub fn run<J: Job>(&self, engine: Engine, search: Search, job: &J) -> anyhow::Result<Stats> {
        let config = self.config(engine, search);
        let unfinished = Unfinished::default();
        signals::clean_up_on_signals(&unfinished)?;
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
        if let Some(output) = stats_output {
            write_json(output, &stats)?;
        }
        if self.stats {
            say(format_args!("{}", stats.to_string().trim_end()));
        }
        Ok(stats)
    }

    pub fn writes_to_stdout(&self) -> bool {
        self.output.as_ref().is_none_or(|path| path == Path::new("-"))
    }

    fn config(&self, engine: Engine, search: Search) -> Config {
        let inputs = match &self.inputs[..] {
            [] => vec![Input::Stdin],
            operands => operands.iter().map(|operand| Input::from_operand(operand)).collect(),
        };
        Config {
            inputs,
            may_map: !self.no_mmap,
            reading: self.reading.reading(),
            reported: if self.errors.is_some() { u64::MAX } else { REPORTED },
            engine,
            search,
            threads: self.threads,
            batch_bytes: self.batch_bytes,
        }
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
        let quiet = self.quiet || job.reports();
        let mut reported = 0;
        let result = pipeline::run(config, job, output, &mut |event| match event {
            Event::Invalid { input, line, reason, .. } => {
                if !quiet && reported < REPORTED {
                    progress.say(format_args!("rapidoku: {input}:{line}: {reason}"));
                    reported += 1;
                }
                errors.add(&event);
            }
            Event::Progress { stats, total_bytes } => progress.show(stats, total_bytes),
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

fn write_json(mut output: Output, stats: &Stats) -> anyhow::Result<()> {
    let mut json = serde_json::to_vec_pretty(stats)?;
    json.push(b'\n');
    output.write(&json)?;
    Ok(output.finish()?)
}
