//! A search of one puzzle with look-ahead: the lanes hold guesses in the same puzzle.
//!
//! Where the lane engine needs thousands of guesses, better choices pay, however long they take. A node of this search:
//!
//! ```text
//! choose up to eight open cells: the fewest candidates, then the greatest weight
//! one lane for each of their candidates, 16 in all: place it, sweep up to four times
//! all candidates of a cell are dead     the node is dead
//! otherwise                             keep what the living candidates of each cell have in common
//! much has changed                      look again
//! otherwise                             guess in the cell whose candidates have the greatest consequences
//! ```
//!
//! 1. *Trials are shared.* A dead candidate is removed, and so is every candidate that is missing whichever digit the cell
//!    has (constructive disjunction). A trial is also the child of a guess, already swept.
//! 2. *Weights.* A cell gains weight when its trials remove candidates, and most of all when they refute a node. So the
//!    search stays near the cause of its contradictions, as dom/wdeg does: 30 % fewer sweeps.
//! 3. *Few sweeps.* Four sweeps settle most trials. Waiting for the others saves a quarter of the guesses and costs more
//!    sweeps.
//!
//! A guess takes about nine sweeps, a tenth of which the lane engine needs with full lanes. In return, pencilmarks without
//! structure take a tenth of its guesses, and contradictions in a corner of an almost empty grid are found in a dozen
//! guesses.
//!
//! There are always [`TRIALS`] trials, in as many vectors as they need, and a round sweeps all of them. So the search
//! does not depend on the number of lanes.
//!
//! Prior art: look-ahead in the SAT solvers Satz and March; constructive disjunction by Van Hentenryck, Saraswat and
//! Deville; weights by Boussemart, Hemery, Lecoutre and Sais (dom/wdeg).

use super::codegen::own_frame;
use super::layout::{FIELD, ROWS, WORDS, word_and_field};
use super::load::REVERSED;
use super::sweep::sweep;
use crate::cancel::{CancelToken, Cancelled};
use crate::grid::{CELLS, Candidates};
use crate::outcome::{Limits, OutcomesMut, PuzzleSlice, Status, Work};
use crate::simd::{Kernel, MOST_LANES, Row, Simd, lanes};

/// Candidates that are tried at a time.
const TRIALS: usize = MOST_LANES;
/// An open cell has at least two candidates.
const MOST_CELLS: usize = TRIALS / 2;
/// Sweeps of a trial.
const SWEEPS: usize = 4;
/// A look that removes so many candidates is repeated.
const AGAIN: u32 = 10;
/// What a cell gains for a dead candidate, or for a dead node, and for each candidate that its trials remove.
const FAILURE: u32 = 64;
const LOSS: u32 = 6;
/// Looks between two looks at a [`CancelToken`]: about a millisecond.
const CANCEL_INTERVAL: u64 = 1024;

/// Puzzles to solve.
pub(super) struct Look<'a> {
    pub given: PuzzleSlice<'a>,
    pub limits: Limits,
    pub outcomes: OutcomesMut<'a>,
    pub cancel: &'a CancelToken,
}

impl Kernel for Look<'_> {
    type Output = Result<Work, Cancelled>;

    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Result<Work, Cancelled> {
        let Look { given, limits, mut outcomes, cancel } = self;
        let mut search = Search::<S>::new();
        for k in 0..given.len() {
            let start = match given {
                PuzzleSlice::Clues(puzzles) => words(&(&puzzles[k]).into()),
                PuzzleSlice::Candidates(all) => words(&all[k]),
            };
            search.start(start);
            let (mut solutions, mut capped) = (0, false);
            while solutions < limits.solutions.get() {
                match search.next(s, limits.guesses, cancel) {
                    Next::Solved(state) => {
                        solutions += 1;
                        if solutions == 1 {
                            write(&state, &mut outcomes.rows[k]);
                        }
                    }
                    Next::End => break,
                    Next::Capped => {
                        capped = true;
                        break;
                    }
                    Next::Cancelled => return Err(Cancelled),
                }
            }
            let status = Status::of_search(solutions, limits, capped);
            outcomes.set_counts(k, status, solutions, search.guesses);
        }
        let lanes = search.sweeps * S::LANES as u64;
        Ok(Work { sweeps: search.sweeps, lanes, busy_lanes: lanes })
    }
}

/// The words of a puzzle, as in [`super::layout`].
type State = [u32; WORDS];

/// The words of candidates. Clues are cells with one candidate, which the first sweep removes from their peers.
fn words(candidates: &Candidates) -> State {
    let mut state = [0; WORDS];
    for (cell, &set) in candidates.cells().iter().enumerate() {
        let (word, field) = word_and_field(cell);
        state[word] |= u32::from(REVERSED[set as usize]) << (FIELD * field as u32);
    }
    state
}

/// Writes the digits of a solved puzzle.
fn write(state: &State, row: &mut [u8]) {
    for (cell, byte) in row.iter_mut().enumerate().take(CELLS) {
        let (word, field) = word_and_field(cell);
        *byte = b'9' - (state[word] >> (FIELD * field as u32)).trailing_zeros() as u8;
    }
}

fn count(state: &State) -> u32 {
    state.iter().map(|word| word.count_ones()).sum()
}

/// A node still to be searched.
#[derive(Clone, Copy)]
struct Node {
    state: State,
    is_solved: bool,
    /// Whether the other candidates of the cell are refuted or searched, so that this one is no guess.
    is_last: bool,
}

/// What a search does next.
enum Next {
    Solved(State),
    End,
    Capped,
    Cancelled,
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

/// A cell that is tried: its word and field, as `3 * word + field`, and the mask of its trials.
#[derive(Clone, Copy, Default)]
struct TriedCell {
    place: u8,
    trials: u32,
}

/// The search of a puzzle. Its memory is kept from puzzle to puzzle.
struct Search<S: Simd> {
    /// Trials: the words of trial `i` are in lane `i % S::LANES` of vector `i / S::LANES`.
    vectors: Vec<[S::Row; ROWS]>,
    configs: [S::Row; 12],
    /// The mask of trials that are solved.
    solved: u32,
    cells: [TriedCell; MOST_CELLS],
    /// By place.
    weights: [u32; CELLS],
    /// Nodes still to be searched, the next one last. At most nine for each of 81 cells.
    stack: Vec<Node>,
    guesses: u64,
    looks: u64,
    sweeps: u64,
}

impl<S: Simd> Search<S> {
    fn new() -> Search<S> {
        Search {
            vectors: vec![[S::Row::ZERO; ROWS]; TRIALS / S::LANES],
            configs: [S::Row::ZERO; 12],
            solved: 0,
            cells: [TriedCell::default(); MOST_CELLS],
            weights: [0; CELLS],
            stack: Vec::new(),
            guesses: 0,
            looks: 0,
            sweeps: 0,
        }
    }

    fn start(&mut self, state: State) {
        self.stack.clear();
        self.stack.push(Node { state, is_solved: false, is_last: true });
        self.weights.fill(0);
        self.guesses = 0;
    }

    /// Searches for the next solution.
    #[inline(always)]
    fn next(&mut self, s: S, max_guesses: u64, cancel: &CancelToken) -> Next {
        while let Some(Node { mut state, is_solved, is_last }) = self.stack.pop() {
            if !is_last {
                if self.guesses == max_guesses {
                    return Next::Capped;
                }
                self.guesses += 1;
            }
            if is_solved {
                return Next::Solved(state);
            }
            loop {
                self.looks += 1;
                if self.looks.is_multiple_of(CANCEL_INTERVAL) && cancel.is_cancelled() {
                    return Next::Cancelled;
                }
                match own_frame!(self.look(s, &mut state)) {
                    Found::Dead => break,
                    Found::Solved => return Next::Solved(state),
                    Found::Fewer => {}
                    Found::Guess(trials) => {
                        self.push(&state, trials);
                        break;
                    }
                }
            }
        }
        Next::End
    }

    /// Pushes the trials of a guess.
    fn push(&mut self, state: &State, mut trials: u32) {
        let mut is_last = true;
        while trials != 0 {
            let trial = trials.ilog2() as usize;
            trials &= !(1 << trial);
            let vector = &self.vectors[trial / S::LANES];
            let child = std::array::from_fn(|word| vector[word].lanes()[trial % S::LANES] & state[word]);
            let is_solved = self.solved >> trial & 1 == 1;
            self.stack.push(Node { state: child, is_solved, is_last });
            is_last = false;
        }
    }

    /// Tries candidates of a node and removes what they refute.
    #[inline(always)]
    fn look(&mut self, s: S, state: &mut State) -> Found {
        let Some(n) = self.choose(state) else { return Found::Dead };
        self.place(s, state, n);
        let Some(dead) = self.sweep_trials(s, n) else { return Found::Dead };
        if n == 0 {
            debug_assert!(self.solved & 1 == 1, "81 single cells are a solution or a contradiction");
            return Found::Solved;
        }
        self.combine(state, n, dead)
    }

    /// Chooses cells to try, with at most [`TRIALS`] candidates. Returns the number of cells, which is 0 if no cell is
    /// open, or `None` if a cell has no candidate.
    fn choose(&mut self, state: &State) -> Option<usize> {
        // The first cells in ascending order of a key: the number of candidates, the weight (descending), the place.
        let mut first = [u32::MAX; MOST_CELLS];
        for (word, &bits) in state.iter().enumerate() {
            for field in 0..3 {
                let place = 3 * word + field;
                let candidates = (bits >> (FIELD * field as u32) & 0x1ff).count_ones();
                if candidates == 0 {
                    return None;
                }
                let key =
                    candidates << 28 | (0xf_ffff - self.weights[place].min(0xf_ffff)) << 7 | place as u32;
                if candidates > 1 && key < first[MOST_CELLS - 1] {
                    let mut at = MOST_CELLS - 1;
                    while at > 0 && first[at - 1] > key {
                        first[at] = first[at - 1];
                        at -= 1;
                    }
                    first[at] = key;
                }
            }
        }
        let (mut n, mut trials) = (0, 0);
        for key in first.into_iter().take_while(|&key| key != u32::MAX) {
            let candidates = key >> 28;
            if trials + candidates > TRIALS as u32 {
                break;
            }
            let mask = ((1 << candidates) - 1) << trials;
            self.cells[n] = TriedCell { place: (key & 127) as u8, trials: mask };
            trials += candidates;
            n += 1;
        }
        Some(n)
    }

    /// Fills the lanes with the node, and places the candidates of the first `n` cells.
    #[inline(always)]
    fn place(&mut self, s: S, state: &State, n: usize) {
        for vector in &mut self.vectors {
            for (row, &word) in vector.iter_mut().zip(state) {
                s.store(s.splat(word), row);
            }
        }
        for cell in &self.cells[..n] {
            let (word, field) = (cell.place as usize / 3, 0x1ff << (FIELD * (cell.place as u32 % 3)));
            let mut candidates = state[word] & field;
            for trial in lanes(cell.trials) {
                let lane = &mut self.vectors[trial / S::LANES][word].lanes_mut()[trial % S::LANES];
                *lane = state[word] & !field | 1 << candidates.trailing_zeros();
                candidates &= candidates - 1;
            }
        }
    }

    /// Sweeps all trials. Returns the mask of those that are dead, or `None` if these are all trials of a cell.
    #[inline(always)]
    fn sweep_trials(&mut self, s: S, n: usize) -> Option<u32> {
        // Without an open cell, every lane holds the node itself.
        let used = self.cells[..n].iter().fold(u32::from(n == 0), |mask, cell| mask | cell.trials);
        let (mut dead, mut settled) = (0, 0);
        for _ in 0..SWEEPS {
            self.solved = 0;
            for v in 0..self.vectors.len() {
                let verdict = own_frame!(sweep(s, &mut self.vectors, v, v, &mut self.configs));
                self.sweeps += 1;
                dead |= verdict.dead << (v * S::LANES);
                self.solved |= verdict.solved << (v * S::LANES);
                settled |= (verdict.dead | verdict.solved | verdict.stuck) << (v * S::LANES);
            }
            if n == 0 && dead & 1 == 1 {
                return None;
            }
            if let Some(cell) = self.cells[..n].iter().find(|cell| cell.trials & !dead == 0) {
                self.weights[cell.place as usize] += FAILURE;
                return None;
            }
            if settled & used == used {
                break;
            }
        }
        Some(dead)
    }

    /// Removes what all living trials of a cell have removed, and finds the best guess.
    fn combine(&mut self, state: &mut State, n: usize, dead: u32) -> Found {
        let before = count(state);
        let (mut best, mut greatest) = (0, 0);
        for cell in &self.cells[..n] {
            let alive = cell.trials & !dead;
            let (mut union, mut consequences) = ([0; WORDS], 1_u64);
            for trial in lanes(alive) {
                let vector = &self.vectors[trial / S::LANES];
                let words: State = std::array::from_fn(|word| vector[word].lanes()[trial % S::LANES]);
                for (union, word) in union.iter_mut().zip(words) {
                    *union |= word;
                }
                consequences = consequences.saturating_mul(1 + u64::from(before - count(&words)));
            }
            let all = count(state);
            for (word, union) in state.iter_mut().zip(union) {
                *word &= union;
            }
            let weight = &mut self.weights[cell.place as usize];
            let gain = FAILURE * (cell.trials & dead).count_ones() + LOSS * (all - count(state));
            *weight = *weight - *weight / 8 + gain;
            if alive.count_ones() > 1 && consequences > greatest {
                (best, greatest) = (alive, consequences);
            }
        }
        if best == 0 || before - count(state) >= AGAIN { Found::Fewer } else { Found::Guess(best) }
    }
}
