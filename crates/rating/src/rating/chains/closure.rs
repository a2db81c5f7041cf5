//! All that follows from an assumption, in the order of the reference.
//!
//! On nodes have priority over off nodes; each kind is taken first in, first out. In dynamic mode the candidate of an
//! off node disappears when the node is processed. A contradiction, a candidate both on and off, ends the search.
//!
//! A node is made with one parent. An on node also follows from all other candidates that its cell or house had at the
//! start, and that were gone by then; few nodes are asked for these.

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
    /// The inner chain that gives them, as [`PENDING`] plus its index in the closure or as its number in the search. 0
    /// if there is none.
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

/// What follows from an assumption.
#[derive(Default)]
pub struct Closure {
    pub nodes: Vec<Node>,
    /// The nodes that are on, assumed or advanced, and those that are off.
    heads: Vec<u16>,
    offs: Vec<u16>,
    /// Where each node is in the list, plus one; but not the second one of a contradiction.
    at: At,
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

struct At(Box<[u16; TRIPLES]>);

impl Default for At {
    fn default() -> At {
        At(Box::new([0; TRIPLES]))
    }
}

/// The ancestors of all heads, themselves included, found when they are asked for.
#[derive(Default)]
struct Ancestors {
    /// The index of the row of each head.
    at: Vec<u16>,
    rows: Vec<u64>,
    width: usize,
}

/// The places of each digit in each house, and the candidates of each cell: of each set, the number of members in the
/// high byte and their sum in the low one.
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

/// A candidate in the sums of its cell, block, row and column.
#[derive(Clone, Copy)]
struct InSums {
    at: [u16; 4],
    /// What it adds to them, in four lanes.
    ones: u64,
}

static IN_SUMS: [InSums; NINE * CELLS] = {
    let mut table = [InSums { at: [0; 4], ones: 0 }; NINE * CELLS];
    let mut candidate = 0;
    while candidate < NINE * CELLS {
        let (cell, digit) = (candidate / NINE, candidate % NINE);
        table[candidate].at[0] = (NINE * HOUSES + cell) as u16;
        table[candidate].ones = one(digit) as u64;
        let mut kind = 0;
        while kind < 3 {
            table[candidate].at[1 + kind] = (NINE * HOUSES_OF[cell][kind] as usize + digit) as u16;
            table[candidate].ones |= (one(POSITION_IN[cell][kind] as usize) as u64) << (16 * kind + 16);
            kind += 1;
        }
        candidate += 1;
    }
    table
};

/// The sum of a set with one member.
#[inline]
const fn one(member: usize) -> u16 {
    (0x100 + member) as u16
}

/// Bit 15 of each lane that has the sum of a set with one member.
#[inline]
fn singles(lanes: u64) -> u64 {
    const LOW: u64 = 0x7fff_7fff_7fff_7fff;
    let others = (lanes & 0xff00_ff00_ff00_ff00) ^ 0x0100_0100_0100_0100;
    !(((others & LOW) + LOW) | others) & !LOW
}

/// The links and rules of a search.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    pub dynamic: bool,
    /// Links by cells.
    pub y: bool,
}

/// A set of indices of nodes.
pub type Indices = [u64; TRIPLES.div_ceil(64)];

impl Closure {
    fn clear(&mut self) {
        self.nodes.clear();
        self.heads.clear();
        self.offs.clear();
        *self.at.0 = [0; TRIPLES];
        self.set = Nodes::default();
        self.contradiction = None;
        self.reasons.clear();
        self.parents.clear();
        self.pending.clear();
        self.forget_ancestors();
    }

    /// The index of a node, if it is in the set.
    #[inline]
    pub fn find(&self, node: Triple) -> Option<usize> {
        (self.at.0[node as usize] as usize).checked_sub(1)
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
            let at = self.at.0[triple(cell, digit, false) as usize];
            debug_assert!(at != 0, "it was off before");
            if at != parent + 1 {
                visit(at - 1);
            }
        };
        match cause {
            Cause::Cell if on => bits(grid.candidates[cell] & !(1 << digit)).for_each(|digit| other(cell, digit)),
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
        self.ancestors.rows.clear();
    }

    /// Finds the ancestors of all nodes, if they are not known.
    pub fn find_ancestors(&mut self, grid: &State) {
        if !self.ancestors.rows.is_empty() {
            return;
        }
        let mut all = std::mem::take(&mut self.ancestors);
        match self.nodes.len() {
            0..=128 => self.fill::<2>(grid, &mut all),
            129..=256 => self.fill::<4>(grid, &mut all),
            257..=512 => self.fill::<8>(grid, &mut all),
            _ => self.fill::<{ TRIPLES.div_ceil(64) }>(grid, &mut all),
        }
        self.ancestors = all;
    }

    /// Fills rows of `W` words. With a constant width the loops over words are unrolled.
    fn fill<const W: usize>(&self, grid: &State, all: &mut Ancestors) {
        all.width = W;
        all.rows.resize(W * self.heads.len(), 0);
        all.at.resize(self.nodes.len(), 0);
        let rows = all.rows.as_chunks_mut::<W>().0;
        for (i, &node) in self.heads.iter().enumerate() {
            let node = node as usize;
            all.at[node] = i as u16;
            let mut row = [0; W];
            row[node / 64] |= 1 << (node % 64);
            self.each_parent(grid, node, |parent| {
                let from = &rows[all.at[self.head(parent as usize)] as usize];
                row.iter_mut().zip(from).for_each(|(row, from)| *row |= from);
                row[parent as usize / 64] |= 1 << (parent % 64);
            });
            rows[i] = row;
        }
    }

    /// The node itself, or, if it is off because of one other node, that one.
    #[inline]
    fn head(&self, node: usize) -> usize {
        let Node { triple, parent, cause } = self.nodes[node];
        let is_head = triple & 1 == 1 || matches!(cause, Cause::None | Cause::Advanced);
        if is_head { node } else { parent as usize }
    }

    /// The ancestors of the [head](Closure::head) of a node. They were found.
    fn row(&self, node: usize) -> &[u64] {
        let Ancestors { at, rows, width } = &self.ancestors;
        &rows[*width * at[self.head(node)] as usize..][..*width]
    }

    /// The number of ancestors of a node, itself included. They were found.
    #[inline]
    pub fn count_ancestors(&self, node: usize) -> u32 {
        let count: u32 = self.row(node).iter().map(|word| word.count_ones()).sum();
        count + (self.head(node) != node) as u32
    }

    /// The inner chains on which a node depends; some may come several times. Its ancestors were found.
    pub fn inner_chains(&self, node: usize) -> impl Iterator<Item = u32> {
        let row = self.row(node);
        let is_ancestor = move |other: &usize| row[other / 64] >> (other % 64) & 1 == 1;
        let heads = self.heads.iter().map(|&head| head as usize);
        let advanced = heads.filter(|&other| self.nodes[other].cause == Cause::Advanced);
        let nested = advanced.filter(is_ancestor).map(|node| self.reasons[self.nodes[node].parent as usize].nested);
        nested.filter(|nested| *nested != 0)
    }

    /// A node with its ancestors as part of a hint: breadth first, itself first. Of two nodes that are equal only the
    /// first counts.
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
    #[inline(always)]
    pub fn enter(&mut self, (cell, digit, on): (usize, usize, bool), cause: Cause, parent: u16) -> bool {
        let made = triple(cell, digit, on);
        let node = self.nodes.len() as u16;
        self.nodes.push(Node { triple: made, parent, cause });
        if !on {
            self.offs.push(node);
        }
        if on || matches!(cause, Cause::None | Cause::Advanced) {
            self.heads.push(node);
        }
        let opposite = self.at.0[made as usize ^ 1];
        if opposite != 0 {
            let opposite = opposite - 1;
            self.contradiction = Some(if on { (node, opposite) } else { (opposite, node) });
            return false;
        }
        self.at.0[made as usize] = node + 1;
        let set = if on { &mut self.set.on } else { &mut self.set.off };
        set[digit] |= BIT_OF[cell];
        true
    }

    /// The off nodes of an on node. Returns false at a contradiction.
    #[inline(always)]
    fn process_on(&mut self, grid: &State, left: &mut Sums, rules: Rules, node: usize) -> bool {
        let (cell, digit, _) = parts(self.nodes[node].triple);
        // All others of its cell and houses are off, so nothing new follows from them.
        IN_SUMS[NINE * cell + digit].at.iter().for_each(|&at| left.0[at as usize] |= 0x8000);
        if rules.y {
            for other in bits(grid.candidates[cell] & !(1 << digit)) {
                let is_new = self.at.0[triple(cell, other, false) as usize] == 0;
                if is_new && !self.enter((cell, other, false), Cause::Cell, node as u16) {
                    return false;
                }
            }
        }
        let mut others = grid.cells[digit] & PEERS_OF[cell] & !self.set.off[digit];
        for (kind, house) in (0..).zip(HOUSES_OF[cell].map(usize::from)) {
            for other in cells(others & MASK_OF[house]) {
                if !self.enter((other, digit, false), Cause::House(kind), node as u16) {
                    return false;
                }
            }
            others &= !MASK_OF[house];
        }
        true
    }

    /// The on nodes of an off node, whose candidate disappears in dynamic mode. Returns false at a contradiction.
    #[inline(always)]
    fn process_off(&mut self, left: &mut Sums, rules: Rules, node: usize) -> bool {
        let candidate = self.nodes[node].triple as usize / 2;
        let InSums { at, ones } = IN_SUMS[candidate];
        let sums = at.map(|at| u64::from(left.0[at as usize]));
        // No lane is less than what it loses.
        let others = (sums[0] | sums[1] << 16 | sums[2] << 32 | sums[3] << 48) - ones;
        if rules.dynamic {
            (0..4).for_each(|i| left.0[at[i] as usize] = (others >> (16 * i)) as u16);
        }
        let mut singles = singles(others) & if rules.y { u64::MAX } else { !0xffff };
        while singles != 0 {
            let i = singles.trailing_zeros() as usize / 16;
            singles &= singles - 1;
            let other = (others >> (16 * i)) as usize & 0xff;
            let ((cell, digit), cause) = if i == 0 {
                ((candidate / NINE, other), Cause::Cell)
            } else {
                let (house, digit) = (at[i] as usize / NINE, at[i] as usize % NINE);
                ((CELLS_OF[house][other] as usize, digit), Cause::House(i as u8 - 1))
            };
            let is_new = self.at.0[triple(cell, digit, true) as usize] == 0;
            if is_new && !self.enter((cell, digit, true), cause, node as u16) {
                return false;
            }
        }
        true
    }

    /// Finds what follows from an assumption on a grid with these sums. When nothing else is left, `advance` may add
    /// off nodes by simpler techniques, and returns whether it did.
    pub fn run(
        &mut self,
        grid: &State,
        sums: &Sums,
        assumption: Triple,
        rules: Rules,
        mut advance: impl FnMut(&mut Closure) -> bool,
    ) {
        self.clear();
        self.enter(parts(assumption), Cause::None, 0);
        let mut left = sums.clone();
        // How many of the heads and of the off nodes were processed.
        let (mut head, mut off) = (0, 0);
        loop {
            let goes_on = if let Some(&node) = self.heads.get(head) {
                head += 1;
                self.nodes[node as usize].triple & 1 == 0 || self.process_on(grid, &mut left, rules, node as usize)
            } else if let Some(&node) = self.offs.get(off) {
                off += 1;
                self.process_off(&mut left, rules, node as usize)
            } else {
                advance(self) && self.contradiction.is_none()
            };
            if !goes_on {
                break;
            }
        }
    }
}
