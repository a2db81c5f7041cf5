//! The search: sweeps and what happens between them.

use std::cell::Cell;

use super::fork::{self, FEW, Guess, LINES, choose};
use super::inbox::Inbox;
use super::layout::{NUMBER, ROWS, WORDS};
use super::outbox::Outbox;
use super::share::Shared;
use super::sweep::{Verdict, sweep};
use super::tuning::tuning;
use crate::engine::{Given, Outcomes, Search, Work};
use crate::outcome::Status;
use crate::simd::{self, Gathered, Kernel, MOST_LANES, Row, Simd, lanes};

/// Entries of a lane's stack: no search needs more, see [`super`].
const DEPTH: usize = 108;
/// Of the vectors of puzzles, the one in flight. The two before it are of those that come next, see [`Inbox`].
pub(super) const FLIGHT: usize = 2;

/// A batch to be solved.
pub(super) struct Solve<'a> {
    pub given: Given<'a>,
    pub search: Search,
    pub outcomes: Outcomes<'a>,
}

impl Kernel for Solve<'_> {
    type Output = Work;

    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Work {
        let Solve { given, search, mut outcomes } = self;
        let outcomes = &mut outcomes;
        let mut lanes = Lanes::<S>::new(search);
        let mut inbox = Inbox::new(given);
        let mut outbox = Outbox::new();
        // In memory, or else the compiler would have each row for a variable of its own, to be kept and moved about.
        std::hint::black_box((&mut lanes, &mut inbox, &mut outbox));
        let mut work = Work::default();
        let mut ahead = lanes.refill(s, &mut inbox, outcomes);
        while lanes.busy != 0 || ahead {
            let [from, to] = if tuning::<S>().sweeps_ahead && ahead { inbox.places() } else { [FLIGHT; 2] };
            let verdict = sweep(s, &mut lanes.vectors, from, to, &mut lanes.configs);
            let busy = if tuning::<S>().sweeps_ahead && ahead { inbox.waiting } else { lanes.busy };
            work.sweeps += 1;
            work.lanes += S::LANES as u64;
            work.busy_lanes += u64::from(busy.count_ones());
            let again = if tuning::<S>().sweeps_ahead && ahead {
                inbox.advance(s, verdict, &lanes.vectors[to], &mut outbox, outcomes)
            } else {
                lanes.act(s, verdict, &mut outbox, outcomes);
                false
            };
            outbox.write(s, outcomes.rows);
            ahead = again || lanes.refill(s, &mut inbox, outcomes);
        }
        outbox.write_rest(s, outcomes.rows);
        STACKS.set(lanes.stack);
        work
    }
}

/// The puzzles in flight and their stacks.
pub(super) struct Lanes<S: Simd> {
    pub(super) search: Search,
    /// Vectors of puzzles: row `i` is word `i` of each lane's, see [`ROWS`]. Which is which [`FLIGHT`] says.
    pub(super) vectors: [[S::Row; ROWS]; 3],
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
    columns: Gathered<S::Row>,
    /// What lanes that guess two digits put behind their words, each lane's side by side.
    parts: [S::Row; 4],
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
            vectors: [[S::Row::ZERO; ROWS]; 3],
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
            parts: [S::Row::ZERO; 4],
            shared: Shared::default(),
        }
    }

    /// Gives idle lanes new puzzles, or parts of others when there are none. Whether new ones are to be swept first.
    #[inline(always)]
    fn refill(&mut self, s: S, inbox: &mut Inbox, outcomes: &mut Outcomes) -> bool {
        while self.busy != every_lane::<S>() {
            if !inbox.has_more() {
                self.share(outcomes);
                break;
            }
            if inbox.waiting == 0 && inbox.fill(s, self.search, &mut self.vectors, outcomes) {
                return true;
            }
            self.take(s, inbox);
        }
        false
    }

    /// Gives new puzzles to idle lanes.
    #[inline(always)]
    fn take(&mut self, s: S, inbox: &mut Inbox) {
        let idle = !self.busy & every_lane::<S>();
        let (some, at) = inbox.some::<S>();
        let n = some.count_ones().min(idle.count_ones());
        let (from, to) = (s.lowest_bits(some, n), s.lowest_bits(idle, n));
        let [next @ .., words] = &mut self.vectors;
        s.move_lanes(&next[at][..=NUMBER], from, &mut words[..=NUMBER], to);
        inbox.waiting &= !from;
        self.busy |= to;
    }

    /// After a sweep: counts, goes back and guesses.
    #[inline(always)]
    fn act(&mut self, s: S, verdict: Verdict, outbox: &mut Outbox<S>, outcomes: &mut Outcomes) {
        let Verdict { mut dead, mut solved, stuck } = verdict;
        // Asked for here, or else the compiler would put off to work out who is stuck, and wait for it then.
        if (dead | solved | stuck) & self.busy == 0 {
            return;
        }
        // First of all, as this waits for nothing that a branch decides, and takes long.
        let guessing = stuck & self.busy;
        let roomy = self.roomy & self.guessed;
        let guess = if guessing != 0 { Some(choose(s, &self.configs, guessing, roomy)) } else { None };
        if self.shared.lanes != 0 {
            (dead, solved) = self.note(verdict);
        }
        let mut over = dead & self.busy;
        if solved & self.busy != 0 {
            over |= self.count(s, solved & self.busy, outbox, outcomes);
        }
        let stuck = stuck & self.busy;
        // Back before others guess, as what is stored lane by lane has to be written before rows can be loaded.
        self.retreat(s, over, outcomes);
        if let Some(guess) = guess {
            self.guess(s, stuck, guess, outcomes);
        }
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
        outbox.take(s, &self.vectors[FLIGHT], first);
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
            guess.widen(s, &self.configs, &mut self.parts);
        }
        self.guessed |= stuck;
        // If so, the digit is taken back from all lanes before their words are put aside, else from each one's words.
        let all_at_once = tuning::<S>().gather_from == 1;
        let [at, digits] = if all_at_once { [S::Row::ZERO; 2] } else { guess.rows(s) };
        let is_many = all_at_once || stuck.count_ones() >= tuning::<S>().gather_from;
        if is_many {
            let less = if all_at_once { guess.taken_back(s) } else { [s.splat(0); NUMBER + 1] };
            let words = self.vectors[FLIGHT].first_chunk().expect("28 of 36");
            s.gather_lanes(words, &less, stuck, &mut self.columns);
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
                    *words = simd::four_words(columns, S::gathered_at(p, lane));
                }
            } else {
                for (word, row) in entry[..WORDS].iter_mut().zip(&self.vectors[FLIGHT]) {
                    *word = row.lanes()[lane];
                }
            }
            if !all_at_once {
                for i in LINES[at.lanes()[lane] as usize % LINES.len()] {
                    entry[i as usize & 31] &= !digits.lanes()[lane];
                }
            }
        }
        if guess.wide != 0 {
            unlikely();
            for lane in lanes(guess.wide & self.busy) {
                let lane = lane & (S::LANES - 1);
                let entry = &mut self.stack[slot::<S>(self.depth[lane] - 1, lane)].0;
                fork::fold(entry, simd::four_words(&self.parts, simd::transposed_at::<S>(lane)));
            }
        }
        guess.make(s, self.vectors[FLIGHT].first_chunk_mut().expect("27 of 36"));
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
        while back.count_ones() >= tuning::<S>().scatter_from {
            let four = s.lowest_bits(back, back.count_ones().min(4));
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
            put::<S>(&mut self.vectors[FLIGHT], lane, &words);
            is_last
        } else {
            put::<S>(&mut self.vectors[FLIGHT], lane, entry);
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
        let words = self.vectors[FLIGHT].first_chunk_mut().expect("27 of 36");
        s.scatter_lanes(at.map(|at| &self.stack[at].0), four, words);
        Some(empty)
    }

    /// Notes what a puzzle came to and leaves its lane, which is yet to be [freed](Lanes::free).
    #[inline(always)]
    fn finish(&mut self, lane: usize, solutions: u64, capped: bool, outcomes: &mut Outcomes) {
        let puzzle = self.vectors[FLIGHT][NUMBER].lanes()[lane] as usize;
        let guesses = self.guesses[lane];
        let status = Status::of_counts(solutions, self.search.limit, capped);
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
