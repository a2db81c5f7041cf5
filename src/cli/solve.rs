//! `rapidoku solve`: a file of puzzles in, a file of solutions out.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::ValueEnum;
use rapidoku::engine::Search;
use rapidoku::error::Error;
use rapidoku::input::Input;
use rapidoku::output::{Format, Output, Unfinished};
use rapidoku::pipeline::{self, Config, Event};
use rapidoku::stats::Stats;

use super::progress::{Progress, When};
use super::{EngineArgs, say, signals};

/// Solve every puzzle of the inputs, one row out per record in, in the same order.
///
/// A record is a line of 81 cells: digits, and for blanks one of . 0 - _ * ? x X. What follows the cells
/// after a space, tab, comma or semicolon is ignored. Blank lines and lines starting with # are no records.
#[derive(clap::Args)]
pub struct Args {
    /// Files of puzzles; none or - is standard input.
    #[arg(value_name = "INPUT")]
    inputs: Vec<PathBuf>,

    /// Write to FILE, which appears when it is complete, instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Threads that solve, 0 for as many as the machine has.
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0, env = "RAPIDOKU_THREADS")]
    threads: usize,

    /// Stop at N solutions per puzzle: 1 finds one, 2 proves that it is the only one, more count.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    limit: u64,

    /// Give a puzzle up after N guesses (status `limit`).
    #[arg(long, value_name = "N")]
    max_guesses: Option<u64>,

    /// Form of the output: solutions only, or puzzle,solution,status,solutions.
    #[arg(long, value_enum, default_value_t = Form::Text)]
    format: Form,

    /// Read files instead of mapping them to memory.
    #[arg(long)]
    no_mmap: bool,

    /// Exit with code 1 if any record is invalid, or without solution, or given up.
    #[arg(long)]
    strict: bool,

    /// Show a progress bar on standard error; auto does on a terminal.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto)]
    progress: When,

    /// Print statistics on standard error.
    #[arg(long)]
    stats: bool,

    /// Write statistics to FILE as JSON.
    #[arg(long, value_name = "FILE")]
    stats_json: Option<PathBuf>,

    /// No reports of invalid records, no progress bar unless asked for.
    #[arg(short, long)]
    quiet: bool,

    #[command(flatten)]
    engine: EngineArgs,

    #[arg(long, hide = true, value_name = "N")]
    batch_bytes: Option<usize>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Form {
    Text,
    Csv,
}

/// Runs the subcommand.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let config = args.config();
    let unfinished = Unfinished::default();
    signals::clean_up_on_signals(&unfinished)?;
    let output = match &args.output {
        Some(path) if path != Path::new("-") => Output::create(path, &unfinished)?,
        _ => Output::stdout(),
    };
    // Whether it can be written is better known before the run than after it.
    let stats_output = args.stats_json.as_ref().map(|path| Output::create(path, &unfinished)).transpose()?;

    let stats = solve(&args, &config, output)?;

    if let Some(output) = stats_output {
        write_json(output, &stats)?;
    }
    if args.stats {
        say(format_args!("{}", stats.to_string().trim_end()));
    }
    Ok(ExitCode::from((args.strict && stats.counts.without_answer() > 0) as u8))
}

impl Args {
    fn config(&self) -> Config {
        let inputs = match &self.inputs[..] {
            [] => vec![Input::Stdin],
            operands => operands.iter().map(|operand| Input::from_operand(operand)).collect(),
        };
        Config {
            inputs,
            may_map: !self.no_mmap,
            engine: self.engine.engine(),
            search: Search { limit: self.limit, max_guesses: self.max_guesses.unwrap_or(u64::MAX) },
            format: match self.format {
                Form::Text => Format::Text,
                Form::Csv => Format::Csv,
            },
            threads: self.threads,
            batch_bytes: self.batch_bytes,
        }
    }
}

/// The run, with what it has to tell meanwhile.
fn solve(args: &Args, config: &Config, output: Output) -> Result<Stats, Error> {
    let mut progress = Progress::new(args.progress, args.quiet);
    let mut reported = 0;
    let result = pipeline::run(config, output, &mut |event| match event {
        Event::Invalid { input, line, reason } if !args.quiet => {
            progress.say(format_args!("rapidoku: {input}:{line}: {reason}"));
            reported += 1;
        }
        Event::Invalid { .. } => {}
        Event::Progress { stats, total_bytes } => progress.show(stats, total_bytes),
    });
    progress.finish();
    let invalid = result.as_ref().map_or(0, |stats| stats.counts.invalid);
    if invalid > 0 && !args.quiet {
        let more = if invalid > reported {
            format!(", {} of them not shown", invalid - reported)
        } else {
            String::new()
        };
        say(format_args!("rapidoku: invalid records: {invalid}{more}"));
    }
    result
}

fn write_json(mut output: Output, stats: &Stats) -> anyhow::Result<()> {
    let mut json = serde_json::to_vec_pretty(stats)?;
    json.push(b'\n');
    output.write(&json)?;
    Ok(output.finish()?)
}
