//! `rapidoku rate`: how difficult each puzzle is for people.

use std::ops::ControlFlow;
use std::process::ExitCode;

use clap::ValueHint;
use rapidoku::file::{BatchSolver, BatchView, Job, Needs, RowSink, Table, Value};
use rapidoku::rating::{Difficulty, Rater, Rating, Technique, Verdict};
use rapidoku::{Candidates, Outcomes, Status, technique};

use crate::args::output::{self, OutputFormat};
use crate::args::solver::SearchArgs;
use crate::args::table::TableArgs;
use crate::progress::Work;
use crate::redundant;
use crate::run::{RunArgs, Task};
use crate::solver::LimitedSolver;

/// Rate each puzzle on the scale of Sudoku Explainer, and by the techniques that it requires.
///
/// Writes puzzle,status,clues,er,ep,ed,singles_only,hardest,guesses,backtracks, or the columns of --columns. ER is the rating: the
/// difficulty of the hardest step. EP is that of the hardest step up to the first digit placed, ED that of the first step. They are
/// exactly those of Sudoku Explainer 1.2.1. A puzzle without exactly one solution has no rating.
///
/// Ratings above 7.5 depend on the presentation: equivalent puzzles may have other ratings.
///
/// The other columns belong to a simpler scale. Its techniques, from the simplest to the hardest: naked single, hidden single,
/// pointing, claiming, naked pair, hidden pair, naked triple, hidden triple, naked quad, hidden quad, guess. A guess is made only if
/// no technique applies: it tries the lowest candidate of the first cell with the fewest candidates.
///
/// CSV and JSON lines can also have the columns 'steps' (the number of steps of each technique of Sudoku Explainer), 'minimal' (true
/// if no clue can be removed) and 'redundant' (the number of clues that can be removed on their own). The last two take time only if
/// --columns names them.
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

    /// Give up on a puzzle when the search for chains has made N nodes, about 5 million per second. Its rating is '>=X', with the
    /// highest difficulty so far.
    #[arg(long, value_name = "N", value_hint = ValueHint::Other)]
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
    let format = args.run.choose_format(args.format, FORMATS)?.format();
    let solver = args.search.solver(2);
    let defaults =
        ["puzzle", "status", "clues", "er", "ep", "ed", "singles_only", "hardest", "guesses", "backtracks"];
    let table = args.table.table(format, &COMPUTED, &defaults)?;
    let mut rater = Rater::new().threads(1);
    if let Some(bound) = args.max_er {
        rater = rater.up_to(bound);
    }
    if let Some(nodes) = args.max_work {
        rater = rater.max_work(nodes);
    }
    args.run
        .run(&Task::new(Work::Rating, Some(solver)), &Rate { solver, rater, bound: args.max_er, table })?;
    Ok(ExitCode::SUCCESS)
}

/// The columns of the rating by Sudoku Explainer.
const RATING: [&str; 4] = ["er", "ep", "ed", "steps"];
/// The columns of the simpler scale.
const SIMPLE: [&str; 4] = ["singles_only", "hardest", "guesses", "backtracks"];
/// All computed columns. The last two need a search for each clue.
const COMPUTED: [&str; 10] = [
    RATING[0],
    RATING[1],
    RATING[2],
    RATING[3],
    SIMPLE[0],
    SIMPLE[1],
    SIMPLE[2],
    SIMPLE[3],
    "minimal",
    "redundant",
];

/// Writes the ratings of each record.
struct Rate {
    solver: LimitedSolver,
    rater: Rater,
    /// The bound of the rater.
    bound: Option<Difficulty>,
    table: Table,
}

impl Job for Rate {
    fn needs(&self) -> Needs<'_> {
        // The hardest puzzles take a second each.
        Needs { solves_in_write: true, max_batch_bytes: 16 << 10, ..Needs::default() }
    }

    fn table(&self) -> Option<&Table> {
        Some(&self.table)
    }

    fn solver(&self) -> Option<&dyn BatchSolver> {
        Some(&self.solver)
    }

    fn write(&self, batch: &BatchView, outcomes: &mut Outcomes, rows: &mut RowSink) -> ControlFlow<()> {
        let has = |names: &[&str]| names.iter().any(|name| self.table.has(name));
        let ratings = match has(&RATING) {
            true => self.rater.rate_all(batch.records.puzzle_slice(), batch.cancel),
            false => Ok(Vec::new()),
        };
        // The run knows whether it was cancelled.
        let Ok(ratings) = ratings else { return ControlFlow::Break(()) };
        let counts = redundant::count(&self.table, self.solver, batch, outcomes);
        let is_simple = has(&SIMPLE);
        self.table.write(batch, outcomes, rows, |k, values| {
            values[8..].clone_from_slice(&redundant::values(&counts, k));
            let status = outcomes.statuses()[k];
            if let Some(rating) = ratings.get(k).filter(|_| status == Status::Unique) {
                values[..4].clone_from_slice(&self.rating(rating));
            }
            if is_simple && matches!(status, Status::Unique | Status::Multiple | Status::Solved) {
                values[4..8].clone_from_slice(&simple_rating(batch.records.candidates(k)));
            }
        })
    }
}

impl Rate {
    /// The values of [`RATING`].
    fn rating(&self, rating: &Rating) -> [Value<'static>; 4] {
        let tenths = |difficulty: Difficulty| Value::Tenths(difficulty.0.into());
        let er = match (rating.verdict, self.bound) {
            (Verdict::Above, Some(bound)) => Value::Text(format!(">{bound}").into()),
            (Verdict::Limit, _) => Value::Text(format!(">={}", rating.er).into()),
            _ => tenths(rating.er),
        };
        // EP and ED are known once a step has been found.
        let known = |difficulty: Difficulty| match difficulty.0 == 0 && rating.verdict != Verdict::Rated {
            true => Value::Missing,
            false => tenths(difficulty),
        };
        let steps = Technique::ALL.into_iter().zip(rating.counts).filter(|(_, count)| *count > 0);
        let steps: Vec<_> = steps.map(|(technique, count)| format!("{technique} {count}")).collect();
        [er, known(rating.ep), known(rating.ed), Value::Text(steps.join(", ").into())]
    }
}

/// The values of [`SIMPLE`], by [`technique::solve`], which stops at the first solution. A complete grid has no hardest technique.
fn simple_rating(candidates: Candidates) -> [Value<'static>; 4] {
    let rating = technique::solve(candidates, &mut |_| ());
    let hardest = rating.hardest.map_or(Value::Missing, |technique| Value::Word(technique.name()));
    [
        Value::Flag(rating.singles_only()),
        hardest,
        Value::Number(rating.guesses),
        Value::Number(rating.backtracks),
    ]
}
