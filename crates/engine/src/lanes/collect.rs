//! Collecting: all solutions that a search finds, and searches that are suspended and resumed.
//!
//! Lanes emit the solutions of several puzzles in turn, in the order of the search for each of them. A list of their
//! numbers is kept beside the rows, and one counting sort restores the order of the puzzles.
//!
//! The stack of a lane is an ordered list of disjoint parts of its search. So a search that has made its share of
//! guesses can be suspended, and resumed later by one lane or by several.

use super::batch::Batch;
use super::layout::{ID, WORDS};
use super::state::{ACTIVE, Entry, Lanes, every_lane, slot, write_lane};
use crate::outcome::ROW;
use crate::simd::{self, Row, Simd};

/// No further puzzles are loaded when there are this number of rows, which are 0.7 MB.
const MAX_ROWS: usize = 1 << 13;

/// Solutions as rows of text.
#[derive(Default)]
pub(super) struct Found {
    /// The rows in the order in which they were emitted, and unused ones after them.
    rows: Vec<[u8; ROW]>,
    /// The number of the puzzle of each row.
    pub numbers: Vec<u32>,
    /// The index of each row, in the order of the puzzles.
    order: Vec<u32>,
    /// The end of the rows of each puzzle in `order`.
    ends: Vec<u32>,
}

impl Found {
    #[inline(always)]
    pub fn append(&mut self, numbers: &[u32]) -> &mut [[u8; ROW]] {
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

    /// Sorts the rows by puzzle, of which there are `n`.
    pub fn sort(&mut self, n: usize) {
        let Found { numbers, order, ends, .. } = self;
        ends.clear();
        ends.resize(n, 0);
        numbers.iter().for_each(|number| ends[*number as usize] += 1);
        let mut rows = 0;
        for end in &mut *ends {
            rows += std::mem::replace(end, rows);
        }
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
                simd::prefetch(bytes, later as usize * ROW);
                simd::prefetch(bytes, later as usize * ROW + ROW - 1);
            }
            &self.rows[self.order[at] as usize]
        })
    }
}

/// The number of rows that are requested from memory before they are read. Without this, reading them takes 15 % of the
/// time.
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

/// The rest of a search that has reached the limit of guesses.
pub(super) struct Suspended {
    /// The number of its puzzle, or of the part that it was.
    pub number: u32,
    pub part: Part,
}

impl<S: Simd> Lanes<S> {
    /// The rest of the search in a lane.
    pub fn suspended(&self, lane: usize) -> Suspended {
        let rows = &self.vectors[ACTIVE];
        let mut words = Entry([0; 32]);
        for (word, row) in words.0[..WORDS].iter_mut().zip(rows) {
            *word = row.lanes()[lane];
        }
        let stack = (0..self.depth[lane]).map(|at| self.stack[slot::<S>(at, lane)]);
        Suspended { number: rows[ID].lanes()[lane], part: Part::new(stack.chain([words]).collect()) }
    }
}

/// Divides parts until there are `most`, as far as possible: the oldest entry of a stack becomes a part of its own, the
/// one with the most candidates first. The order of the search stays the same.
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

/// Collects the solutions of puzzles, or of parts of searches.
pub(super) struct Collector<'a> {
    pub batch: Batch<'a>,
    pub parts: &'a [Part],
    pub found: &'a mut Found,
    /// Of each puzzle or part, only the first solution becomes a row.
    pub counts: bool,
    /// The number of parts that have been resumed.
    pub resumed: usize,
    pub suspended: &'a mut Vec<Suspended>,
}

impl Collector<'_> {
    #[inline(always)]
    pub fn has_more(&self) -> bool {
        self.batch.has_more() && self.found.numbers.len() < MAX_ROWS
    }

    /// Gives the next parts of searches to idle lanes.
    #[inline(never)]
    pub fn occupy<S: Simd>(&mut self, lanes: &mut Lanes<S>) {
        for lane in simd::lanes(!lanes.busy & every_lane::<S>()) {
            let Some(part) = self.parts.get(self.resumed) else { return };
            let (words, stack) = part.entries.split_last().expect("a part has an entry");
            for (at, entry) in (0..).zip(stack) {
                lanes.stack[slot::<S>(at, lane)] = *entry;
            }
            lanes.depth[lane] = stack.len() as u32;
            write_lane::<S>(&mut lanes.vectors[ACTIVE], lane, &words.0);
            lanes.vectors[ACTIVE][ID].lanes_mut()[lane] = self.resumed as u32;
            lanes.busy |= 1 << lane;
            lanes.guessed |= 1 << lane;
            lanes.has_stack |= u32::from(!stack.is_empty()) << lane;
            self.resumed += 1;
        }
    }
}
