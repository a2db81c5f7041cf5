//! `rapidoku rate`: how difficult each puzzle is for people.

use clap::ValueHint;
use rapidoku::rating::{Difficulty, Techniques};
use rapidoku_jobs::rate::Rate;

use crate::args::number::{parse_max_er, parse_number};
use crate::args::output::{self, OutputFormat};
use crate::progress::Work;
use crate::rows::RowArgs;

/// Rate each puzzle on the scale of Sudoku Explainer, the scale of the players.
///
/// Writes puzzle,status,clues,er,ep,ed,hardest,singles_only, or the columns of --columns. ER is the rating: the
/// difficulty of the hardest step. EP is that of the hardest step up to the first digit placed, ED that of the first
/// step. They are exactly those of Sudoku Explainer 1.2.1. 'hardest' is the last technique, in the order in which they
/// are tried, that a step uses; 'singles_only' tells whether hidden and naked singles suffice. A puzzle without exactly
/// one solution has no rating. ER is 20.0, and 'hardest' is empty, if no technique applies any more.
///
/// Ratings above 7.5 depend on the presentation: equivalent puzzles may have other ratings.
///
/// CSV and JSON lines can also have the columns 'steps' (the number of steps of each technique), 'minimal' (true if no
/// clue can be removed) and 'redundant' (the number of clues that can be removed on their own). The last two take time
/// only if --columns names them.
#[derive(clap::Args)]
#[command(mut_arg("format", |format| format.help(FORMAT).value_parser(output::parser(FORMATS))), after_help = "\
Examples:
  rapidoku rate puzzles.txt -o rated.csv
  rapidoku rate puzzles.txt --columns puzzle,er --max-er 4.5
  rapidoku rate kaggle.csv.gz --format jsonl")]
pub struct Args {
    /// Rate up to this ER, or a level such as easy. A harder puzzle has '>X' instead of a rating, which is found much
    /// faster.
    #[arg(long, value_name = "X", value_hint = ValueHint::Other, value_parser = parse_max_er)]
    max_er: Option<Difficulty>,

    /// Give up on a puzzle when the search for chains has made N nodes, about 10 million per second. Its rating is
    /// '>=X', with the highest difficulty so far. The default is 10M for pencilmarks; there is none for clues.
    #[arg(long, value_name = "N", value_hint = ValueHint::Other, value_parser = parse_number)]
    max_work: Option<u64>,

    #[command(flatten)]
    rows: RowArgs,
}

/// The formats of the rows.
const FORMATS: &[OutputFormat] = &[OutputFormat::Csv, OutputFormat::Jsonl];
/// The help of `--format`.
const FORMAT: &str = "Output format. By default, the extension of the output selects it, or else it is CSV";

/// Runs `rapidoku rate`.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let search = &args.rows.search;
    let (solver, singles) = (search.solver(2), search.simd.rater().techniques(Techniques::SINGLES));
    let defaults = ["puzzle", "status", "clues", "er", "ep", "ed", "hardest", "singles_only"];
    let mut rater = search.simd.rater();
    if let Some(bound) = args.max_er {
        rater = rater.up_to(bound);
    }
    if let Some(nodes) = args.max_work {
        rater = rater.max_work(nodes);
    }
    let rate = Rate { level: search.simd.level, rater, singles, bound: args.max_er };
    args.rows.write(FORMATS, &defaults, solver, &rate, Work::Rating)?;
    Ok(0)
}
