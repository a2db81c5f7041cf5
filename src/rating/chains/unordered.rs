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

use super::exclusion::static_removals;
use super::{TRIPLES, Triple, parts, triple};
use crate::rating::fish::{Fish, fish};
use crate::rating::locked::locked;
use crate::rating::sets::{Set, hidden, naked};
use crate::rating::state::State;
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
}

/// What is left under all assumptions, by level.
pub struct Unordered {
    levels: [Vec<Left>; LEVELS],
    assumptions: Vec<Triple>,
    /// The place of each assumption in the lists.
    at: Box<[u16; TRIPLES]>,
    /// The candidates that the lists take into account.
    known: Marks,
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
            fish: Vec::new(),
            pending: Vec::new(),
            removed: 0,
        }
    }
}

impl Left {
    fn remove(&mut self, cell: usize, digit: usize, pending: &mut Vec<(u8, u8)>) {
        self.state.remove(cell, digit);
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

    /// Removes candidates, and all that follows by singles. Returns how many went.
    fn remove_all(&mut self, gone: &Marks, pending: &mut Vec<(u8, u8)>) -> usize {
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
        before - self.size()
    }

    fn size(&self) -> usize {
        self.state.cells.iter().map(|set| set.count_ones() as usize).sum()
    }

    /// What the rules of a level remove: those of the first kind that removes anything.
    fn removals(&self, level: usize, found: &mut Vec<Fish>) -> Marks {
        let state = &self.state;
        let mut gone = [0; 9];
        let mut mark = |cell: usize, digits: u16| {
            bits(digits & state.candidates[cell]).for_each(|digit| gone[digit] |= 1 << cell);
        };
        let cell_at = |house: usize, position: usize| CELLS_OF[house][position] as usize;
        let _ = hidden(state, 2, 4, |Set { house, positions, digits }| {
            bits(positions).for_each(|position| mark(cell_at(house, position), !digits));
            Continue(())
        });
        let _ = naked(state, 2, |Set { house, positions, digits }| {
            bits(0x1ff & !positions).for_each(|position| mark(cell_at(house, position), digits));
            Continue(())
        });
        let _ = locked(state, |found| {
            gone[found.digit] |= found.removed(state);
            Continue(())
        });
        if gone == [0; 9] {
            let _ = fish(state, 2, found, |fish| {
                gone[fish.digit] |= fish.removed(state);
                Continue(())
            });
        }
        if gone == [0; 9] && level >= 2 {
            gone = static_removals(state, level >= 3);
        }
        gone
    }

    /// Applies the rules of a level until nothing changes. Returns how many candidates went.
    fn close(&mut self, level: usize, fish: &mut Vec<Fish>, pending: &mut Vec<(u8, u8)>) -> usize {
        let mut removed = 0;
        while level > 0 && !self.is_refuted {
            let gone = self.removals(level, fish);
            if gone == [0; 9] {
                break;
            }
            removed += self.remove_all(&gone, pending);
        }
        self.is_closed = true;
        removed
    }
}

impl Unordered {
    /// Forgets all.
    pub fn clear(&mut self) {
        self.levels.iter_mut().for_each(Vec::clear);
        self.assumptions.clear();
    }

    /// Brings the lists up to a level to the candidates of a state, which are among those of the last one. Returns the
    /// number of candidates that went.
    pub fn update(&mut self, state: &State, level: usize) -> usize {
        self.removed = 0;
        if self.assumptions.is_empty() {
            self.start(state);
        } else if self.known != state.cells {
            self.take(state);
        }
        for level in 0..=level {
            if self.levels[level].is_empty() {
                let below = self.levels[level - 1].iter();
                self.levels[level] = below.map(|left| Left { is_closed: false, ..left.clone() }).collect();
            }
            let open = self.levels[level].iter_mut().filter(|left| !left.is_closed);
            for left in open {
                self.removed += left.close(level, &mut self.fish, &mut self.pending);
            }
        }
        self.removed
    }

    fn start(&mut self, state: &State) {
        self.known = state.cells;
        for cell in cells(state.empty) {
            for digit in bits(state.candidates[cell]) {
                for on in [false, true] {
                    let mut left = Left { state: state.clone(), is_refuted: false, is_closed: true };
                    let mut gone = [0; 9];
                    if on {
                        bits(state.candidates[cell] & !(1 << digit))
                            .for_each(|other| gone[other] |= 1 << cell);
                    } else {
                        gone[digit] = 1 << cell;
                    }
                    self.removed += left.remove_all(&gone, &mut self.pending);
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
        self.known = state.cells;
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
                    self.removed += left.remove_all(&gone, &mut self.pending);
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

    /// Whether assumptions may lead to a common node.
    pub fn have_common(&self, level: usize, assumptions: impl Iterator<Item = Triple>) -> bool {
        let mut any: Marks = [0; 9];
        for left in assumptions.map(|assumption| self.left(level, assumption)).filter(|left| !left.is_refuted) {
            any.iter_mut().zip(left.state.cells).for_each(|(any, set)| *any |= set);
        }
        self.known.iter().zip(any).any(|(known, any)| known & !any != 0)
    }
}
