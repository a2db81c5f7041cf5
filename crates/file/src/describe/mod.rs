//! Stages 3 and 4 for the description of a set of puzzles: a job that counts instead of writing rows.

mod distinct;

use std::collections::BTreeMap;
use std::ops::{ControlFlow, RangeInclusive};
use std::sync::Mutex;

use xxhash_rust::xxh3::xxh3_128;

use self::distinct::DistinctCounter;
pub use self::distinct::Duplicates;
use crate::canon::{self, Canonicalizer};
use crate::error::Error;
use crate::grid::CELLS;
use crate::outcome::{Limits, Outcomes, Status};
use crate::rating::{Difficulty, Rater, Rating, Technique, Verdict};
use crate::ratings::Ratings;
use crate::record::BatchView;
use crate::run::job::{BatchSolver, InputStart, Job, Needs};
use crate::run::{Event, Run};
use crate::simd::SimdLevel;
use crate::solver::Solver;
use crate::stats::{Counts, Stats};
use crate::sync::{into_inner, lock};
use crate::write::RowSink;

/// Describes the puzzles of files: statuses, clues, guesses, techniques, duplicates.
///
/// Every puzzle is solved. Ratings take most of the time, and can be left out; duplicates up to symmetry
/// take most of the rest. The description does not depend on the number of threads or the SIMD level.
///
/// ```
/// use rapidoku::file::{Describe, Run};
/// use rapidoku::rating::Technique;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("puzzles.txt");
/// let puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// std::fs::write(&path, format!("{puzzle}\n{}\nbad\n", puzzle.replace('.', "0")))?;
/// let (description, _) = Describe::default().run(Run::default().input(&path), &mut |_| {})?;
/// assert_eq!((description.counts.unique, description.counts.invalid), (2, 1));
/// assert_eq!(description.clues[30], 2);
/// assert_eq!(description.hardest.unwrap()[Technique::HiddenSingle as usize], 2);
/// assert_eq!(description.equal.unwrap().duplicates, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Describe {
    /// The SIMD level.
    pub level: SimdLevel,
    /// Whether puzzles are [rated](Description::er).
    pub rates: bool,
    /// The column of the inputs that has ratings, see [`Ratings::column`]. The hardest techniques are not known then.
    pub er_column: Option<String>,
    /// The number of different puzzles, 7,340,032 by default, up to which [`Duplicates`] are exact. Equal and
    /// equivalent puzzles need up to 20 bytes for each of them, and half as much again while a table grows. If there
    /// are more, the numbers are estimates from a random sample of at least half as many. If no puzzle occurs more than
    /// twice, the standard error of D duplicates is √(D / p), where p is the share of the puzzles in the sample.
    pub max_distinct: usize,
}

/// The description of a set of puzzles.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct Description {
    /// Those of the first 100 inputs that have records.
    pub inputs: Vec<InputDescription>,
    /// The number of inputs that have records.
    pub input_count: u64,
    /// The number of records.
    pub records: u64,
    /// The number of records with each status.
    pub counts: Counts,
    /// The number of valid puzzles with each number of clues, from 0 to 81. Of pencilmarks, cells with one candidate
    /// are clues.
    pub clues: Vec<u64>,
    /// The number of valid puzzles by the number of guesses that the lane engine makes to find the solution and to
    /// prove that it is the only one: none, one, 2 to 3, 4 to 7, and so on, up to the last group that has puzzles.
    pub guesses: Vec<u64>,
    /// The sum of these numbers of guesses.
    pub total_guesses: u64,
    /// The greatest of them.
    pub max_guesses: u64,
    /// The number of puzzles with one solution by their rating (ER): the index is the rating in tenths. The last number
    /// is that of all puzzles above [`Describe::MAX_ER`].
    pub er: Option<Vec<u64>>,
    /// The number of puzzles with one solution by their hardest [`Technique`], in the order of [`Technique::ALL`],
    /// without those above [`Describe::MAX_ER`]. The last number is that of complete grids, which need none.
    pub hardest: Option<Vec<u64>>,
    /// Equal puzzles: with the same clues in the same cells, whatever the layout; of pencilmarks, with the same
    /// candidates.
    pub equal: Option<Duplicates>,
    /// Equivalent puzzles, of those given as clues. Equal puzzles are equivalent.
    pub equivalent: Option<Duplicates>,
    /// The number of valid puzzles by the character for blank cells: a character, `mixed`, or `none` for complete
    /// grids. Pencilmarks do not count.
    pub blanks: BTreeMap<String, u64>,
}

/// The numbers of guesses of a group of [`Description::guesses`].
pub fn guess_group(group: u32) -> RangeInclusive<u64> {
    let last = 1_u64.checked_shl(group).unwrap_or(0).wrapping_sub(1);
    last - last / 2..=last
}

/// The names of the places of [`Description::hardest`].
pub fn technique_names() -> impl Iterator<Item = &'static str> {
    Technique::ALL.iter().map(|technique| technique.name()).chain(["complete"])
}

impl Description {
    /// The description as JSON: `clues`, `guesses`, `er` and `hardest` have the values of the property beside the
    /// numbers of puzzles.
    pub fn to_json(&self) -> serde_json::Value {
        use serde_json::{Value, json};

        let mut value = serde_json::to_value(self).expect("all keys are strings");
        let used = |puzzles: &[u64]| {
            let counted: Vec<(u16, u64)> = (0..).zip(puzzles.iter().copied()).collect();
            counted.into_iter().filter(|(_, puzzles)| *puzzles > 0)
        };
        let clues = used(&self.clues).map(|(n, puzzles)| json!({ "clues": n, "puzzles": puzzles }));
        value["clues"] = clues.collect();
        let guesses = (0..).zip(&self.guesses).map(|(group, puzzles)| {
            let (from, to) = guess_group(group).into_inner();
            json!({ "from": from, "to": to, "puzzles": puzzles })
        });
        value["guesses"] = guesses.collect();
        let er = |(tenths, puzzles): (u16, u64)| {
            let most = Describe::MAX_ER.0;
            let key = if tenths > most { "above" } else { "er" };
            json!({ key: f64::from(tenths.min(most)) / 10.0, "puzzles": puzzles })
        };
        value["er"] = self.er.as_ref().map_or(Value::Null, |puzzles| used(puzzles).map(er).collect());
        let named = |puzzles: &Vec<u64>| technique_names().zip(puzzles.clone()).filter(|named| named.1 > 0).collect();
        value["hardest"] = self.hardest.as_ref().map_or(Value::Null, named);
        value
    }
}

/// An input and its layout.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct InputDescription {
    /// The name.
    pub name: String,
    /// The layout: `lines`, `table`, `JSON lines`, `grids` or `pencilmarks`.
    pub layout: &'static str,
    /// The names of the columns of a table or of JSON lines.
    pub columns: Vec<String>,
    /// The number of records.
    pub records: u64,
    /// The number of invalid records.
    pub invalid: u64,
}

/// The number of inputs that are described one by one.
const MAX_INPUTS: usize = 100;

/// The default number of different puzzles that are counted exactly: as many as fit into a table of 2²³ places.
const MAX_DISTINCT: usize = 7 << 20;

/// The place of puzzles above [`Describe::MAX_ER`] in [`Description::er`].
const ABOVE: usize = Describe::MAX_ER.0 as usize + 1;

/// The place of puzzles without a technique in [`Description::hardest`].
const NO_TECHNIQUE: usize = Technique::ALL.len();

/// A full description.
impl Default for Describe {
    fn default() -> Describe {
        let level = SimdLevel::detect();
        Describe { level, rates: true, er_column: None, max_distinct: MAX_DISTINCT }
    }
}

impl Describe {
    /// Puzzles are rated up to this ER: of harder ones, which take long, it is only known that they are harder.
    pub const MAX_ER: Difficulty = Difficulty(94);

    /// Reads the inputs and describes them.
    ///
    /// # Errors
    /// Those of [`Run::start`]. Nothing is written.
    pub fn run(&self, run: Run, on_event: &mut dyn FnMut(Event)) -> Result<(Description, Stats), Error> {
        let description = Description {
            clues: vec![0; CELLS + 1],
            er: self.rates.then(|| vec![0; ABOVE + 1]),
            hardest: (self.rates && self.er_column.is_none()).then(|| vec![0; NO_TECHNIQUE + 1]),
            ..Description::default()
        };
        let job = Counting {
            describe: self,
            solver: Solver::new().limits(Limits::UNIQUE).level(self.level).threads(1),
            forms: Canonicalizer::new().level(self.level).threads(1),
            ratings: Ratings::new(Rater::new().level(self.level).threads(1), Some(Describe::MAX_ER))
                .column(self.er_column.clone()),
            total: Mutex::new((description, BTreeMap::new())),
            equal: Mutex::new(DistinctCounter::new(self.max_distinct)),
            equivalent: Mutex::new(DistinctCounter::new(self.max_distinct)),
        };
        let stats = run.start(&job, on_event)?;
        let (description, inputs) = into_inner(job.total);
        let description = Description {
            input_count: inputs.len() as u64,
            inputs: inputs.into_values().take(MAX_INPUTS).collect(),
            records: stats.records,
            counts: stats.counts,
            total_guesses: stats.guesses,
            equal: Some(into_inner(job.equal).duplicates()),
            equivalent: Some(into_inner(job.equivalent).duplicates()),
            ..description
        };
        Ok((description, stats))
    }
}

/// Counts puzzles.
struct Counting<'a> {
    describe: &'a Describe,
    solver: Solver,
    forms: Canonicalizer,
    ratings: Ratings,
    /// The numbers of puzzles so far, and the inputs that have records, by their index.
    total: Mutex<(Description, BTreeMap<usize, InputDescription>)>,
    equal: Mutex<DistinctCounter>,
    equivalent: Mutex<DistinctCounter>,
}

impl Description {
    /// Adds a valid puzzle, which has a rating if ratings are counted.
    fn add(&mut self, clues: usize, guesses: u64, rating: Option<&Rating>) {
        self.clues[clues] += 1;
        self.max_guesses = guesses.max(self.max_guesses);
        let group = (u64::BITS - guesses.leading_zeros()) as usize;
        self.guesses.resize(self.guesses.len().max(group + 1), 0);
        self.guesses[group] += 1;
        let (Some(er), Some(rating)) = (&mut self.er, rating) else { return };
        match rating.verdict {
            Verdict::Rated => {
                er[usize::from(rating.er.0)] += 1;
                if let Some(techniques) = &mut self.hardest {
                    techniques[rating.hardest().map_or(NO_TECHNIQUE, |technique| technique as usize)] += 1;
                }
            }
            Verdict::Above => er[ABOVE] += 1,
            _ => {}
        }
    }
}

/// The character for blank cells, or its name in [`Description::blanks`] if there is not exactly one.
fn blank_of(cells: &[u8]) -> Result<u8, &'static str> {
    let mut blanks = cells.iter().copied().filter(|byte| !(b'1'..=b'9').contains(byte));
    let first = blanks.next().ok_or("none")?;
    if blanks.all(|byte| byte == first) { Ok(first) } else { Err("mixed") }
}

impl Job for Counting<'_> {
    fn solver(&self) -> Option<&dyn BatchSolver> {
        Some(&self.solver)
    }

    fn accept(&self, input: &InputStart) -> Result<(), Error> {
        self.ratings.accept(input)
    }

    fn needs(&self) -> Needs<'_> {
        // Hard puzzles take milliseconds each.
        let max_batch_bytes = if self.describe.rates { 64 << 10 } else { usize::MAX };
        Needs { solves_in_write: true, max_batch_bytes, ..Needs::default() }
    }

    fn write(&self, batch: &BatchView, outcomes: &mut Outcomes, _: &mut RowSink) -> ControlFlow<()> {
        let puzzles = batch.records.puzzles();
        let is_valid = |k: &usize| outcomes.statuses()[*k] != Status::Invalid;
        let valid: Vec<usize> = (0..puzzles.len()).filter(is_valid).collect();
        let mut blanks = BTreeMap::new();
        for cells in valid.iter().filter_map(|&k| batch.cells(k)).filter(|cells| cells.len() == CELLS) {
            *blanks.entry(blank_of(&cells)).or_insert(0) += 1;
        }
        let ratings = self.describe.rates.then(|| self.ratings.of(batch, outcomes)).transpose();
        // The run knows that it was cancelled.
        let Ok(ratings) = ratings.map(Option::unwrap_or_default) else { return ControlFlow::Break(()) };
        let hash = |&k: &usize| match batch.records.pencilmarks().get(k) {
            Some(candidates) => xxh3_128(candidates.to_string().as_bytes()),
            None => canon::hash(&puzzles[k]),
        };
        let hashes: Vec<u128> = valid.iter().map(hash).collect();
        lock(&self.equal).extend(hashes);
        if batch.records.pencilmarks().is_empty() {
            let forms = self.forms.forms_of_all(puzzles, outcomes);
            let hashes: Vec<u128> = forms.iter().flatten().map(canon::hash).collect();
            lock(&self.equivalent).extend(hashes);
        }
        // Counted before the lock, for which other threads wait.
        let clues: Vec<usize> = valid.iter().map(|&k| puzzles[k].clue_count()).collect();
        let (description, inputs) = &mut *lock(&self.total);
        for (&k, clues) in valid.iter().zip(clues) {
            description.add(clues, outcomes.guesses()[k], ratings.get(k));
        }
        for (blank, puzzles) in blanks {
            let name = blank.map_or_else(str::to_owned, |byte| char::from(byte).to_string());
            *description.blanks.entry(name).or_default() += puzzles;
        }
        if !puzzles.is_empty() {
            let layout = batch.layout;
            let columns = if layout.is_json() || layout.header().is_some() { layout.columns() } else { &[] };
            let input = inputs.entry(batch.input_index).or_insert_with(|| InputDescription {
                name: batch.input.to_owned(),
                layout: layout.name(),
                columns: columns.to_vec(),
                ..InputDescription::default()
            });
            input.records += puzzles.len() as u64;
            input.invalid += (puzzles.len() - valid.len()) as u64;
        }
        ControlFlow::Continue(())
    }
}
