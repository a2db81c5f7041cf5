//! Techniques 26 to 30: what follows from simpler techniques when links lead no further.
//!
//! | level | techniques, the first that gives anything new |
//! |---|---|
//! | 1 | locked candidates, hidden pairs, naked pairs, X-wings |
//! | 2 | and technique 21 |
//! | 3 | and techniques 21, 24 |
//! | 4 | and technique 25 |
//! | 5 | and techniques 25, 27 |
//!
//! A hint counts if it uses that a candidate is gone since the assumption; the off nodes of such candidates are its parents.
//! Chains within chains have memory of their own and the candidates that are left.

use std::borrow::Cow;
use std::ops::ControlFlow::Continue;
use std::sync::Arc;

use super::closure::{Advance, Closure, PENDING, Pending, Scratch};
use super::forcing::forcing_target;
use super::search::{Hints, Inner};
use super::{Branches, Cause, ChainHint, InnerChains, Mode, Search, TRIPLES, parts, triple};

use crate::rating::fish::{Fish, fish};
use crate::rating::locked::{Locked, locked};
use crate::rating::sets::{Set, hidden, naked};
use crate::rating::state::{Scope, State};
use crate::rating::tables::{CELLS_OF, HOUSES_OF, MASK_OF, bits, cells};

/// The advanced steps of a closure.
pub struct Advanced<'a> {
    pub search: &'a mut Search,
    pub level: u8,
    /// Whether all inner chains by static links are known to depend on what is gone.
    pub is_lazy: bool,
}

impl InnerChains {
    /// Those of a level, in order.
    fn of(level: u8) -> &'static [InnerChains] {
        use InnerChains::{Forcing, Multiple};
        match level {
            2 => &[Forcing],
            3 => &[Forcing, Multiple(Mode::Static)],
            4 => &[Multiple(Mode::Dynamic(0))],
            5 => &[Multiple(Mode::Dynamic(0)), Multiple(Mode::Dynamic(2))],
            _ => &[],
        }
    }
}

/// The nodes of the candidates that are gone.
struct Gone<'a> {
    state: &'a State,
    scratch: &'a Scratch,
}

impl Gone<'_> {
    /// Adds those of some digits of a cell to the parents of a node, which start at `first`.
    fn add(&self, parents: &mut Vec<u16>, first: usize, cell: usize, digits: u16) {
        for digit in bits(digits & self.scratch.start[cell] & !self.state.candidates[cell]) {
            let at = self.scratch.at[triple(cell, digit, false) as usize];
            if at != 0 && !parents[first..].contains(&(at - 1)) {
                parents.push(at - 1);
            }
        }
    }

    /// Adds those that an inner chain depends on.
    fn add_of_chain(&self, parents: &mut Vec<u16>, first: usize, chain: &ChainHint) {
        for ancestor in chain.targets.iter().flat_map(|target| &target.ancestors) {
            let (cell, digit, on) = parts(ancestor.triple);
            let cause = match (ancestor.cause, chain.branches) {
                (Cause::None, Branches::Cell) => Cause::Cell,
                (Cause::None, Branches::Region(kind)) => Cause::House(kind),
                (cause, _) => cause,
            };
            match cause {
                _ if !on => (),
                Cause::Cell => self.add(parents, first, cell, 0x1ff),
                Cause::House(kind) => {
                    let house = HOUSES_OF[cell][kind as usize] as usize;
                    CELLS_OF[house]
                        .iter()
                        .for_each(|&cell| self.add(parents, first, cell as usize, 1 << digit));
                }
                Cause::None | Cause::Advanced => (),
            }
        }
    }
}

/// A chain with its ancestors on the grid that it was found on.
fn with_targets<'a>(chain: &'a ChainHint, state: &State) -> Cow<'a, ChainHint> {
    let Some((pass, start)) = chain.start else { return Cow::Borrowed(chain) };
    let targets = forcing_target(state, pass, start, chain.complexity).into_iter().collect();
    Cow::Owned(ChainHint { targets, ..chain.clone() })
}

impl Search {
    /// The hints of inner chains on a grid, in order. Those without inner chains of their own depend on the candidates alone, and the
    /// same candidates are often left under other assumptions and after later steps.
    fn inner_chains(&mut self, state: &State, chains: InnerChains) -> Arc<[ChainHint]> {
        let key = (chains, self.bounds_cycles, state.cells);
        if let Some(known) = self.known_chains.get(&key) {
            return known.clone();
        }
        let mut hints = Hints::new(true, false);
        match chains {
            InnerChains::Forcing => self.forcing(state, &mut hints),
            InnerChains::Multiple(mode) => self.multiple(&mut state.clone(), mode, &mut hints),
        }
        let found: Arc<[ChainHint]> = hints.sorted().into();
        if !matches!(chains, InnerChains::Multiple(Mode::Dynamic(1..))) {
            if self.known_chains.len() == MAX_KNOWN {
                self.known_chains.clear();
            }
            self.known_chains.insert(key, found.clone());
        }
        found
    }
}

/// The grids whose inner chains are remembered: a few megabytes.
const MAX_KNOWN: usize = 2048;

impl Closure {
    /// Finds the reasons of the inner chains among the ancestors of a node. `start` has the candidates before the assumption.
    pub fn resolve(&mut self, node: usize, start: &State, scratch: &mut Scratch, inner: &mut Inner) {
        if self.pending.is_empty() {
            return;
        }
        self.mark(scratch);
        scratch.start = start.candidates;
        let mut seen = [0u64; TRIPLES.div_ceil(64)];
        let mut open = vec![node as u16];
        while let Some(node) = open.pop() {
            let (word, bit) = (node as usize / 64, 1 << (node % 64));
            if seen[word] & bit == 0 {
                seen[word] |= bit;
                let nested = self.nodes[node as usize].nested;
                if nested & PENDING != 0 {
                    self.find_reasons((nested - PENDING) as usize, start, scratch, inner);
                }
                open.extend_from_slice(self.parents_of(node as usize));
            }
        }
        self.unmark(scratch);
    }

    /// Finds the reasons of an inner chain.
    fn find_reasons(&mut self, index: usize, start: &State, scratch: &Scratch, inner: &mut Inner) {
        let Pending { chains, index: in_chains, removed } = &self.pending[index];
        let mut state = start.clone();
        for &gone in &self.removed[..*removed] {
            let (cell, digit, _) = parts(gone);
            state.remove(cell, digit);
        }
        let chain = with_targets(&chains[*in_chains], &state);
        let first = self.parents.len();
        Gone { state: &state, scratch }.add_of_chain(&mut self.parents, first, &chain);
        let count = (self.parents.len() - first) as u16;
        let number = inner.number(chain);
        for node in self.nodes.iter_mut().filter(|node| node.nested == PENDING + index as u32) {
            (node.first_parent, node.parents, node.nested) = (first as u32, count, number);
        }
    }
}

/// Off nodes that are being added to a closure.
struct Adding<'a> {
    state: &'a State,
    closure: &'a mut Closure,
    scratch: &'a mut Scratch,
    any: bool,
    /// Whether the reasons of inner chains are found when they are needed.
    is_lazy: bool,
}

impl Adding<'_> {
    /// Adds the removals of a hint of a simpler technique, if it uses that a candidate is gone. `used` has those that it may use.
    fn add(
        &mut self,
        used: impl Iterator<Item = (usize, u16)>,
        removals: impl Iterator<Item = (usize, u16)>,
    ) {
        if self.closure.contradiction.is_some() {
            return;
        }
        let first = self.closure.parents.len();
        let gone = Gone { state: self.state, scratch: self.scratch };
        used.for_each(|(cell, digits)| gone.add(&mut self.closure.parents, first, cell, digits));
        if self.closure.parents.len() > first {
            self.add_nodes(first, removals, 0);
        }
    }

    /// Adds off nodes; their parents are the last of the list, from `first`.
    fn add_nodes(&mut self, first: usize, removals: impl Iterator<Item = (usize, u16)>, nested: u32) {
        for (cell, digits) in removals {
            for digit in bits(digits & self.state.candidates[cell]) {
                let node = triple(cell, digit, false);
                if self.scratch.at[node as usize] != 0 {
                    continue;
                }
                self.any = true;
                self.closure.has_nested |= nested != 0;
                if !self.closure.enter(self.scratch, node, Cause::Advanced, first, nested) {
                    return;
                }
            }
        }
    }

    fn locked(&mut self, found: Locked) {
        let Locked { inside, other, digit } = found;
        let removed = found.removed(self.state);
        if removed != 0 {
            let of_digit = |set: u128| cells(set).map(move |cell| (cell, 1 << digit));
            self.add(
                of_digit(MASK_OF[inside] & !MASK_OF[other] & !self.state.cells[digit]),
                of_digit(removed),
            );
        }
    }

    fn hidden(&mut self, Set { house, positions, digits }: Set) {
        let others = bits(0x1ff & !positions).map(|i| (CELLS_OF[house][i] as usize, digits));
        self.add(others, bits(positions).map(|i| (CELLS_OF[house][i] as usize, 0x1ff & !digits)));
    }

    fn naked(&mut self, Set { house, positions, digits }: Set) {
        let own = bits(positions).map(|i| (CELLS_OF[house][i] as usize, 0x1ff & !digits));
        self.add(own, bits(0x1ff & !positions).map(|i| (CELLS_OF[house][i] as usize, digits)));
    }

    fn x_wing(&mut self, fish: Fish) {
        let removed = fish.removed(self.state);
        if removed != 0 {
            let used = fish.base_cells() & !fish.cover_cells() & !self.state.cells[fish.digit];
            let of_digit = |set: u128| cells(set).map(|cell| (cell, 1 << fish.digit));
            self.add(of_digit(used), of_digit(removed));
        }
    }

    /// Whether a hint removes a candidate that is not off yet.
    fn is_new(&self, chain: &ChainHint) -> bool {
        chain.removals.iter().any(|&(cell, digits)| {
            let mut removed = bits(digits & self.state.candidates[cell as usize]);
            removed.any(|digit| self.scratch.at[triple(cell as usize, digit, false) as usize] == 0)
        })
    }

    /// Adds the removals of one of the hints of inner chains.
    fn chain(&mut self, chains: &Arc<[ChainHint]>, index: usize, search: &mut Search) {
        let chain = &chains[index];
        if self.closure.contradiction.is_some() || !self.is_new(chain) {
            return;
        }
        let removals = chain.removals.iter().map(|&(cell, digits)| (cell as usize, digits));
        if self.is_lazy && chain.start.is_some() {
            let nested = PENDING + self.closure.pending.len() as u32;
            let removed = self.scratch.removed.len();
            self.closure.pending.push(Pending { chains: chains.clone(), index, removed });
            self.add_nodes(self.closure.parents.len(), removals, nested);
            return;
        }
        let chain = with_targets(chain, self.state);
        let first = self.closure.parents.len();
        let gone = Gone { state: self.state, scratch: self.scratch };
        gone.add_of_chain(&mut self.closure.parents, first, &chain);
        if self.closure.parents.len() > first {
            let number = search.inner.number(chain);
            self.add_nodes(first, removals, number);
        }
    }
}

impl Advance for Advanced<'_> {
    fn advance(&mut self, state: &State, closure: &mut Closure, scratch: &mut Scratch) -> bool {
        // Without candidates that are gone a hint has no parents.
        let mut changed = Scope::NONE;
        for &removed in &scratch.removed {
            let (cell, digit, _) = parts(removed);
            changed.add_small(state, cell, digit);
        }
        let mut adding = Adding { state, closure, scratch, any: false, is_lazy: self.is_lazy };
        let _ = locked(state, changed, |found| {
            adding.locked(found);
            Continue(())
        });
        if !adding.any {
            let _ = hidden(state, changed, 2, 4, |set| {
                adding.hidden(set);
                Continue(())
            });
        }
        if !adding.any {
            let _ = naked(state, changed, 2, |set| {
                adding.naked(set);
                Continue(())
            });
        }
        if !adding.any {
            let _ = fish(state, changed, 2, &mut Vec::new(), |fish| {
                adding.x_wing(fish);
                Continue(())
            });
        }
        for &chains in InnerChains::of(self.level) {
            if adding.any || self.search.is_stopped() {
                break;
            }
            let chains = self.search.inner_chains(state, chains);
            for index in 0..chains.len() {
                adding.chain(&chains, index, self.search);
            }
        }
        adding.any
    }
}
