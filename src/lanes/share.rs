//! The end of a batch: lanes without a puzzle take parts of what others still search.
//!
//! A puzzle that takes a thousand guesses would keep one lane busy and leave the others idle. So an idle lane takes the
//! oldest entry of a busy lane's stack, which is the part of its search that would come last. The parts of a
//! puzzle stand in the order of the one search that they make up, and each notes after how many guesses it found its
//! solutions; so what that search would have come to, alone and in order, is found by adding up, and it does not show in
//! an outcome how many lanes took part.

use super::layout::{FIELD, NUMBER, WORDS, place};
use super::search::{FLIGHT, Lanes, every_lane, slot};
use super::sweep::Verdict;
use crate::engine::{BLANK_ROW, Outcomes, ROW, Search};
use crate::outcome::Status;
use crate::simd::{Row, Simd, lanes};

/// Sweeps without new puzzles until lanes share: most searches are over by then.
const PATIENCE: u32 = 8;
/// Parts handed over between two sweeps: one takes about as long as half a sweep.
const AT_ONCE: u32 = 2;
/// With limits above this nothing is shared: a part keeps a number for each solution.
const MOST_SOLUTIONS: u64 = 1 << 12;

/// The puzzles of which several lanes have parts.
#[derive(Default)]
pub(super) struct Shared {
    /// Lanes with a part.
    pub lanes: u32,
    /// Sweeps since there were puzzles for all lanes.
    waited: u32,
    puzzles: Vec<Divided>,
}

/// A puzzle in parts.
struct Divided {
    puzzle: usize,
    /// The first solution was found before the puzzle was divided.
    is_first_out: bool,
    /// In the order of the search.
    parts: Vec<Part>,
}

/// A part of a search, done by one lane.
struct Part {
    /// None when it is over.
    lane: Option<usize>,
    guesses: u64,
    /// It wanted another guess, but as many as allowed had been made.
    is_capped: bool,
    /// For each solution, the guesses of this part until then.
    solutions: Vec<u64>,
    first: Option<[u32; WORDS]>,
}

/// What the search of a puzzle came to.
#[derive(Default)]
struct Total {
    guesses: u64,
    solutions: u64,
    is_capped: bool,
    first: Option<[u32; WORDS]>,
}

impl Part {
    fn of(lane: usize, solutions: Vec<u64>) -> Part {
        Part { lane: Some(lane), guesses: 0, is_capped: false, solutions, first: None }
    }

    /// Adds the part that comes next. Of a search that was given up there is none.
    fn append(&mut self, next: Part, search: Search) {
        if self.is_capped {
            return;
        }
        self.solutions.extend(next.solutions.iter().map(|guesses| self.guesses.saturating_add(*guesses)));
        self.solutions.truncate(search.limit as usize);
        self.guesses = self.guesses.saturating_add(next.guesses);
        self.is_capped = next.is_capped;
        self.first = self.first.or(next.first);
    }
}

impl Divided {
    /// What the search came to, as soon as that is certain.
    fn total(&self, search: Search) -> Option<Total> {
        let Search { limit, max_guesses } = search;
        let mut total = Total::default();
        for part in &self.parts {
            let guesses = |own: u64| total.guesses.saturating_add(own);
            let counted = part.solutions.partition_point(|&own| guesses(own) <= max_guesses);
            let solutions = total.solutions + counted as u64;
            let first = total.first.or(part.first);
            if solutions >= limit {
                let last = part.solutions[(limit - total.solutions) as usize - 1];
                return Some(Total { guesses: guesses(last), solutions: limit, is_capped: false, first });
            }
            if part.lane.is_some() {
                return None;
            }
            if counted < part.solutions.len()
                || guesses(part.guesses + u64::from(part.is_capped)) > max_guesses
            {
                return Some(Total { guesses: max_guesses, solutions, is_capped: true, first });
            }
            total = Total { guesses: guesses(part.guesses), solutions, is_capped: false, first };
        }
        Some(total)
    }

    /// Neighbours that are over become one part, so that there are never many.
    fn merge(&mut self, search: Search) {
        for at in (1..self.parts.len()).rev() {
            if self.parts[at].lane.is_none() && self.parts[at - 1].lane.is_none() {
                let part = self.parts.remove(at);
                self.parts[at - 1].append(part, search);
            }
        }
    }
}

impl Shared {
    /// The puzzle of which a lane has a part, and which part.
    fn find(&mut self, lane: usize) -> (&mut Divided, usize) {
        let places = self.puzzles.iter_mut().filter_map(|divided| {
            let at = divided.parts.iter().position(|part| part.lane == Some(lane))?;
            Some((divided, at))
        });
        { places }.next().expect("a part for each lane of the mask")
    }
}

impl<S: Simd> Lanes<S> {
    /// Between sweeps, when there are no more puzzles: settles those whose parts are over, and gives parts of others to
    /// idle lanes.
    #[cold]
    #[inline(never)]
    pub(super) fn share(&mut self, outcomes: &mut Outcomes) {
        let mut puzzles = std::mem::take(&mut self.shared.puzzles);
        puzzles.retain_mut(|divided| match divided.total(self.search) {
            Some(total) => {
                for lane in divided.parts.iter().filter_map(|part| part.lane) {
                    self.leave_part(lane);
                }
                let at = divided.puzzle;
                let Total { guesses, solutions, is_capped, first } = total;
                let status = Status::of_counts(solutions, self.search.limit, is_capped);
                outcomes.note(at, status, solutions, guesses);
                if solutions > 0 && !divided.is_first_out {
                    outcomes.rows[at] = row(&first.expect("of a part with solutions"));
                }
                false
            }
            None => {
                divided.merge(self.search);
                true
            }
        });
        self.shared.puzzles = puzzles;

        self.shared.waited += 1;
        if self.shared.waited <= PATIENCE || self.search.limit > MOST_SOLUTIONS {
            return;
        }
        let idle = !self.busy & every_lane::<S>();
        for to in lanes(idle).take(AT_ONCE as usize) {
            // The deepest stack: a guess about whose oldest entry has most to it.
            let Some(from) = lanes(self.busy).max_by_key(|&lane| self.depth[lane]) else { return };
            if self.depth[from] == 0 {
                return;
            }
            self.hand_over(from, to);
        }
    }

    /// The part of `from`'s search that comes last becomes `to`'s.
    fn hand_over(&mut self, from: usize, to: usize) {
        let puzzle = self.vectors[FLIGHT][NUMBER].lanes()[from];
        if self.shared.lanes & 1 << from == 0 {
            self.shared.lanes |= 1 << from;
            // The solutions so far decide nothing, so it does not matter after how many guesses they came.
            let solutions = self.solutions[from];
            self.shared.puzzles.push(Divided {
                puzzle: puzzle as usize,
                is_first_out: solutions > 0,
                parts: vec![Part::of(from, vec![0; solutions as usize])],
            });
        }
        let (divided, at) = self.shared.find(from);
        divided.parts.insert(at + 1, Part::of(to, Vec::new()));
        self.shared.lanes |= 1 << to;

        self.stack[slot::<S>(0, to)] = self.stack[slot::<S>(0, from)];
        self.depth[to] = 1;
        self.resume(to);
        self.vectors[FLIGHT][NUMBER].lanes_mut()[to] = puzzle;
        self.depth[from] -= 1;
        for at in 0..self.depth[from] {
            self.stack[slot::<S>(at, from)] = self.stack[slot::<S>(at + 1, from)];
        }
        self.busy |= 1 << to;
        self.guessed |= 1 << to;
        self.roomy = self.roomy & !(1 << to) | (self.roomy >> from & 1) << to;
        self.deep =
            lanes(self.busy).filter(|&lane| self.depth[lane] != 0).fold(0, |all, lane| all | 1 << lane);
    }

    /// Notes what a sweep has shown of parts, and which of them are over. Returns the lanes, of all, that are left
    /// with a dead end or with a solution.
    #[cold]
    #[inline(never)]
    pub(super) fn note(&mut self, verdict: Verdict) -> (u32, u32) {
        let Verdict { mut dead, mut solved, stuck } = verdict;
        for lane in lanes(self.shared.lanes & (dead | solved | stuck)) {
            let [is_solved, is_stuck] = [solved, stuck].map(|mask| mask & 1 << lane != 0);
            let is_capped = is_stuck && self.guesses[lane] == self.search.max_guesses;
            let is_over = is_capped || !is_stuck && self.depth[lane] == 0;
            if !(is_solved || is_over) {
                continue;
            }
            let (divided, at) = self.shared.find(lane);
            let part = &mut divided.parts[at];
            if is_solved {
                if part.solutions.is_empty() {
                    part.first = Some(std::array::from_fn(|i| self.vectors[FLIGHT][i].lanes()[lane]));
                }
                part.solutions.push(self.guesses[lane]);
                self.solutions[lane] += 1;
                solved &= !(1 << lane);
                dead |= 1 << lane;
            }
            if is_over || self.solutions[lane] == self.search.limit {
                (part.lane, part.guesses, part.is_capped) = (None, self.guesses[lane], is_capped);
                self.leave_part(lane);
            }
        }
        (dead, solved)
    }

    fn leave_part(&mut self, lane: usize) {
        self.leave(lane);
        self.free(1 << lane);
        self.shared.lanes &= !(1 << lane);
    }
}

/// A solved grid as text.
fn row(words: &[u32; WORDS]) -> [u8; ROW] {
    let mut row = BLANK_ROW;
    for (cell, byte) in row[..ROW - 1].iter_mut().enumerate() {
        let (word, field) = place(cell);
        // Bit 9 - d is digit d.
        *byte = b'9' - (words[word] >> (FIELD * field as u32) & 0x1FF).trailing_zeros() as u8;
    }
    row
}
