//! All that follows from an assumption, in the order of the reference.
//!
//! On nodes have priority over off nodes; each kind is taken first in, first out. In dynamic mode the candidate of an off
//! node disappears when the node is processed. A contradiction, a candidate both on and off, ends the search.

use std::sync::Arc;

use super::{Cause, ChainHint, TRIPLES, Target, Triple, parts, triple};
use crate::grid::{CELLS, HOUSES};
use crate::rating::state::State;
use crate::rating::tables::{CELLS_OF, HOUSES_OF, MASK_OF, PEERS_OF, POSITION_IN, bits, cells, is_single};

/// A set of candidates: the cells of each digit.
pub type CandidateSet = [u128; 9];

/// Keeps the candidates that are in another set.
#[inline]
pub fn keep(set: &mut CandidateSet, other: &CandidateSet) {
    set.iter_mut().zip(other).for_each(|(set, other)| *set &= other);
}

/// Removes the candidates of another set.
#[inline]
pub fn remove(set: &mut CandidateSet, other: &CandidateSet) {
    set.iter_mut().zip(other).for_each(|(set, other)| *set &= !other);
}

#[inline]
pub fn is_empty(set: &CandidateSet) -> bool {
    set.iter().fold(0, |all, set| all | set) == 0
}

/// A set of nodes.
#[derive(Clone, Copy, Default)]
pub struct Nodes {
    pub on: CandidateSet,
    pub off: CandidateSet,
}

impl Nodes {
    pub const NONE: Nodes = Nodes { on: [0; 9], off: [0; 9] };
    pub const ALL: Nodes = Nodes { on: [u128::MAX; 9], off: [u128::MAX; 9] };

    /// Keeps those that are in another set.
    #[inline]
    pub fn keep(&mut self, other: &Nodes) {
        keep(&mut self.on, &other.on);
        keep(&mut self.off, &other.off);
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        is_empty(&self.on) && is_empty(&self.off)
    }
}

/// A node with its reasons.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    pub triple: Triple,
    pub cause: Cause,
    pub first_parent: u32,
    pub parents: u16,
    /// The inner chain that gives it, as [`PENDING`] plus its index in the closure or as its number in the search. 0 if there is none.
    pub nested: u32,
}

/// Added to the index of an inner chain whose reasons are not known.
pub const PENDING: u32 = 1 << 31;

/// An inner chain whose reasons are found when they are needed.
#[derive(Clone)]
pub struct Pending {
    /// The hints among which it is, and its index.
    pub chains: Arc<[ChainHint]>,
    pub index: usize,
    /// The number of candidates that were gone.
    pub removed: usize,
}

impl Pending {
    pub fn complexity(&self) -> u32 {
        self.chains[self.index].complexity
    }
}

/// What follows from an assumption.
#[derive(Clone, Default)]
pub struct Closure {
    pub nodes: Vec<Node>,
    /// Indices of nodes.
    pub parents: Vec<u16>,
    /// For each node, a number of ancestors that it has at least, itself included; found when it is asked for.
    depths: Vec<u16>,
    /// The nodes without the second one of a contradiction.
    pub set: Nodes,
    /// An on and an off node that exclude each other.
    pub contradiction: Option<(u16, u16)>,
    /// Whether it has inner chains.
    pub has_nested: bool,
    pub pending: Vec<Pending>,
    /// The candidates that were removed, in order, if there are pending chains.
    pub removed: Vec<Triple>,
}

/// The links and rules of a search.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    pub dynamic: bool,
    /// Links by cells.
    pub y: bool,
}

/// Reused memory of one search at a time.
pub struct Scratch {
    /// The index of each node plus one.
    pub at: Box<[u16; TRIPLES]>,
    queues: [Vec<u16>; 2],
    heads: [usize; 2],
    /// The candidates at the start.
    pub start: [u16; CELLS],
    start_places: [[u16; 9]; HOUSES],
    start_cells: CandidateSet,
    /// The candidates that are gone.
    pub removed: Vec<Triple>,
}

impl Default for Scratch {
    fn default() -> Scratch {
        Scratch {
            at: Box::new([0; TRIPLES]),
            queues: Default::default(),
            heads: [0; 2],
            start: [0; CELLS],
            start_places: [[0; 9]; HOUSES],
            start_cells: [0; 9],
            removed: Vec::new(),
        }
    }
}

/// The steps that [`run`] cannot do itself: adds off nodes by simpler techniques when nothing else is left.
pub trait Advance {
    /// Adds nodes; returns whether there are any.
    fn advance(&mut self, state: &State, closure: &mut Closure, scratch: &mut Scratch) -> bool;
}

/// Below level 1 there are no advanced steps.
pub struct Plain;

impl Advance for Plain {
    fn advance(&mut self, _: &State, _: &mut Closure, _: &mut Scratch) -> bool {
        false
    }
}

impl Closure {
    fn clear(&mut self) {
        self.nodes.clear();
        self.parents.clear();
        self.depths.clear();
        self.set = Nodes::NONE;
        self.contradiction = None;
        self.has_nested = false;
        self.pending.clear();
    }

    /// The node that is on or off, if it is in the set.
    pub fn find(&self, node: Triple) -> Option<usize> {
        let (cell, digit, on) = parts(node);
        let set = if on { &self.set.on } else { &self.set.off };
        if set[digit] >> cell & 1 == 0 {
            return None;
        }
        self.nodes.iter().position(|other| other.triple == node)
    }

    /// The indices of the parents of a node.
    #[inline]
    pub fn parents_of(&self, node: usize) -> &[u16] {
        let Node { first_parent, parents, .. } = self.nodes[node];
        &self.parents[first_parent as usize..first_parent as usize + parents as usize]
    }

    /// Finds the depths of all nodes.
    pub fn find_depths(&mut self) {
        for node in self.depths.len()..self.nodes.len() {
            let Node { first_parent, parents, .. } = self.nodes[node];
            let parents = self.parents[first_parent as usize..][..parents as usize].iter();
            let depth = parents.map(|&parent| self.depths[parent as usize]).max().unwrap_or(0) + 1;
            self.depths.push(depth);
        }
    }

    /// A number of ancestors that a node has at least, itself included.
    pub fn depth(&self, node: usize) -> u32 {
        self.depths.get(node).map_or(1, |&depth| depth.into())
    }

    /// Lists the ancestors of a node breadth first, itself first. Of two nodes that are equal only the first counts.
    pub fn ancestors(&self, node: usize, seen: &mut [u64; TRIPLES.div_ceil(64)], list: &mut Vec<u16>) {
        *seen = [0; TRIPLES.div_ceil(64)];
        list.clear();
        let mut enter = |list: &mut Vec<u16>, node: u16| {
            let triple = self.nodes[node as usize].triple as usize;
            let bit = 1u64 << (triple % 64);
            if seen[triple / 64] & bit == 0 {
                seen[triple / 64] |= bit;
                list.push(node);
            }
        };
        enter(list, node as u16);
        let mut next = 0;
        while next < list.len() {
            let node = list[next] as usize;
            next += 1;
            for &parent in self.parents_of(node) {
                enter(list, parent);
            }
        }
    }

    /// A node with its ancestors as part of a hint.
    pub fn target(&self, list: &[u16]) -> Target {
        let mut target = Target::with_capacity(list.len());
        for &node in list {
            let Node { triple, cause, nested, .. } = self.nodes[node as usize];
            let parents = self.parents_of(node as usize).iter();
            let parents = parents.map(|&parent| self.nodes[parent as usize].triple);
            target.add(triple, cause, nested, node, parents);
        }
        target
    }

    /// Makes a node that is in no set; its parents are the last of the list, from `first_parent`.
    fn push(&mut self, triple: Triple, cause: Cause, first_parent: usize, nested: u32) -> u16 {
        let parents = (self.parents.len() - first_parent) as u16;
        self.nodes.push(Node { triple, cause, first_parent: first_parent as u32, parents, nested });
        (self.nodes.len() - 1) as u16
    }

    /// Makes a node that is not in a set yet; its parents are the last of the list, from `first_parent`. Returns false at a contradiction.
    pub fn enter(
        &mut self,
        scratch: &mut Scratch,
        triple: Triple,
        cause: Cause,
        first_parent: usize,
        nested: u32,
    ) -> bool {
        debug_assert_eq!(scratch.at[triple as usize], 0);
        let opposite = scratch.at[triple as usize ^ 1];
        if opposite != 0 {
            let node = self.push(triple, cause, first_parent, nested);
            let opposite = opposite - 1;
            self.contradiction = Some(if triple & 1 == 1 { (node, opposite) } else { (opposite, node) });
            return false;
        }
        let node = self.push(triple, cause, first_parent, nested);
        scratch.at[triple as usize] = node + 1;
        scratch.queues[triple as usize & 1].push(node);
        let (cell, digit, on) = parts(triple);
        let set = if on { &mut self.set.on } else { &mut self.set.off };
        set[digit] |= 1 << cell;
        true
    }

    /// The off nodes of an on node. Returns false at a contradiction.
    fn process_on(&mut self, state: &State, rules: Rules, scratch: &mut Scratch, node: u16) -> bool {
        let (cell, digit, _) = parts(self.nodes[node as usize].triple);
        if rules.y {
            for other in bits(state.candidates[cell] & !(1 << digit)) {
                if self.set.off[other] >> cell & 1 == 1 {
                    continue;
                }
                let first = self.parents.len();
                self.parents.push(node);
                if !self.enter(scratch, triple(cell, other, false), Cause::Cell, first, 0) {
                    return false;
                }
            }
        }
        let mut left = state.cells[digit] & PEERS_OF[cell] & !self.set.off[digit];
        for (kind, house) in (0..).zip(HOUSES_OF[cell].map(usize::from)) {
            for other in cells(left & MASK_OF[house]) {
                let first = self.parents.len();
                self.parents.push(node);
                if !self.enter(scratch, triple(other, digit, false), Cause::House(kind), first, 0) {
                    return false;
                }
            }
            left &= !MASK_OF[house];
        }
        true
    }

    /// The on nodes of an off node, whose candidate disappears in dynamic mode. Returns false at a contradiction.
    fn process_off(&mut self, state: &mut State, rules: Rules, scratch: &mut Scratch, node: u16) -> bool {
        let (cell, digit, _) = parts(self.nodes[node as usize].triple);
        debug_assert!(state.has(cell, digit), "it was not removed before");
        // Nodes and causes.
        let mut made = [(0, Cause::None); 4];
        let mut count = 0;
        let left = state.candidates[cell] & !(1 << digit);
        if rules.y && is_single(left) {
            made[count] = (triple(cell, left.trailing_zeros() as usize, true), Cause::Cell);
            count += 1;
        }
        if rules.dynamic {
            // The removed candidate itself is the first parent, not a hidden one.
            state.candidates[cell] = left;
            state.cells[digit] &= !(1 << cell);
            scratch.removed.push(triple(cell, digit, false));
        }
        for (kind, (house, position)) in (0..).zip(HOUSES_OF[cell].into_iter().zip(POSITION_IN[cell])) {
            let places = &mut state.places[house as usize][digit];
            let left = *places & !(1 << position);
            if rules.dynamic {
                *places = left;
            }
            if is_single(left) {
                let other = CELLS_OF[house as usize][left.trailing_zeros() as usize] as usize;
                let node = triple(other, digit, true);
                if made[..count].iter().all(|made| made.0 != node) {
                    made[count] = (node, Cause::House(kind));
                    count += 1;
                }
            }
        }
        for &(made, cause) in &made[..count] {
            if scratch.at[made as usize] != 0 {
                continue;
            }
            let first = self.parents.len();
            self.parents.push(node);
            if rules.dynamic {
                self.hidden_parents(state, scratch, cell, digit, cause);
            }
            if !self.enter(scratch, made, cause, first, 0) {
                return false;
            }
        }
        true
    }

    /// The off nodes of the other candidates that had to go before the cell or the house had two.
    fn hidden_parents(&mut self, state: &State, scratch: &Scratch, cell: usize, digit: usize, cause: Cause) {
        match cause {
            Cause::Cell => {
                for other in bits(scratch.start[cell] & !state.candidates[cell] & !(1 << digit)) {
                    self.parent(scratch, triple(cell, other, false));
                }
            }
            Cause::House(kind) => {
                let house = HOUSES_OF[cell][kind as usize] as usize;
                for position in bits(scratch.start_places[house][digit] & !state.places[house][digit]) {
                    let other = CELLS_OF[house][position] as usize;
                    if other != cell {
                        self.parent(scratch, triple(other, digit, false));
                    }
                }
            }
            _ => (),
        }
    }

    /// Adds a node to the parents of the next one.
    pub fn parent(&mut self, scratch: &Scratch, node: Triple) {
        let at = scratch.at[node as usize];
        debug_assert!(at != 0, "what is gone was off");
        if at != 0 {
            self.parents.push(at - 1);
        }
    }

    /// Tells the scratch where each node is.
    pub fn mark(&self, scratch: &mut Scratch) {
        for (node, at) in self.nodes.iter().zip(1..) {
            scratch.at[node.triple as usize] = at;
        }
    }

    /// Clears what the scratch knows about the nodes.
    pub fn unmark(&self, scratch: &mut Scratch) {
        for node in &self.nodes {
            scratch.at[node.triple as usize] = 0;
        }
    }

    /// Finds what follows from an assumption. The state is the same afterwards.
    pub fn run(
        &mut self,
        state: &mut State,
        assumption: Triple,
        rules: Rules,
        scratch: &mut Scratch,
        advance: &mut impl Advance,
    ) {
        self.clear();
        scratch.queues.iter_mut().for_each(Vec::clear);
        scratch.heads = [0; 2];
        scratch.removed.clear();
        if rules.dynamic {
            scratch.start = state.candidates;
            scratch.start_places = state.places;
            scratch.start_cells = state.cells;
        }
        self.enter(scratch, assumption, Cause::None, 0, 0);
        loop {
            let next = |scratch: &mut Scratch, kind: usize| {
                let node = scratch.queues[kind].get(scratch.heads[kind]).copied();
                scratch.heads[kind] += node.is_some() as usize;
                node
            };
            let goes_on = if let Some(node) = next(scratch, 1) {
                self.process_on(state, rules, scratch, node)
            } else if let Some(node) = next(scratch, 0) {
                self.process_off(state, rules, scratch, node)
            } else {
                advance.advance(state, self, scratch) && self.contradiction.is_none()
            };
            if !goes_on {
                break;
            }
        }
        self.unmark(scratch);
        if !self.pending.is_empty() {
            self.removed.clone_from(&scratch.removed);
        }
        if rules.dynamic {
            state.candidates = scratch.start;
            state.places = scratch.start_places;
            state.cells = scratch.start_cells;
        }
    }
}
