//! `rapidoku rate`: how difficult each puzzle is for people.

use clap::ValueHint;
use rapidoku::file::{BatchView, Needs, Table, Value};
use rapidoku::rating::{Difficulty, Rater, Rating, Technique, Techniques, Verdict};
use rapidoku::{Cancelled, Outcomes, SimdLevel, Status};

use crate::args::number::{parse_max_er, parse_number};
use crate::args::output::{self, OutputFormat};
use crate::progress::Work;
use crate::rows::{Columns, MINIMAL, REDUNDANT, Redundant, RowArgs};

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
    args.rows.write(FORMATS, &defaults, solver, rate, Work::Rating)?;
    Ok(0)
}

fn tenths(difficulty: Difficulty) -> Value<'static> {
    Value::Tenths(difficulty.0.into())
}

/// The ER of a rating up to a bound.
pub fn er(rating: &Rating, bound: Option<Difficulty>) -> Value<'static> {
    match (rating.verdict, bound) {
        (Verdict::Above, Some(bound)) => Value::Text(format!(">{bound}").into()),
        (Verdict::Limit, _) => Value::Text(format!(">={}", rating.er).into()),
        (Verdict::Stuck, _) => tenths(Difficulty::STUCK),
        _ => tenths(rating.er),
    }
}

/// The number of steps of each technique that was used.
fn steps(rating: &Rating) -> String {
    let used = Technique::ALL.into_iter().zip(rating.counts).filter(|(_, count)| *count > 0);
    used.map(|(technique, count)| format!("{technique} {count}")).collect::<Vec<_>>().join(", ")
}

/// The columns that need a full rating.
const RATING: [&str; 5] = ["er", "ep", "ed", "hardest", "steps"];
const SINGLES_ONLY: &str = "singles_only";

/// The rating of each record.
struct Rate {
    level: SimdLevel,
    rater: Rater,
    /// The rater for `singles_only` alone.
    singles: Rater,
    /// The bound of the rater.
    bound: Option<Difficulty>,
}

/// The ratings of the records of a batch, whether singles solve them, and redundant clues; none if no column has them.
struct Rated {
    ratings: Vec<Rating>,
    by_singles: Vec<bool>,
    redundant: Redundant,
}

impl Columns for Rate {
    const NAMES: &'static [&'static str] = &["er", "ep", "ed", "hardest", "steps", SINGLES_ONLY, MINIMAL, REDUNDANT];

    type Found = Rated;

    fn needs(&self, _: &Table) -> Needs<'static> {
        // The hardest puzzles take a tenth of a second each.
        Needs { solves_in_write: true, max_batch_bytes: 16 << 10, ..Needs::default() }
    }

    fn find(&self, table: &Table, batch: &BatchView, outcomes: &mut Outcomes) -> Result<Rated, Cancelled> {
        let puzzles = batch.records.puzzle_slice();
        let has_singles = table.has(SINGLES_ONLY);
        let ratings = if RATING.iter().any(|name| table.has(name)) {
            self.rater.rate_solved(puzzles, outcomes, batch.cancel)?
        } else if has_singles {
            self.singles.rate_solved(puzzles, outcomes, batch.cancel)?
        } else {
            Vec::new()
        };
        let by_singles = if has_singles { Rater::by_singles(puzzles, &ratings, batch.cancel)? } else { Vec::new() };
        let redundant = Redundant::find(table, self.level, batch, outcomes)?;
        Ok(Rated { ratings, by_singles, redundant })
    }

    fn text(&self, _: &Rated, _: &Outcomes, _: usize, _: &mut Vec<u8>) {
        unreachable!("a rating has columns")
    }

    fn set(&self, table: &Table, rated: &Rated, outcomes: &Outcomes, k: usize, values: &mut [Value]) {
        let [of_er, of_ep, of_ed, hardest, of_steps, singles_only, minimal, redundant] = values else {
            unreachable!("there is a value for each name")
        };
        [*minimal, *redundant] = rated.redundant.values(k);
        if outcomes.statuses()[k] != Status::Unique {
            return;
        }
        if let Some(by_singles) = rated.by_singles.get(k) {
            *singles_only = Value::Flag(*by_singles);
        }
        let Some(rating) = rated.ratings.get(k) else { return };
        let is_rated = rating.verdict == Verdict::Rated;
        *of_er = er(rating, self.bound);
        // They are known once a step has been found.
        for (value, difficulty) in [(of_ep, rating.ep), (of_ed, rating.ed)] {
            if difficulty.0 > 0 || is_rated {
                *value = tenths(difficulty);
            }
        }
        // A complete grid has none. What is above a bound or a limit is not known.
        if let Some(technique) = rating.hardest().filter(|_| is_rated) {
            *hardest = Value::Word(technique.name());
        }
        if table.has("steps") {
            *of_steps = Value::Text(steps(rating).into());
        }
    }
}
