//! Collecting: all solutions that a search finds, and searches that are suspended and resumed.
//!
//! Lanes emit the solutions of several puzzles in turn, in the order of the search for each of them. A list of their numbers
//! is kept beside the rows, and one counting sort restores the order of the puzzles.
//!
//! The stack of a lane is an ordered list of disjoint parts of its search. So a search that has made its share of guesses can
//! be suspended, and resumed later by one lane or by several.

use super::layout::{ID, WORDS};
use super::search::{ACTIVE, Lanes, every_lane, write_lane};
use super::source::{BatchSink, Sink};
use super::stack::{Entry, slot};
use crate::outcome::{Limits, OutcomesMut, ROW, Status};
use crate::simd::{Row, Simd, lanes, prefetch};

/// Solutions as rows of text.
#[derive(Default)]
pub(super) struct Found {
    /// The rows in the order in which they were emitted, and unused ones after them.
    rows: Vec<[u8; ROW]>,
    /// The number of the puzzle of each row.
    numbers: Vec<u32>,
    /// The index of each row, in the order of the puzzles.
    order: Vec<u32>,
    /// The end of the rows of each puzzle in `order`.
    ends: Vec<u32>,
}

impl Found {
    fn clear(&mut self) {
        self.numbers.clear();
    }

    fn len(&self) -> usize {
        self.numbers.len()
    }

    #[inline(always)]
    fn append(&mut self, numbers: &[u32]) -> &mut [[u8; ROW]] {
        let from = self.numbers.len();
        let to = from + numbers.len();
        self.numbers.extend_from_slice(numbers);
        if self.rows.len() < to {
            self.grow();
        }
        &mut self.rows[from..to]
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        self.rows.resize((2 * self.rows.len()).max(1024), [0; ROW]);
    }

    /// Sorts the rows by puzzle. `counts` has the number of rows of each puzzle.
    pub fn sort(&mut self, counts: &[u64]) {
        let Found { numbers, order, ends, .. } = self;
        ends.clear();
        let mut rows = 0;
        for count in counts {
            ends.push(rows);
            rows += *count as u32;
        }
        debug_assert_eq!(rows as usize, numbers.len());
        order.resize(numbers.len(), 0);
        for (row, number) in (0..).zip(numbers) {
            let end = &mut ends[*number as usize];
            order[*end as usize] = row;
            *end += 1;
        }
    }

    /// The rows of a puzzle, in the order of its search.
    pub fn rows(&self, number: usize) -> impl Iterator<Item = &[u8; ROW]> + Clone {
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        (start as usize..self.ends[number] as usize).map(|at| {
            // Rows that follow one another are far apart in memory.
            if let Some(&later) = self.order.get(at + PREFETCHED) {
                let bytes = self.rows.as_flattened();
                prefetch(bytes, later as usize * ROW);
                prefetch(bytes, later as usize * ROW + ROW - 1);
            }
            &self.rows[self.order[at] as usize]
        })
    }
}

/// The number of rows that are requested from memory before they are read. Without this, reading them takes 15 % of the time.
const PREFETCHED: usize = 8;

/// A part of a search.
pub(super) struct Part {
    /// The entries of a stack, the oldest first. The last one is searched first.
    entries: Vec<Entry>,
    /// The number of candidates in the oldest entry, which tells how large its search may be.
    candidates: u32,
}

impl Part {
    fn new(entries: Vec<Entry>) -> Part {
        let candidates = entries[0].0[..WORDS].iter().map(|word| word.count_ones()).sum();
        Part { entries, candidates }
    }
}

/// Divides parts until there are `most`, as far as possible: the oldest entry of a stack becomes a part of its own, the one
/// with the most candidates first. The order of the search stays the same.
pub(super) fn divide(parts: &mut Vec<Part>, most: usize) {
    while parts.len() < most {
        // Of several, the last one.
        let divisible = (0..parts.len()).filter(|&at| parts[at].entries.len() > 1);
        let Some(at) = divisible.max_by_key(|&at| parts[at].candidates) else { return };
        let mut entries = std::mem::take(&mut parts[at].entries);
        let oldest = entries.remove(0);
        parts[at] = Part::new(entries);
        parts.insert(at + 1, Part::new(vec![oldest]));
    }
}

/// Takes the solutions of puzzles and of parts of searches. Both are numbered from 0; a search has one kind only.
pub(super) struct Collector<'a> {
    outcomes: OutcomesMut<'a>,
    found: &'a mut Found,
    parts: &'a [Part],
    /// The number of parts that have been resumed.
    resumed: usize,
    /// The number of puzzles that have been loaded.
    pub loaded: usize,
    /// No puzzles are loaded when there are this number of rows.
    max_rows: usize,
    /// The rest of each search that reached the limit of guesses, and its number.
    suspended: Vec<(u32, Part)>,
}

impl<'a> Collector<'a> {
    pub fn new(
        outcomes: OutcomesMut<'a>,
        found: &'a mut Found,
        parts: &'a [Part],
        max_rows: usize,
    ) -> Collector<'a> {
        found.clear();
        Collector { outcomes, found, parts, resumed: 0, loaded: 0, max_rows, suspended: Vec::new() }
    }

    /// The rest of each search that reached the limit of guesses, with its number, in the order of the numbers.
    pub fn into_suspended(mut self) -> Vec<(u32, Part)> {
        self.suspended.sort_unstable_by_key(|(number, _)| *number);
        self.suspended
    }
}

impl Sink for &mut Collector<'_> {
    const IS_BATCH: bool = true;
    const EMITS_ALL: bool = true;

    #[inline(always)]
    fn set_counts(&mut self, number: usize, status: Status, solutions: u64, guesses: u64) {
        self.outcomes.set_counts(number, status, solutions, guesses);
    }

    #[inline(always)]
    fn solution_limit(&self, _: usize, limits: Limits) -> u64 {
        limits.solutions.get()
    }

    fn rows(&mut self) -> &mut [[u8; ROW]] {
        &mut []
    }

    #[inline(always)]
    fn append(&mut self, numbers: &[u32]) -> &mut [[u8; ROW]] {
        self.found.append(numbers)
    }

    fn suspend(&mut self, number: u32, entries: impl Iterator<Item = Entry>) {
        self.suspended.push((number, Part::new(entries.collect())));
    }

    fn next_part(&mut self) -> Option<(u32, &[Entry])> {
        let part = self.parts.get(self.resumed)?;
        self.resumed += 1;
        Some((self.resumed as u32 - 1, &part.entries))
    }
}

impl BatchSink for &mut Collector<'_> {
    #[inline(always)]
    fn is_full(&self) -> bool {
        self.found.len() >= self.max_rows
    }

    #[inline(always)]
    fn prefetch(&self, from: usize, n: usize) {
        self.outcomes.prefetch(from, n);
    }

    #[inline(always)]
    fn fill_single(&mut self, from: usize, n: usize, limits: Limits) {
        self.outcomes.fill_single(from, n, limits);
        self.loaded = from + n;
    }

    fn fill_single_partial(&mut self, from: usize, n: usize, limits: Limits) {
        self.outcomes.fill_single_partial(from, n, limits);
        self.loaded = from + n;
    }
}

impl<S: Simd> Lanes<S> {
    /// Passes the rest of a lane's search on.
    #[cold]
    #[inline(never)]
    pub(super) fn suspend<K: Sink>(&mut self, lane: usize, sink: &mut K) {
        let rows = &self.vectors[ACTIVE];
        let mut words = Entry([0; 32]);
        for (word, row) in words.0[..WORDS].iter_mut().zip(rows) {
            *word = row.lanes()[lane];
        }
        let stack = (0..self.depth[lane]).map(|at| self.stack[slot::<S>(at, lane)]);
        sink.suspend(rows[ID].lanes()[lane], stack.chain([words]));
    }

    /// Gives parts of searches to idle lanes.
    #[inline(never)]
    pub(super) fn resume_parts<K: Sink>(&mut self, sink: &mut K) {
        for lane in lanes(!self.busy & every_lane::<S>()) {
            let Some((number, entries)) = sink.next_part() else { return };
            let Some((words, stack)) = entries.split_last() else { continue };
            for (at, entry) in (0..).zip(stack) {
                self.stack[slot::<S>(at, lane)] = *entry;
            }
            self.depth[lane] = stack.len() as u32;
            write_lane::<S>(&mut self.vectors[ACTIVE], lane, &words.0);
            self.vectors[ACTIVE][ID].lanes_mut()[lane] = number;
            self.busy |= 1 << lane;
            self.guessed |= 1 << lane;
            self.has_stack |= u32::from(!stack.is_empty()) << lane;
        }
    }
}
