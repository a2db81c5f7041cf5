//! Technique 21: cycles and forcing chains, by links that do not change.

use std::collections::VecDeque;
use std::rc::Rc;

use super::chain::{Cause, Chain, Key, Node, TRIPLES, Target, Triple, other_candidate, parts, triple};
use super::grid::{Grid, HOUSES, houses_of, members, size};

/// The links that a pass follows.
#[derive(Clone, Copy)]
pub struct Kinds {
    /// By houses from off to on.
    pub x: bool,
    /// By cells from off to on.
    pub y: bool,
    /// By cells from on to off; those by houses are always followed.
    pub cells: bool,
}

/// What follows from a node by one link, each node with the first cause.
pub fn followers(grid: &Grid, kinds: Kinds, node: Triple) -> Vec<(Triple, Cause)> {
    let (cell, digit, on) = parts(node);
    // Eight other candidates of the cell, and twenty of its peers.
    let mut found: Vec<(Triple, Cause)> = Vec::with_capacity(8 + 20);
    if on && kinds.cells {
        found.extend(
            members(grid.candidates[cell] & !(1 << digit)).map(|other| (triple(cell, other, false), Cause::Cell)),
        );
    }
    if !on && kinds.y {
        found.extend(other_candidate(grid, cell, digit).map(|other| (triple(cell, other, true), Cause::Cell)));
    }
    for (kind, house) in houses_of(cell).into_iter().enumerate().filter(|_| on || kinds.x) {
        let others = HOUSES[house].into_iter().filter(|&other| other != cell && grid.has(other, digit));
        if on || others.clone().count() == 1 {
            for node in others.map(|other| triple(other, digit, !on)) {
                if found.iter().all(|(known, _)| *known != node) {
                    found.push((node, Cause::House(kind)));
                }
            }
        }
    }
    found
}

/// One of the three passes.
struct Pass {
    key: Key,
    /// The difficulty of the shortest cycles and chains.
    cycles: f64,
    chains: f64,
    /// What follows from each node.
    followers: Vec<Vec<(Triple, Cause)>>,
}

impl Pass {
    fn new(grid: &Grid, key: Key) -> Pass {
        let (x, y) = (key != Key::Y, key != Key::X);
        let kinds = Kinds { x, y, cells: y };
        let followers = (0..TRIPLES).map(|node| {
            let (cell, digit, _) = parts(node);
            if grid.has(cell, digit) { followers(grid, kinds, node) } else { Vec::new() }
        });
        let [cycles, chains] = if key == Key::Xy { [7.0, 7.0] } else { [6.5, 6.6] };
        Pass { key, cycles, chains, followers: followers.collect() }
    }

    /// The cycles from a node that is on.
    fn add_cycles(&self, grid: &Grid, start: Triple, hints: &mut Vec<Chain>) {
        let mut tree = vec![Link { triple: start, cause: Cause::Assumption, parent: None }];
        let mut seen = [false; TRIPLES];
        seen[start] = true;
        let (mut pending, mut round) = (vec![0], 0);
        while !pending.is_empty() {
            round += 1;
            let mut next = Vec::new();
            for parent in pending {
                for &(triple, cause) in &self.followers[tree[parent].triple] {
                    let (_, _, on) = parts(triple);
                    let closes = on && round >= 4 && triple == start;
                    let goes_on =
                        if on { !seen[triple] } else { !path(&tree, parent).any(|index| tree[index].triple == triple) };
                    if closes || goes_on {
                        tree.push(Link { triple, cause, parent: Some(parent) });
                    }
                    if closes {
                        hints.extend(self.cycle(grid, &tree));
                    }
                    if goes_on {
                        seen[triple] |= on;
                        next.push(tree.len() - 1);
                    }
                }
            }
            pending = next;
        }
    }

    /// The cycle from the last node of a tree back to the start, which is equal to it.
    fn cycle(&self, grid: &Grid, tree: &[Link]) -> Option<Chain> {
        let forwards = target(tree, |link| link.triple, path(tree, tree.len() - 1));
        let cycle = forwards.ancestors();
        let inside: Vec<usize> = cycle.iter().map(|node| parts(node.triple).0).collect();
        let mut removals = Vec::new();
        for cell in (0..81).filter(|cell| !inside.contains(cell)) {
            let sees = |digit: usize, wanted: bool| {
                cycle.iter().any(|node| {
                    let (other, other_digit, on) = parts(node.triple);
                    other_digit == digit && on == wanted && super::grid::see(cell, other)
                })
            };
            let removed = members(grid.candidates[cell]).filter(|&digit| sees(digit, true) && sees(digit, false));
            let removed = removed.fold(0, |set, digit| set | 1 << digit);
            if removed != 0 {
                removals.push((cell, removed));
            }
        }
        if removals.is_empty() {
            return None;
        }
        let complexity = cycle.len() as u32;
        // In the other direction each node keeps the cause of the node that it is the opposite of.
        let mut reversed: Vec<usize> = path(tree, tree.len() - 1).collect();
        reversed.reverse();
        let backwards = target(tree, |link| link.triple ^ 1, reversed.into_iter());
        let targets = vec![forwards, backwards];
        let (base, key, place, identity) = (self.cycles, self.key, None, Vec::new());
        Some(Chain { base, complexity, key, removals, place, targets, identity })
    }

    /// The first chain from a node to its opposite.
    fn add_chain(&self, grid: &Grid, start: Triple, hints: &mut Vec<Chain>) {
        let mut tree = vec![Link { triple: start, cause: Cause::Assumption, parent: None }];
        let mut seen = [false; TRIPLES];
        seen[start] = true;
        let mut pending = [VecDeque::new(), VecDeque::new()];
        pending[start % 2].push_back(0);
        while pending.iter().any(|nodes| !nodes.is_empty()) {
            for on in [1, 0] {
                while let Some(parent) = pending[on].pop_front() {
                    for &(triple, cause) in &self.followers[tree[parent].triple] {
                        if seen[triple] {
                            continue;
                        }
                        seen[triple] = true;
                        pending[triple % 2].push_back(tree.len());
                        tree.push(Link { triple, cause, parent: Some(parent) });
                        if triple == start ^ 1 {
                            let targets = vec![target(&tree, |link| link.triple, path(&tree, tree.len() - 1))];
                            hints.extend(Chain::concluding(grid, self.chains, self.key, triple, targets));
                        }
                    }
                }
            }
        }
    }
}

/// A node of a tree of nodes that follow from one other each.
struct Link {
    triple: Triple,
    cause: Cause,
    parent: Option<usize>,
}

/// A node and those from which it follows.
fn path(tree: &[Link], index: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(index), |&index| tree[index].parent)
}

/// Some nodes of a tree, of which each follows from the next one.
fn target(tree: &[Link], triple: impl Fn(&Link) -> Triple, path: impl Iterator<Item = usize>) -> Target {
    let node = |(i, index): (usize, usize)| {
        let (triple, cause) = (triple(&tree[index]), tree[index].cause);
        Node { triple, cause, parents: vec![i + 1], inner: None }
    };
    let mut nodes: Vec<Node> = path.enumerate().map(node).collect();
    nodes.last_mut().expect("there is one").parents.clear();
    Target { nodes: Rc::new(nodes), index: 0 }
}

/// All hints of technique 21, in the order in which they are found.
pub fn chains(grid: &Grid) -> Vec<Chain> {
    let mut hints = Vec::new();
    for key in [Key::X, Key::Y, Key::Xy] {
        let pass = Pass::new(grid, key);
        let may_start = |&cell: &usize| match size(grid.candidates[cell]) {
            0 | 1 => false,
            2 => true,
            _ => key != Key::Y,
        };
        for cell in (0..81).filter(may_start) {
            for digit in members(grid.candidates[cell]) {
                pass.add_cycles(grid, triple(cell, digit, true), &mut hints);
                if key != Key::Y {
                    pass.add_chain(grid, triple(cell, digit, true), &mut hints);
                    pass.add_chain(grid, triple(cell, digit, false), &mut hints);
                }
            }
        }
    }
    hints
}
