//! The most that can follow from each assumption, whatever the order of the search.
//!
//! A closure in the order of the reference is exact, and needs the reasons of all its nodes. Most closures give no
//! hint. So singles, and from level 1 on the simpler techniques, are applied to each assumption until nothing changes.
//! All of these rules still hold, or are not needed any more, when further candidates are gone. So the result does not
//! depend on the order, has all nodes of the exact closure, and is refuted if that has a contradiction. What is left
//! can be kept from step to step: the candidates that a step removes are removed from it, too. It is found when it is
//! asked for.
//!
//! | level | rules, besides singles |
//! |---|---|
//! | 1 | locked candidates, hidden pairs, naked pairs, X-wings |
//! | 2 | and candidates that are refuted by static links |
//! | 3 | and candidates that all candidates of a cell, or all places in a house, exclude by static links |
//!
//! Higher levels are not covered.

use super::exclusions::Exclusions;
use super::static_chains::{StaticChains, static_chains};
use crate::grid::{CELLS, HOUSES};
use crate::rating::chains::closure::{CandidateSet, is_empty, keep};
use crate::rating::chains::{Cause, Key, TRIPLES, Triple, parts, triple};
use crate::rating::fish::Fish;
use crate::rating::locked::{Locked, crossing};
use crate::rating::state::State;
use crate::rating::tables::{
    BIT_OF, CELLS_OF, HOUSES_OF, MASK_OF, NINE, PEERS_OF, bits, cells, is_pair, is_pair_or_triple, is_single, size,
};

/// The levels that are covered.
pub const LEVELS: usize = 4;

/// What is left under an assumption.
#[derive(Clone)]
struct Left {
    /// Cells that were filled since the start have their value as candidate.
    state: State,
    /// The candidates that are on.
    on: CandidateSet,
    is_refuted: bool,
    /// Its static links, from level 2 on.
    exclusions: Option<Exclusions>,
}

/// What is left under all assumptions by the rules of a level.
#[derive(Default)]
struct Level {
    left: Vec<Option<Box<Left>>>,
    /// How many of the removed candidates are taken into account; [`UNKNOWN`] or [`REFUTED`].
    noted: Vec<u32>,
}

/// Assumptions of which one holds.
#[derive(Clone, Copy)]
pub enum Set {
    /// A candidate of a cell, on and off.
    Candidate(usize, usize),
    /// The candidates of a cell.
    Cell(usize),
    /// The places of a digit in a block, row or column.
    House(u8, usize, usize),
}

impl Set {
    /// One of its assumptions: of a candidate the first or second, of a cell by digit, of a house by position.
    #[inline]
    pub fn member(self, i: usize) -> Triple {
        match self {
            Set::Candidate(cell, digit) => triple(cell, digit, i == 0),
            Set::Cell(cell) => triple(cell, i, true),
            Set::House(_, house, digit) => triple(CELLS_OF[house][i] as usize, digit, true),
        }
    }

    /// What its hints are called, and what their assumptions count as.
    pub fn kind(self) -> (Key, Cause) {
        match self {
            Set::Candidate(..) => (Key::Double, Cause::None),
            Set::Cell(_) => (Key::Cell, Cause::Cell),
            Set::House(kind, ..) => (Key::Region, Cause::House(kind)),
        }
    }
}

const UNKNOWN: u32 = u32::MAX;
const REFUTED: u32 = u32::MAX - 1;

/// What is left under all assumptions.
#[derive(Default)]
pub struct UpperBounds {
    levels: [Level; LEVELS],
    /// The place of each assumption in the lists.
    at: Vec<u16>,
    /// The grid at the start, with nothing assumed.
    start: Option<Box<Left>>,
    /// The candidates of the grid.
    pub known: CandidateSet,
    /// The candidates that were removed since the start, by cell and digit.
    gone: Vec<(u8, u8)>,
    memory: Memory,
}

#[derive(Default)]
struct Memory {
    /// The static chains of the grid, once there was a search for chains.
    chains: Option<Box<dyn StaticChains>>,
    /// Whether it is noted where simpler techniques may apply: where a digit has two or three places in a house, and
    /// where a cell has two candidates.
    notes: bool,
    few: Vec<(u8, u8)>,
    pairs: Vec<u8>,
    /// Candidates that are on and were not followed.
    pending: Vec<(u8, u8)>,
    /// Candidates that were removed since the last count.
    removed: usize,
    #[expect(clippy::vec_box, reason = "the boxes are used again")]
    free: Vec<Box<Left>>,
}

impl Left {
    fn remove(&mut self, cell: usize, digit: usize, memory: &mut Memory) {
        self.state.remove(cell, digit);
        memory.removed += 1;
        if memory.notes {
            memory.note(&self.state, cell, digit);
        }
        let Memory { chains, pending, .. } = memory;
        if let (Some(exclusions), Some(chains)) = (&mut self.exclusions, chains) {
            chains.note(exclusions, &self.state, cell, digit);
        }
        let candidates = self.state.candidates[cell];
        self.is_refuted |= candidates == 0;
        if is_single(candidates) {
            pending.push((cell as u8, candidates.trailing_zeros() as u8));
        }
        for house in HOUSES_OF[cell].map(usize::from) {
            let places = self.state.places[house][digit];
            self.is_refuted |= places == 0;
            if is_single(places) {
                pending.push((CELLS_OF[house][places.trailing_zeros() as usize], digit as u8));
            }
        }
    }

    /// Removes candidates, if they are there, and all that follows by singles.
    fn remove_all(&mut self, gone: impl Iterator<Item = (usize, usize)>, memory: &mut Memory) {
        for (cell, digit) in gone {
            if self.state.has(cell, digit) {
                self.remove(cell, digit, memory);
            }
        }
        while let Some((cell, digit)) = memory.pending.pop() {
            let (cell, digit) = (cell as usize, digit as usize);
            if self.is_refuted || !self.state.has(cell, digit) {
                self.is_refuted = true;
                memory.pending.clear();
                break;
            }
            self.on[digit] |= 1 << cell;
            for other in bits(self.state.candidates[cell] & !(1 << digit)) {
                self.remove(cell, other, memory);
            }
            for peer in cells(self.state.cells[digit] & PEERS_OF[cell]) {
                self.remove(peer, digit, memory);
            }
        }
    }

    /// What simpler techniques remove because of few places of a digit in a house.
    fn removals_by_places(&self, house: usize, digit: usize, gone: &mut CandidateSet) {
        let state = &self.state;
        let places = state.places[house][digit];
        if let Some(other) = crossing(house, places) {
            gone[digit] |= Locked { inside: house, other, digit }.removed(state);
        }
        if !is_pair(places) {
            return;
        }
        let digits = (0..NINE).filter(|&other| other != digit && state.places[house][other] == places);
        for other in digits.filter(|_| size(state.empties[house]) > 4) {
            let others = !(1 << digit | 1 << other);
            bits(places).for_each(|position| mark(gone, CELLS_OF[house][position] as usize, others));
        }
        let kind = house / NINE;
        let lines = (NINE * kind..NINE * (kind + 1)).filter(|_| kind > 0 && state.filled[digit] <= 5);
        for line in lines.filter(|&line| line != house && state.places[line][digit] == places) {
            let base = 1 << (line % NINE) | 1 << (house % NINE);
            gone[digit] |= Fish { kind, base, cover: places, digit }.removed(state);
        }
    }

    /// What naked pairs with a cell remove.
    fn removals_by_pairs(&self, cell: usize, gone: &mut CandidateSet) {
        let state = &self.state;
        let pair = state.candidates[cell];
        let with_both = bits(pair).fold(PEERS_OF[cell], |set, digit| set & state.cells[digit]);
        for other in cells(with_both).filter(|&other| state.candidates[other] == pair) {
            for house in HOUSES_OF[cell].map(usize::from) {
                if MASK_OF[house] & BIT_OF[other] != 0 && size(state.empties[house]) >= 4 {
                    let rest = MASK_OF[house] & !(BIT_OF[cell] | BIT_OF[other]);
                    bits(pair).for_each(|digit| gone[digit] |= rest);
                }
            }
        }
    }

    /// What simpler techniques remove because of what was noted.
    fn simple_removals(&self, memory: &mut Memory) -> CandidateSet {
        let mut gone = [0; 9];
        for (house, digit) in memory.few.drain(..).map(|(house, digit)| (house as usize, digit as usize)) {
            if is_pair_or_triple(self.state.places[house][digit]) {
                self.removals_by_places(house, digit, &mut gone);
            }
        }
        for cell in memory.pairs.drain(..).map(usize::from) {
            if is_pair(self.state.candidates[cell]) {
                self.removals_by_pairs(cell, &mut gone);
            }
        }
        keep(&mut gone, &self.state.cells);
        gone
    }

    /// Applies the rules of a level until nothing changes.
    fn close(&mut self, level: usize, memory: &mut Memory) {
        while level > 0 && !self.is_refuted {
            let mut gone = self.simple_removals(memory);
            if is_empty(&gone)
                && level >= 2
                && let Some(chains) = &memory.chains
            {
                let exclusions = self.exclusions.get_or_insert_with(|| chains.exclusions(&self.state));
                gone = chains.removals(exclusions, &self.state, level >= 3);
            }
            if is_empty(&gone) {
                break;
            }
            self.remove_all(members(&gone), memory);
        }
    }
}

impl UpperBounds {
    /// Forgets all.
    pub fn clear(&mut self) {
        (self.start, self.memory.chains) = (None, None);
    }

    /// The static chains of the puzzle, from this grid on if they were not needed before.
    pub fn chains(&mut self, grid: &State, solution: &CandidateSet) -> &mut dyn StaticChains {
        &mut **self.memory.chains.get_or_insert_with(|| static_chains(grid, solution))
    }

    /// Takes the candidates of a state into account, which are among those of the last one.
    pub fn update(&mut self, state: &State) {
        if self.start.is_none() {
            self.begin(state);
        } else if self.known != state.cells {
            for (cell, digit) in members(&std::array::from_fn(|digit| self.known[digit] & !state.cells[digit])) {
                if state.values[cell] as usize != digit + 1 {
                    self.gone.push((cell as u8, digit as u8));
                }
            }
            self.known = state.cells;
        }
    }

    fn begin(&mut self, state: &State) {
        self.known = state.cells;
        self.gone.clear();
        let [single, ..] = state.counted();
        let on = state.cells.map(|set| set & single);
        self.start = Some(Box::new(Left { state: state.clone(), on, is_refuted: false, exclusions: None }));
        self.at.resize(TRIPLES, 0);
        let mut count = 0;
        for cell in cells(state.empty) {
            for digit in bits(state.candidates[cell]) {
                for on in [false, true] {
                    self.at[triple(cell, digit, on) as usize] = count;
                    count += 1;
                }
            }
        }
        for Level { left, noted } in &mut self.levels {
            self.memory.free.extend(left.drain(..).flatten());
            left.resize(count as usize, None);
            noted.clear();
            noted.resize(count as usize, UNKNOWN);
        }
    }

    /// The number of candidates that were removed since the last call.
    pub fn work(&mut self) -> usize {
        std::mem::take(&mut self.memory.removed)
    }

    /// What is left under an assumption of the grid at the start.
    fn assume(&mut self, assumption: Triple) -> Box<Left> {
        let (cell, digit, on) = parts(assumption);
        let mut left = self.memory.copy(self.start.as_ref().expect("there was an update"));
        let others = left.state.candidates[cell] & !(1 << digit);
        let assumed = bits(if on { others } else { 1 << digit }).map(|digit| (cell, digit));
        left.remove_all(assumed.chain(indices(&self.gone)), &mut self.memory);
        left
    }

    /// Finds what is left under an assumption by the rules of a level, if it is not known. Returns its place, if it is
    /// not refuted.
    pub fn find(&mut self, level: usize, assumption: Triple) -> Option<usize> {
        let at = self.at[assumption as usize] as usize;
        let (noted, now) = (self.levels[level].noted[at], self.gone.len() as u32);
        if noted == REFUTED {
            return None;
        }
        if noted == now {
            return Some(at);
        }
        if noted == UNKNOWN && level > 0 && self.find(level - 1, assumption).is_none() {
            self.levels[level].noted[at] = REFUTED;
            return None;
        }
        self.memory.start(level);
        let mut left = if noted != UNKNOWN {
            let Level { left, noted: all } = &mut self.levels[level];
            all[at] = now;
            let gone = indices(&self.gone[noted as usize..]);
            let known = left[at].as_mut().expect("it was found");
            if !gone.clone().any(|(cell, digit)| known.state.has(cell, digit)) {
                return Some(at);
            }
            known.remove_all(gone, &mut self.memory);
            left[at].take().expect("it was found")
        } else if level == 0 {
            self.assume(assumption)
        } else {
            if level == 1 {
                self.memory.note_all();
            }
            self.memory.copy(self.levels[level - 1].left[at].as_ref().expect("it was found"))
        };
        left.close(level, &mut self.memory);
        let level = &mut self.levels[level];
        level.noted[at] = if left.is_refuted { REFUTED } else { now };
        if left.is_refuted {
            self.memory.free.push(left);
            return None;
        }
        level.left[at] = Some(left);
        Some(at)
    }

    /// The candidates that are left under an assumption, and those of them that are on, also in cells that were filled.
    /// None if it is refuted.
    pub fn left(&mut self, level: usize, assumption: Triple) -> Option<(&CandidateSet, &CandidateSet)> {
        let at = self.find(level, assumption)?;
        let left = self.levels[level].left[at].as_ref().expect("it was found");
        Some((&left.state.cells, &left.on))
    }
}

/// The members of a set of candidates, as cell and digit.
fn members(set: &CandidateSet) -> impl Iterator<Item = (usize, usize)> {
    set.iter().enumerate().flat_map(|(digit, &set)| cells(set).map(move |cell| (cell, digit)))
}

fn indices(list: &[(u8, u8)]) -> impl Iterator<Item = (usize, usize)> + Clone {
    list.iter().map(|&(cell, digit)| (cell as usize, digit as usize))
}

/// Adds digits of a cell.
fn mark(set: &mut CandidateSet, cell: usize, digits: u16) {
    bits(digits & 0x1ff).for_each(|digit| set[digit] |= 1 << cell);
}

impl Memory {
    /// Notes where simpler techniques may apply because a candidate is gone.
    #[inline]
    fn note(&mut self, state: &State, cell: usize, digit: usize) {
        if is_pair(state.candidates[cell]) {
            self.pairs.push(cell as u8);
        }
        for house in HOUSES_OF[cell] {
            if is_pair_or_triple(state.places[house as usize][digit]) {
                self.few.push((house, digit as u8));
            }
        }
    }

    /// Notes all places where simpler techniques may apply.
    fn note_all(&mut self) {
        self.few.extend((0..HOUSES as u8).flat_map(|house| (0..NINE as u8).map(move |digit| (house, digit))));
        self.pairs.extend(0..CELLS as u8);
    }

    /// Forgets what was noted. From level 1 on, places are noted.
    fn start(&mut self, level: usize) {
        self.few.clear();
        self.pairs.clear();
        self.notes = level > 0;
    }

    /// A copy in a box that was used before, if there is one.
    fn copy(&mut self, left: &Left) -> Box<Left> {
        match self.free.pop() {
            Some(mut copy) => {
                copy.as_mut().clone_from(left);
                copy
            }
            None => Box::new(left.clone()),
        }
    }
}
