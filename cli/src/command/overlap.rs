//! `rapidoku overlap`: the records of some inputs that also occur in others.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};

use clap::ValueHint;
use rapidoku::file::{Dedup, Input, OverlapStats};

use crate::args::duplicates::{self, DuplicateArgs};
use crate::args::output::OutputFormat;
use crate::args::spill::explain;
use crate::args::table::TableArgs;
use crate::operands;
use crate::progress::Work;
use crate::run::{RunArgs, Task};

/// Find the puzzles of B that also occur in A, for example test data in training data.
///
/// A is the INPUT files, B the files given with --in. Writes a row for each record of B whose puzzle is in A: the
/// number of the record in B, the number of the first record in A with the same puzzle, and the puzzle, separated by
/// spaces. Records are numbered from 1 over all files of A, and over all files of B. CSV and JSON lines have all
/// columns of B, or 'puzzle' and 'note', then 'record' and 'first', unless --columns is given.
///
/// A summary goes to standard error. The exit code is 1 if there are such records, and 0 if there are none.
///
/// A puzzle whose clues clash equals only puzzles with the same clues. A record that is not a puzzle is ignored. B is
/// read twice, and copied to a temporary file if it is standard input or a pipe.
#[derive(clap::Args)]
#[command(
    override_usage = "rapidoku overlap [OPTIONS] <INPUT>... --in <B>...",
    after_help = "\
Examples:
  rapidoku overlap train.csv --in test.csv
  rapidoku overlap train/*.csv.gz --in valid.csv test.csv --format csv -o leaks.csv
  rapidoku overlap --exact -q train.txt --in test.txt > /dev/null || echo 'test data leaked'"
)]
pub struct Args {
    /// Files whose records are searched for puzzles of A; '-' is standard input. All names that follow belong to B.
    #[arg(long = "in", value_name = "B", value_hint = ValueHint::FilePath, required = true, num_args = 1..)]
    within: Vec<PathBuf>,

    #[command(flatten)]
    table: TableArgs,

    #[command(flatten)]
    duplicates: DuplicateArgs,

    #[command(flatten)]
    run: RunArgs,
}

/// Runs `rapidoku overlap`.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if !args.run.has_inputs() {
        anyhow::bail!("no INPUT before --in; '-' is standard input");
    }
    let format = args.table.choose_format(args.run.output.path(), OutputFormat::ROWS)?.format();
    let dedup = Dedup {
        memory: args.duplicates.spill.memory()?,
        table: duplicates::table(&args.table, format, &["record", "first"])?,
        ..Dedup::new(args.duplicates.equivalence())
    };
    let within: Vec<Input> =
        args.within.iter().map(|operand| operands::input(operand)).collect::<anyhow::Result<_>>()?;
    let duplicates = AtomicU64::new(0);
    let solver = args.duplicates.solver();
    let work = Work::Comparing { duplicates: &duplicates, has_statuses: solver.is_some() };
    let mut found = OverlapStats::default();
    args.run.reject_shard()?;
    args.run.reject_range()?;
    let task = Task { level: Some(args.duplicates.level()), others: &within, ..Task::new(work, solver) };
    let run = args.run.start(&task, |mut run, on_event| {
        let inputs = std::mem::replace(&mut run.inputs, within.clone());
        let stats = dedup.overlap(&inputs, run, on_event)?;
        duplicates.store(stats.found, Ordering::Relaxed);
        found = stats.clone();
        Ok(stats.run)
    });
    run.map_err(explain)?;
    let OverlapStats { records, records_within, found, .. } = found;
    args.run
        .output
        .message(format_args!("records in A: {records}, in B: {records_within}, of these in A: {found}"));
    Ok(ExitCode::from((found > 0) as u8))
}
