//! The search: sweeps and what happens between them.

use std::cell::Cell;

use super::fork::{self, Fork};
use super::layout::WORDS;
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
            while lanes.busy != every_lane::<S>() {
                if inbox.left == 0 {
                    if inbox.next == puzzles.len() {
                        break;
                    }
                    inbox.fill(s, &mut outcomes.status);
                }
                lanes.take(s, &mut inbox);
            }
            if lanes.busy == 0 {
                break;
            }
            let verdict = sweep(s, lanes.words.first_chunk_mut().expect("27 of 32"), &mut lanes.configs);
            work.sweeps += 1;
            work.lanes += S::LANES as u64;
            work.busy_lanes += u64::from(lanes.busy.count_ones());

            let Verdict { dead, solved, stuck } = verdict;
            if (dead | solved | stuck) & lanes.busy == 0 {
                continue;
            }
            if solved & lanes.busy != 0 {
                lanes.count(s, solved & lanes.busy, &mut outbox, &mut outcomes.rows);
            }
            if stuck & lanes.busy != 0 {
                lanes.guess(s, stuck & lanes.busy, outcomes);
            }
            lanes.retreat((dead | solved) & lanes.busy, outcomes);
        }
        outbox.empty(s, &mut outcomes.rows);
        STACKS.set(lanes.stack);
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

thread_local! {
    /// Stacks for the next batch of this thread: to get and return so much memory for each shows.
    static STACKS: Cell<Vec<Entry>> = const { Cell::new(Vec::new()) };
}

/// The words of a puzzle put aside; two cache lines.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Entry([u32; 32]);

impl<S: Simd> Lanes<S> {
    #[inline(always)]
    fn new(search: Search) -> Self {
        let mut stack = STACKS.take();
        stack.resize(stack.len().max(DEPTH * S::LANES), Entry([0; 32]));
        Lanes {
            search,
            words: [S::Row::ZERO; 32],
            configs: [S::Row::ZERO; 12],
            busy: 0,
            puzzle: [0; MOST_LANES],
            depth: [0; MOST_LANES],
            guesses: [0; MOST_LANES],
            solutions: [0; MOST_LANES],
            stack,
        }
    }

    /// Gives new puzzles to idle lanes.
    #[inline(always)]
    fn take(&mut self, s: S, inbox: &mut Inbox<S>) {
        let idle = !self.busy & every_lane::<S>();
        let n = inbox.left.min(idle.count_ones());
        let (mut from, mut to) = (0u32, 0u32);
        for lane in lanes(idle).take(n as usize) {
            to |= 1 << lane;
            self.puzzle[lane] = inbox.next as u32;
            self.depth[lane] = 0;
            self.guesses[lane] = 0;
            self.solutions[lane] = 0;
            inbox.next += 1;
        }
        from |= ((1 << n) - 1) << inbox.head;
        if n <= FEW {
            for (lane, from) in lanes(to).zip(inbox.head as usize..) {
                for (row, queue) in self.words.iter_mut().zip(&inbox.words) {
                    row.lanes_mut()[lane & (S::LANES - 1)] = queue.lanes()[from & (S::LANES - 1)];
                }
            }
        } else {
            let route = s.route(from, to);
            for (row, queue) in self.words.iter_mut().zip(&inbox.words) {
                s.store(s.send(route, s.load(queue), s.load(row)), row);
            }
        }
        inbox.head += n;
        inbox.left -= n;
        self.busy |= to;
    }

    /// Counts solutions and hands the first one of each puzzle out.
    #[inline(always)]
    fn count(&mut self, s: S, solved: u32, outbox: &mut Outbox<S>, rows: &mut [[u8; ROW]]) {
        let mut first = 0u32;
        for lane in lanes(solved) {
            self.solutions[lane] += 1;
            if self.solutions[lane] == 1 {
                first |= 1 << lane;
            }
            if self.solutions[lane] == self.search.limit {
                self.depth[lane] = 0;
            }
        }
        while first != 0 {
            let n = first.count_ones().min(S::LANES as u32 - outbox.len);
            let mut from = 0u32;
            for (lane, at) in lanes(first).take(n as usize).zip(outbox.len as usize..) {
                outbox.ids[at & (MOST_LANES - 1)] = self.puzzle[lane];
                from |= 1 << lane;
            }
            if n <= FEW {
                for (lane, to) in lanes(from).zip(outbox.len as usize..) {
                    for (row, queue) in self.words.iter().zip(&mut outbox.words) {
                        queue.lanes_mut()[to & (S::LANES - 1)] = row.lanes()[lane & (S::LANES - 1)];
                    }
                }
            } else {
                let route = s.route(from, ((1 << n) - 1) << outbox.len);
                for (row, queue) in self.words.iter().zip(&mut outbox.words) {
                    s.store(s.send(route, s.load(row), s.load(queue)), queue);
                }
            }
            first &= !from;
            outbox.len += n;
            if outbox.len == S::LANES as u32 {
                outbox.empty(s, rows);
            }
        }
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

/// A vector of puzzles on their way in.
struct Inbox<'a, S: Simd> {
    puzzles: &'a [Puzzle],
    words: [S::Row; WORDS],
    /// Which lane is next, how many are left, and the number of the next puzzle.
    head: u32,
    left: u32,
    next: usize,
}

impl<'a, S: Simd> Inbox<'a, S> {
    fn new(puzzles: &'a [Puzzle]) -> Self {
        Inbox { puzzles, words: [S::Row::ZERO; WORDS], head: 0, left: 0, next: 0 }
    }

    /// The next vector of puzzles.
    #[inline(always)]
    fn fill(&mut self, s: S, status: &mut [Status]) {
        let n = S::LANES.min(self.puzzles.len() - self.next);
        let clash = text::load(s, &self.puzzles[self.next..self.next + n], &mut self.words);
        for (i, status) in status[self.next..self.next + n].iter_mut().enumerate() {
            *status = if clash >> i & 1 == 1 { Status::Invalid } else { Status::None };
        }
        (self.head, self.left) = (0, n as u32);
    }
}

/// First solutions on their way out.
struct Outbox<S: Simd> {
    words: [S::Row; WORDS],
    ids: [u32; MOST_LANES],
    len: u32,
}

impl<S: Simd> Outbox<S> {
    fn new() -> Self {
        Outbox { words: [S::Row::ZERO; WORDS], ids: [0; MOST_LANES], len: 0 }
    }

    /// Writes the grids as text.
    #[inline(always)]
    fn empty(&mut self, s: S, rows: &mut [[u8; ROW]]) {
        text::emit(s, &self.words, &self.ids[..self.len as usize], rows);
        self.len = 0;
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
