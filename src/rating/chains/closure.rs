//! All that follows from an assumption, in the order of the reference.
//!
//! On nodes have priority over off nodes; each kind is taken first in, first out. In dynamic mode the candidate of an off
//! node disappears when the node is processed. A contradiction, a candidate both on and off, ends the search.
//!
//! A node is made with one parent. An on node also follows from all other candidates that its cell or house had at the start, and that were gone
//! by then; few nodes are asked for these.

use std::sync::Arc;

use super::{Cause, ChainHint, TRIPLES, Target, Triple, parts, triple};
use crate::grid::{CELLS, HOUSES};
use crate::rating::state::State;
use crate::rating::tables::{BIT_OF, CELLS_OF, HOUSES_OF, MASK_OF, NINE, PEERS_OF, POSITION_IN, bits, cells};

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

/// A node that follows from an earlier one.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    pub triple: Triple,
    /// The index of its first parent, or of the [`Reason`] of an advanced one.
    pub parent: u16,
    pub cause: Cause,
}

/// What some advanced nodes follow from.
#[derive(Clone, Copy, Debug)]
pub struct Reason {
    /// Where its nodes are in the list of the closure, and their number.
    pub first: u32,
    pub count: u16,
    /// The inner chain that gives them, as [`PENDING`] plus its index in the closure or as its number in the search. 0 if there is none.
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
    /// The number of nodes before it. The candidates of those that are off were gone.
    pub nodes: usize,
}

impl Pending {
    pub fn complexity(&self) -> u32 {
        self.chains[self.index].complexity
    }
}

/// What follows from an assumption.
#[derive(Clone)]
pub struct Closure {
    pub nodes: Vec<Node>,
    /// Where each node is in the list, plus one; but not the second one of a contradiction.
    at: Box<[u16; TRIPLES]>,
    /// The same nodes as a set.
    pub set: Nodes,
    /// An on and an off node that exclude each other.
    pub contradiction: Option<(u16, u16)>,
    /// The reasons of advanced nodes, and the nodes that they name.
    pub reasons: Vec<Reason>,
    pub parents: Vec<u16>,
    pub pending: Vec<Pending>,
    ancestors: Ancestors,
}

/// The ancestors of all nodes, found when they are asked for. Off nodes that follow from one other have its row.
#[derive(Clone, Default)]
struct Ancestors {
    /// The ancestors of each node, itself included.
    counts: Vec<u16>,
    /// Where its row of bits begins.
    at: Vec<u32>,
    rows: Vec<u64>,
}

/// The places of each digit in each house, and the candidates of each cell: of each set, the number of members in the high byte and their sum in
/// the low one.
#[derive(Clone)]
pub struct Sums([u16; NINE * HOUSES + CELLS]);

impl Sums {
    pub fn new(state: &State) -> Sums {
        let sets = state.places.as_flattened().iter().chain(&state.candidates);
        let mut sums = [0; NINE * HOUSES + CELLS];
        sums.iter_mut().zip(sets).for_each(|(sum, &set)| *sum = bits(set).map(one).sum());
        Sums(sums)
    }
}

/// A candidate in the sums of its cell and houses.
#[derive(Clone, Copy)]
struct InSums {
    at: [u16; 4],
    /// What it adds to them.
    ones: [u16; 4],
}

static IN_SUMS: [InSums; NINE * CELLS] = {
    let mut table = [InSums { at: [0; 4], ones: [0; 4] }; NINE * CELLS];
    let mut candidate = 0;
    while candidate < NINE * CELLS {
        let (cell, digit) = (candidate / NINE, candidate % NINE);
        let mut kind = 0;
        while kind < 3 {
            table[candidate].at[kind] = (NINE * HOUSES_OF[cell][kind] as usize + digit) as u16;
            table[candidate].ones[kind] = one(POSITION_IN[cell][kind] as usize);
            kind += 1;
        }
        table[candidate].at[3] = (NINE * HOUSES + cell) as u16;
        table[candidate].ones[3] = one(digit);
        candidate += 1;
    }
    table
};

/// The sum of a set with one member.
#[inline]
const fn one(member: usize) -> u16 {
    (0x100 + member) as u16
}

/// The member of a set with one.
#[inline]
fn only(sum: u16) -> Option<usize> {
    (sum >> 8 == 1).then_some(sum as usize & 0xff)
}

impl Default for Closure {
    fn default() -> Closure {
        Closure {
            nodes: Vec::new(),
            at: Box::new([0; TRIPLES]),
            set: Nodes::NONE,
            contradiction: None,
            reasons: Vec::new(),
            parents: Vec::new(),
            pending: Vec::new(),
            ancestors: Ancestors::default(),
        }
    }
}

/// The links and rules of a search.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    pub dynamic: bool,
    /// Links by cells.
    pub y: bool,
}

/// The steps that [`Closure::run`] cannot do itself: adds off nodes by simpler techniques when nothing else is left.
pub trait Advance {
    /// Adds nodes to what follows from an assumption on a grid. Returns whether there are any.
    fn advance(&mut self, grid: &State, closure: &mut Closure) -> bool;
}

/// Below level 1 there are no advanced steps.
pub struct Plain;

impl Advance for Plain {
    fn advance(&mut self, _: &State, _: &mut Closure) -> bool {
        false
    }
}

/// A set of indices of nodes.
pub type Indices = [u64; TRIPLES.div_ceil(64)];

impl Closure {
    fn clear(&mut self) {
        self.nodes.clear();
        *self.at = [0; TRIPLES];
        self.set = Nodes::NONE;
        self.contradiction = None;
        self.reasons.clear();
        self.parents.clear();
        self.pending.clear();
        self.forget_ancestors();
    }

    /// The index of a node, if it is in the set.
    #[inline]
    pub fn find(&self, node: Triple) -> Option<usize> {
        (self.at[node as usize] as usize).checked_sub(1)
    }

    /// Visits the indices of the parents of a node. `grid` is that of the assumption.
    #[inline]
    pub fn each_parent(&self, grid: &State, node: usize, mut visit: impl FnMut(u16)) {
        let Node { triple: made, parent, cause } = self.nodes[node];
        let (cell, digit, on) = parts(made);
        match cause {
            Cause::None => return,
            Cause::Advanced => {
                let Reason { first, count, .. } = self.reasons[parent as usize];
                self.parents[first as usize..][..count as usize].iter().copied().for_each(visit);
                return;
            }
            _ => visit(parent),
        }
        let mut other = |cell: usize, digit: usize| {
            let at = self.at[triple(cell, digit, false) as usize];
            debug_assert!(at != 0, "it was off before");
            if at != parent + 1 {
                visit(at - 1);
            }
        };
        match cause {
            Cause::Cell if on => {
                bits(grid.candidates[cell] & !(1 << digit)).for_each(|digit| other(cell, digit))
            }
            Cause::House(kind) if on => {
                let house = HOUSES_OF[cell][kind as usize] as usize;
                let places = grid.places[house][digit] & !(1 << POSITION_IN[cell][kind as usize]);
                bits(places).for_each(|position| other(CELLS_OF[house][position] as usize, digit));
            }
            _ => (),
        }
    }

    /// Forgets the ancestors of all nodes, because a reason was found.
    pub fn forget_ancestors(&mut self) {
        self.ancestors.counts.clear();
    }

    /// Finds the ancestors of all nodes, if they are not known.
    pub fn find_ancestors(&mut self, grid: &State) {
        let mut all = std::mem::take(&mut self.ancestors);
        if all.counts.is_empty() {
            let width = self.nodes.len().div_ceil(64);
            all.at.clear();
            all.rows.clear();
            for node in 0..self.nodes.len() {
                let Node { triple, parent, cause } = self.nodes[node];
                if triple & 1 == 0 && !matches!(cause, Cause::None | Cause::Advanced) {
                    all.at.push(all.at[parent as usize]);
                    all.counts.push(all.counts[parent as usize] + 1);
                    continue;
                }
                let at = all.rows.len();
                all.rows.resize(at + width, 0);
                let (before, row) = all.rows.split_at_mut(at);
                row[node / 64] |= 1 << (node % 64);
                self.each_parent(grid, node, |parent| {
                    let from = &before[all.at[parent as usize] as usize..][..width];
                    row.iter_mut().zip(from).for_each(|(row, from)| *row |= from);
                    row[parent as usize / 64] |= 1 << (parent % 64);
                });
                all.counts.push(row.iter().map(|word| word.count_ones() as u16).sum());
                all.at.push(at as u32);
            }
        }
        self.ancestors = all;
    }

    /// The number of ancestors of a node, itself included. They were found.
    #[inline]
    pub fn count_ancestors(&self, node: usize) -> u32 {
        self.ancestors.counts[node].into()
    }

    /// The inner chains on which a node depends; some may come several times. Its ancestors were found.
    pub fn inner_chains(&self, node: usize) -> impl Iterator<Item = u32> {
        let row = &self.ancestors.rows[self.ancestors.at[node] as usize..];
        let is_ancestor = move |other: &usize| row[other / 64] >> (other % 64) & 1 == 1;
        let advanced = (0..=node).filter(|&other| self.nodes[other].cause == Cause::Advanced);
        let nested =
            advanced.filter(is_ancestor).map(|node| self.reasons[self.nodes[node].parent as usize].nested);
        nested.filter(|nested| *nested != 0)
    }

    /// A node with its ancestors as part of a hint: breadth first, itself first. Of two nodes that are equal only the first counts.
    pub fn target(&self, grid: &State, node: usize) -> Target {
        let mut found: Indices = [0; TRIPLES.div_ceil(64)];
        let mut list = vec![node];
        let mut target = Target::with_capacity(64);
        let mut next = 0;
        while let Some(&node) = list.get(next) {
            next += 1;
            let Node { triple, cause, parent } = self.nodes[node];
            let nested = if cause == Cause::Advanced { self.reasons[parent as usize].nested } else { 0 };
            let first = target.parents.len();
            self.each_parent(grid, node, |parent| {
                target.parents.push(self.nodes[parent as usize].triple);
                let bit = 1 << (parent % 64);
                if found[parent as usize / 64] & bit == 0 {
                    found[parent as usize / 64] |= bit;
                    list.push(parent.into());
                }
            });
            target.enter(triple, cause, nested, node as u16, first);
        }
        target
    }

    /// Makes a node that is not in a set yet. Returns false at a contradiction.
    #[inline]
    pub fn enter(&mut self, made: Triple, cause: Cause, parent: u16) -> bool {
        let node = self.nodes.len() as u16;
        self.nodes.push(Node { triple: made, parent, cause });
        let opposite = self.at[made as usize ^ 1];
        if opposite != 0 {
            let opposite = opposite - 1;
            self.contradiction = Some(if made & 1 == 1 { (node, opposite) } else { (opposite, node) });
            return false;
        }
        self.at[made as usize] = node + 1;
        let (cell, digit, on) = parts(made);
        let set = if on { &mut self.set.on } else { &mut self.set.off };
        set[digit] |= BIT_OF[cell];
        true
    }

    /// The off nodes of an on node. Returns false at a contradiction.
    fn process_on(&mut self, grid: &State, rules: Rules, node: usize) -> bool {
        let (cell, digit, _) = parts(self.nodes[node].triple);
        if rules.y {
            for other in bits(grid.candidates[cell] & !(1 << digit)) {
                let made = triple(cell, other, false);
                if self.at[made as usize] == 0 && !self.enter(made, Cause::Cell, node as u16) {
                    return false;
                }
            }
        }
        let mut others = grid.cells[digit] & PEERS_OF[cell] & !self.set.off[digit];
        for (kind, house) in (0..).zip(HOUSES_OF[cell].map(usize::from)) {
            for other in cells(others & MASK_OF[house]) {
                if !self.enter(triple(other, digit, false), Cause::House(kind), node as u16) {
                    return false;
                }
            }
            others &= !MASK_OF[house];
        }
        true
    }

    /// The on nodes of an off node, whose candidate disappears in dynamic mode. Returns false at a contradiction.
    fn process_off(&mut self, left: &mut Sums, rules: Rules, node: usize) -> bool {
        let candidate = self.nodes[node].triple as usize / 2;
        let InSums { at, ones } = IN_SUMS[candidate];
        let others: [u16; 4] = std::array::from_fn(|i| left.0[at[i] as usize] - ones[i]);
        if rules.dynamic {
            at.iter().zip(others).for_each(|(&at, others)| left.0[at as usize] = others);
        }
        if rules.y
            && let Some(other) = only(others[3])
            && !self.follow(triple(candidate / NINE, other, true), Cause::Cell, node)
        {
            return false;
        }
        for kind in 0..3 {
            if let Some(other) = only(others[kind]) {
                let (house, digit) = (at[kind] as usize / NINE, at[kind] as usize % NINE);
                let other = CELLS_OF[house][other] as usize;
                if !self.follow(triple(other, digit, true), Cause::House(kind as u8), node) {
                    return false;
                }
            }
        }
        true
    }

    /// Enters an on node, if it is new. Returns false at a contradiction.
    #[inline]
    fn follow(&mut self, made: Triple, cause: Cause, parent: usize) -> bool {
        self.at[made as usize] != 0 || self.enter(made, cause, parent as u16)
    }

    /// Finds what follows from an assumption on a grid with these sums.
    pub fn run(
        &mut self,
        grid: &State,
        sums: &Sums,
        assumption: Triple,
        rules: Rules,
        advance: &mut impl Advance,
    ) {
        self.clear();
        self.enter(assumption, Cause::None, 0);
        let mut left = sums.clone();
        // The nodes before which all that are on, or off, were processed.
        let (mut on, mut off) = (0, 0);
        loop {
            while on < self.nodes.len() && self.nodes[on].triple & 1 == 0 {
                on += 1;
            }
            let goes_on = if on < self.nodes.len() {
                on += 1;
                self.process_on(grid, rules, on - 1)
            } else {
                while off < self.nodes.len() && self.nodes[off].triple & 1 == 1 {
                    off += 1;
                }
                if off < self.nodes.len() {
                    off += 1;
                    self.process_off(&mut left, rules, off - 1)
                } else {
                    advance.advance(grid, self) && self.contradiction.is_none()
                }
            };
            if !goes_on {
                break;
            }
        }
    }
}
