//! The end of a batch: idle lanes take parts of the searches of other lanes.
//!
//! A puzzle of a thousand guesses would keep one lane busy and leave the others idle. So an idle lane takes the
//! oldest entry of a busy lane's stack, which is the last part of its search. The parts of a puzzle are kept in the
//! order of its search, and each records the number of guesses before each of its solutions. Adding up the parts
//! gives the outcome of the undivided search, so outcomes do not depend on the number of lanes that took part.
//! Batches of 1600 17-clue puzzles are solved 17 % faster.

use super::batch::Batch;
use super::collect::Suspended;
use super::layout::{ID, WORDS, write_solved};
use super::state::{ACTIVE, Lanes, every_lane, slot};
use super::sweep::Verdict;
use crate::outcome::{Limits, Status};
use crate::simd::{self, Row, Simd};

/// The number of sweeps without new puzzles before searches are split: most searches end sooner.
const SWEEPS_BEFORE_SPLIT: u32 = 8;
/// The maximum number of parts given between two sweeps. Each takes the time of half a sweep.
const SPLITS_PER_SWEEP: u32 = 2;

/// Counts the solutions of a batch, and writes the first one of each puzzle.
pub(super) struct Solve<'a> {
    pub batch: Batch<'a>,
    /// Lanes that search a part.
    pub part_lanes: u32,
    /// Sweeps since the queue was empty.
    waited: u32,
    /// The puzzles whose search is split.
    split: Vec<SplitPuzzle>,
    /// Receives the rest of each search that reaches the limit of guesses. No search is split then.
    pub suspended: Option<&'a mut Vec<Suspended>>,
}

/// A puzzle whose search is split.
struct SplitPuzzle {
    puzzle: usize,
    /// The first solution was emitted before the split.
    is_first_out: bool,
    /// In the order of the search.
    parts: Vec<Part>,
}

/// A part of a search.
struct Part {
    /// The lane that searches it; none when it is finished.
    lane: Option<usize>,
    guesses: u64,
    /// It stopped at the maximum number of guesses.
    is_capped: bool,
    /// For each solution, the number of guesses of this part before it.
    solutions: Vec<u64>,
    first: Option<[u32; WORDS]>,
}

/// The outcome of a puzzle.
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

    /// Appends the next part. A search that stopped at its maximum of guesses has no next part.
    fn append(&mut self, next: Part, limits: Limits) {
        if self.is_capped {
            return;
        }
        self.solutions.extend(next.solutions.iter().map(|guesses| self.guesses.saturating_add(*guesses)));
        self.solutions.truncate(limits.solutions.get() as usize);
        self.guesses = self.guesses.saturating_add(next.guesses);
        self.is_capped = next.is_capped;
        self.first = self.first.or(next.first);
    }
}

impl SplitPuzzle {
    /// The outcome of the search, once it is certain.
    fn total(&self, limits: Limits) -> Option<Total> {
        let (limit, max_guesses) = (limits.solutions.get(), limits.guesses);
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
            if counted < part.solutions.len() || guesses(part.guesses + u64::from(part.is_capped)) > max_guesses {
                return Some(Total { guesses: max_guesses, solutions, is_capped: true, first });
            }
            total = Total { guesses: guesses(part.guesses), solutions, is_capped: false, first };
        }
        Some(total)
    }

    /// Merges adjacent finished parts, which bounds their number.
    fn merge(&mut self, limits: Limits) {
        for at in (1..self.parts.len()).rev() {
            if self.parts[at].lane.is_none() && self.parts[at - 1].lane.is_none() {
                let part = self.parts.remove(at);
                self.parts[at - 1].append(part, limits);
            }
        }
    }
}

impl<'a> Solve<'a> {
    pub fn new(batch: Batch<'a>, suspended: Option<&'a mut Vec<Suspended>>) -> Solve<'a> {
        Solve { batch, part_lanes: 0, waited: 0, split: Vec::new(), suspended }
    }
}

impl Solve<'_> {
    /// Writes the outcomes of split puzzles that are finished, and gives parts of other searches to idle lanes.
    #[cold]
    #[inline(never)]
    pub fn occupy<S: Simd>(&mut self, lanes: &mut Lanes<S>) {
        let mut split_puzzles = std::mem::take(&mut self.split);
        split_puzzles.retain_mut(|split| match split.total(lanes.limits) {
            Some(total) => {
                for lane in split.parts.iter().filter_map(|part| part.lane) {
                    self.release_part(lanes, lane);
                }
                let Total { guesses, solutions, is_capped, first } = total;
                let status = Status::of_search(solutions, lanes.limits, is_capped);
                self.batch.outcomes.set_counts(split.puzzle, status, solutions, guesses);
                if solutions > 0 && !split.is_first_out {
                    let first = first.expect("of a part with solutions");
                    write_solved(&first, &mut self.batch.outcomes.rows[split.puzzle]);
                }
                false
            }
            None => {
                split.merge(lanes.limits);
                true
            }
        });
        self.split = split_puzzles;

        self.waited += 1;
        if self.waited <= SWEEPS_BEFORE_SPLIT || self.suspended.is_some() {
            return;
        }
        let idle = !lanes.busy & every_lane::<S>();
        for to in simd::lanes(idle).take(SPLITS_PER_SWEEP as usize) {
            // The lane with the deepest stack: its oldest entry is likely to be a large part.
            let Some(from) = simd::lanes(lanes.busy).max_by_key(|&lane| lanes.depth[lane]) else { return };
            if lanes.depth[from] == 0 {
                return;
            }
            self.give_part(lanes, from, to);
        }
    }

    /// Moves the last part of `from`'s search to lane `to`.
    fn give_part<S: Simd>(&mut self, lanes: &mut Lanes<S>, from: usize, to: usize) {
        let puzzle = lanes.vectors[ACTIVE][ID].lanes()[from];
        if self.part_lanes & 1 << from == 0 {
            self.part_lanes |= 1 << from;
            // The earlier solutions are below the limit, so the number of guesses before them does not matter.
            let solutions = lanes.solutions[from];
            self.split.push(SplitPuzzle {
                puzzle: puzzle as usize,
                is_first_out: solutions > 0,
                parts: vec![Part::of(from, vec![0; solutions as usize])],
            });
        }
        let (split, at) = self.find(from);
        split.parts.insert(at + 1, Part::of(to, Vec::new()));
        self.part_lanes |= 1 << to;

        lanes.stack[slot::<S>(0, to)] = lanes.stack[slot::<S>(0, from)];
        lanes.depth[to] = 1;
        lanes.pop(to);
        lanes.vectors[ACTIVE][ID].lanes_mut()[to] = puzzle;
        lanes.depth[from] -= 1;
        for at in 0..lanes.depth[from] {
            lanes.stack[slot::<S>(at, from)] = lanes.stack[slot::<S>(at + 1, from)];
        }
        lanes.busy |= 1 << to;
        lanes.guessed |= 1 << to;
        lanes.sparse = lanes.sparse & !(1 << to) | (lanes.sparse >> from & 1) << to;
        lanes.has_stack =
            simd::lanes(lanes.busy).filter(|&lane| lanes.depth[lane] != 0).fold(0, |all, lane| all | 1 << lane);
    }

    /// Records the result of a sweep for lanes with parts, and which parts are finished.
    #[cold]
    #[inline(never)]
    pub fn record_parts<S: Simd>(&mut self, lanes: &mut Lanes<S>, mut verdict: Verdict) -> Verdict {
        let Verdict { dead, solved, stuck } = verdict;
        for lane in simd::lanes(self.part_lanes & (dead | solved | stuck)) {
            let [is_solved, is_stuck] = [solved, stuck].map(|mask| mask & 1 << lane != 0);
            let is_capped = is_stuck && lanes.guesses[lane] == lanes.limits.guesses;
            let is_over = is_capped || !is_stuck && lanes.depth[lane] == 0;
            if !(is_solved || is_over) {
                continue;
            }
            let (split, at) = self.find(lane);
            let part = &mut split.parts[at];
            if is_solved {
                if part.solutions.is_empty() {
                    part.first = Some(std::array::from_fn(|i| lanes.vectors[ACTIVE][i].lanes()[lane]));
                }
                part.solutions.push(lanes.guesses[lane]);
                lanes.solutions[lane] += 1;
                verdict.solved &= !(1 << lane);
                verdict.dead |= 1 << lane;
            }
            if is_over || lanes.solutions[lane] == lanes.limits.solutions.get() {
                (part.lane, part.guesses, part.is_capped) = (None, lanes.guesses[lane], is_capped);
                self.release_part(lanes, lane);
            }
        }
        verdict
    }

    fn release_part<S: Simd>(&mut self, lanes: &mut Lanes<S>, lane: usize) {
        lanes.reset_lane(lane);
        lanes.free(1 << lane);
        self.part_lanes &= !(1 << lane);
    }

    /// The puzzle of which a lane searches a part, and the index of the part.
    fn find(&mut self, lane: usize) -> (&mut SplitPuzzle, usize) {
        let places = self.split.iter_mut().filter_map(|split| {
            let at = split.parts.iter().position(|part| part.lane == Some(lane))?;
            Some((split, at))
        });
        { places }.next().expect("a part for each lane of the mask")
    }
}
