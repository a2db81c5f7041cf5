//! Running a job for a command: inputs, output, threads, progress, diagnostics, statistics.

use std::io;
use std::path::{Path, PathBuf};

use anyhow::Context;
use rapidoku::file::internal::REPORTED;
use rapidoku::file::{self, Config, Error, Event, Input, Job, Mapping, Output, Stats, Unfinished};

use crate::args::input::FormatArgs;
use crate::args::parse_threads;
use crate::error_report::ErrorReport;
use crate::progress::{Progress, ProgressMode};
use crate::solver::LimitedSolver;
use crate::stats_report::StatsReport;
use crate::{signals, stderr};

/// The arguments that all commands with inputs share.
#[derive(clap::Args)]
pub struct RunArgs {
    /// Input files; '-' or no file stands for standard input.
    #[arg(value_name = "INPUT")]
    inputs: Vec<PathBuf>,

    /// Write to FILE instead of standard output; it appears only when it is complete. Compressed if the name ends in
    /// .gz or .zst.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Number of worker threads; 0 uses all cores.
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0, env = "RAPIDOKU_THREADS", value_parser = parse_threads)]
    threads: usize,

    /// Read input files instead of mapping them into memory.
    #[arg(long)]
    no_mmap: bool,

    /// When to show progress on standard error.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = ProgressMode::Auto)]
    progress: ProgressMode,

    /// Print statistics to standard error.
    #[arg(long)]
    stats: bool,

    /// Write statistics to FILE as JSON.
    #[arg(long, value_name = "FILE")]
    stats_json: Option<PathBuf>,

    /// Write every invalid record to FILE as JSON lines: input, record, line, byte_offset, column, reason.
    #[arg(long, value_name = "FILE")]
    errors: Option<PathBuf>,

    /// Do not wait until the files written are on the disk. A crash of the system may then lose or damage them.
    #[arg(long)]
    no_sync: bool,

    /// Do not report invalid records, and hide the progress bar unless --progress is 'always'.
    #[arg(short, long)]
    quiet: bool,

    #[command(flatten)]
    format: FormatArgs,

    #[arg(long, hide = true, value_name = "N")]
    batch_bytes: Option<usize>,
}

impl RunArgs {
    /// Runs `job`. `solver` is the solver of the job, for the statistics.
    pub fn run<J: Job>(&self, solver: LimitedSolver, job: &J) -> anyhow::Result<Stats> {
        let unfinished = Unfinished::default();
        signals::clean_up_on_signals(&unfinished).context("cannot install signal handlers")?;
        let config = self.config(solver);
        // All outputs are created before the run: a path that cannot be written fails at once, not after an hour.
        let create = |path: &PathBuf| -> Result<Output, Error> {
            if self.writes_to_stdout() && is_stdout(path) {
                let source = io::Error::other("another output has the same name");
                return Err(Error::Create { name: path.display().to_string(), source });
            }
            Ok(Output::create(path, &unfinished)?.sync(!self.no_sync))
        };
        let output = match &self.output {
            Some(path) if !self.writes_to_stdout() => create(path)?,
            _ => Output::stdout(),
        };
        let stats_output = self.stats_json.as_ref().map(create).transpose()?;
        let mut errors = ErrorReport::new(self.errors.as_ref().map(create).transpose()?);

        let stats = self.run_with_progress(&config, job, output, &mut errors)?;

        errors.finish()?;
        let report = StatsReport::new(solver, &stats);
        if let Some(output) = stats_output {
            report.write_json(output)?;
        }
        if self.stats {
            stderr::lines(&report.to_string());
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

    /// Runs `job` while showing progress and the first invalid records.
    fn run_with_progress<J: Job>(
        &self,
        config: &Config,
        job: &J,
        output: Output,
        errors: &mut ErrorReport,
    ) -> Result<Stats, Error> {
        let mut progress = Progress::new(self.progress, self.quiet);
        let quiet = self.quiet || job.reports_invalid();
        let mut reported = 0;
        let result = file::run(config, job, output, &mut |event| match event {
            Event::Invalid(record) => {
                if !quiet && reported < REPORTED {
                    progress.message(format_args!("{}:{}: {}", record.input, record.line, record.reason));
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
            let not_shown = match invalid - reported {
                0 => String::new(),
                n => format!(", {n} of them not shown"),
            };
            stderr::message(format_args!("invalid records: {invalid}{not_shown}"));
        }
        let not_utf8 = result.as_ref().map_or(0, |stats| stats.not_utf8);
        if not_utf8 > 0 && !self.quiet {
            stderr::message(format_args!(
                "records with bytes that are not UTF-8, replaced in JSON: {not_utf8} (see the key not_utf8)"
            ));
        }
        result
    }
}

/// Whether standard output is redirected to this file, which would replace it.
#[cfg(unix)]
fn is_stdout(path: &Path) -> bool {
    use std::fs::{self, File};
    use std::os::{fd::AsFd, unix::fs::MetadataExt};
    let stdout = io::stdout().as_fd().try_clone_to_owned().and_then(|file| File::from(file).metadata());
    let (Ok(stdout), Ok(other)) = (stdout, fs::metadata(path)) else { return false };
    stdout.is_file() && (stdout.dev(), stdout.ino()) == (other.dev(), other.ino())
}

#[cfg(not(unix))]
fn is_stdout(_: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use rapidoku::SimdLevel;

    use super::*;
    use crate::args::solver::SearchArgs;

    #[derive(Parser)]
    struct Args {
        #[command(flatten)]
        run: RunArgs,
        #[command(flatten)]
        search: SearchArgs,
    }

    #[test]
    fn the_level_applies_to_the_parser() {
        for level in SimdLevel::available() {
            let args = Args::parse_from(["program", "--simd", level.name()]);
            assert_eq!(args.run.config(args.search.solver(1)).level, level);
        }
    }
}
