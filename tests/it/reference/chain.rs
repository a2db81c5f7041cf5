//! Nodes, their ancestors, and chains that are hints.

use std::rc::Rc;

use super::grid::{Grid, members, size};

/// Says that a candidate is the value of its cell, or is not: `2 * (9 * cell + digit)`, plus 1 if it is.
pub type Triple = usize;

/// The number of triples.
pub const TRIPLES: usize = 2 * 9 * 81;

pub fn triple(cell: usize, digit: usize, on: bool) -> Triple {
    2 * (9 * cell + digit) + on as usize
}

/// Cell, digit, and whether it is on.
pub fn parts(triple: Triple) -> (usize, usize, bool) {
    (triple / 18, triple / 2 % 9, triple % 2 == 1)
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    Assumption,
    Cell,
    /// A block, row or column of the cell: 0, 1, 2.
    House(usize),
    Advanced,
}

#[derive(Clone)]
pub struct Node {
    pub triple: Triple,
    pub cause: Cause,
    /// Indices in the list of nodes.
    pub parents: Vec<usize>,
    /// The chain within a chain that gives it.
    pub inner: Option<Rc<Chain>>,
}

/// A node of a list of nodes.
#[derive(Clone)]
pub struct Target {
    pub nodes: Rc<Vec<Node>>,
    pub index: usize,
}

impl Target {
    /// The node itself and all that it follows from, breadth first. Of equal nodes the first counts.
    pub fn ancestors(&self) -> Vec<&Node> {
        let mut seen = [false; TRIPLES];
        let mut found: Vec<&Node> = Vec::new();
        let mut enter = |found: &mut Vec<_>, index: usize| {
            let node = &self.nodes[index];
            if !seen[node.triple] {
                seen[node.triple] = true;
                found.push(node);
            }
        };
        enter(&mut found, self.index);
        let mut next = 0;
        while next < found.len() {
            found[next].parents.iter().for_each(|&parent| enter(&mut found, parent));
            next += 1;
        }
        found
    }
}

/// The kinds of chains in their order, among chains of the same complexity.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    Double,
    X,
    Y,
    Xy,
    Cell,
    /// By a block, row or column.
    Region(usize),
    Contradiction,
}

impl Key {
    fn rank(self) -> u8 {
        match self {
            Key::Double => 1,
            Key::X => 2,
            Key::Y => 3,
            Key::Xy => 4,
            Key::Cell => 5,
            Key::Region(_) => 6,
            Key::Contradiction => 7,
        }
    }
}

pub struct Chain {
    /// The difficulty of the shortest ones.
    pub base: f64,
    pub complexity: u32,
    pub key: Key,
    pub removals: Vec<(usize, u16)>,
    pub place: Option<(usize, usize)>,
    pub targets: Vec<Target>,
    /// The triples of the ancestors of each target, if it is a chain within a chain: those with the same are equal.
    pub identity: Vec<Vec<Triple>>,
}

impl Chain {
    /// A chain with a conclusion, unless it removes nothing.
    pub fn concluding(grid: &Grid, base: f64, key: Key, conclusion: Triple, targets: Vec<Target>) -> Option<Chain> {
        let (cell, digit, on) = parts(conclusion);
        let removed = grid.candidates[cell] & if on { !(1 << digit) } else { 1 << digit };
        if removed == 0 {
            return None;
        }
        let place = on.then_some((cell, digit));
        let complexity = complexity(&targets);
        Some(Chain { base, complexity, key, removals: vec![(cell, removed)], place, targets, identity: Vec::new() })
    }

    pub fn difficulty(&self) -> f64 {
        let (mut length, mut three_quarters, mut added) = (4, false, 0.0);
        while self.complexity.saturating_sub(2) > length {
            added += 0.1;
            length = if three_quarters { length / 3 * 4 } else { length / 2 * 3 };
            three_quarters = !three_quarters;
        }
        self.base + added
    }

    /// Chains with a lower rank come first.
    pub fn rank(&self) -> (f64, u32, u8) {
        (self.difficulty(), self.complexity, self.key.rank())
    }
}

/// The number of ancestors of each target, and the complexity of each different chain within.
fn complexity(targets: &[Target]) -> u32 {
    let mut sum = 0;
    let mut inner: Vec<&Rc<Chain>> = Vec::new();
    for target in targets {
        let ancestors = target.ancestors();
        sum += ancestors.len() as u32;
        for chain in ancestors.into_iter().filter_map(|node| node.inner.as_ref()) {
            if inner.iter().all(|other| other.identity != chain.identity) {
                inner.push(chain);
            }
        }
    }
    sum + inner.iter().map(|chain| chain.complexity).sum::<u32>()
}

/// Chains as those within others: sorted, and of those with the same removals the first.
pub fn as_inner(mut chains: Vec<Chain>) -> Vec<Rc<Chain>> {
    chains.sort_by(|a, b| a.rank().partial_cmp(&b.rank()).expect("numbers"));
    let mut kept: Vec<Rc<Chain>> = Vec::new();
    for mut chain in chains {
        if kept.iter().all(|other| other.removals != chain.removals) {
            let triples = |target: &Target| target.ancestors().iter().map(|node| node.triple).collect();
            chain.identity = chain.targets.iter().map(triples).collect();
            kept.push(Rc::new(chain));
        }
    }
    kept
}

/// The only other candidate of a cell with two.
pub fn other_candidate(grid: &Grid, cell: usize, digit: usize) -> Option<usize> {
    let others = grid.candidates[cell] & !(1 << digit);
    (size(others) == 1).then(|| members(others).next().expect("there is one"))
}
