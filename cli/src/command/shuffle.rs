//! `rapidoku shuffle`: the records in random order.

use rapidoku::file::Shuffle;

use crate::args::spill::SpillArgs;
use crate::rows::CopyArgs;
use crate::run::Task;

/// Write the records in random order.
///
/// The records are copied byte for byte, after the header of a table. The order depends only on the seed and the number
/// of records.
///
/// Inputs may be larger than --memory. They go to temporary files then, which the system removes however the program
/// ends.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rapidoku shuffle kaggle.csv.gz --seed 1 -o shuffled.csv.gz
  rapidoku shuffle huge.txt --memory 8G -o shuffled.txt")]
pub struct Args {
    /// Seed of the random numbers. The same seed gives the same order.
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,

    #[command(flatten)]
    spill: SpillArgs,

    #[command(flatten)]
    copies: CopyArgs,
}

/// Runs `rapidoku shuffle`.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    args.copies.run.reject_shard()?;
    let job = Shuffle::new(args.seed).table(args.copies.table()?).memory(args.spill.memory()?);
    args.copies.run.run(&Task::default(), &job)?;
    Ok(0)
}
