//! Division by rating: parts with the same difficulties.
//!
//! Classes are put in the order of their ratings, those with the same rating in the order of pseudo-random keys. Along
//! this order, each part but the last takes its share of the classes that the parts before it have left, at equal
//! distances from a random start: systematic sampling. So every range of ratings has the shares of the whole, and every
//! class the probability of its part.

use std::ops::ControlFlow;
use std::sync::Mutex;

use super::split::{Rule, Split};
use crate::cancel::{CancelToken, Cancelled};
use crate::error::Error;
use crate::grid::Puzzle;
use crate::outcome::Outcomes;
use crate::rating::{Difficulty, Rater, Rating, Verdict};
use crate::ratings::{Ratings, with_known};
use crate::record::BatchView;
use crate::run::job::{BatchSolver, InputStart, Job, Needs};
use crate::run::passes::Passes;
use crate::run::{Event, Run};
use crate::stats::Stats;
use crate::sync::{into_inner, lock};
use crate::table::Table;
use crate::write::RowSink;

/// The class and the rating of a record, for [`Split::parts_by_er`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RatedClass {
    /// The pseudo-random key of the class. Two classes with the same key, which is improbable, are in the same part.
    pub(super) key: u64,
    /// ER, or why there is none.
    pub(super) stratum: (Verdict, Difficulty),
}

impl RatedClass {
    fn of((key, rating): (u64, &Rating)) -> RatedClass {
        let er = if rating.verdict == Verdict::Rated { rating.er } else { Difficulty::default() };
        RatedClass { key, stratum: (rating.verdict, er) }
    }
}

impl Split {
    /// The class and the rating of each puzzle, on the calling thread if `rater` has one thread. `known` has the
    /// ratings that need not be computed: a verdict and ER for each puzzle, or nothing. They count for puzzles with one
    /// solution.
    ///
    /// # Errors
    /// When `cancel` has been set.
    pub fn rated_classes(
        &self,
        rater: &Rater,
        puzzles: &[Puzzle],
        known: &[Option<(Verdict, Difficulty)>],
        cancel: &CancelToken,
    ) -> Result<Vec<RatedClass>, Cancelled> {
        let outcomes = self.solve(puzzles, cancel)?;
        let keys = self.keys_of(puzzles, &outcomes);
        let known = |k: usize| known.get(k).copied().flatten();
        let ratings = with_known(rater, puzzles, outcomes, known, cancel)?;
        Ok(keys.into_iter().zip(&ratings).map(RatedClass::of).collect())
    }

    /// The class of a record that is not a puzzle: records with the same text. White space around it does not count.
    pub fn unrated_class(&self, text: &[u8]) -> RatedClass {
        let stratum = (Verdict::Invalid, Difficulty::default());
        RatedClass { key: self.key_of_text(text), stratum }
    }

    /// The part of each of these records, from 0, so that the parts have the same difficulties: in each range of
    /// ratings, the number of classes in a part differs from its share by less than 1 if there are two parts, by less
    /// than k - 1 if there are k. Classes without exactly one solution are divided likewise.
    ///
    /// Equivalent puzzles may have different ratings above 7.5. Their class counts with the lowest one. The order of
    /// the records does not matter.
    pub fn parts_by_er(&self, classes: &[RatedClass]) -> Vec<usize> {
        let mut strata: Vec<_> = (0..).zip(classes).map(|(k, class)| (class.key, class.stratum, k)).collect();
        strata.sort_unstable();
        for class in strata.chunk_by_mut(|a, b| a.0 == b.0) {
            let lowest = class[0].1;
            class.iter_mut().for_each(|record| record.1 = lowest);
        }
        strata.sort_unstable_by_key(|&(key, stratum, _)| (stratum, key));
        let mut parts: Vec<usize> = vec![0; classes.len()];
        // For each part but the last, its share in what the parts before it have left, and a sum of shares, which
        // starts at random. A class whose addition makes the sum overflow is in the part. Fractions of 2^64.
        let mut before = 0;
        let draw = |(part, &bound): (u64, &u64)| {
            // The share is less than 1, because bounds are below 2^64.
            let left = (1 << 64) - u128::from(before);
            let step = (u128::from(bound - before) << 64) / left;
            before = bound;
            (step as u64, self.keys.key(part))
        };
        let mut draws: Vec<_> = (0..).zip(&self.bounds).map(draw).collect();
        for class in strata.chunk_by(|a, b| a.0 == b.0) {
            let is_taken = |(step, sum): &mut (u64, u64)| {
                let (next, overflows) = sum.overflowing_add(*step);
                *sum = next;
                overflows
            };
            let part = draws.iter_mut().position(is_taken).unwrap_or(draws.len());
            class.iter().for_each(|&(.., k)| parts[k] = part);
        }
        parts
    }

    /// Reads the inputs of `run` twice, and divides the records by [`Split::parts_by_er`] with these ratings: all
    /// puzzles above their bound count as one rating. Needs up to 64 bytes of memory for each record.
    ///
    /// ```
    /// use rapidoku::file::{Output, Ratings, Run, Split};
    /// use rapidoku::rating::Rater;
    ///
    /// let folder = tempfile::tempdir()?;
    /// let [input, train, test] = ["all.txt", "train.txt", "test.txt"].map(|name| folder.path().join(name));
    /// let easy = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n";
    /// let hard = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..\n";
    /// std::fs::write(&input, easy.repeat(3) + hard)?;
    ///
    /// let run = Run::default().input(&input);
    /// let run = run.output(Output::create(&train)?).output(Output::create(&test)?);
    /// let mut split = Split::new(&[50.0, 50.0], 1);
    /// let ratings = Ratings::new(Rater::new().threads(1), Some("9.4".parse()?));
    /// split.run_by_er(&ratings, run, &mut |_| {})?;
    /// // Two classes, one for each part.
    /// assert_eq!(split.records().iter().max(), Some(&3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Run::start`]. Also when a stream cannot be copied to a temporary file, or the inputs have changed when they
    /// are read again.
    pub fn run_by_er(&mut self, ratings: &Ratings, run: Run, on_event: &mut dyn FnMut(Event)) -> Result<Stats, Error> {
        self.rule = Rule::Class;
        let mut passes = Passes::new(run, &[], false, on_event)?;
        let collect = Collect { split: self, ratings, classes: Mutex::default() };
        passes.collect(false, false, &collect)?;
        let parts = self.parts_by_er(&into_inner(collect.classes));
        self.rule = Rule::Given { parts, input: passes.any_input() };
        passes.write(self)
    }
}

/// The first pass: the classes of all records.
struct Collect<'a> {
    split: &'a Split,
    ratings: &'a Ratings,
    classes: Mutex<Vec<RatedClass>>,
}

impl Job for Collect<'_> {
    fn needs(&self) -> Needs<'_> {
        // The hardest puzzles take a tenth of a second each.
        Needs { numbers: true, solves_in_write: true, max_batch_bytes: 16 << 10, ..Needs::default() }
    }

    /// That of the second pass: layouts that it would reject are rejected here already.
    fn table(&self) -> Option<&Table> {
        self.split.table()
    }

    fn accept(&self, input: &InputStart) -> Result<(), Error> {
        self.ratings.accept(input)?;
        self.split.accept(input)
    }

    fn accept_candidates(&self) -> Result<(), String> {
        Err("they have no canonical form".to_owned())
    }

    fn solver(&self) -> Option<&dyn BatchSolver> {
        self.split.solver()
    }

    fn write(&self, batch: &BatchView, outcomes: &mut Outcomes, _: &mut RowSink) -> ControlFlow<()> {
        // The run knows whether it was cancelled.
        let Ok(ratings) = self.ratings.of(batch, outcomes) else {
            return ControlFlow::Break(());
        };
        let found = self.split.class_keys(batch, outcomes).into_iter().zip(&ratings).map(RatedClass::of);
        let start = batch.records_before as usize;
        let end = start + ratings.len();
        let mut classes = lock(&self.classes);
        if classes.len() < end {
            // Overwritten by the batches that have not arrived.
            classes.resize(end, self.split.unrated_class(b""));
        }
        classes[start..end].iter_mut().zip(found).for_each(|(class, found)| *class = found);
        ControlFlow::Continue(())
    }
}
