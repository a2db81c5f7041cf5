//! `rapidoku rate`: how difficult each puzzle is for people.

use std::ops::ControlFlow;
use std::process::ExitCode;

use clap::ValueHint;
use rapidoku::file::{BatchSolver, BatchView, Job, Needs, RowSink, Table, Value};
use rapidoku::rating::{Difficulty, Rater, Rating, Technique, Techniques, Verdict};
use rapidoku::{Cancelled, Outcomes, Status};

use crate::args::number::parse_number;
use crate::args::output::{self, OutputFormat};
use crate::args::solver::SearchArgs;
use crate::args::table::TableArgs;
use crate::progress::Work;
use crate::redundant;
use crate::run::{RunArgs, Task};
use crate::solver::LimitedSolver;

/// Rate each puzzle on the scale of Sudoku Explainer, the scale of the players.
///
/// Writes puzzle,status,clues,er,ep,ed,hardest,singles_only, or the columns of --columns. ER is the rating: the difficulty of the
/// hardest step. EP is that of the hardest step up to the first digit placed, ED that of the first step. They are exactly those of
/// Sudoku Explainer 1.2.1. 'hardest' is the last technique, in the order in which they are tried, that a step uses; 'singles_only'
/// tells whether hidden and naked singles suffice. A puzzle without exactly one solution has no rating. ER is 20.0, and 'hardest' is
/// empty, if no technique applies any more.
///
/// Ratings above 7.5 depend on the presentation: equivalent puzzles may have other ratings.
///
/// CSV and JSON lines can also have the columns 'steps' (the number of steps of each technique), 'minimal' (true if no clue can be
/// removed) and 'redundant' (the number of clues that can be removed on their own). The last two take time only if --columns names
/// them.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rapidoku rate puzzles.txt -o rated.csv
  rapidoku rate puzzles.txt --columns puzzle,er --max-er 4.5
  rapidoku rate kaggle.csv.gz --format jsonl")]
pub struct Args {
    /// Output format. By default, the extension of the output selects it, or else it is CSV.
    #[arg(long, value_name = "FORMAT", value_parser = output::parser(FORMATS))]
    format: Option<OutputFormat>,

    /// Rate up to this ER. A harder puzzle has '>X' instead of a rating, which is found much faster.
    #[arg(long, value_name = "X", value_hint = ValueHint::Other)]
    max_er: Option<Difficulty>,

    /// Give up on a puzzle when the search for chains has made N nodes, about 10 million per second. Its rating is '>=X', with the
    /// highest difficulty so far. The default is 10M for pencilmarks; there is none for clues.
    #[arg(long, value_name = "N", value_hint = ValueHint::Other, value_parser = parse_number)]
    max_work: Option<u64>,

    #[command(flatten)]
    table: TableArgs,

    #[command(flatten)]
    search: SearchArgs,

    #[command(flatten)]
    run: RunArgs,
}

/// The formats of the rows.
const FORMATS: &[OutputFormat] = &[OutputFormat::Csv, OutputFormat::Jsonl];

/// Runs `rapidoku rate`.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let format = args.table.choose_format(args.run.output_path(), args.format, FORMATS)?.format();
    let solver = args.search.solver(2);
    let defaults = ["puzzle", "status", "clues", "er", "ep", "ed", "hardest", "singles_only"];
    let table = args.table.table(format, &COMPUTED, &defaults)?;
    let (mut rater, singles) = (args.search.rater(), args.search.rater().techniques(Techniques::SINGLES));
    if let Some(bound) = args.max_er {
        rater = rater.up_to(bound);
    }
    if let Some(nodes) = args.max_work {
        rater = rater.max_work(nodes);
    }
    args.run.run(
        &Task::new(Work::Rating, Some(solver)),
        &Rate { solver, rater, singles, bound: args.max_er, table },
    )?;
    Ok(ExitCode::SUCCESS)
}

/// The ER of a puzzle that the techniques do not solve, a convention of Sudoku Explainer.
const STUCK: Difficulty = Difficulty(200);

fn tenths(difficulty: Difficulty) -> Value<'static> {
    Value::Tenths(difficulty.0.into())
}

/// The ER of a rating up to a bound.
fn er(rating: &Rating, bound: Option<Difficulty>) -> Value<'static> {
    match (rating.verdict, bound) {
        (Verdict::Above, Some(bound)) => Value::Text(format!(">{bound}").into()),
        (Verdict::Limit, _) => Value::Text(format!(">={}", rating.er).into()),
        (Verdict::Stuck, _) => tenths(STUCK),
        _ => tenths(rating.er),
    }
}

/// The columns of the rating.
const RATING: [&str; 5] = ["er", "ep", "ed", "hardest", "steps"];
const SINGLES_ONLY: &str = "singles_only";
/// All computed columns. The last two need a search for each clue.
const COMPUTED: [&str; 8] =
    [RATING[0], RATING[1], RATING[2], RATING[3], RATING[4], SINGLES_ONLY, "minimal", "redundant"];

/// Writes the ratings of each record.
struct Rate {
    solver: LimitedSolver,
    rater: Rater,
    /// The rater for `singles_only` alone.
    singles: Rater,
    /// The bound of the rater.
    bound: Option<Difficulty>,
    table: Table,
}

impl Job for Rate {
    fn needs(&self) -> Needs<'_> {
        // The hardest puzzles take a tenth of a second each.
        Needs { solves_in_write: true, max_batch_bytes: 16 << 10, ..Needs::default() }
    }

    fn table(&self) -> Option<&Table> {
        Some(&self.table)
    }

    fn solver(&self) -> Option<&dyn BatchSolver> {
        Some(&self.solver)
    }

    fn write(&self, batch: &BatchView, outcomes: &mut Outcomes, rows: &mut RowSink) -> ControlFlow<()> {
        // The run knows whether it was cancelled.
        let Ok((ratings, by_singles)) = self.ratings(batch, outcomes) else { return ControlFlow::Break(()) };
        let counts = redundant::count(&self.table, self.solver, batch, outcomes);
        self.table.write(batch, outcomes, rows, |k, values| {
            values[6..].clone_from_slice(&redundant::values(&counts, k));
            if outcomes.statuses()[k] != Status::Unique {
                return;
            }
            if let Some(rating) = ratings.get(k) {
                values[..5].clone_from_slice(&self.rating(rating));
            }
            if let Some(by_singles) = by_singles.get(k) {
                values[5] = Value::Flag(*by_singles);
            }
        })
    }
}

impl Rate {
    /// The ratings of the records of a batch, and whether singles solve them; none if no column has them.
    fn ratings(&self, batch: &BatchView, outcomes: &Outcomes) -> Result<(Vec<Rating>, Vec<bool>), Cancelled> {
        let puzzles = batch.records.puzzle_slice();
        let has = |names: &[&str]| names.iter().any(|name| self.table.has(name));
        let ratings = match (has(&RATING), has(&[SINGLES_ONLY])) {
            (true, _) => self.rater.rate_solved(puzzles, outcomes, batch.cancel)?,
            (false, true) => self.singles.rate_solved(puzzles, outcomes, batch.cancel)?,
            (false, false) => Vec::new(),
        };
        let by_singles = match has(&[SINGLES_ONLY]) {
            true => Rater::by_singles(puzzles, &ratings, batch.cancel)?,
            false => Vec::new(),
        };
        Ok((ratings, by_singles))
    }

    /// The values of [`RATING`].
    fn rating(&self, rating: &Rating) -> [Value<'static>; 5] {
        let er = er(rating, self.bound);
        // EP and ED are known once a step has been found.
        let known = |difficulty: Difficulty| match difficulty.0 == 0 && rating.verdict != Verdict::Rated {
            true => Value::Missing,
            false => tenths(difficulty),
        };
        let steps = Technique::ALL.into_iter().zip(rating.counts).filter(|(_, count)| *count > 0);
        let steps: Vec<_> = steps.map(|(technique, count)| format!("{technique} {count}")).collect();
        // A complete grid has none. What is above a bound or a limit is not known.
        let hardest = rating.hardest().filter(|_| rating.verdict == Verdict::Rated);
        let hardest = hardest.map_or(Value::Missing, |technique| Value::Word(technique.name()));
        [er, known(rating.ep), known(rating.ed), hardest, Value::Text(steps.join(", ").into())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_puzzle_that_no_technique_solves_has_20() {
        let hard = ".3...7..4.9...1..6..16.925.2.....3......6..1..6.3....5..9..6..8...4...3...7.2....";
        let hard: rapidoku::Puzzle = hard.parse().unwrap();
        let rating = Rater::new().techniques(Techniques::SINGLES).rate(&hard);
        assert_eq!(rating.verdict, Verdict::Stuck);
        assert!(matches!(er(&rating, None), Value::Tenths(200)));
        let rating = Rater::new().rate(&hard);
        assert!(matches!(er(&rating, None), Value::Tenths(83)));
    }
}
