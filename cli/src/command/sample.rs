//! `rapidoku sample`: a random sample of the records.

use rapidoku::file::Sample;

use crate::args::number::parse_number;
use crate::rows::CopyArgs;
use crate::run::Task;

/// Write a random sample of the records, in input order.
///
/// Every set of N records has the same probability. The records are copied byte for byte, with the header of a table,
/// unless another format is chosen. The inputs are read once, so they may be pipes. The sample depends on the seed and
/// the numbers of the records only.
///
/// Invalid records are sampled like others; 'rapidoku check --only unique,multiple,none'
/// removes them. The sample is in memory until all records have been read.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rapidoku sample 1000 kaggle.csv.gz -o sample.csv
  rapidoku check puzzles.txt --only unique | rapidoku sample 100 --seed 7")]
pub struct Args {
    /// Number of records. If there are fewer, all are written, with a message.
    #[arg(value_name = "N", value_parser = parse_count)]
    n: u64,

    /// Seed of the random numbers. The same seed gives the same sample.
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,

    #[command(flatten)]
    copies: CopyArgs,
}

/// Runs `rapidoku sample`.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    args.copies.run.reject_shard()?;
    let job = Sample::new(args.n, args.seed).table(args.copies.table()?);
    let stats = args.copies.run.run(&Task::default(), &job)?;
    if stats.records < args.n {
        args.copies
            .run
            .output
            .message(format_args!("records: {}, fewer than {}; all were written", stats.records, args.n));
    }
    Ok(0)
}

fn parse_count(text: &str) -> Result<u64, String> {
    parse_number(text).map_err(|reason| format!("{reason}; the number comes first: rapidoku sample 10 FILE"))
}
