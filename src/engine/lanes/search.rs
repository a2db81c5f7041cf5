//! The search: sweeps and what happens between them.

use std::cell::Cell;

use super::fork::{self, FEW, Guess, LINES, choose};
use super::layout::{SOLVED, WORDS};
use super::share::Shared;
use super::sweep::{Verdict, sweep};
use super::text;
use crate::engine::{Given, Outcomes, ROW, Search, Work};
use crate::grid::{CELLS, Candidates, Puzzle, Status};
use crate::simd::{self, Columns, Kernel, MOST_LANES, Row, Simd, lanes};

/// Entries of a lane's stack: no search needs more, see [`super`].
const DEPTH: usize = 108;
/// The row behind the words of a puzzle.
pub(super) const NUMBER: usize = WORDS;
/// Behind it are the rows that say all of a solved grid.
const ROWS: usize = NUMBER + 1 + SOLVED;

/// A batch to be solved.
pub(super) struct Solve<'a> {
    pub given: Given<'a>,
    pub search: Search,
    pub outcomes: &'a mut Outcomes,
}

impl Kernel for Solve<'_> {
    type Output = Work;

    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Work {
        let Solve { given, search, outcomes } = self;
        let mut lanes = Lanes::<S>::new(search);
        let mut inbox = Inbox::new(given);
        let mut outbox = Outbox::new();
        // In memory, or else the compiler would have each row for a variable of its own, to be kept and moved about.
        std::hint::black_box((&mut lanes, &mut inbox, &mut outbox));
        let mut work = Work::default();
        lanes.refill(s, &mut inbox, outcomes);
        while lanes.busy != 0 {
            let verdict = lanes.sweep(s);
            work.sweeps += 1;
            work.lanes += S::LANES as u64;
            work.busy_lanes += u64::from(lanes.busy.count_ones());
            let Verdict { mut dead, mut solved, stuck } = verdict;
            // Asked for here, or else the compiler would put off to work out who is stuck, and wait for it then.
            if (dead | solved | stuck) & lanes.busy != 0 {
                // First of all, as this waits for nothing that a branch decides, and takes long.
                let guessing = stuck & lanes.busy;
                let roomy = lanes.roomy & lanes.guessed;
                let guess =
                    if guessing != 0 { Some(choose(s, &lanes.configs, guessing, roomy)) } else { None };
                if lanes.shared.lanes != 0 {
                    (dead, solved) = lanes.note(verdict);
                }
                let mut over = dead & lanes.busy;
                if solved & lanes.busy != 0 {
                    over |= lanes.count(s, solved & lanes.busy, &mut outbox, outcomes);
                }
                let stuck = stuck & lanes.busy;
                // Back before others guess, as what is stored lane by lane has to be written before rows can be loaded.
                lanes.retreat(s, over, outcomes);
                if let Some(guess) = guess {
                    lanes.guess(s, stuck, guess, outcomes);
                }
            }
            lanes.refill(s, &mut inbox, outcomes);
        }
        outbox.empty(s, &mut outcomes.rows);
        STACKS.set(lanes.stack);
        work
    }
}

/// The puzzles in flight and their stacks.
pub(super) struct Lanes<S: Simd> {
    pub(super) search: Search,
    /// Row `i` is word `i` of each lane's puzzle, row [`NUMBER`] its number in the batch, and the rest is what the last
    /// sweep says of solved grids.
    pub(super) words: [S::Row; ROWS],
    /// The configurations of each digit in bands (six rows) and stacks (six rows) after the last sweep.
    configs: [S::Row; 12],
    /// Lanes that hold a puzzle.
    pub(super) busy: u32,
    /// Those with something on their stack.
    pub(super) deep: u32,
    /// Those that have guessed, and those with a part of another's search.
    pub(super) guessed: u32,
    /// Of those, the ones whose puzzle had room for two digits at its first guess. (Of others it means nothing.)
    pub(super) roomy: u32,
    pub(super) depth: [u32; MOST_LANES],
    pub(super) guesses: [u64; MOST_LANES],
    pub(super) solutions: [u64; MOST_LANES],
    /// The second children of open guesses, each in its [`slot`].
    pub(super) stack: Vec<Entry>,
    /// Words of lanes that guess, on their way there.
    columns: Columns<S::Row>,
    /// The digits of lanes that guess two.
    pairs: [S::Row; 2],
    pub(super) shared: Shared,
}

thread_local! {
    /// Stacks for the next batch of this thread: to get and return so much memory for each shows.
    static STACKS: Cell<Vec<Entry>> = const { Cell::new(Vec::new()) };
}

/// The words of a puzzle put aside; two cache lines.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Entry(pub [u32; 32]);

impl<S: Simd> Lanes<S> {
    #[inline(always)]
    fn new(search: Search) -> Self {
        let mut stack = STACKS.take();
        stack.resize(stack.len().max(DEPTH * S::LANES), Entry([0; 32]));
        Lanes {
            search,
            words: [S::Row::ZERO; ROWS],
            configs: [S::Row::ZERO; 12],
            busy: 0,
            deep: 0,
            guessed: 0,
            roomy: 0,
            depth: [0; MOST_LANES],
            guesses: [0; MOST_LANES],
            solutions: [0; MOST_LANES],
            stack,
            columns: [[S::Row::ZERO; 4]; 7],
            pairs: [S::Row::ZERO; 2],
            shared: Shared::default(),
        }
    }

    #[inline(always)]
    fn sweep(&mut self, s: S) -> Verdict {
        let (words, lines) = self.words.split_at_mut(NUMBER + 1);
        let words = words.first_chunk_mut().expect("27 of 28");
        let lines = lines.first_chunk_mut().expect("8 of 8");
        sweep(s, words, &mut self.configs, lines)
    }

    /// Gives idle lanes new puzzles, or parts of others when there are none.
    #[inline(always)]
    fn refill(&mut self, s: S, inbox: &mut Inbox<S>, outcomes: &mut Outcomes) {
        while self.busy != every_lane::<S>() {
            if !inbox.has_more() {
                self.share(outcomes);
                break;
            }
            inbox.fill(s, self.search, outcomes);
            self.take(s, inbox);
        }
    }

    /// Gives new puzzles to idle lanes.
    #[inline(always)]
    fn take(&mut self, s: S, inbox: &mut Inbox<S>) {
        let idle = !self.busy & every_lane::<S>();
        let n = inbox.waiting.count_ones().min(idle.count_ones());
        let (from, to) = (s.lowest(inbox.waiting, n), s.lowest(idle, n));
        s.forward(&inbox.words, from, &mut self.words[..=NUMBER], to);
        inbox.waiting &= !from;
        self.busy |= to;
    }

    /// Counts solutions and hands the first one of each puzzle out. Returns the lanes that have to go on.
    #[inline(always)]
    fn count(&mut self, s: S, solved: u32, outbox: &mut Outbox<S>, outcomes: &mut Outcomes) -> u32 {
        // Of those that are solved without a guess all else was noted before they came in, see [`Outcomes::presume`].
        let mut done = solved & !self.guessed;
        let mut first = done;
        for lane in lanes(solved & self.guessed) {
            let lane = lane & (S::LANES - 1);
            let solutions = self.solutions[lane] + 1;
            if solutions == 1 {
                first |= 1 << lane;
            }
            if solutions == self.search.limit || self.depth[lane] == 0 {
                self.finish(lane, solutions, false, outcomes);
                done |= 1 << lane;
            } else {
                self.solutions[lane] = solutions;
            }
        }
        self.free(done);
        while first != 0 {
            let room = S::LANES as u32 - outbox.len;
            let n = first.count_ones().min(room);
            let from = s.lowest(first, n);
            let to = ((1 << n) - 1) << outbox.len;
            s.forward(&self.words[NUMBER..], from, &mut outbox.words, to);
            first &= !from;
            outbox.len += n;
            if n == room {
                outbox.empty(s, &mut outcomes.rows);
            }
        }
        solved & !done
    }

    /// Puts the second child of a guess aside and goes on with the first.
    #[inline(always)]
    fn guess(&mut self, s: S, stuck: u32, mut guess: Guess<S>, outcomes: &mut Outcomes) {
        self.deep |= stuck;
        self.roomy &= self.guessed;
        if self.search.limit > FEW {
            guess.wide = 0;
        }
        if guess.wide != 0 {
            unlikely();
            self.roomy |= guess.wide & !self.guessed;
            guess.widen(s, &self.configs, &mut self.pairs);
        }
        self.guessed |= stuck;
        let [at, digits] = guess.rows(s);
        let is_many = stuck.count_ones() >= S::MANY;
        if is_many {
            s.columns(self.words.first_chunk().expect("28 of 36"), stuck, &mut self.columns);
        }
        for (p, lane) in lanes(stuck).enumerate() {
            let lane = lane & (S::LANES - 1);
            if self.guesses[lane] == self.search.max_guesses {
                self.finish(lane, self.solutions[lane], true, outcomes);
                self.free(1 << lane);
                continue;
            }
            self.guesses[lane] += 1;
            let entry = &mut self.stack[slot::<S>(self.depth[lane], lane)].0;
            self.depth[lane] += 1;
            if is_many {
                for (words, columns) in entry.as_chunks_mut().0.iter_mut().zip(&self.columns) {
                    *words = simd::four_of(columns, S::place(p, lane));
                }
            } else {
                for (word, row) in entry[..WORDS].iter_mut().zip(&self.words) {
                    *word = row.lanes()[lane];
                }
            }
            for i in LINES[at.lanes()[lane] as usize % LINES.len()] {
                entry[i as usize & 31] &= !digits.lanes()[lane];
            }
        }
        if guess.wide != 0 {
            unlikely();
            for lane in lanes(guess.wide & self.busy) {
                let lane = lane & (S::LANES - 1);
                let entry = &mut self.stack[slot::<S>(self.depth[lane] - 1, lane)].0;
                fork::fold(entry, at.lanes()[lane], self.pairs.each_ref().map(|row| row.lanes()[lane]));
            }
        }
        guess.make(s, self.words.first_chunk_mut().expect("27 of 36"));
    }

    /// Back to the newest entry of the stack; without one, the puzzle is done.
    #[inline(always)]
    fn retreat(&mut self, s: S, over: u32, outcomes: &mut Outcomes) {
        let done = over & !self.deep;
        for lane in lanes(done) {
            let lane = lane & (S::LANES - 1);
            self.finish(lane, self.solutions[lane], false, outcomes);
        }
        self.free(done);
        let mut back = over & !done;
        let (mut folded, mut empty) = (0, 0);
        while back.count_ones() >= S::MANY_BACK {
            let four = s.lowest(back, back.count_ones().min(4));
            back &= !four;
            match self.resume_four(s, four) {
                Some(emptied) => empty |= emptied,
                None => folded |= four,
            }
        }
        for lane in lanes(back | folded) {
            empty |= self.resume(lane & (S::LANES - 1));
        }
        self.deep &= !empty;
    }

    /// The newest entry of its stack to a lane. The mask of the lane, if there are no others.
    #[inline(always)]
    pub(super) fn resume(&mut self, lane: usize) -> u32 {
        let entry = &mut self.stack[slot::<S>(self.depth[lane] - 1, lane)].0;
        let is_last = if fork::is_folded(entry) {
            let (words, is_last) = fork::unfold(entry);
            put::<S>(&mut self.words, lane, &words);
            is_last
        } else {
            put::<S>(&mut self.words, lane, entry);
            true
        };
        self.depth[lane] -= u32::from(is_last);
        u32::from(self.depth[lane] == 0) << lane
    }

    /// The newest entries of their stacks to at most four lanes. The mask of those that have no others; or none, and
    /// nothing has happened, when there is a guess of two digits among the entries.
    #[inline(always)]
    fn resume_four(&mut self, s: S, four: u32) -> Option<u32> {
        let (mut lane, mut depth, mut at) = ([0; 4], [0; 4], [0; 4]);
        let (mut rest, mut is_folded) = (four, false);
        for i in 0..4 {
            lane[i] = rest.trailing_zeros() as usize & (S::LANES - 1);
            depth[i] = self.depth[lane[i]] - 1;
            at[i] = slot::<S>(depth[i], lane[i]);
            is_folded |= fork::is_folded(&self.stack[at[i]].0);
            // The last one again for those that are not there: no branch on how many there are.
            let next = rest & (rest - 1);
            rest = if next == 0 { rest } else { next };
        }
        if is_folded {
            return None;
        }
        let mut empty = 0;
        for i in 0..4 {
            self.depth[lane[i]] = depth[i];
            empty |= u32::from(depth[i] == 0) << lane[i];
        }
        let words = self.words.first_chunk_mut().expect("27 of 36");
        s.put_back(at.map(|at| &self.stack[at].0), four, words);
        Some(empty)
    }

    /// Notes what a puzzle came to and leaves its lane, which is yet to be [freed](Lanes::free).
    #[inline(always)]
    fn finish(&mut self, lane: usize, solutions: u64, capped: bool, outcomes: &mut Outcomes) {
        let puzzle = self.words[NUMBER].lanes()[lane] as usize;
        let guesses = self.guesses[lane];
        let status = Status::of_search(solutions, self.search.limit, capped);
        outcomes.note(puzzle, status, solutions, guesses);
        self.leave(lane);
    }

    /// Takes lanes for idle that have been left.
    #[inline(always)]
    pub(super) fn free(&mut self, lanes: u32) {
        self.busy &= !lanes;
        self.deep &= !lanes;
        self.guessed &= !lanes;
    }

    /// Leaves a lane as a new puzzle, or part of one, wants it.
    #[inline(always)]
    pub(super) fn leave(&mut self, lane: usize) {
        (self.depth[lane], self.guesses[lane], self.solutions[lane]) = (0, 0, 0);
    }
}

/// A vector of puzzles on their way in.
struct Inbox<'a, S: Simd> {
    given: Given<'a>,
    /// How many of them have been here.
    read: usize,
    /// The clues of those in the vector, where candidates are given.
    clues: Vec<Puzzle>,
    words: [S::Row; NUMBER + 1],
    /// The lanes that have not been taken.
    waiting: u32,
}

impl<'a, S: Simd> Inbox<'a, S> {
    fn new(given: Given<'a>) -> Self {
        Inbox { given, read: 0, clues: Vec::new(), words: [S::Row::ZERO; NUMBER + 1], waiting: 0 }
    }

    #[inline(always)]
    fn has_more(&self) -> bool {
        self.waiting != 0 || self.read < self.given.len()
    }

    /// The next vector of puzzles, when there are no others. Those with a clash go no farther.
    #[inline(always)]
    fn fill(&mut self, s: S, search: Search, outcomes: &mut Outcomes) {
        if self.waiting != 0 {
            return;
        }
        let first = self.read;
        let n = S::LANES.min(self.given.len() - first);
        let words = self.words.first_chunk_mut().expect("27 of 28");
        let puzzles = match self.given {
            Given::Clues(puzzles) => &puzzles[first..first + n],
            Given::Candidates(all) => read_clues(&all[first..first + n], &mut self.clues),
        };
        let mut padded;
        let puzzles = if n == S::LANES {
            puzzles
        } else {
            padded = [Puzzle::EMPTY; MOST_LANES];
            padded[..n].copy_from_slice(puzzles);
            &padded
        };
        let clash = text::load(s, puzzles, words);
        if let Given::Candidates(all) = self.given {
            text::confine(&all[first..first + n], words);
        }
        for (number, lane) in (first as u32..).zip(self.words[NUMBER].lanes_mut()) {
            *lane = number;
        }
        self.ask_for_puzzles(first + S::LANES);
        ask_for(outcomes, first + 2 * S::LANES, S::LANES);
        if n == S::LANES {
            // A length that the compiler knows makes a few stores of three calls.
            outcomes.presume(first, S::LANES, search);
        } else {
            presume_some(outcomes, first, n, search);
        }
        self.read += n;
        self.waiting = !clash & (u32::MAX >> (32 - n));
        for lane in lanes(clash & (u32::MAX >> (32 - n))) {
            outcomes.note(first + lane, Status::Invalid, 0, 0);
        }
    }

    /// Asks for the memory of the next vector of puzzles. (They are read from all of its lines at once.)
    #[inline(always)]
    fn ask_for_puzzles(&self, from: usize) {
        let Given::Clues(puzzles) = self.given else { return };
        let Some(puzzles) = puzzles.get(from..from + S::LANES) else { return };
        for at in (0..S::LANES * CELLS).step_by(64) {
            simd::prefetch(puzzles[at / CELLS].cells(), at % CELLS);
        }
    }
}

/// Asks for the memory of `n` outcomes: it is written some sweeps from now, in the order in which puzzles are done.
#[inline(always)]
fn ask_for(outcomes: &Outcomes, from: usize, n: usize) {
    let Some(rows) = outcomes.rows.get(from..from + n) else { return };
    for at in (0..n * ROW).step_by(64) {
        simd::prefetch(rows.as_flattened(), at);
    }
    for at in (from..from + n).step_by(64 / size_of::<u64>()) {
        simd::prefetch(&outcomes.solutions, at);
        simd::prefetch(&outcomes.guesses, at);
    }
    simd::prefetch(&outcomes.status, from);
}

#[cold]
#[inline(never)]
fn presume_some(outcomes: &mut Outcomes, from: usize, n: usize, search: Search) {
    outcomes.presume(from, n, search);
}

#[cold]
#[inline(never)]
fn read_clues<'a>(candidates: &[Candidates], clues: &'a mut Vec<Puzzle>) -> &'a [Puzzle] {
    clues.clear();
    clues.extend(candidates.iter().map(Candidates::clues));
    clues
}

/// First solutions on their way out.
struct Outbox<S: Simd> {
    /// The number of the puzzle and what says all of its grid.
    words: [S::Row; 1 + SOLVED],
    len: u32,
}

impl<S: Simd> Outbox<S> {
    fn new() -> Self {
        Outbox { words: [S::Row::ZERO; 1 + SOLVED], len: 0 }
    }

    /// Writes the grids as text.
    #[inline(always)]
    fn empty(&mut self, s: S, rows: &mut [[u8; ROW]]) {
        let [numbers, lines @ ..] = &self.words;
        text::emit(s, lines, &numbers.lanes()[..self.len as usize], rows);
        self.len = 0;
    }
}

#[inline(always)]
pub(super) fn every_lane<S: Simd>() -> u32 {
    u32::MAX >> (32 - S::LANES)
}

/// Where entry `at` of a lane's stack is among those of all.
#[inline(always)]
pub(super) fn slot<S: Simd>(at: u32, lane: usize) -> usize {
    at as usize * S::LANES + lane
}

/// The words of an entry to a lane.
#[inline(always)]
fn put<S: Simd>(rows: &mut [S::Row; ROWS], lane: usize, words: &[u32; 32]) {
    for (row, word) in rows.iter_mut().zip(&words[..WORDS]) {
        row.lanes_mut()[lane] = *word;
    }
}

/// Where it is called the compiler puts what follows out of the way.
#[cold]
fn unlikely() {}
