//! Division of the records into parts that share no equivalent puzzles.
//!
//! The part depends on a hash of the canonical form of the puzzle. So no state is needed, and equivalent puzzles are in
//! the same part even if they are in different files or runs. The number of solutions is the same for equivalent
//! puzzles, and so is the kind of form.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use xxhash_rust::xxh3::xxh3_128;

use super::{Keys, Purpose};
use crate::cancel::{CancelToken, Cancelled};
use crate::canon::{self, Canonicalizer};
use crate::error::Error;
use crate::grid::{Puzzle, SplitMix64};
use crate::outcome::{Limits, Outcomes};
use crate::record::BatchView;
use crate::run::job::{BatchSolver, Job, LastRows, Needs};
use crate::run::passes::changed;
use crate::simd::SimdLevel;
use crate::solver::Solver;
use crate::table::Table;
use crate::write::RowSink;
use crate::write::row::Format;

/// A [`Job`] that divides the records into parts, for a [`Run`](crate::Run) with an output for each part.
///
/// The part of a record is drawn at random with the given probabilities, as a function of the seed and the class of its
/// puzzle: equivalent puzzles are always in the same part, also in other runs with the same seed and weights. A record
/// that is not a puzzle, or whose clues clash, is drawn by its text or its clues. The number of records in a part
/// varies: of n classes with the probability p, by about √(n p (1 - p)). With [`Split::run_by_er`], the parts have the
/// same difficulties instead.
///
/// With [`Format::Text`], the default, records are [copied](Table::copies_lines) byte for byte.
///
/// ```
/// use rapidoku::Puzzle;
/// use rapidoku::file::{Output, Run, Split};
/// use rapidoku::grid::Symmetry;
///
/// let folder = tempfile::tempdir()?;
/// let [input, train, test] = ["all.txt", "train.txt", "test.txt"].map(|name| folder.path().join(name));
/// let puzzle: Puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// let copies: String = (0..100).map(|seed| format!("{}\n", Symmetry::of_seed(seed).puzzle(&puzzle))).collect();
/// std::fs::write(&input, &copies)?;
///
/// let run = Run::default().input(&input);
/// let run = run.output(Output::create(&train)?).output(Output::create(&test)?);
/// let split = Split::new(&[90.0, 10.0], 1);
/// run.start(&split, &mut |_| {})?;
/// assert_eq!(split.part(&puzzle), 0);
/// assert_eq!(split.records(), [100, 0]);
/// assert_eq!(std::fs::read_to_string(&train)?, copies);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Split {
    /// The keys of part k are below bound k; all others are in the last part.
    pub(super) bounds: Vec<u64>,
    pub(super) keys: Keys,
    pub(super) rule: Rule,
    table: Table,
    solver: Solver,
    forms: Canonicalizer,
    /// The number of records in each part.
    records: Vec<AtomicU64>,
}

/// What the part of a record depends on.
#[derive(Debug)]
pub(super) enum Rule {
    /// The class of its puzzle.
    Class,
    /// Its number.
    Number,
    /// Nothing: an earlier pass over the inputs has found the part of each record. `input` is named if there are fewer
    /// now.
    Given { parts: Vec<usize>, input: String },
}

impl Split {
    /// A job that divides records by the class of their puzzle, with probabilities in proportion to these weights.
    ///
    /// # Panics
    /// If there is no weight, or one of them is not positive and finite.
    pub fn new(weights: &[f64], seed: u64) -> Split {
        assert!(!weights.is_empty(), "there is a part");
        assert!(weights.iter().all(|weight| *weight > 0.0 && weight.is_finite()), "weights are positive");
        let total: f64 = weights.iter().sum();
        let mut before = 0.0;
        let bounds = weights[..weights.len() - 1].iter().map(|weight| {
            before += weight;
            // The conversion saturates.
            (before / total * 2f64.powi(64)) as u64
        });
        let level = SimdLevel::detect();
        Split {
            bounds: bounds.collect(),
            keys: Keys::new(seed, Purpose::Split),
            rule: Rule::Class,
            table: Table::new(Format::Text).copies_lines(true),
            solver: Solver::new().limits(Limits::UNIQUE).level(level).threads(1),
            forms: Canonicalizer::new().level(level).threads(1),
            records: weights.iter().map(|_| AtomicU64::new(0)).collect(),
        }
    }

    /// Sets whether the part of a record depends on its number instead, which is faster, because no puzzle is solved.
    /// The parts may then share equivalent puzzles.
    pub fn by_record(mut self, by_record: bool) -> Split {
        self.rule = if by_record { Rule::Number } else { Rule::Class };
        self
    }

    /// Sets the format and the columns of the rows.
    pub fn table(mut self, table: Table) -> Split {
        self.table = table;
        self
    }

    /// Sets the SIMD level. Parts do not depend on it.
    pub fn level(mut self, level: SimdLevel) -> Split {
        self.solver = self.solver.level(level);
        self.forms = self.forms.level(level);
        self
    }

    /// The number of records written to each part so far.
    pub fn records(&self) -> Vec<u64> {
        self.records.iter().map(|records| records.load(Ordering::Relaxed)).collect()
    }

    /// The part of the class of a puzzle. [`Split::parts_of`] is faster for many puzzles.
    pub fn part(&self, puzzle: &Puzzle) -> usize {
        let parts = self.parts_of(std::slice::from_ref(puzzle), &CancelToken::new());
        parts.expect("nobody cancels")[0]
    }

    /// The part of the class of each puzzle, on the calling thread.
    ///
    /// # Errors
    /// When `cancel` has been set.
    pub fn parts_of(&self, puzzles: &[Puzzle], cancel: &CancelToken) -> Result<Vec<usize>, Cancelled> {
        let keys = self.keys_of(puzzles, &self.solve(puzzles, cancel)?);
        Ok(keys.into_iter().map(|key| self.part_of_key(key)).collect())
    }

    /// The outcomes that hashes need, and ratings.
    pub(super) fn solve(&self, puzzles: &[Puzzle], cancel: &CancelToken) -> Result<Outcomes, Cancelled> {
        let mut outcomes = Outcomes::new();
        self.solver.try_solve_into(puzzles, &mut outcomes, cancel)?;
        Ok(outcomes)
    }

    /// The key of the class of each puzzle.
    pub(super) fn keys_of(&self, puzzles: &[Puzzle], outcomes: &Outcomes) -> Vec<u64> {
        let forms = self.forms.forms_of_all(puzzles, outcomes);
        let hash = |(form, puzzle): (&Option<Puzzle>, &Puzzle)| canon::hash(form.as_ref().unwrap_or(puzzle));
        forms.iter().zip(puzzles).map(hash).map(|hash| self.key_of_hash(hash)).collect()
    }

    /// The key of a record that is not a puzzle. White space around the text does not count.
    pub(super) fn key_of_text(&self, text: &[u8]) -> u64 {
        self.key_of_hash(xxh3_128(text.trim_ascii()))
    }

    /// The part of a record that is not a puzzle. White space around the text does not count.
    pub fn part_of_text(&self, text: &[u8]) -> usize {
        self.part_of_key(self.key_of_text(text))
    }

    /// The part of a record, from 0, if parts are drawn [by number](Split::by_record).
    pub fn part_of_number(&self, number: u64) -> usize {
        self.part_of_key(self.keys.key(number))
    }

    fn key_of_hash(&self, hash: u128) -> u64 {
        let low = self.keys.key(hash as u64);
        SplitMix64(low ^ (hash >> 64) as u64).next_word()
    }

    fn part_of_key(&self, key: u64) -> usize {
        self.bounds.partition_point(|bound| *bound <= key)
    }

    /// The part of each record of a batch.
    fn parts(&self, batch: &BatchView, outcomes: &Outcomes) -> Result<Vec<usize>, Error> {
        let numbers = batch.records_before..batch.records_before + batch.records.len() as u64;
        Ok(match &self.rule {
            Rule::Class => self.class_keys(batch, outcomes).into_iter().map(|key| self.part_of_key(key)).collect(),
            Rule::Number => numbers.map(|number| self.part_of_number(number)).collect(),
            Rule::Given { parts, .. } => {
                let range = numbers.start as usize..numbers.end as usize;
                parts.get(range).ok_or_else(|| changed(batch.input))?.to_vec()
            }
        })
    }

    /// The key of the class of each record of a batch.
    pub(super) fn class_keys(&self, batch: &BatchView, outcomes: &Outcomes) -> Vec<u64> {
        let mut keys = self.keys_of(batch.records.puzzles(), outcomes);
        for (k, key) in keys.iter_mut().enumerate().filter(|(k, _)| !batch.records.is_puzzle(*k)) {
            *key = self.key_of_text(&batch.layout.puzzle_text(batch.record(k)));
        }
        keys
    }
}

impl Job for Split {
    fn table(&self) -> Option<&Table> {
        Some(&self.table)
    }

    fn needs(&self) -> Needs<'_> {
        let by_class = matches!(self.rule, Rule::Class);
        Needs { numbers: !by_class, solves_in_write: by_class, ..Needs::default() }
    }

    fn accept_candidates(&self) -> Result<(), String> {
        match self.rule {
            Rule::Class => Err("they have no canonical form; --by record needs none".to_owned()),
            _ => Ok(()),
        }
    }

    fn solver(&self) -> Option<&dyn BatchSolver> {
        matches!(self.rule, Rule::Class).then_some(&self.solver)
    }

    fn write(&self, batch: &BatchView, outcomes: &mut Outcomes, rows: &mut RowSink) -> ControlFlow<()> {
        let parts = match self.parts(batch, outcomes) {
            Ok(parts) => parts,
            Err(error) => return rows.fail(0, error),
        };
        let mut records = vec![0; self.records.len()];
        let mut writer = self.table.writer(batch);
        for (k, part) in parts.into_iter().enumerate() {
            let start = rows.text().len();
            writer.write_row(outcomes, k, &[], rows);
            rows.move_to_part(start, part);
            records[part] += 1;
            rows.flush_if_large()?;
        }
        for (total, records) in self.records.iter().zip(records) {
            total.fetch_add(records, Ordering::Relaxed);
        }
        ControlFlow::Continue(())
    }
    fn finish(&self, rows: &mut LastRows) -> Result<(), Error> {
        match &self.rule {
            Rule::Given { parts, input } if rows.stats().records != parts.len() as u64 => Err(changed(input)),
            _ => Ok(()),
        }
    }
}
