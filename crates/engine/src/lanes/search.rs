//! The search: sweeps, and the events between them.

use super::codegen::own_frame;
use super::emit::EmitBuffer;
use super::guess::{self, Guess, LINES, MAX_PAIR_LIMIT, choose};
use super::layout::{ID, WORDS};
use super::queue::Queue;
use super::state::{ACTIVE, Lanes, every_lane, slot};
use super::sweep::{Sweep, Verdict};
use super::task::{Solved, Task};
use crate::cancel::{CancelToken, Cancelled};
use crate::outcome::{Limits, Status};
use crate::simd::{self, Kernel, Row, Simd, Step, lanes};

/// The number of sweeps between two looks at the token: about a millisecond.
const CANCEL_INTERVAL: u64 = 4096;

/// A task, and its limits.
pub(super) struct Search<'t, 'a> {
    pub task: Task<'t, 'a>,
    pub limits: Limits,
    pub cancel: &'a CancelToken,
}

impl Kernel for Search<'_, '_> {
    type Output = Result<(), Cancelled>;

    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Result<(), Cancelled> {
        let Search { mut task, limits, cancel } = self;
        let task = &mut task;
        let mut lanes = Lanes::<S>::new(limits);
        let mut queue = Queue::default();
        let mut emit_buffer = EmitBuffer::new();
        // Forces the state into memory. Otherwise LLVM makes a variable of each row and spends time on moving them.
        std::hint::black_box((&mut lanes, &mut queue, &mut emit_buffer));
        let mut sweeps = 0_u64;
        let mut ahead = own_frame!(lanes.refill(s, &mut queue, task));
        while lanes.busy != 0 || ahead {
            let is_ahead = S::TUNING.sweeps_ahead && ahead;
            let [from, to] = if is_ahead { queue.sweep_indices() } else { [ACTIVE; 2] };
            let Lanes { vectors, configs: kept, .. } = &mut lanes;
            let verdict = own_frame!(Sweep { vectors, from, to, kept }.run(s));
            sweeps += 1;
            let again = if is_ahead {
                own_frame!(queue.after_sweep(s, verdict, &lanes.vectors[to], &mut emit_buffer, task))
            } else {
                own_frame!(lanes.after_sweep(s, verdict, &mut emit_buffer, task));
                false
            };
            if let Some((numbers, lines)) = emit_buffer.take_full() {
                own_frame!(task.emit_full(s, lines, numbers));
            }
            ahead = again || own_frame!(lanes.refill(s, &mut queue, task));
            if sweeps.is_multiple_of(CANCEL_INTERVAL) && cancel.is_cancelled() {
                return Err(Cancelled);
            }
        }
        let (numbers, lines) = emit_buffer.rest();
        own_frame!(task.emit(s, lines, numbers));
        lanes.keep_stack();
        Ok(())
    }
}

impl<S: Simd> Lanes<S> {
    /// Gives new puzzles to idle lanes, or something else when there are none left. Returns whether new puzzles are to
    /// be swept in the queue first.
    #[inline(always)]
    fn refill(&mut self, s: S, queue: &mut Queue, task: &mut Task) -> bool {
        while self.busy != every_lane::<S>() {
            if queue.waiting == 0 {
                if !task.has_more() {
                    task.occupy(self);
                    break;
                }
                if queue.load_next(s, self.limits, &mut self.vectors, task) {
                    return true;
                }
            }
            self.start_puzzles(s, queue);
        }
        false
    }

    /// Moves new puzzles from the queue to idle lanes.
    #[inline(always)]
    fn start_puzzles(&mut self, s: S, queue: &mut Queue) {
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
    fn after_sweep(&mut self, s: S, verdict: Verdict, emit_buffer: &mut EmitBuffer<S>, task: &mut Task) {
        let Verdict { dead, solved, stuck } = verdict;
        // Computed here because LLVM otherwise sinks `stuck` below the branch.
        if (dead | solved | stuck) & self.busy == 0 {
            return;
        }
        // The choice of guesses comes first: it has a long latency and does not depend on the unpredictable branches
        // below. 3 to 8 % faster on Zen 5 than after them.
        let guessing = stuck & self.busy;
        let sparse = self.sparse & self.guessed;
        let guess = if guessing != 0 { Some(own_frame!(choose(s, &self.configs, guessing, sparse))) } else { None };
        let Verdict { dead, solved, .. } = task.take_parts(self, verdict);
        let mut ended = dead & self.busy;
        if solved & self.busy != 0 {
            ended |= own_frame!(self.count_solutions(s, solved & self.busy, emit_buffer, task));
        }
        let stuck = stuck & self.busy;
        // Pops come before pushes: popping stores single lanes, and a load of the row would stall if it came soon
        // after.
        own_frame!(self.backtrack(s, ended, task));
        if let Some(guess) = guess {
            own_frame!(self.branch(s, stuck, guess, task));
        }
    }

    /// Counts solutions. Returns the lanes that go on searching.
    #[inline(always)]
    fn count_solutions(&mut self, s: S, solved: u32, emit_buffer: &mut EmitBuffer<S>, task: &mut Task) -> u32 {
        // The outcome of a puzzle solved without a guess was written when it was loaded, see [`Outcomes::fill_single`]:
        // 4 to 8 % faster on easy puzzles.
        let unguessed = solved & !self.guessed;
        let (mut done, mut first) = (unguessed, unguessed);
        for lane in lanes(solved & self.guessed) {
            let lane = lane & (S::LANES - 1);
            let solutions = self.solutions[lane] + 1;
            let limit = task.solution_limit(self.vectors[ACTIVE][ID].lanes()[lane] as usize, self.limits);
            if solutions == 1 {
                first |= 1 << lane;
            }
            if solutions == limit || self.depth[lane] == 0 {
                self.finish(lane, solutions, false, task);
                done |= 1 << lane;
            } else {
                self.solutions[lane] = solutions;
            }
        }
        task.take_solved(s, &self.vectors[ACTIVE], Solved { all: solved, first, unguessed }, emit_buffer);
        self.free(done);
        solved & !done
    }

    /// Pushes the second child of each guess and goes on with the first.
    #[inline(always)]
    fn branch(&mut self, s: S, stuck: u32, mut guess: Guess<S>, task: &mut Task) {
        self.has_stack |= stuck;
        self.sparse &= self.guessed;
        if !task.guesses_pairs() || self.limits.solutions.get() > MAX_PAIR_LIMIT {
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
                task.suspend(self, lane);
                self.finish(lane, self.solutions[lane], true, task);
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
    fn backtrack(&mut self, s: S, ended: u32, task: &mut Task) {
        let done = ended & !self.has_stack;
        for lane in lanes(done) {
            let lane = lane & (S::LANES - 1);
            self.finish(lane, self.solutions[lane], false, task);
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
    fn finish(&mut self, lane: usize, solutions: u64, capped: bool, task: &mut Task) {
        let puzzle = self.vectors[ACTIVE][ID].lanes()[lane] as usize;
        let guesses = self.guesses[lane];
        let status = Status::of_search(solutions, self.limits, capped);
        task.set_counts(puzzle, status, solutions, guesses);
        self.reset_lane(lane);
    }
}

/// A call marks the block as unlikely, so that LLVM moves it out of the way.
#[cold]
fn unlikely() {}
