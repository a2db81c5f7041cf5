//! Running a job for a command: inputs, output, threads, progress, diagnostics, statistics.

use std::fmt;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::ValueHint;
use rapidoku::file::internal::REPORTED;
use rapidoku::file::{Counts, Error, Event, Input, InvalidRecord, Job, Mapping, Notes, Run, Shard, Stats, Unfinished};
use rapidoku_jobs::solver::LimitedSolver;

use crate::args::input::FormatArgs;
use crate::args::number::{parse_number, parse_positive};
use crate::args::output::{OutputFormat, check_name};
use crate::args::{parse_threads, threads_of_environment};
use crate::error_report::ErrorReport;
use crate::number::statuses;
use crate::operands::{self, Outputs};
use crate::progress::{Progress, ProgressMode, Work};
use crate::{closed, signals, stats_report, stderr};

/// The arguments that all commands with an output share.
#[derive(clap::Args)]
pub struct OutputArgs {
    /// Write to FILE instead of standard output; the extension selects format and compression.
    ///
    /// The file appears under its name only when it is complete. It is compressed if the name ends in .gz or .zst. The
    /// extension before that selects the format; one that means a format that is not written is an error.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,

    /// Number of worker threads [default: one per core].
    ///
    /// At most 512; 0 stands for all cores. The environment variable RAPIDOKU_THREADS changes the default.
    #[arg(short = 'j', long, value_name = "N", value_hint = ValueHint::Other, value_parser = parse_threads)]
    threads: Option<usize>,

    /// When to show progress on standard error.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = ProgressMode::Auto, hide_short_help = true)]
    progress: ProgressMode,

    /// Print statistics to standard error, or write them to FILE as JSON; '-' is standard output, if the rows go
    /// elsewhere.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, num_args = 0..=1, require_equals = true)]
    stats: Option<Option<PathBuf>>,

    /// Do not report invalid records, and hide the progress bar unless --progress is 'always'.
    #[arg(short, long)]
    quiet: bool,
}

/// The arguments that all commands with inputs share.
#[derive(clap::Args)]
pub struct RunArgs {
    /// Input files, or puzzles of 81 cells; '-' or no input stands for standard input.
    #[arg(value_name = "INPUT", value_hint = ValueHint::FilePath)]
    inputs: Vec<PathBuf>,

    /// Read the names of further input files from LIST, one per line, or separated by NUL bytes as 'find -print0'
    /// writes them; '-' is standard input.
    #[arg(long, value_name = "LIST", value_hint = ValueHint::FilePath, hide_short_help = true, help_heading = "Rarely needed")]
    files_from: Option<PathBuf>,

    /// The arguments about outputs.
    #[command(flatten)]
    pub output: OutputArgs,

    /// Read input files instead of mapping them into memory.
    #[arg(long, hide_short_help = true, help_heading = "Rarely needed")]
    no_mmap: bool,

    /// Write every invalid record to FILE as JSON lines.
    ///
    /// They have input, record, line, byte_offset (of the line in the decompressed input), column (if it is known) and
    /// reason. '-' is standard output, if the rows go elsewhere.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    errors: Option<PathBuf>,

    /// Process only part I of N of the inputs, from 1: the records that start in that part of their bytes. The outputs
    /// of all parts, concatenated in order, are the output without this option; only part 1 has the header of CSV.
    /// Inputs must be uncompressed files. Not available for grids, or with output that contains record or line numbers.
    #[arg(long, value_name = "I/N", value_hint = ValueHint::Other, value_parser = parse_shard, hide_short_help = true, help_heading = "Rarely needed")]
    shard: Option<Shard>,

    /// Leave out the first N records. Records keep their numbers.
    #[arg(long, value_name = "N", value_hint = ValueHint::Other, default_value_t = 0, value_parser = parse_number, hide_default_value = true, hide_short_help = true, help_heading = "Rarely needed")]
    skip: u64,

    /// Process at most N records, after those of --skip. The rest of the inputs is not read.
    #[arg(long, value_name = "N", value_hint = ValueHint::Other, value_parser = parse_positive, hide_short_help = true, help_heading = "Rarely needed")]
    take: Option<u64>,

    #[command(flatten)]
    format: FormatArgs,

    #[arg(long, hide = true, value_name = "N", value_hint = ValueHint::Other)]
    batch_bytes: Option<usize>,
}

/// The option that names an output, and its path; standard output without one.
pub type NamedOutput<'a> = (&'static str, Option<&'a Path>);

/// What a command does in its run, beside its inputs and options. By default, it copies records, without a solver.
#[derive(Default)]
pub struct Task<'a> {
    /// What the progress and the statistics show.
    pub work: Work<'a>,
    /// The solver, for the statistics. Its SIMD level is that of the parser.
    pub solver: Option<LimitedSolver>,
    /// Further inputs.
    pub others: &'a [Input],
    /// The outputs; if empty, that of `--output`.
    pub outputs: &'a [NamedOutput<'a>],
    /// Whether the rows report invalid records, so that messages need not.
    pub reports_invalid: bool,
    /// Whether the run goes on if the reader of the rows closes the pipe, because the exit code depends on all records.
    pub outlives_reader: bool,
}

impl Task<'_> {
    /// Solves every record.
    pub fn solving(solver: LimitedSolver) -> Task<'static> {
        Task { work: Work::Solving, solver: Some(solver), ..Task::default() }
    }
}

impl RunArgs {
    /// Runs a job.
    pub fn run(&self, task: &Task, job: &dyn Job) -> anyhow::Result<Stats> {
        self.output.start(self.inputs(task)?, task, Some(self), |run, on_event| run.start(job, on_event))
    }

    /// Builds a run, and starts it with `start`.
    pub fn start(
        &self,
        task: &Task,
        start: impl FnOnce(Run, &mut dyn FnMut(Event)) -> Result<Stats, Error>,
    ) -> anyhow::Result<Stats> {
        self.output.start(self.inputs(task)?, task, Some(self), start)
    }

    /// For commands whose rows depend on all records.
    ///
    /// # Errors
    /// If `--shard` was given.
    pub fn reject_shard(&self) -> anyhow::Result<()> {
        anyhow::ensure!(self.shard.is_none(), "--shard is not supported: the command needs all records");
        Ok(())
    }

    /// For commands that read records twice.
    ///
    /// # Errors
    /// If `--skip` or `--take` was given.
    pub fn reject_range(&self) -> anyhow::Result<()> {
        let is_all = self.skip == 0 && self.take.is_none();
        anyhow::ensure!(
            is_all,
            "--skip and --take are not supported: the inputs are read twice; 'rapidoku convert' copies these records"
        );
        Ok(())
    }

    /// Whether there are operands or a list of files. Without them, the input is standard input.
    pub fn has_inputs(&self) -> bool {
        !self.inputs.is_empty() || self.files_from.is_some()
    }

    /// Whether all inputs are puzzles on the command line.
    pub fn are_puzzles(&self) -> bool {
        let is_puzzle = |input: &Input| matches!(input, Input::Text(_));
        self.has_inputs()
            && self.files_from.is_none()
            && operands::inputs(&self.inputs).is_ok_and(|inputs| inputs.iter().all(is_puzzle))
    }

    /// Reports what a filter kept of some records. The exit code is 1 if that is nothing, as that of grep.
    pub fn report_kept(&self, records: u64, kept: u64) -> u8 {
        self.output.message(format_args!("records: {records}, kept: {kept}, left out: {}", records - kept));
        (kept == 0).into()
    }

    /// Reports the statuses of the records, unless all puzzles among them are `wanted`. Another message has invalid
    /// records.
    pub fn report_statuses(&self, counts: &Counts, wanted: u64) {
        if wanted + counts.invalid < counts.records() {
            let all = statuses(counts).map(|(status, count)| format!(", {status} {count}"));
            self.output.message(format_args!("records: {}{}", counts.records(), all.collect::<String>()));
        }
    }

    /// A run without outputs.
    pub fn inputs(&self, task: &Task) -> anyhow::Result<Run> {
        let mut run = Run {
            inputs: operands::inputs(&self.inputs)?,
            mapping: if self.no_mmap { Mapping::NEVER } else { signals::mapping() },
            input_options: self.format.options(),
            level: task.solver.and_then(|solver| solver.kind.level()).unwrap_or_default(),
            reported: if self.errors.is_some() { u64::MAX } else { REPORTED },
            shard: self.shard,
            batch_bytes: self.batch_bytes,
            skip: self.skip,
            take: self.take,
            ..Run::default()
        };
        match &self.files_from {
            Some(list) => {
                let paths = operands::read_list(list)?;
                run.inputs.extend(paths.iter().map(|path| Input::from_operand(path)));
            }
            None if self.inputs.is_empty() => run.inputs.push(Input::Stdin),
            None => {}
        }
        Ok(run)
    }
}

impl OutputArgs {
    /// Creates the outputs of a run, starts it with `start`, and writes the statistics. `reading` are the arguments of
    /// a command with inputs.
    pub fn start(
        &self,
        mut run: Run,
        task: &Task,
        reading: Option<&RunArgs>,
        start: impl FnOnce(Run, &mut dyn FnMut(Event)) -> Result<Stats, Error>,
    ) -> anyhow::Result<Stats> {
        let unfinished = Unfinished::default();
        signals::clean_up_on_signals(&unfinished).context("cannot install signal handlers")?;
        run.threads = self.threads()?;
        // All outputs are created before the run: a path that cannot be written fails at once, not after an hour.
        let inputs = [&run.inputs, task.others].concat();
        let mut outputs = Outputs { inputs: &inputs, unfinished: &unfinished, stdout: None };
        let rows = [("the rows", self.output.as_deref())];
        let named = if task.outputs.is_empty() { &rows } else { task.outputs };
        for (option, path) in named {
            run.outputs.push(outputs.create(option, *path)?.outlives_reader(task.outlives_reader));
        }
        let mut create = |option, path: Option<&Path>, format| {
            let Some(path) = path else { return Ok(None) };
            check_name(option, path, format)?;
            outputs.create(option, Some(path)).map(Some)
        };
        let stats_file = self.stats.iter().flatten().next();
        let stats_output = create("--stats", stats_file.map(|path| &**path), OutputFormat::JsonObject)?;
        let errors = create("--errors", reading.and_then(|args| args.errors.as_deref()), OutputFormat::Jsonl)?;
        let errors = ErrorReport::new(errors, reading.is_some_and(|args| args.shard.is_some()));
        self.open_stdin(&inputs)?;

        let progress = Progress::new(self.progress, self.quiet, task.work);
        let is_quiet = self.quiet || task.reports_invalid;
        let mut events = Events { progress: &progress, errors, is_quiet, reported: 0 };
        let result = progress.refresh_during(|| start(run, &mut |event| events.show(event)));
        progress.finish(result.as_ref().ok());
        let stats = result?;

        events.report_invalid(stats.counts.invalid);
        self.report_notes(&stats, task.work);
        events.errors.finish()?;
        match stats_output {
            Some(mut output) => {
                output.write(stats_report::json(task.work, task.solver, &stats).as_bytes())?;
                output.finish()?;
            }
            None if self.stats.is_some() => {
                stderr::lines(&stats_report::text(task.work, task.solver, &stats));
            }
            None => {}
        }
        Ok(stats)
    }

    /// Checks standard input, if it is an input.
    fn open_stdin(&self, inputs: &[Input]) -> anyhow::Result<()> {
        if !inputs.contains(&Input::Stdin) {
            return Ok(());
        }
        closed::stdin().map_err(|source| Error::Read { name: Input::Stdin.name(), source })?;
        if io::stdin().is_terminal() {
            let end = if cfg!(windows) { "Ctrl-Z and Enter" } else { "Ctrl-D" };
            self.message(format_args!("reading puzzles from the terminal; {end} on an empty line ends them"));
        }
        Ok(())
    }

    /// The argument of `--output`.
    pub fn path(&self) -> Option<&Path> {
        self.output.as_deref()
    }

    /// Whether the rows go to standard output.
    pub fn writes_to_stdout(&self) -> bool {
        self.output.as_ref().is_none_or(|path| path == Path::new("-"))
    }

    /// Prints a message, unless `--quiet` is given.
    pub fn message(&self, message: fmt::Arguments) {
        if !self.quiet {
            stderr::message(message);
        }
    }

    /// The number of threads, 0 for one per core.
    pub fn threads(&self) -> anyhow::Result<usize> {
        Ok(match self.threads {
            Some(threads) => threads,
            None => threads_of_environment()?[0],
        })
    }

    /// Tells what may mean that an input was not meant as it was read.
    fn report_notes(&self, stats: &Stats, work: Work) {
        let Notes { complete_grids, commented_puzzles, .. } = stats.notes;
        let is_harmless =
            matches!(work, Work::Copying | Work::Permuting(_) | Work::Comparing { .. } | Work::Generating(_));
        if complete_grids > 0 && !is_harmless {
            let all = if complete_grids == stats.records { "all records" } else { "records that" };
            self.message(format_args!("{all} are complete grids: {complete_grids}"));
        }
        if commented_puzzles > 0 {
            self.message(format_args!("comments that contain a puzzle, which are skipped: {commented_puzzles}"));
        }
    }
}

/// Shows progress and the first invalid records during a run.
struct Events<'a> {
    progress: &'a Progress<'a>,
    errors: ErrorReport,
    /// Whether invalid records are not shown.
    is_quiet: bool,
    /// The number of those that were shown.
    reported: u64,
}

impl Events<'_> {
    fn show(&mut self, event: Event) {
        match event {
            Event::Invalid(record) => {
                if !self.is_quiet && self.reported < REPORTED {
                    let InvalidRecord { input, line, byte_offset, reason, .. } = record;
                    let place = if self.errors.is_shard { format!(" byte {byte_offset}") } else { line.to_string() };
                    self.progress.display.message(format_args!("{input}:{place}: {reason}"));
                    self.reported += 1;
                }
                self.errors.add(&record);
            }
            Event::Progress { stats, total_bytes } => self.progress.show(stats, total_bytes),
            Event::Writing { stats, written_bytes, total_bytes } => {
                self.progress.show_writing(stats, written_bytes, total_bytes);
            }
            _ => {}
        }
    }

    /// Reports the number of invalid records.
    fn report_invalid(&self, invalid: u64) {
        if invalid > 0 && !self.is_quiet {
            let not_shown = match invalid - self.reported {
                0 => String::new(),
                n => format!(", {n} of them not shown"),
            };
            stderr::message(format_args!("invalid records: {invalid}{not_shown}"));
        }
    }
}

/// Parses a shard: its number from 1, and the number of shards.
fn parse_shard(text: &str) -> Result<Shard, &'static str> {
    let numbers = text.split_once('/').and_then(|(index, count)| index.parse().ok().zip(count.parse().ok()));
    numbers.and_then(|(index, count)| Shard::new(index, count)).ok_or("expected I/N, with I from 1 to N")
}
