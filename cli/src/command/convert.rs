//! `rapidoku convert`: puzzles in another format.

use std::sync::Mutex;
use std::sync::atomic::AtomicU64;

use rapidoku::SimdLevel;
use rapidoku::file::internal::GridText;
use rapidoku::file::{Format, Table};
use rapidoku_jobs::convert::{COMPUTED, Convert, Printed};
use rapidoku_jobs::solver::LimitedSolver;

use crate::args::output::{self, OutputFormat};
use crate::args::table::TableArgs;
use crate::print::{self, PrintArgs};
use crate::run::{RunArgs, Task};

/// Write the puzzles of files in another format, without solving them except for print.
///
/// For print, 'html' and 'svg' have all puzzles with the numbers of their records, at most 100,000, and their solutions
/// at the end. A column 'er' of the input is the rating beside the number. 'html' has a heading for each of several
/// inputs, the name of its file. 'frame' has puzzles with the numbers that 'rapidoku solve --format frame' gives their
/// solutions.
///
/// Records keep their order. Lines, pencilmarks, CSV, JSON lines and NumPy arrays keep the solution of a record, which
/// is in the solution column of a table or after the puzzle in a line; other formats have no place for it, and the
/// number of solutions left out is reported. Clues can be written as pencilmarks, with all nine candidates for each
/// blank. Pencilmarks with other lists of candidates can be written as lines, pencilmarks, CSV and JSON lines only;
/// another format is an error.
///
/// A record that is not a puzzle is reported and keeps its place. CSV and JSON lines have its text, an array has 255 in
/// all cells; the other formats have a grid with the clue 1 twice in the first row, which is invalid.
#[derive(clap::Args)]
#[command(mut_arg("format", |format| format.alias("to").help(FORMAT).value_parser(output::parser(FORMATS))), after_help = "\
Examples:
  rapidoku convert puzzles.npy -o puzzles.csv
  rapidoku convert kaggle.csv --format jsonl --passthrough > kaggle.jsonl
  rapidoku convert forum.txt --format pencilmarks
  rapidoku convert easy.txt hard.txt --per-page 4 --title 'Sudoku for June' -o book.html
  rapidoku convert *.sdk -o collection.sdm")]
pub struct Args {
    #[command(flatten)]
    table: TableArgs,

    #[command(flatten)]
    print: PrintArgs,

    #[command(flatten)]
    run: RunArgs,
}

/// The help of `--format`.
const FORMAT: &str = "Format of the output. By default, the extension of the output selects it (csv, jsonl, npy, sdk, sdm, ss, grid, \
    html, svg), or else it is lines";

/// The formats of the output.
const FORMATS: &[OutputFormat] = {
    use OutputFormat::*;
    &[Lines, Pencilmarks, Csv, Jsonl, Npy, Sdk, Sdm, Ss, Grid, Frame, Html, Svg]
};

/// Whether rows can have solutions.
fn writes_solutions(target: OutputFormat) -> bool {
    target.format() != Format::Text || matches!(target, OutputFormat::Lines | OutputFormat::Pencilmarks)
}

/// Runs `rapidoku convert`.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let target = args.table.choose_format(args.run.output.path(), FORMATS)?;
    let (format, text) = (target.format(), GridText::from_name(&target.name()));
    let mut table = match format {
        Format::Text => Table::new(format),
        // Without columns, rows have the solution if the first input has solutions.
        Format::Npy => args.table.table(format, &COMPUTED, &[])?.passthrough(!args.table.has_columns()),
        _ => {
            // With the columns of the input, its solutions are among them.
            let defaults: &[&str] = if args.table.is_table() { &[] } else { &["puzzle", "solution"] };
            args.table.unsolved(args.table.table(format, &COMPUTED, defaults)?)?
        }
    };
    if format == Format::Text {
        // Lines keep the character of the input.
        let blank = if text == Some(GridText::Lines) { None } else { Some(text.map_or(b'.', GridText::blank)) };
        table.blank = args.table.blank_alone()?.or(blank);
    }
    table.solution_if_given = !args.table.is_table();
    let dropped = AtomicU64::new(0);
    let solver = print::is_printed(target).then(|| LimitedSolver::unique(SimdLevel::detect()));
    let (name, writes_solutions, printed) = (&*target.name(), writes_solutions(target), Mutex::default());
    let print = &|puzzles: &[Printed]| print::write(target, puzzles, &args.print);
    let job = Convert { name, text, writes_solutions, table, dropped, solver, print, printed };
    args.run.run(&Task { solver, ..Task::default() }, &job)?;
    let dropped = job.dropped.into_inner();
    if dropped > 0 {
        args.run.output.message(format_args!(
            "solutions not written: {dropped}; the format {name} has puzzles only; lines, csv, jsonl and npy have both"
        ));
    }
    Ok(0)
}
