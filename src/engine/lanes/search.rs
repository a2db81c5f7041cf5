//! The search: sweeps and what happens between them.

use super::fork::{self, Fork};
use super::layout::{Queue, WORDS};
use super::sweep::{Verdict, sweep};
use super::text;
use crate::engine::{BLANK_ROW, Outcomes, ROW, Search, Work};
use crate::grid::{Puzzle, Status};
use crate::simd::{Kernel, Row, Simd};

/// Entries of a lane's stack: no search needs more, see [`super`].
const DEPTH: usize = 108;
/// So few lanes are copied one by one.
const FEW: u32 = 2;
/// Lanes of the widest level.
const MOST_LANES: usize = 16;

/// A batch to be solved.
pub(super) struct Solve<'a> {
    pub puzzles: &'a [Puzzle],
    pub search: Search,
    pub outcomes: &'a mut Outcomes,
}

impl Kernel for Solve<'_> {
    type Output = Work;

    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Work {
        let Solve { puzzles, search, outcomes } = self;
        let mut lanes = Lanes::<S>::new(search);
        let mut inbox = Inbox::new(puzzles);
        let mut outbox = Outbox::new();
        let mut work = Work::default();
        loop {
            inbox.fill(s, &mut outcomes.status);
            lanes.take(s, &mut inbox);
            if lanes.busy == 0 {
                break;
            }
            let verdict = sweep(s, lanes.words.first_chunk_mut().expect("27 of 32"), &mut lanes.configs);
            work.sweeps += 1;
            work.lanes += S::LANES as u64;
            work.busy_lanes += u64::from(lanes.busy.count_ones());

            let Verdict { dead, solved, stuck } = verdict;
            if solved & lanes.busy != 0 {
                lanes.count(s, solved & lanes.busy, &mut outbox);
                outbox.flush(s, S::LANES, &mut outcomes.rows);
            }
            if stuck & lanes.busy != 0 {
                lanes.guess(s, stuck & lanes.busy, outcomes);
            }
            lanes.retreat((dead | solved) & lanes.busy, outcomes);
        }
        outbox.flush(s, 1, &mut outcomes.rows);
        work
    }
}

/// The puzzles in flight and their stacks.
struct Lanes<S: Simd> {
    search: Search,
    /// Row `i` is word `i` of each lane's puzzle. More than 27 so that an index masked to five bits is in bounds.
    words: [S::Row; 32],
    /// The configurations of each digit in bands (six rows) and stacks (six rows) after the last sweep.
    configs: [S::Row; 12],
    /// Lanes that hold a puzzle.
    busy: u32,
    puzzle: [u32; MOST_LANES],
    depth: [u32; MOST_LANES],
    guesses: [u64; MOST_LANES],
    solutions: [u64; MOST_LANES],
    /// Entry `depth * LANES + lane`: the second child of an open guess.
    stack: Vec<Entry>,
}

/// The words of a puzzle put aside; two cache lines.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Entry([u32; 32]);

impl<S: Simd> Lanes<S> {
    #[inline(always)]
    fn new(search: Search) -> Self {
        Lanes {
            search,
            words: [S::Row::ZERO; 32],
            configs: [S::Row::ZERO; 12],
            busy: 0,
            puzzle: [0; MOST_LANES],
            depth: [0; MOST_LANES],
            guesses: [0; MOST_LANES],
            solutions: [0; MOST_LANES],
            stack: vec![Entry([0; 32]); DEPTH * S::LANES],
        }
    }

    /// Gives new puzzles to idle lanes.
    #[inline(always)]
    fn take(&mut self, s: S, inbox: &mut Inbox) {
        let idle = !self.busy & every_lane::<S>();
        let mut taken = 0u32;
        let mut next = inbox.head;
        for lane in lanes(idle).take(inbox.waiting()) {
            taken |= 1 << lane;
            self.puzzle[lane] = (inbox.first + next) as u32;
            self.depth[lane] = 0;
            self.guesses[lane] = 0;
            self.solutions[lane] = 0;
            next += 1;
        }
        if taken.count_ones() <= FEW {
            for (lane, from) in lanes(taken).zip(inbox.head..) {
                for (row, queue) in self.words.iter_mut().zip(&inbox.queues) {
                    row.lanes_mut()[lane & (S::LANES - 1)] = queue.0[from];
                }
            }
        } else {
            for (row, queue) in self.words.iter_mut().zip(&inbox.queues) {
                let x = s.expand(s.load(row), taken, &queue.0[inbox.head..]);
                s.store(x, row);
            }
        }
        inbox.head = next;
        self.busy |= taken;
    }

    /// Counts solutions and hands the first one of each puzzle out.
    #[inline(always)]
    fn count(&mut self, s: S, solved: u32, outbox: &mut Outbox) {
        let mut first = 0u32;
        let mut next = outbox.len;
        for lane in lanes(solved) {
            self.solutions[lane] += 1;
            if self.solutions[lane] == 1 {
                first |= 1 << lane;
                outbox.ids[next] = self.puzzle[lane];
                next += 1;
            }
            if self.solutions[lane] == self.search.limit {
                self.depth[lane] = 0;
            }
        }
        if first.count_ones() <= FEW {
            for (lane, to) in lanes(first).zip(outbox.len..) {
                for (row, queue) in self.words.iter().zip(&mut outbox.queues) {
                    queue.0[to] = row.lanes()[lane & (S::LANES - 1)];
                }
            }
        } else {
            for (row, queue) in self.words.iter().zip(&mut outbox.queues) {
                s.compress(s.load(row), first, &mut queue.0[outbox.len..]);
            }
        }
        outbox.len = next;
    }

    /// Puts the second child of a guess aside and goes on with the first.
    #[inline(always)]
    fn guess(&mut self, s: S, stuck: u32, outcomes: &mut Outcomes) {
        let mut chosen = S::Row::ZERO;
        s.store(fork::choose(s, &self.configs), &mut chosen);
        for lane in lanes(stuck) {
            let lane = lane & (S::LANES - 1);
            if self.guesses[lane] == self.search.max_guesses {
                self.finish(lane, true, outcomes);
                continue;
            }
            self.guesses[lane] += 1;
            let entry = &mut self.stack[self.depth[lane] as usize * S::LANES + lane].0;
            self.depth[lane] += 1;
            for (word, row) in entry[..WORDS].iter_mut().zip(&self.words) {
                *word = row.lanes()[lane];
            }
            let fork = Fork::new(chosen.lanes()[lane]);
            let digit = fork.digit();
            for i in fork.inside() {
                entry[i] &= !digit;
            }
            for i in fork.outside() {
                self.words[i].lanes_mut()[lane] &= !digit;
            }
            if let Some(more) = fork.outside_too() {
                for i in more {
                    self.words[i].lanes_mut()[lane] &= !digit;
                }
            }
        }
    }

    /// Back to the newest entry of the stack; without one, the puzzle is done.
    #[inline(always)]
    fn retreat(&mut self, over: u32, outcomes: &mut Outcomes) {
        for lane in lanes(over) {
            let lane = lane & (S::LANES - 1);
            if self.depth[lane] == 0 {
                self.finish(lane, false, outcomes);
                continue;
            }
            self.depth[lane] -= 1;
            let entry = &self.stack[self.depth[lane] as usize * S::LANES + lane].0;
            for (row, word) in self.words.iter_mut().zip(&entry[..WORDS]) {
                row.lanes_mut()[lane] = *word;
            }
        }
    }

    #[inline(always)]
    fn finish(&mut self, lane: usize, capped: bool, outcomes: &mut Outcomes) {
        let puzzle = self.puzzle[lane] as usize;
        let solutions = self.solutions[lane];
        if outcomes.status[puzzle] != Status::Invalid {
            outcomes.status[puzzle] = Status::of_search(solutions, self.search.limit, capped);
        }
        outcomes.solutions[puzzle] = solutions;
        outcomes.guesses[puzzle] = self.guesses[lane];
        if solutions == 0 {
            outcomes.rows[puzzle] = BLANK_ROW;
        }
        self.busy &= !(1 << lane);
    }
}

/// Puzzles on their way in, transposed.
struct Inbox<'a> {
    puzzles: &'a [Puzzle],
    /// Word `i` of the puzzles from `first` on.
    queues: [Queue; WORDS],
    first: usize,
    /// How many of the queue were taken, and how many there were.
    head: usize,
    len: usize,
}

impl<'a> Inbox<'a> {
    fn new(puzzles: &'a [Puzzle]) -> Self {
        Inbox { puzzles, queues: [Queue([0; 48]); WORDS], first: 0, head: 0, len: 0 }
    }

    #[inline(always)]
    fn waiting(&self) -> usize {
        self.len - self.head
    }

    /// Adds a vector of puzzles when less than one is left.
    #[inline(always)]
    fn fill<S: Simd>(&mut self, s: S, status: &mut [Status]) {
        let next = self.first + self.len;
        if self.waiting() >= S::LANES || next == self.puzzles.len() {
            return;
        }
        let (head, waiting) = (self.head, self.waiting());
        for queue in &mut self.queues {
            s.store_slice(s.load_slice(&queue.0[head..]), &mut queue.0);
        }
        let n = S::LANES.min(self.puzzles.len() - next);
        let clash = text::load(s, &self.puzzles[next..next + n], &mut self.queues, waiting);
        for (i, status) in status[next..next + n].iter_mut().enumerate() {
            *status = if clash >> i & 1 == 1 { Status::Invalid } else { Status::None };
        }
        self.first += head;
        self.head = 0;
        self.len = waiting + n;
    }
}

/// First solutions on their way out, transposed.
struct Outbox {
    queues: [Queue; WORDS],
    ids: [u32; 2 * MOST_LANES],
    len: usize,
}

impl Outbox {
    fn new() -> Self {
        Outbox { queues: [Queue([0; 48]); WORDS], ids: [0; 2 * MOST_LANES], len: 0 }
    }

    /// Writes a vector of grids as text once there are at least `least`.
    #[inline(always)]
    fn flush<S: Simd>(&mut self, s: S, least: usize, rows: &mut [[u8; ROW]]) {
        if self.len < least {
            return;
        }
        let n = self.len.min(S::LANES);
        text::emit(s, &self.queues, &self.ids[..n], rows);
        for queue in &mut self.queues {
            s.store_slice(s.load_slice(&queue.0[S::LANES..]), &mut queue.0);
        }
        self.ids.copy_within(S::LANES..2 * S::LANES, 0);
        self.len -= n;
    }
}

#[inline(always)]
fn every_lane<S: Simd>() -> u32 {
    u32::MAX >> (32 - S::LANES)
}

/// The lanes of a mask, lowest first.
#[inline(always)]
fn lanes(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let lane = mask.trailing_zeros() as usize & (MOST_LANES - 1);
            mask &= mask - 1;
            lane
        })
    })
}
