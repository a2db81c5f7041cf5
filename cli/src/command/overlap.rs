//! `rapidoku overlap`: the records of some inputs that also occur in others.

use std::path::PathBuf;

use anyhow::ensure;
use clap::ValueHint;
use rapidoku::file::OverlapStats;

use crate::args::output::OutputFormat;
use crate::compare::CompareArgs;
use crate::operands;

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
/// read twice, and A too if there is not enough --memory, so standard input and pipes are copied to a temporary file.
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
    compare: CompareArgs,
}

/// Runs `rapidoku overlap`.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let Args { within, compare } = args;
    ensure!(compare.run.has_inputs(), "no INPUT before --in; '-' is standard input");
    let dedup = compare.dedup(OutputFormat::ROWS, &["record", "first"])?;
    let within = within.iter().map(|operand| operands::input(operand)).collect::<anyhow::Result<Vec<_>>>()?;
    let mut result = OverlapStats::default();
    compare.start(&within, |mut run, on_event| {
        let inputs = std::mem::replace(&mut run.inputs, within.clone());
        result = dedup.overlap(&inputs, run, on_event)?;
        Ok((result.run.clone(), result.found))
    })?;
    let OverlapStats { records, records_within, found, .. } = result;
    let counts = format_args!("records in A: {records}, in B: {records_within}, of these in A: {found}");
    compare.run.output.message(counts);
    Ok((found > 0).into())
}
