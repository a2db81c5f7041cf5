//! The search: sweeps, and the events between them.

use std::cell::Cell;

use super::codegen::own_frame;
use super::emit::EmitBuffer;
use super::guess::{self, Guess, LINES, MAX_PAIR_LIMIT, choose};
use super::layout::{ID, ROWS, WORDS};
use super::queue::Queue;
use super::source::{Sink, Source};
use super::split::{self, Part, SplitPuzzle, SplitPuzzles, Total};
use super::stack::{Entry, slot};
use super::sweep::{Verdict, sweep};
use crate::cancel::{CancelToken, Cancelled};
use crate::outcome::Status;
use crate::outcome::{Limits, Work};
use crate::simd::{self, Gathered, Kernel, MOST_LANES, Row, Simd, lanes};

/// Maximum depth of a lane's stack. [`super`] has the proof.
const MAX_DEPTH: usize = 108;
/// Index of the vector whose puzzles are searched. The two vectors before it belong to the [`Queue`].
pub(super) const ACTIVE: usize = 2;

/// The number of sweeps without new puzzles before searches are split: most searches end sooner.
const SWEEPS_BEFORE_SPLIT: u32 = 8;
/// The maximum number of parts given between two sweeps. Each takes the time of half a sweep.
const SPLITS_PER_SWEEP: u32 = 2;
/// The greatest limit with which searches are split: a part stores a number for each solution.
const MAX_SPLIT_LIMIT: u64 = 1 << 12;

/// Puzzles to solve.
pub(super) struct Solve<'a, I, K> {
    pub source: I,
    pub limits: Limits,
    pub sink: K,
    pub cancel: &'a CancelToken,
}

/// The number of sweeps between two looks at the token: about a millisecond.
const CANCEL_INTERVAL: u64 = 4096;

impl<I: Source<K>, K: Sink> Kernel for Solve<'_, I, K> {
    type Output = Result<Work, Cancelled>;

    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Result<Work, Cancelled> {
        let Solve { source, limits, mut sink, cancel } = self;
        let sink = &mut sink;
        let mut lanes = Lanes::<S>::new(limits);
        let mut queue = Queue::new(source);
        let mut emit_buffer = EmitBuffer::new();
        // Forces the state into memory. Otherwise LLVM makes a variable of each row and spends time on moving them.
        std::hint::black_box((&mut lanes, &mut queue, &mut emit_buffer));
        let mut work = Work::default();
        let mut ahead = own_frame!(lanes.refill(s, &mut queue, sink));
        while lanes.busy != 0 || ahead {
            let [from, to] =
                if S::TUNING.sweeps_ahead && ahead { queue.sweep_indices() } else { [ACTIVE; 2] };
            let verdict = own_frame!(sweep(s, &mut lanes.vectors, from, to, &mut lanes.configs));
            let busy = if S::TUNING.sweeps_ahead && ahead { queue.waiting } else { lanes.busy };
            work.sweeps += 1;
            work.lanes += S::LANES as u64;
            work.busy_lanes += u64::from(busy.count_ones());
            let again = if S::TUNING.sweeps_ahead && ahead {
                own_frame!(queue.after_sweep(s, verdict, &lanes.vectors[to], &mut emit_buffer, sink))
            } else {
                own_frame!(lanes.after_sweep(s, verdict, &mut emit_buffer, sink));
                false
            };
            if K::IS_BATCH {
                emit_buffer.emit_full(s, sink);
            }
            ahead = again || own_frame!(lanes.refill(s, &mut queue, sink));
            if work.sweeps % CANCEL_INTERVAL == 0 && cancel.is_cancelled() {
                return Err(Cancelled);
            }
        }
        if K::IS_BATCH {
            emit_buffer.emit_rest(s, sink);
        }
        STACKS.set(lanes.stack);
        Ok(work)
    }
}

/// The puzzles being searched, and their stacks.
pub(super) struct Lanes<S: Simd> {
    pub(super) limits: Limits,
    /// Vectors of puzzles: row `i` is word `i` of all lanes, see [`ROWS`]. The one at [`ACTIVE`] is searched.
    pub(super) vectors: [[S::Row; ROWS]; 3],
    /// The configurations of each digit in bands (six rows) and stacks (six rows) after the last sweep.
    configs: [S::Row; 12],
    /// Lanes that hold a puzzle.
    pub(super) busy: u32,
    /// Lanes with entries on their stack.
    pub(super) has_stack: u32,
    /// Lanes that have guessed, or have a part of another lane's search.
    pub(super) guessed: u32,
    /// Of these, lanes whose puzzle began with a guess of two digits. Unspecified for other lanes.
    pub(super) sparse: u32,
    pub(super) depth: [u32; MOST_LANES],
    pub(super) guesses: [u64; MOST_LANES],
    pub(super) solutions: [u64; MOST_LANES],
    /// The second children of open guesses, each in its [`slot`].
    pub(super) stack: Vec<Entry>,
    /// Scratch space for the words of lanes that guess, on their way to the stack.
    columns: Gathered<S::Row>,
    /// The words after [`WORDS`] in stack entries for guesses of two digits, transposed.
    pair_entries: [S::Row; 4],
    pub(super) split: SplitPuzzles,
}

thread_local! {
    /// The stack of this thread, kept from batch to batch: allocating it for each batch costs 2 to 6 % in page
    /// faults.
    static STACKS: Cell<Vec<Entry>> = const { Cell::new(Vec::new()) };
}

impl<S: Simd> Lanes<S> {
    #[inline(always)]
    fn new(limits: Limits) -> Self {
        let mut stack = STACKS.take();
        stack.resize(stack.len().max(MAX_DEPTH * S::LANES), Entry([0; 32]));
        Lanes {
            limits,
            vectors: [[S::Row::ZERO; ROWS]; 3],
            configs: [S::Row::ZERO; 12],
            busy: 0,
            has_stack: 0,
            guessed: 0,
            sparse: 0,
            depth: [0; MOST_LANES],
            guesses: [0; MOST_LANES],
            solutions: [0; MOST_LANES],
            stack,
            columns: [[S::Row::ZERO; 4]; 7],
            pair_entries: [S::Row::ZERO; 4],
            split: SplitPuzzles::default(),
        }
    }

    /// Gives new puzzles to idle lanes, or parts of other searches when there are none left. Returns whether new
    /// puzzles are to be swept in the queue first.
    #[inline(always)]
    fn refill<I: Source<K>, K: Sink>(&mut self, s: S, queue: &mut Queue<I>, sink: &mut K) -> bool {
        while self.busy != every_lane::<S>() {
            if !queue.has_more(sink) {
                if K::EMITS_ALL {
                    self.resume_parts(sink);
                } else if K::IS_BATCH {
                    self.split_searches(sink);
                }
                break;
            }
            if queue.waiting == 0 && queue.load_next(s, self.limits, &mut self.vectors, sink) {
                return true;
            }
            self.start_puzzles(s, queue);
        }
        false
    }

    /// Moves new puzzles from the queue to idle lanes.
    #[inline(always)]
    fn start_puzzles<I>(&mut self, s: S, queue: &mut Queue<I>) {
        let idle = !self.busy & every_lane::<S>();
        let (some, at) = queue.ready::<S>();
        let n = some.count_ones().min(idle.count_ones());
        let (from, to) = (s.lowest_bits(some, n), s.lowest_bits(idle, n));
        let [next @ .., words] = &mut self.vectors;
        s.move_lanes(&next[at][..=ID], from, &mut words[..=ID], to);
        queue.waiting &= !from;
        self.busy |= to;
    }

    /// Handles the events after a sweep: counts solutions, backtracks and guesses.
    #[inline(always)]
    fn after_sweep<K: Sink>(
        &mut self,
        s: S,
        verdict: Verdict,
        emit_buffer: &mut EmitBuffer<S>,
        sink: &mut K,
    ) {
        let Verdict { mut dead, mut solved, stuck } = verdict;
        // Computed here because LLVM otherwise sinks `stuck` below the branch.
        if (dead | solved | stuck) & self.busy == 0 {
            return;
        }
        // The choice of guesses comes first: it has a long latency and does not depend on the unpredictable branches
        // below. 3 to 8 % faster on Zen 5 than after them.
        let guessing = stuck & self.busy;
        let sparse = self.sparse & self.guessed;
        let guess =
            if guessing != 0 { Some(own_frame!(choose(s, &self.configs, guessing, sparse))) } else { None };
        if K::IS_BATCH && !K::EMITS_ALL && self.split.lanes != 0 {
            (dead, solved) = self.record_parts(verdict);
        }
        let mut ended = dead & self.busy;
        if solved & self.busy != 0 {
            ended |= own_frame!(self.count_solutions(s, solved & self.busy, emit_buffer, sink));
        }
        let stuck = stuck & self.busy;
        // Pops come before pushes: popping stores single lanes, and a load of the row would stall if it came soon
        // after.
        own_frame!(self.backtrack(s, ended, sink));
        if let Some(guess) = guess {
            own_frame!(self.branch(s, stuck, guess, sink));
        }
    }

    /// Counts solutions, and emits the first one of each puzzle, or all. Returns the lanes that go on searching.
    #[inline(always)]
    fn count_solutions<K: Sink>(
        &mut self,
        s: S,
        solved: u32,
        emit_buffer: &mut EmitBuffer<S>,
        sink: &mut K,
    ) -> u32 {
        // The outcome of a puzzle solved without a guess was written when it was loaded, see [`Outcomes::fill_single`]: 4
        // to 8 % faster on easy puzzles.
        let mut done = solved & !self.guessed;
        let mut first = done;
        for lane in lanes(solved & self.guessed) {
            let lane = lane & (S::LANES - 1);
            let solutions = self.solutions[lane] + 1;
            let limit = sink.solution_limit(self.vectors[ACTIVE][ID].lanes()[lane] as usize, self.limits);
            if solutions == 1 {
                first |= 1 << lane;
            }
            if solutions == limit || self.depth[lane] == 0 {
                self.finish(lane, solutions, false, sink);
                done |= 1 << lane;
            } else {
                self.solutions[lane] = solutions;
            }
        }
        if K::IS_BATCH {
            self.free(done);
            emit_buffer.push(s, &self.vectors[ACTIVE], if K::EMITS_ALL { solved } else { first });
        } else {
            for lane in lanes(solved & !self.guessed) {
                sink.set_counts(self.vectors[ACTIVE][ID].lanes()[lane] as usize, Status::Solved, 1, 0);
            }
            self.free(done);
        }
        solved & !done
    }

    /// Pushes the second child of each guess and goes on with the first.
    #[inline(always)]
    fn branch<K: Sink>(&mut self, s: S, stuck: u32, mut guess: Guess<S>, sink: &mut K) {
        self.has_stack |= stuck;
        self.sparse &= self.guessed;
        if K::EMITS_ALL || self.limits.solutions.get() > MAX_PAIR_LIMIT {
            guess.pairs = 0;
        }
        if guess.pairs != 0 {
            unlikely();
            self.sparse |= guess.pairs & !self.guessed;
            own_frame!(guess.guess_pairs(s, &self.configs, &mut self.pair_entries));
        }
        self.guessed |= stuck;
        // Either the digit is removed from the words of all lanes on their way to the stack, or from each entry.
        let remove_in_vectors = S::TUNING.gather_from == 1;
        let [at, digits] = if remove_in_vectors { [S::Row::ZERO; 2] } else { guess.lines_and_digits(s) };
        let use_columns = remove_in_vectors || stuck.count_ones() >= S::TUNING.gather_from;
        if use_columns {
            let removed = if remove_in_vectors { guess.removed_from_second(s) } else { [s.splat(0); ID + 1] };
            let words = self.vectors[ACTIVE].first_chunk().expect("28 of 36");
            s.gather_lanes(words, &removed, stuck, &mut self.columns);
        }
        for (p, lane) in lanes(stuck).enumerate() {
            let lane = lane & (S::LANES - 1);
            if self.guesses[lane] == self.limits.guesses {
                if K::EMITS_ALL {
                    self.suspend(lane, sink);
                }
                self.finish(lane, self.solutions[lane], true, sink);
                self.free(1 << lane);
                continue;
            }
            self.guesses[lane] += 1;
            let entry = &mut self.stack[slot::<S>(self.depth[lane], lane)].0;
            self.depth[lane] += 1;
            if use_columns {
                for (words, columns) in entry.as_chunks_mut().0.iter_mut().zip(&self.columns) {
                    *words = simd::four_words(columns, S::gathered_at(p, lane));
                }
            } else {
                for (word, row) in entry[..WORDS].iter_mut().zip(&self.vectors[ACTIVE]) {
                    *word = row.lanes()[lane];
                }
            }
            if !remove_in_vectors {
                for i in LINES[at.lanes()[lane] as usize % LINES.len()] {
                    entry[i as usize & 31] &= !digits.lanes()[lane];
                }
            }
        }
        if guess.pairs != 0 {
            unlikely();
            for lane in lanes(guess.pairs & self.busy) {
                let lane = lane & (S::LANES - 1);
                let entry = &mut self.stack[slot::<S>(self.depth[lane] - 1, lane)].0;
                guess::mark_pair(entry, simd::four_words(&self.pair_entries, simd::transposed_at::<S>(lane)));
            }
        }
        guess.apply(s, self.vectors[ACTIVE].first_chunk_mut().expect("27 of 36"));
    }

    /// Pops the newest entry of each lane; a lane with an empty stack is done.
    #[inline(always)]
    fn backtrack<K: Sink>(&mut self, s: S, ended: u32, sink: &mut K) {
        let done = ended & !self.has_stack;
        for lane in lanes(done) {
            let lane = lane & (S::LANES - 1);
            self.finish(lane, self.solutions[lane], false, sink);
        }
        self.free(done);
        let mut to_pop = ended & !done;
        let (mut with_pairs, mut empty) = (0, 0);
        while to_pop.count_ones() >= S::TUNING.scatter_from {
            let four = s.lowest_bits(to_pop, to_pop.count_ones().min(4));
            to_pop &= !four;
            match self.pop_four(s, four) {
                Some(emptied) => empty |= emptied,
                None => with_pairs |= four,
            }
        }
        for lane in lanes(to_pop | with_pairs) {
            empty |= self.pop(lane & (S::LANES - 1));
        }
        self.has_stack &= !empty;
    }

    /// Pops the newest entry to its lane. Returns the mask of the lane if its stack is empty then.
    #[inline(always)]
    pub(super) fn pop(&mut self, lane: usize) -> u32 {
        let entry = &mut self.stack[slot::<S>(self.depth[lane] - 1, lane)].0;
        let is_last = if guess::is_pair(entry) {
            let (words, is_last) = guess::pop_pair(entry);
            write_lane::<S>(&mut self.vectors[ACTIVE], lane, &words);
            is_last
        } else {
            write_lane::<S>(&mut self.vectors[ACTIVE], lane, entry);
            true
        };
        self.depth[lane] -= u32::from(is_last);
        u32::from(self.depth[lane] == 0) << lane
    }

    /// Pops the newest entries to at most four lanes. Returns the mask of lanes whose stacks are empty then. Returns
    /// `None` and does nothing if an entry is a guess of two digits.
    #[inline(always)]
    fn pop_four(&mut self, s: S, four: u32) -> Option<u32> {
        let (mut lane, mut depth, mut at) = ([0; 4], [0; 4], [0; 4]);
        let (mut rest, mut is_pair) = (four, false);
        for i in 0..4 {
            lane[i] = rest.trailing_zeros() as usize & (S::LANES - 1);
            depth[i] = self.depth[lane[i]] - 1;
            at[i] = slot::<S>(depth[i], lane[i]);
            is_pair |= guess::is_pair(&self.stack[at[i]].0);
            // The last lane is repeated if there are fewer than four, to avoid an unpredictable branch on their
            // number.
            let next = rest & (rest - 1);
            rest = if next == 0 { rest } else { next };
        }
        if is_pair {
            return None;
        }
        let mut empty = 0;
        for i in 0..4 {
            self.depth[lane[i]] = depth[i];
            empty |= u32::from(depth[i] == 0) << lane[i];
        }
        let words = self.vectors[ACTIVE].first_chunk_mut().expect("27 of 36");
        s.scatter_lanes(at.map(|at| &self.stack[at].0), four, words);
        Some(empty)
    }

    /// Writes the outcome of a puzzle and resets its lane, which the caller has to [free](Lanes::free).
    #[inline(always)]
    fn finish<K: Sink>(&mut self, lane: usize, solutions: u64, capped: bool, sink: &mut K) {
        let puzzle = self.vectors[ACTIVE][ID].lanes()[lane] as usize;
        let guesses = self.guesses[lane];
        let status = Status::of_search(solutions, self.limits, capped);
        sink.set_counts(puzzle, status, solutions, guesses);
        self.reset_lane(lane);
    }

    /// Marks lanes as idle.
    #[inline(always)]
    pub(super) fn free(&mut self, lanes: u32) {
        self.busy &= !lanes;
        self.has_stack &= !lanes;
        self.guessed &= !lanes;
    }

    /// Resets the counts of a lane for its next puzzle, or part of one.
    #[inline(always)]
    pub(super) fn reset_lane(&mut self, lane: usize) {
        (self.depth[lane], self.guesses[lane], self.solutions[lane]) = (0, 0, 0);
    }
}

// The end of a batch, see `split.rs`.
impl<S: Simd> Lanes<S> {
    /// Between sweeps, when the queue is empty: writes the outcomes of finished puzzles, and gives parts of other
    /// searches to idle lanes.
    #[cold]
    #[inline(never)]
    fn split_searches<K: Sink>(&mut self, sink: &mut K) {
        let mut puzzles = std::mem::take(&mut self.split.puzzles);
        puzzles.retain_mut(|split| match split.total(self.limits) {
            Some(total) => {
                for lane in split.parts.iter().filter_map(|part| part.lane) {
                    self.release_part(lane);
                }
                let at = split.puzzle;
                let Total { guesses, solutions, is_capped, first } = total;
                let status = Status::of_search(solutions, self.limits, is_capped);
                sink.set_counts(at, status, solutions, guesses);
                if solutions > 0 && !split.is_first_out {
                    sink.rows()[at] = split::row(&first.expect("of a part with solutions"));
                }
                false
            }
            None => {
                split.merge(self.limits);
                true
            }
        });
        self.split.puzzles = puzzles;

        self.split.waited += 1;
        if self.split.waited <= SWEEPS_BEFORE_SPLIT || self.limits.solutions.get() > MAX_SPLIT_LIMIT {
            return;
        }
        let idle = !self.busy & every_lane::<S>();
        for to in lanes(idle).take(SPLITS_PER_SWEEP as usize) {
            // The lane with the deepest stack: its oldest entry is likely to be a large part.
            let Some(from) = lanes(self.busy).max_by_key(|&lane| self.depth[lane]) else { return };
            if self.depth[from] == 0 {
                return;
            }
            self.give_part(from, to);
        }
    }

    /// Moves the last part of `from`'s search to lane `to`.
    fn give_part(&mut self, from: usize, to: usize) {
        let puzzle = self.vectors[ACTIVE][ID].lanes()[from];
        if self.split.lanes & 1 << from == 0 {
            self.split.lanes |= 1 << from;
            // The earlier solutions are below the limit, so the number of guesses before them does not matter.
            let solutions = self.solutions[from];
            self.split.puzzles.push(SplitPuzzle {
                puzzle: puzzle as usize,
                is_first_out: solutions > 0,
                parts: vec![Part::of(from, vec![0; solutions as usize])],
            });
        }
        let (split, at) = self.split.find(from);
        split.parts.insert(at + 1, Part::of(to, Vec::new()));
        self.split.lanes |= 1 << to;

        self.stack[slot::<S>(0, to)] = self.stack[slot::<S>(0, from)];
        self.depth[to] = 1;
        self.pop(to);
        self.vectors[ACTIVE][ID].lanes_mut()[to] = puzzle;
        self.depth[from] -= 1;
        for at in 0..self.depth[from] {
            self.stack[slot::<S>(at, from)] = self.stack[slot::<S>(at + 1, from)];
        }
        self.busy |= 1 << to;
        self.guessed |= 1 << to;
        self.sparse = self.sparse & !(1 << to) | (self.sparse >> from & 1) << to;
        self.has_stack =
            lanes(self.busy).filter(|&lane| self.depth[lane] != 0).fold(0, |all, lane| all | 1 << lane);
    }

    /// Records the result of a sweep for lanes with parts, and which parts are finished. Returns all lanes that are
    /// dead ends, and all that are solved, without those recorded here.
    #[cold]
    #[inline(never)]
    fn record_parts(&mut self, verdict: Verdict) -> (u32, u32) {
        let Verdict { mut dead, mut solved, stuck } = verdict;
        for lane in lanes(self.split.lanes & (dead | solved | stuck)) {
            let [is_solved, is_stuck] = [solved, stuck].map(|mask| mask & 1 << lane != 0);
            let is_capped = is_stuck && self.guesses[lane] == self.limits.guesses;
            let is_over = is_capped || !is_stuck && self.depth[lane] == 0;
            if !(is_solved || is_over) {
                continue;
            }
            let (split, at) = self.split.find(lane);
            let part = &mut split.parts[at];
            if is_solved {
                if part.solutions.is_empty() {
                    part.first = Some(std::array::from_fn(|i| self.vectors[ACTIVE][i].lanes()[lane]));
                }
                part.solutions.push(self.guesses[lane]);
                self.solutions[lane] += 1;
                solved &= !(1 << lane);
                dead |= 1 << lane;
            }
            if is_over || self.solutions[lane] == self.limits.solutions.get() {
                (part.lane, part.guesses, part.is_capped) = (None, self.guesses[lane], is_capped);
                self.release_part(lane);
            }
        }
        (dead, solved)
    }

    fn release_part(&mut self, lane: usize) {
        self.reset_lane(lane);
        self.free(1 << lane);
        self.split.lanes &= !(1 << lane);
    }
}

#[inline(always)]
pub(super) fn every_lane<S: Simd>() -> u32 {
    u32::MAX >> (32 - S::LANES)
}

/// Writes the words of an entry to a lane.
#[inline(always)]
pub(super) fn write_lane<S: Simd>(rows: &mut [S::Row; ROWS], lane: usize, words: &[u32; 32]) {
    for (row, word) in rows.iter_mut().zip(&words[..WORDS]) {
        row.lanes_mut()[lane] = *word;
    }
}

/// A call marks the block as unlikely, so that LLVM moves it out of the way.
#[cold]
fn unlikely() {}
