//! `rapidoku dedup`: removes or marks duplicates.

use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};

use rapidoku::file::Dedup;

use crate::args::duplicates::{self, DuplicateArgs};
use crate::args::output::{self, OutputFormat};
use crate::args::spill::explain;
use crate::args::table::TableArgs;
use crate::progress::Work;
use crate::run::{RunArgs, Task};

/// Remove duplicate puzzles, or mark them.
///
/// Of several records with the same puzzle, over all inputs, only the first is kept; the order does not change. The
/// output has copies of the records, byte for byte, and the header of a table. CSV and JSON lines of an input with
/// another format have all its columns, or 'puzzle' and 'note', unless --columns is given.
///
/// A puzzle whose clues clash equals only puzzles with the same clues. A record that is not a puzzle is always kept.
///
/// All inputs are read before the first row is written, and again while rows are written, so standard input and pipes
/// are copied to a temporary file.
#[derive(clap::Args)]
#[command(mut_arg("format", |format| format.value_parser(output::parser(OutputFormat::GRIDS))), after_help = "\
Examples:
  rapidoku dedup a.txt b.txt > unique.txt
  rapidoku dedup --exact kaggle.csv -o unique.csv
  rapidoku dedup --mark puzzles.csv --format csv -o marked.csv")]
pub struct Args {
    /// Keep all records, and write for each the number of the first record with the same puzzle: alone as text, in the
    /// column 'first' of CSV and JSON lines. Records are numbered from 1 over all inputs.
    #[arg(long)]
    mark: bool,

    #[command(flatten)]
    table: TableArgs,

    #[command(flatten)]
    duplicates: DuplicateArgs,

    #[command(flatten)]
    run: RunArgs,
}

/// Runs `rapidoku dedup`.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let written = if args.mark { OutputFormat::ROWS } else { OutputFormat::GRIDS };
    let format = args.table.choose_format(args.run.output.path(), written)?.format();
    let added: &[&str] = if args.mark { &["first"] } else { &[] };
    let dedup = Dedup {
        mark: args.mark,
        table: duplicates::table(&args.table, format, added)?,
        memory: args.duplicates.spill.memory()?,
        ..Dedup::new(args.duplicates.equivalence())
    };
    let duplicates = AtomicU64::new(0);
    let solver = args.duplicates.solver();
    let work = Work::Comparing { duplicates: &duplicates, has_statuses: solver.is_some() };
    args.run.reject_shard()?;
    args.run.reject_range()?;
    let task = Task { level: Some(args.duplicates.level()), ..Task::new(work, solver) };
    let stats = args.run.start(&task, |run, on_event| {
        let stats = dedup.run(run, on_event)?;
        duplicates.store(stats.duplicates, Ordering::Relaxed);
        Ok(stats.run)
    });
    let stats = stats.map_err(explain)?;
    let (records, duplicates) = (stats.records, duplicates.into_inner());
    let what = if args.mark { "marked" } else { "removed" };
    args.run.output.message(format_args!("records: {records}, duplicates {what}: {duplicates}"));
    Ok(ExitCode::SUCCESS)
}
