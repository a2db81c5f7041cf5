//! A search of one puzzle with look-ahead: the lanes hold guesses in the same puzzle.
//!
//! Where the lane engine needs thousands of guesses, better choices pay, however long they take. A *choice* is a cell,
//! or a digit of a house: exactly one of its candidates is right. A node of this search:
//!
//! ```text
//! take up to twelve choices: those with the fewest candidates for their weight
//! one lane for each of their candidates, 16 in all: place it, sweep up to nine times
//! all candidates of a choice are dead   the node is dead
//! otherwise                             keep what the living candidates of each choice have in common
//! much has changed                      look again
//! otherwise                             guess: the choice whose candidates leave the least to search
//! ```
//!
//! 1. *Trials are shared.* A dead candidate is removed, and so is every candidate that is missing whichever candidate
//!    of a choice is right (constructive disjunction). A trial is also the child of a guess, already swept. Two choices
//!    with a candidate in common share its trial.
//! 2. *Cells and houses.* Digits with two places in a house are choices like cells with two candidates. They halve the
//!    guesses.
//! 3. *Estimates.* The size of the search below a trial is taken to shrink by a constant factor with each candidate
//!    that it removes, and that below a choice is the sum over its trials. (The product of the numbers of removed
//!    candidates, common in SAT solvers, favours choices with many candidates: 60 % more guesses.)
//! 4. *Weights.* A choice gains weight when its trials remove candidates, and most of all when they refute a node.
//!    Choices are compared by the number of their candidates divided by their weight (dom/wdeg). So the search stays
//!    near the cause of its contradictions. Without weights, it would branch in other parts of an almost empty grid and
//!    refute the same corner repeatedly. The constants of the comparison are different for clues and for pencilmarks.
//! 5. *Turns.* After every 256 guesses, the search goes on at the node that has waited longest, usually the one closest
//!    to the root. Solutions are often close together in a large tree, and a depth-first search may visit most of the
//!    tree before it finds the first of dozens.
//!
//! A guess takes about three looks of four sweeps each. In return, pencilmarks without structure take a few hundred
//! guesses where the lane engine takes tens of thousands, and contradictions in a corner of an almost empty grid are
//! found in a dozen guesses.
//!
//! There are always [`TRIALS`] trials, in as many vectors as they need, and a round sweeps all of them. So the search
//! does not depend on the number of lanes.
//!
//! Prior art: look-ahead in the SAT solvers Satz and March; constructive disjunction by Van Hentenryck, Saraswat and
//! Deville; weights by Boussemart, Hemery, Lecoutre and Sais (dom/wdeg); interleaved depth-first search by Meseguer.

mod choices;

use choices::{Choices, Trial};

use super::codegen::own_frame;
use super::layout::{FIELD, ROWS, WORDS, word_and_field, write_solved};
use super::load::REVERSED;
use super::sweep::Sweep;
use crate::cancel::{CancelToken, Cancelled};
use crate::grid::{CELLS, Candidates};
use crate::outcome::{Limits, OutcomesMut, PuzzleSlice, Status};
use crate::simd::{Kernel, MOST_LANES, Row, Simd, lanes};

/// Candidates that are tried at a time.
const TRIALS: usize = MOST_LANES;
/// Sweeps of a trial at most.
const SWEEPS: usize = 9;
/// A look that removes this number of candidates is repeated.
const AGAIN: u32 = 10;
/// What a choice gains for a dead candidate, or for a dead node, and for each candidate that its trials remove.
const FAILURE: u32 = 64;
const LOSS: u32 = 6;
/// The estimated size of a search by the number of candidates that are removed before: 15 / 16 for each.
const SIZES: [u64; 9 * CELLS + 1] = {
    let mut sizes = [1 << 48; 9 * CELLS + 1];
    let mut n = 1;
    while n < sizes.len() {
        sizes[n] = sizes[n - 1] / 16 * 15;
        n += 1;
    }
    sizes
};
/// Guesses between two turns. With fewer, a search for up to 100 solutions is more often interrupted where there are
/// many.
const TURN: u64 = 256;
/// No turn while this number of nodes waits: after each turn, a depth-first search adds its nodes to those that wait.
const MOST_WAITING: usize = 1024;
/// Looks between two looks at a [`CancelToken`]: about a millisecond.
const CANCEL_INTERVAL: u64 = 1024;

/// Puzzles to solve.
pub(super) struct LookAhead<'a> {
    pub given: PuzzleSlice<'a>,
    pub limits: Limits,
    pub outcomes: OutcomesMut<'a>,
    pub cancel: &'a CancelToken,
}

impl Kernel for LookAhead<'_> {
    type Output = Result<(), Cancelled>;

    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Result<(), Cancelled> {
        let LookAhead { given, limits, mut outcomes, cancel } = self;
        let mut search = Search::<S>::new();
        for k in 0..given.len() {
            let (candidates, is_like_clues) = match given {
                PuzzleSlice::Clues(puzzles) => ((&puzzles[k]).into(), true),
                PuzzleSlice::Candidates(all) => (all[k], all[k].are_like_clues()),
            };
            search.start(words(&candidates), is_like_clues);
            let mut solutions = 0;
            while solutions < limits.solutions.get()
                && let Some(state) = search.next(s, limits.guesses, cancel)?
            {
                solutions += 1;
                if solutions == 1 {
                    write_solved(&state, &mut outcomes.rows[k]);
                }
            }
            let status = Status::of_search(solutions, limits, search.is_capped);
            outcomes.set_counts(k, status, solutions, search.guesses);
        }
        Ok(())
    }
}

/// Words of a puzzle, rounded up to whole vectors.
const PADDED: usize = WORDS.next_multiple_of(MOST_LANES);
/// The words of a puzzle, as in [`super::layout`], and zeros.
type State = [u32; PADDED];

/// The words of candidates. Clues are cells with one candidate, which the first sweep removes from their peers.
fn words(candidates: &Candidates) -> State {
    let mut state = [0; PADDED];
    for (cell, &set) in candidates.cells().iter().enumerate() {
        let (word, field) = word_and_field(cell);
        state[word] |= u32::from(REVERSED[set as usize]) << (FIELD * field as u32);
    }
    state
}

#[inline(always)]
fn count(state: &State) -> u32 {
    let pairs = state.as_chunks::<2>().0.iter();
    pairs.map(|&[low, high]| (u64::from(low) | u64::from(high) << 32).count_ones()).sum()
}

/// A node still to be searched.
#[derive(Clone, Copy)]
struct Node {
    state: State,
    is_solved: bool,
    /// Whether the other candidates of the choice are refuted or searched, so that this one is no guess; or it has been
    /// counted.
    is_last: bool,
}

/// What a look at a node has found.
enum Found {
    Dead,
    Solved,
    /// The node lost candidates: look again.
    Fewer,
    /// A guess among these trials, which are in the mask.
    Guess(u32),
}

/// The search of a puzzle. Its memory is kept from puzzle to puzzle.
struct Search<S: Simd> {
    /// Trials: the words of trial `i` are in lane `i % S::LANES` of vector `i / S::LANES`.
    vectors: Vec<[S::Row; ROWS]>,
    configs: [S::Row; 12],
    /// The words of the trials, see [`Search::copy_trials`].
    trials: [State; TRIALS],
    /// The mask of trials that are solved.
    solved: u32,
    choices: Choices,
    /// Nodes still to be searched, the next one last. At most [`MOST_WAITING`], and nine more for each of 81 cells.
    stack: Vec<Node>,
    guesses: u64,
    /// Whether the limit of guesses has been reached.
    is_capped: bool,
    looks: u64,
}

impl<S: Simd> Search<S> {
    fn new() -> Search<S> {
        Search {
            vectors: vec![[S::Row::ZERO; ROWS]; TRIALS / S::LANES],
            configs: [S::Row::ZERO; 12],
            trials: [[0; PADDED]; TRIALS],
            solved: 0,
            choices: Choices::new(),
            stack: Vec::new(),
            guesses: 0,
            is_capped: false,
            looks: 0,
        }
    }

    fn start(&mut self, state: State, is_like_clues: bool) {
        self.stack.clear();
        self.stack.push(Node { state, is_solved: false, is_last: true });
        self.choices.clear(is_like_clues);
        (self.guesses, self.is_capped) = (0, false);
    }

    /// Searches for the next solution.
    #[inline(always)]
    fn next(&mut self, s: S, max_guesses: u64, cancel: &CancelToken) -> Result<Option<State>, Cancelled> {
        while let Some(Node { mut state, is_solved, is_last }) = self.stack.pop() {
            if !is_last {
                self.is_capped = self.guesses == max_guesses;
                if self.is_capped {
                    return Ok(None);
                }
                self.guesses += 1;
                if self.guesses.is_multiple_of(TURN) && self.stack.len() < MOST_WAITING {
                    self.stack.push(Node { state, is_solved, is_last: true });
                    self.stack.rotate_left(1);
                    continue;
                }
            }
            if is_solved {
                return Ok(Some(state));
            }
            loop {
                self.looks += 1;
                if self.looks.is_multiple_of(CANCEL_INTERVAL) && cancel.is_cancelled() {
                    return Err(Cancelled);
                }
                match own_frame!(self.look(s, &mut state)) {
                    Found::Dead => break,
                    Found::Solved => return Ok(Some(state)),
                    Found::Fewer => {}
                    Found::Guess(trials) => {
                        self.push(&state, trials);
                        break;
                    }
                }
            }
        }
        Ok(None)
    }

    /// Pushes the trials of a guess.
    fn push(&mut self, state: &State, mut trials: u32) {
        let mut is_last = true;
        while trials != 0 {
            let trial = trials.ilog2() as usize;
            trials &= !(1 << trial);
            let child = std::array::from_fn(|word| self.trials[trial][word] & state[word]);
            let is_solved = self.solved >> trial & 1 == 1;
            self.stack.push(Node { state: child, is_solved, is_last });
            is_last = false;
        }
        debug_assert!(self.stack.len() <= MOST_WAITING + 9 * CELLS, "a turn has added too many nodes");
    }

    /// Tries candidates of a node and removes what they refute.
    #[inline(always)]
    fn look(&mut self, s: S, state: &mut State) -> Found {
        if !self.choices.choose(state) {
            return Found::Dead;
        }
        self.place(s, state);
        let Some(dead) = self.sweep_trials(s) else { return Found::Dead };
        if self.choices.as_slice().is_empty() {
            debug_assert!(self.solved & 1 == 1, "81 single cells are a solution or a contradiction");
            return Found::Solved;
        }
        self.combine(s, state, dead)
    }

    /// Fills the lanes with the node and places a candidate in each.
    #[inline(always)]
    fn place(&mut self, s: S, state: &State) {
        for vector in &mut self.vectors {
            for (row, &word) in vector.iter_mut().zip(&state[..WORDS]) {
                s.store(s.splat(word), row);
            }
        }
        for (trial, &Trial { word, bit }) in self.choices.trials().iter().enumerate() {
            let (word, bit) = (word as usize, u32::from(bit));
            let lane = &mut self.vectors[trial / S::LANES][word].lanes_mut()[trial % S::LANES];
            *lane = state[word] & !(0x1ff << (bit / FIELD * FIELD)) | 1 << bit;
        }
    }

    /// Sweeps all trials. Returns the mask of those that are dead, or `None` if these are all trials of a choice.
    #[inline(always)]
    fn sweep_trials(&mut self, s: S) -> Option<u32> {
        // Without an open cell, every lane holds the node itself.
        let is_full = self.choices.trials().is_empty();
        let used = if is_full { 1 } else { mask_of(self.choices.trials().len()) };
        let (mut dead, mut settled) = (0, 0);
        for _ in 0..SWEEPS {
            self.solved = 0;
            for v in 0..self.vectors.len() {
                let Self { vectors, configs: kept, .. } = self;
                let verdict = s.step(Sweep { vectors, from: v, to: v, kept });
                dead |= verdict.dead << (v * S::LANES);
                self.solved |= verdict.solved << (v * S::LANES);
                settled |= (verdict.dead | verdict.solved | verdict.stuck) << (v * S::LANES);
            }
            if is_full && dead & 1 == 1 {
                return None;
            }
            if let Some(&refuted) = self.choices.as_slice().iter().find(|choice| choice.trials & !dead == 0) {
                self.choices.gain(refuted, FAILURE);
                return None;
            }
            if settled & used == used {
                break;
            }
        }
        Some(dead)
    }

    /// Copies the trials out of the vectors, which are transposed by that.
    #[inline(always)]
    fn copy_trials(&mut self, s: S) {
        for (vector, trials) in self.vectors.iter_mut().zip(self.trials.chunks_exact_mut(S::LANES)) {
            for (block, rows) in vector[..PADDED].chunks_exact_mut(S::LANES).enumerate() {
                s.transpose(rows);
                for (row, trial) in rows.iter().zip(&mut *trials) {
                    trial[block * S::LANES..][..S::LANES].copy_from_slice(row.lanes());
                }
            }
            for trial in trials {
                trial[WORDS..].fill(0);
            }
        }
    }

    /// Removes what all living trials of a choice have removed, and finds the best guess.
    #[inline(always)]
    fn combine(&mut self, s: S, state: &mut State, dead: u32) -> Found {
        let before = count(state);
        let mut left = before;
        self.copy_trials(s);
        let mut sizes = [0; TRIALS];
        for trial in lanes(mask_of(self.choices.trials().len()) & !dead) {
            sizes[trial] = SIZES[(before - count(&self.trials[trial])) as usize];
        }
        let (mut best, mut least) = (0, u64::MAX);
        for i in 0..self.choices.as_slice().len() {
            let choice = self.choices.as_slice()[i];
            let alive = choice.trials & !dead;
            let (mut union, mut size) = ([0; PADDED], 0);
            for trial in lanes(alive) {
                for (union, word) in union.iter_mut().zip(self.trials[trial]) {
                    *union |= word;
                }
                size += sizes[trial];
            }
            for (word, union) in state.iter_mut().zip(union) {
                *word &= union;
            }
            let (n_dead, lost) = ((choice.trials & dead).count_ones(), left - count(state));
            left -= lost;
            self.choices.gain(choice, FAILURE * n_dead + LOSS * lost);
            if alive.count_ones() > 1 && size < least {
                (best, least) = (alive, size);
            }
        }
        if best == 0 || before - left >= AGAIN { Found::Fewer } else { Found::Guess(best) }
    }
}

/// The mask of the first `n` of at most [`TRIALS`] trials.
fn mask_of(n: usize) -> u32 {
    (1 << n) - 1
}
