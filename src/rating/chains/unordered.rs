//! What follows from each assumption, whatever the order: the most that a closure can have.
//!
//! A closure in the order of the reference is exact, and needs the reasons of all its nodes. Most closures give no hint. So singles, and
//! from level 1 on the simpler techniques, are applied to each assumption until nothing changes. All of these rules still hold, or are
//! not needed any more, when further candidates are gone. So the result does not depend on the order, has all nodes of the
//! exact closure, and is refuted if that has a contradiction. What is left can be kept from step to step: the candidates that
//! a step removes are removed from it, too.
//!
//! | level | rules, besides singles |
//! |---|---|
//! | 1 | locked candidates, hidden pairs, naked pairs, X-wings |
//! | 2 | and candidates that are refuted by static links |
//! | 3 | and candidates that all candidates of a cell, or all places in a house, exclude by static links |
//!
//! Higher levels are not covered.

use std::ops::ControlFlow::Continue;

use super::closure::Nodes;
use super::exclusion::Reach;
use super::{TRIPLES, Triple, parts, triple};
use crate::rating::fish::{Fish, fish};
use crate::rating::locked::locked;
use crate::rating::sets::{Set, hidden, naked};
use crate::rating::state::{Scope, State};
use crate::rating::tables::{CELLS_OF, HOUSES_OF, PEERS_OF, bits, cells, is_single};

/// Candidates: the cells of each digit.
type Marks = [u128; 9];

/// The levels that are covered.
pub const LEVELS: usize = 4;

/// What is left under an assumption.
#[derive(Clone)]
struct Left {
    state: State,
    is_refuted: bool,
    /// Whether the rules of the level are applied.
    is_closed: bool,
    /// The part that has changed since simpler techniques were applied.
    changed: Scope,
}

/// What is left under all assumptions, by level.
pub struct Unordered {
    levels: [Vec<Left>; LEVELS],
    assumptions: Vec<Triple>,
    /// The place of each assumption in the lists.
    at: Box<[u16; TRIPLES]>,
    /// The candidates that the lists take into account.
    known: Marks,
    memory: Memory,
}

#[derive(Default)]
struct Memory {
    /// The static links of the grid, if a level needs them.
    reach: Option<Reach>,
    fish: Vec<Fish>,
    /// Candidates that are on and were not followed.
    pending: Vec<(u8, u8)>,
    /// Candidates that were removed since the last count.
    removed: usize,
}

impl Default for Unordered {
    fn default() -> Unordered {
        Unordered {
            levels: Default::default(),
            assumptions: Vec::new(),
            at: Box::new([0; TRIPLES]),
            known: [0; 9],
            memory: Memory::default(),
        }
    }
}

impl Left {
    fn remove(&mut self, cell: usize, digit: usize, pending: &mut Vec<(u8, u8)>) {
        self.state.remove(cell, digit);
        self.changed.add(cell, digit);
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

    /// Removes candidates, and all that follows by singles.
    fn remove_all(&mut self, gone: &Marks, memory: &mut Memory) {
        let pending = &mut memory.pending;
        let before = self.size();
        for (digit, gone) in gone.iter().enumerate() {
            for cell in cells(gone & self.state.cells[digit]) {
                self.remove(cell, digit, pending);
            }
        }
        while let Some((cell, digit)) = pending.pop() {
            let (cell, digit) = (cell as usize, digit as usize);
            if self.is_refuted || !self.state.has(cell, digit) {
                self.is_refuted = true;
                pending.clear();
                break;
            }
            for other in bits(self.state.candidates[cell] & !(1 << digit)) {
                self.remove(cell, other, pending);
            }
            for peer in cells(self.state.cells[digit] & PEERS_OF[cell]) {
                self.remove(peer, digit, pending);
            }
        }
        memory.removed += before - self.size();
    }

    fn size(&self) -> usize {
        self.state.cells.iter().map(|set| set.count_ones() as usize).sum()
    }

    /// What simpler techniques remove from the part that has changed.
    fn simple_removals(&self, found: &mut Vec<Fish>) -> Marks {
        let (state, changed) = (&self.state, self.changed);
        let mut gone = [0; 9];
        let mut mark = |cell: usize, digits: u16| {
            bits(digits & state.candidates[cell]).for_each(|digit| gone[digit] |= 1 << cell);
        };
        let cell_at = |house: usize, position: usize| CELLS_OF[house][position] as usize;
        let _ = hidden(state, changed, 2, 4, |Set { house, positions, digits }| {
            bits(positions).for_each(|position| mark(cell_at(house, position), !digits));
            Continue(())
        });
        let _ = naked(state, changed, 2, |Set { house, positions, digits }| {
            bits(0x1ff & !positions).for_each(|position| mark(cell_at(house, position), digits));
            Continue(())
        });
        let _ = locked(state, changed, |found| {
            gone[found.digit] |= found.removed(state);
            Continue(())
        });
        let _ = fish(state, changed, 2, found, |fish| {
            gone[fish.digit] |= fish.removed(state);
            Continue(())
        });
        gone
    }

    /// Applies the rules of a level until nothing changes.
    fn close(&mut self, level: usize, memory: &mut Memory) {
        while level > 0 && !self.is_refuted {
            let mut gone = self.simple_removals(&mut memory.fish);
            self.changed = Scope::NONE;
            if gone == [0; 9]
                && level >= 2
                && let Some(reach) = &memory.reach
            {
                gone = reach.removals(&self.state, level >= 3);
            }
            if gone == [0; 9] {
                break;
            }
            self.remove_all(&gone, memory);
        }
        self.is_closed = true;
    }
}

impl Unordered {
    /// Forgets all.
    pub fn clear(&mut self) {
        self.levels.iter_mut().for_each(Vec::clear);
        self.assumptions.clear();
        self.memory.reach = None;
    }

    /// Brings the lists up to a level to the candidates of a state, which are among those of the last one. Returns the
    /// number of candidates that went.
    pub fn update(&mut self, state: &State, level: usize) -> usize {
        self.memory.removed = 0;
        if self.assumptions.is_empty() {
            self.start(state);
        } else if self.known != state.cells {
            self.take(state);
        }
        if level >= 2 && self.memory.reach.is_none() {
            self.memory.reach = Some(Reach::new(state));
        }
        for level in 0..=level {
            if self.levels[level].is_empty() {
                let below = self.levels[level - 1].iter();
                self.levels[level] = below.map(|left| Left { is_closed: false, ..left.clone() }).collect();
            }
            let open = self.levels[level].iter_mut().filter(|left| !left.is_closed);
            open.for_each(|left| left.close(level, &mut self.memory));
        }
        self.memory.removed
    }

    /// The static links of the grid, once level 2 was reached.
    pub fn reach(&self) -> Option<&Reach> {
        self.memory.reach.as_ref()
    }

    fn start(&mut self, state: &State) {
        (self.known, self.memory.reach) = (state.cells, None);
        let mut start =
            Left { state: state.clone(), is_refuted: false, is_closed: true, changed: Scope::ALL };
        if start.simple_removals(&mut self.memory.fish) == [0; 9] {
            start.changed = Scope::NONE;
        }
        for cell in cells(state.empty) {
            for digit in bits(state.candidates[cell]) {
                for on in [false, true] {
                    let mut left = start.clone();
                    let mut gone = [0; 9];
                    if on {
                        bits(state.candidates[cell] & !(1 << digit))
                            .for_each(|other| gone[other] |= 1 << cell);
                    } else {
                        gone[digit] = 1 << cell;
                    }
                    left.remove_all(&gone, &mut self.memory);
                    let assumption = triple(cell, digit, on);
                    self.at[assumption as usize] = self.assumptions.len() as u16;
                    self.assumptions.push(assumption);
                    self.levels[0].push(left);
                }
            }
        }
    }

    /// Removes what a step removed.
    fn take(&mut self, state: &State) {
        let mut gone: Marks = std::array::from_fn(|digit| self.known[digit] & !state.cells[digit]);
        (self.known, self.memory.reach) = (state.cells, None);
        for (digit, gone) in gone.iter_mut().enumerate() {
            let placed = cells(*gone).filter(|&cell| state.values[cell] as usize == digit + 1);
            *gone &= !placed.fold(0, |set, cell| set | 1 << cell);
        }
        let is_alive = |&assumption: &Triple| {
            let (cell, digit, _) = parts(assumption);
            state.has(cell, digit)
        };
        let is_left: Vec<bool> = self.assumptions.iter().map(is_alive).collect();
        for list in &mut self.levels {
            let mut alive = is_left.iter();
            list.retain(|_| *alive.next().expect("one for each"));
            for left in list.iter_mut().filter(|left| !left.is_refuted) {
                let changes = gone.iter().zip(&left.state.cells).any(|(gone, left)| gone & left != 0);
                if changes {
                    left.remove_all(&gone, &mut self.memory);
                    left.is_closed = false;
                }
            }
        }
        self.assumptions.retain(is_alive);
        for (index, &assumption) in self.assumptions.iter().enumerate() {
            self.at[assumption as usize] = index as u16;
        }
    }

    fn left(&self, level: usize, assumption: Triple) -> &Left {
        &self.levels[level][self.at[assumption as usize] as usize]
    }

    /// Whether an assumption may lead to a contradiction.
    pub fn is_refuted(&self, level: usize, assumption: Triple) -> bool {
        self.left(level, assumption).is_refuted
    }

    /// The most that follows from an assumption; all if it is refuted.
    pub fn nodes(&self, level: usize, assumption: Triple) -> Nodes {
        let left = self.left(level, assumption);
        if left.is_refuted {
            return Nodes::ALL;
        }
        let [single, ..] = left.state.counted();
        Nodes {
            on: left.state.cells.map(|set| set & single),
            off: std::array::from_fn(|digit| self.known[digit] & !left.state.cells[digit]),
        }
    }
}
