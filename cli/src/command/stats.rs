//! `rapidoku stats`: a description of a set of puzzles.

use rapidoku::file::{Describe, Description};
use rapidoku_jobs::solver::LimitedSolver;

use crate::args::output::{self, OutputFormat};
use crate::args::solver::{ER_COLUMN, SimdArgs};
use crate::describe;
use crate::run::{RunArgs, Task};

/// Describe a set of puzzles: statuses, clues, guesses, techniques, duplicates, layout.
///
/// Both equal and equivalent puzzles are counted as duplicates. Their numbers are exact for up to 7,340,032 different
/// puzzles; above that, they are estimates from a random sample of several million, and marked as such.
///
/// Guesses are those of the lane engine until it is known whether the solution is unique. Techniques are those of
/// 'rapidoku rate'. Ratings take nearly all of the time: see --no-rate.
#[derive(clap::Args)]
#[command(mut_arg("output", |output| output.help(OUTPUT)), after_help = "\
Examples:
  rapidoku stats puzzles.txt
  rapidoku stats kaggle.csv.gz --no-rate -o kaggle.html
  rapidoku stats puzzles.txt --format json | jq .equivalent.duplicates")]
pub struct Args {
    /// Output format. By default, the extension of the output selects it, or else it is text.
    #[arg(long, value_name = "FORMAT", value_parser = output::parser(FORMATS))]
    format: Option<OutputFormat>,

    /// Do not rate puzzles, which takes a hundred times as long as the rest.
    #[arg(long)]
    no_rate: bool,

    #[arg(long, value_name = "COLUMN", conflicts_with = "no_rate", help = format!("{ER_COLUMN}. Techniques are not counted then"))]
    er_column: Option<String>,

    #[command(flatten)]
    simd: SimdArgs,

    /// The number of different puzzles up to which duplicates are counted exactly.
    #[arg(long, hide = true, value_name = "N", default_value_t = Describe::default().max_distinct)]
    max_distinct: usize,

    #[command(flatten)]
    run: RunArgs,
}

/// The help of `--output`.
const OUTPUT: &str =
    "Write to FILE instead of standard output; it appears only when it is complete. The extension selects the format";

/// The formats of the description.
const FORMATS: &[OutputFormat] = &[OutputFormat::Text, OutputFormat::JsonObject, OutputFormat::Html];

/// Runs `rapidoku stats`.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let describe = Describe {
        level: args.simd.level,
        rates: !args.no_rate,
        er_column: args.er_column.clone(),
        max_distinct: args.max_distinct,
    };
    let text: fn(&Description) -> String =
        match output::choose_format(args.format, args.run.output.path(), FORMATS, FORMATS[0])? {
            OutputFormat::Text => describe::text::text,
            OutputFormat::Html => describe::html::page,
            _ => |description| format!("{:#}\n", description.to_json()),
        };
    args.run.reject_shard()?;
    args.run.start(&Task::solving(LimitedSolver::unique(args.simd.level)), |mut run, on_event| {
        let mut output = run.outputs.pop().expect("there is one output");
        let (description, mut stats) = describe.run(run, on_event)?;
        let text = text(&description);
        output.write(text.as_bytes())?;
        output.finish()?;
        stats.output_bytes += text.len() as u64;
        Ok(stats)
    })?;
    Ok(0)
}
