//! `rapidoku dedup`: removes or marks duplicates.

use rapidoku::file::Dedup;

use crate::args::output::{self, OutputFormat};
use crate::compare::CompareArgs;

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
    compare: CompareArgs,
}

/// Runs `rapidoku dedup`.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let (written, added, what) = if args.mark {
        (OutputFormat::ROWS, &["first"][..], "marked")
    } else {
        (OutputFormat::GRIDS, &[][..], "removed")
    };
    let dedup = Dedup { mark: args.mark, ..args.compare.dedup(written, added)? };
    let (mut records, mut duplicates) = (0, 0);
    args.compare.start(&[], |run, on_event| {
        let stats = dedup.run(run, on_event)?;
        (records, duplicates) = (stats.run.records, stats.duplicates);
        Ok((stats.run, duplicates))
    })?;
    let output = &args.compare.run.output;
    output.message(format_args!("records: {records}, duplicates {what}: {duplicates}"));
    Ok(0)
}
