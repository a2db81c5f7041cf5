//! `rapidoku permute`: random equivalent copies of each puzzle.

use std::sync::atomic::AtomicU64;

use rapidoku::SimdLevel;
use rapidoku::file::Format;
use rapidoku::grid::Symmetry;
use rapidoku_jobs::permute::{COMPUTED, Permute};

use crate::args::output::{self, OutputFormat};
use crate::args::table::TableArgs;
use crate::progress::Work;
use crate::run::{RunArgs, Task};

/// Write random equivalent copies of each puzzle, or its image by a symmetry.
///
/// Each copy is made by one of the 2 x 6^8 x 9! symmetries, chosen uniformly at random. A symmetry maps rows, columns
/// and boxes to rows, columns and boxes, and renames digits. It is applied to the puzzle of a record and to its
/// solution, which is in the solution column of a table or after the puzzle in a line. The copies of a record follow
/// each other, and depend only on the seed, the number of copies and the number of the record.
///
/// Text has a puzzle per line, with a comma and the solution if there is one. A NumPy array has the shape (N, 81), or
/// (N, 2, 81) with puzzle and solution if the first input has solutions. A record that is not a puzzle becomes a grid
/// with the clue 1 twice in the first row, which is invalid, or 255 in all cells of an array; in tables it is copied as
/// it is.
#[derive(clap::Args)]
#[command(mut_arg("format", |format| format.help(FORMAT).value_parser(output::parser(OutputFormat::GRIDS))), after_help = "\
Examples:
  rapidoku permute puzzles.txt --copies 10 --seed 1 > augmented.txt
  rapidoku permute kaggle.csv --copies 4 --passthrough -o augmented.csv
  rapidoku permute kaggle.csv --copies 4 -o augmented.npy
  rapidoku permute puzzles.txt --by r213456789c123456789d125436789")]
pub struct Args {
    /// Number of copies of each record.
    #[arg(long, value_name = "K", default_value_t = 1)]
    copies: u64,

    /// Seed of the random numbers. The same seed gives the same copies.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// Apply this symmetry to each record instead, once. 'same' and the column 'symmetry' have the text of symmetries.
    #[arg(long, value_name = "SYMMETRY", conflicts_with_all = ["copies", "seed"])]
    by: Option<Symmetry>,

    #[command(flatten)]
    table: TableArgs,

    #[command(flatten)]
    run: RunArgs,
}

/// The help of `--format`.
const FORMAT: &str = "Output format. The columns of the command are puzzle, solution, copy (from 1) and symmetry; of a NumPy array, \
    puzzle and solution";

/// Runs `rapidoku permute`.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let format = args.table.choose_format(args.run.output.path(), OutputFormat::GRIDS)?.format();
    let is_array = format == Format::Npy;
    let defaults: &[&str] = if is_array { &[] } else { &["puzzle", "solution"] };
    let mut table = args.table.unsolved(args.table.table(format, &COMPUTED, defaults)?)?;
    // Without columns, the rows of an array have the solution if the first input has solutions.
    table.passthrough |= is_array && !args.table.has_columns();
    table.solution_if_given = !args.table.has_columns();
    let Args { copies, seed, by, .. } = *args;
    let (level, written) = (SimdLevel::detect(), AtomicU64::new(0));
    let permute = Permute { level, copies, seed, by, table, written };
    args.run.run(&Task { work: Work::Permuting(&permute.written), ..Task::default() }, &permute)?;
    Ok(0)
}
