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
//! A hint counts if it uses that a candidate is gone since the assumption; the off nodes of such candidates are its
//! parents. Chains within chains have memory of their own and the candidates that are left.

use std::borrow::Cow;
use std::ops::ControlFlow::{Break, Continue};
use std::sync::Arc;

use super::closure::{Closure, Indices, Node, PENDING, Pending, Reason};
use super::forcing::forcing_target;
use super::hints::{Hints, Inner};
use super::{Cause, ChainHint, Mode, Search, TRIPLES, parts, triple};

use crate::rating::fish::{Fish, fish};
use crate::rating::hint::Flow;
use crate::rating::locked::{Locked, locked};
use crate::rating::sets::{Set, hidden, naked};
use crate::rating::state::{Scope, State};
use crate::rating::tables::{CELLS_OF, HOUSES_OF, MASK_OF, bits, cells, size};

/// The advanced steps of a closure.
pub struct Advanced<'a> {
    search: &'a mut Search,
    level: u8,
    /// Whether all inner chains by static links are known to depend on what is gone.
    is_lazy: bool,
    /// The candidates that are left, without those of the off nodes among the first so many nodes.
    left: State,
    nodes: usize,
    /// Where they disappeared.
    changed: Scope,
}

impl Advanced<'_> {
    pub fn new<'a>(search: &'a mut Search, grid: &State, level: u8, is_lazy: bool) -> Advanced<'a> {
        Advanced { search, level, is_lazy, left: grid.clone(), nodes: 0, changed: Scope::NONE }
    }
}

/// The inner chains of a level, in order.
fn inner_chains_of(level: u8) -> &'static [Mode] {
    match level {
        2 => &[Mode::Forcing],
        3 => &[Mode::Forcing, Mode::Static],
        4 => &[Mode::Dynamic(0)],
        5 => &[Mode::Dynamic(0), Mode::Dynamic(2)],
        _ => &[],
    }
}

/// The nodes of the candidates of a grid that are gone.
struct Gone<'a> {
    grid: &'a State,
    left: &'a State,
    closure: &'a mut Closure,
    /// Where they begin in the list of parents.
    first: usize,
}

impl Gone<'_> {
    fn new<'a>(grid: &'a State, left: &'a State, closure: &'a mut Closure) -> Gone<'a> {
        let first = closure.parents.len();
        Gone { grid, left, closure, first }
    }

    /// Adds those of some digits of a cell.
    fn add(&mut self, cell: usize, digits: u16) {
        for digit in bits(digits & self.grid.candidates[cell] & !self.left.candidates[cell]) {
            let at = self.closure.find(triple(cell, digit, false)).expect("what is gone is off") as u16;
            if !self.closure.parents[self.first..].contains(&at) {
                self.closure.parents.push(at);
            }
        }
    }

    /// Adds those that an inner chain depends on.
    fn add_of_chain(&mut self, chain: &ChainHint) {
        for ancestor in chain.targets.iter().flat_map(|target| &target.ancestors) {
            let (cell, digit, on) = parts(ancestor.triple);
            let cause = if ancestor.cause == Cause::None { chain.assumed } else { ancestor.cause };
            match cause {
                _ if !on => (),
                Cause::Cell => self.add(cell, 0x1ff),
                Cause::House(kind) => {
                    let house = HOUSES_OF[cell][kind as usize] as usize;
                    CELLS_OF[house].iter().for_each(|&cell| self.add(cell as usize, 1 << digit));
                }
                Cause::None | Cause::Advanced => (),
            }
        }
    }

    /// Makes a reason of them, unless there are none. Returns its index.
    fn reason(self, nested: u32) -> Option<u16> {
        let count = (self.closure.parents.len() - self.first) as u16;
        let reason = Reason { first: self.first as u32, count, nested };
        (count > 0).then(|| self.closure.add_reason(reason))
    }
}

/// A chain with its ancestors on the grid that it was found on.
fn with_targets<'a>(chain: &'a ChainHint, state: &State) -> Cow<'a, ChainHint> {
    let Some(start) = chain.start else { return Cow::Borrowed(chain) };
    let targets = forcing_target(state, chain.key, start, chain.complexity).into_iter().collect();
    Cow::Owned(ChainHint { targets, ..chain.clone() })
}

impl Search {
    /// The hints of inner chains on a grid, in order. Those without inner chains of their own depend on the candidates
    /// alone, and the same candidates are often left under other assumptions and after later steps.
    fn inner_chains(&mut self, state: &State, mode: Mode) -> Arc<[ChainHint]> {
        let bounds_cycles = self.known.bounds_cycles();
        let key = (mode, bounds_cycles, state.cells);
        if let Some(known) = self.known_chains.get(&key) {
            return known.clone();
        }
        let mut hints = Hints::new(true, false);
        if mode == Mode::Forcing {
            self.count(state.candidates.iter().map(|set| size(*set)).sum());
            self.known.chains_left(state).all(state, bounds_cycles, &mut hints);
        } else {
            self.multiple(state, mode, &mut hints);
        }
        let found: Arc<[ChainHint]> = hints.sorted().into();
        if !matches!(mode, Mode::Dynamic(1..)) {
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
    fn add_reason(&mut self, reason: Reason) -> u16 {
        self.reasons.push(reason);
        self.reasons.len() as u16 - 1
    }

    /// Finds the reasons of the inner chains among the ancestors of a node. `grid` has the candidates before the
    /// assumption.
    pub fn resolve(&mut self, node: usize, grid: &State, inner: &mut Inner) {
        if self.pending.is_empty() {
            return;
        }
        let mut seen: Indices = [0; TRIPLES.div_ceil(64)];
        let mut open = vec![node as u16];
        while let Some(node) = open.pop() {
            let (word, bit) = (node as usize / 64, 1 << (node % 64));
            if seen[word] & bit == 0 {
                seen[word] |= bit;
                let Node { cause, parent, .. } = self.nodes[node as usize];
                if cause == Cause::Advanced && self.reasons[parent as usize].nested & PENDING != 0 {
                    self.find_reason(parent as usize, grid, inner);
                }
                self.each_parent(grid, node as usize, |parent| open.push(parent));
            }
        }
    }

    /// Finds the reason of an inner chain.
    fn find_reason(&mut self, index: usize, grid: &State, inner: &mut Inner) {
        let Pending { chains, index: in_chains, nodes } =
            self.pending[(self.reasons[index].nested - PENDING) as usize].clone();
        let mut left = grid.clone();
        for &Node { triple, .. } in self.nodes[..nodes].iter().filter(|node| node.triple & 1 == 0) {
            let (cell, digit, _) = parts(triple);
            left.remove(cell, digit);
        }
        let chain = with_targets(&chains[in_chains], &left);
        let mut gone = Gone::new(grid, &left, self);
        gone.add_of_chain(&chain);
        let (first, count) = (gone.first as u32, (gone.closure.parents.len() - gone.first) as u16);
        self.reasons[index] = Reason { first, count, nested: inner.number(chain) };
        self.forget_ancestors();
    }
}

/// Off nodes that are being added to a closure.
struct Adding<'a> {
    grid: &'a State,
    left: &'a State,
    closure: &'a mut Closure,
    any: bool,
    /// Whether the reasons of inner chains are found when they are needed.
    is_lazy: bool,
}

impl Adding<'_> {
    /// Adds the removals of a hint of a simpler technique, if it uses that a candidate is gone. `used` has those that
    /// it may use.
    fn add(&mut self, used: impl Iterator<Item = (usize, u16)>, removals: impl Iterator<Item = (usize, u16)>) -> Flow {
        let mut gone = Gone::new(self.grid, self.left, self.closure);
        used.for_each(|(cell, digits)| gone.add(cell, digits));
        if let Some(reason) = gone.reason(0) {
            self.add_nodes(reason, removals)?;
        }
        Continue(())
    }

    /// Adds off nodes, until there is a contradiction.
    fn add_nodes(&mut self, reason: u16, removals: impl Iterator<Item = (usize, u16)>) -> Flow {
        for (cell, digits) in removals {
            for digit in bits(digits & self.left.candidates[cell]) {
                if self.closure.find(triple(cell, digit, false)).is_some() {
                    continue;
                }
                self.any = true;
                if !self.closure.enter((cell, digit, false), Cause::Advanced, reason) {
                    return Break(());
                }
            }
        }
        Continue(())
    }

    fn locked(&mut self, found: Locked) -> Flow {
        let Locked { inside, other, digit } = found;
        let used = MASK_OF[inside] & !MASK_OF[other];
        self.digit(digit, used, found.removed(self.left))
    }

    /// Adds the removals of a digit, if there are any.
    fn digit(&mut self, digit: usize, used: u128, removed: u128) -> Flow {
        if removed == 0 {
            return Continue(());
        }
        let of_digit = |set: u128| cells(set).map(move |cell| (cell, 1 << digit));
        self.add(of_digit(used & !self.left.cells[digit]), of_digit(removed))
    }

    fn hidden(&mut self, Set { house, positions, digits }: Set) -> Flow {
        let others = bits(0x1ff & !positions).map(|i| (CELLS_OF[house][i] as usize, digits));
        self.add(others, bits(positions).map(|i| (CELLS_OF[house][i] as usize, 0x1ff & !digits)))
    }

    fn naked(&mut self, Set { house, positions, digits }: Set) -> Flow {
        let own = bits(positions).map(|i| (CELLS_OF[house][i] as usize, 0x1ff & !digits));
        self.add(own, bits(0x1ff & !positions).map(|i| (CELLS_OF[house][i] as usize, digits)))
    }

    fn x_wing(&mut self, fish: Fish) -> Flow {
        self.digit(fish.digit, fish.base_cells() & !fish.cover_cells(), fish.removed(self.left))
    }

    /// Whether a hint removes a candidate that is not off yet.
    fn is_new(&self, chain: &ChainHint) -> bool {
        chain.removals.iter().any(|&(cell, digits)| {
            let mut removed = bits(digits & self.left.candidates[cell as usize]);
            removed.any(|digit| self.closure.find(triple(cell as usize, digit, false)).is_none())
        })
    }

    /// Adds the removals of one of the hints of inner chains.
    fn chain(&mut self, chains: &Arc<[ChainHint]>, index: usize, nodes: usize, search: &mut Search) -> Flow {
        let chain = &chains[index];
        if !self.is_new(chain) {
            return Continue(());
        }
        let removals = chain.removals.iter().map(|&(cell, digits)| (cell as usize, digits));
        if self.is_lazy && chain.start.is_some() {
            let nested = PENDING + self.closure.pending.len() as u32;
            self.closure.pending.push(Pending { chains: chains.clone(), index, nodes });
            let reason = self.closure.add_reason(Reason { first: 0, count: 0, nested });
            return self.add_nodes(reason, removals);
        }
        let chain = with_targets(chain, self.left);
        let mut gone = Gone::new(self.grid, self.left, self.closure);
        gone.add_of_chain(&chain);
        if gone.closure.parents.len() > gone.first {
            let reason = gone.reason(search.inner.number(chain)).expect("there are some");
            self.add_nodes(reason, removals)?;
        }
        Continue(())
    }
}

impl Advanced<'_> {
    /// Adds nodes to what follows from an assumption on a grid. Returns whether there are any.
    pub fn advance(&mut self, grid: &State, closure: &mut Closure) -> bool {
        // Without candidates that are gone a hint has no parents.
        let new = closure.nodes[self.nodes..].iter().filter(|node| node.triple & 1 == 0);
        for (cell, digit, _) in new.map(|node| parts(node.triple)) {
            self.left.remove(cell, digit);
            self.changed.add_small(&self.left, cell, digit);
        }
        self.nodes = closure.nodes.len();
        let (left, changed) = (&self.left, self.changed);
        let mut adding = Adding { grid, left, closure, any: false, is_lazy: self.is_lazy };
        let _ = locked(left, changed, |found| adding.locked(found));
        if !adding.any {
            let _ = hidden(left, changed, 2, 4, |set| adding.hidden(set));
        }
        if !adding.any {
            let _ = naked(left, changed, 2, |set| adding.naked(set));
        }
        if !adding.any {
            let _ = fish(left, changed, 2, &mut Vec::new(), |fish| adding.x_wing(fish));
        }
        if !adding.any {
            // What is there now removes nothing later.
            self.changed = Scope::NONE;
        }
        for &mode in inner_chains_of(self.level) {
            if adding.any || self.search.is_stopped {
                break;
            }
            let chains = self.search.inner_chains(left, mode);
            let _ = (0..chains.len()).try_for_each(|index| adding.chain(&chains, index, self.nodes, self.search));
        }
        adding.any
    }
}
