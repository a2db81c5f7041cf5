//! `rapidoku canon`: the canonical form of each puzzle.

use rapidoku::canon::Canonicalizer;
use rapidoku_jobs::canon::Canon;

use crate::args::output::OutputFormat;
use crate::progress::Work;
use crate::rows::RowArgs;

/// Write the canonical form of each puzzle, which is the same for equivalent puzzles.
///
/// The glossary of docs/guide.md defines equivalence. A puzzle with exactly one solution gets its form by way of the
/// solution. Other records get none, which is an empty line as text, unless --minlex is given. Compare forms of the
/// same method only. Pencilmarks have no form.
///
/// CSV and JSON lines have the columns puzzle,canonical,method,automorphisms,status. The method is 'solution' or
/// 'minlex'. 'automorphisms' counts the ways to move the cells that turn the puzzle into itself. The column 'symmetry'
/// turns the puzzle into its form: the source of each row, the source of each column and the new name of each digit,
/// with a 't' in front if the puzzle is transposed first.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rapidoku canon puzzles.txt | sort -u
  rapidoku canon kaggle.csv.gz --format csv --columns puzzle,canonical,automorphisms")]
pub struct Args {
    /// Use the lexicographically smallest equivalent puzzle as the form, for any number of solutions.
    #[arg(long)]
    minlex: bool,

    #[command(flatten)]
    rows: RowArgs,
}

/// Runs `rapidoku canon`.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let solver = args.rows.search.solver(2);
    let defaults = ["puzzle", "canonical", "method", "automorphisms", "status"];
    let forms = Canonicalizer::new().level(args.rows.search.simd.level).threads(1);
    let canon = Canon { forms, is_minlex: args.minlex };
    let stats = args.rows.write(OutputFormat::ROWS, &defaults, solver, &canon, Work::Solving)?;
    if !args.minlex {
        args.rows.run.report_statuses(&stats.counts, stats.counts.unique);
        let others = stats.records - stats.counts.unique - stats.counts.invalid;
        if others > 0 {
            let message = format_args!("records without a form: {others} (--minlex gives them one)");
            args.rows.run.output.message(message);
        }
    }
    Ok(0)
}
