//! The candidates that exclude each other by static links: the closures of all assumptions at once.
//!
//! `x` on leads to `y` off if and only if `y` on leads to `x` off, so all closures form a symmetric matrix. It starts with the
//! weak links. A strong link between `y` and `z` adds: what leads to `y` off leads to `z` on, so to all that `z` excludes.
//!
//! A candidate that excludes itself has a forcing chain. Candidates, of which one holds, that all exclude another have a
//! multiple chain.

use super::forcing::PASSES;
use super::graph::{Graph, Row, and, has, meets, members, or};
use super::{Triple, parts};
use crate::grid::CELLS;
use crate::rating::state::State;
use crate::rating::tables::size;

/// The nodes that each node excludes.
pub struct Exclusions<const W: usize> {
    rows: Vec<Row<W>>,
}

impl<const W: usize> Exclusions<W> {
    /// Those of a graph.
    pub fn new(graph: &Graph<W>) -> Exclusions<W> {
        let mut all = Exclusions { rows: graph.weak.clone() };
        for y in 0..graph.count {
            members(graph.strong[y], |z| {
                if y < z {
                    all.add(y, z);
                }
            });
        }
        all
    }

    /// Adds a strong link.
    fn add(&mut self, y: usize, z: usize) {
        let (mut of_y, mut of_z) = (self.rows[y], self.rows[z]);
        let (y_fails, z_fails) = (has(&of_y, y), has(&of_z, z));
        if y_fails {
            or(&mut of_y, &self.rows[z]);
        }
        if z_fails {
            or(&mut of_z, &self.rows[y]);
        }
        members(of_y, |x| or(&mut self.rows[x], &of_z));
        members(of_z, |x| or(&mut self.rows[x], &of_y));
    }

    /// The nodes that exclude themselves.
    pub fn refuted(&self) -> Row<W> {
        let mut refuted = [0; W];
        for (node, row) in self.rows.iter().enumerate().filter(|(node, row)| has(row, *node)) {
            refuted[node / 64] |= row[node / 64] & 1 << (node % 64);
        }
        refuted
    }

    /// The nodes with a chain to their opposite, of those on and of the others off.
    pub fn chained(&self, graph: &Graph<W>, on: impl Fn(usize) -> bool) -> Row<W> {
        let mut chained = self.refuted();
        for node in 0..graph.count {
            let has_chain = if on(node) { has(&chained, node) } else { self.is_forced(graph, node) };
            chained[node / 64] &= !(1 << (node % 64));
            chained[node / 64] |= (has_chain as u64) << (node % 64);
        }
        chained
    }

    /// Whether a node follows from its absence: two of its strong links exclude each other.
    pub fn is_forced(&self, graph: &Graph<W>, node: usize) -> bool {
        let strong = graph.strong[node];
        let mut is_forced = false;
        members(strong, |other| is_forced |= meets(&self.rows[other], &strong));
        is_forced
    }
}

/// The candidates that are refuted by static links. If `multiple`, also those that all candidates of a cell, or all places of a
/// digit in a house, exclude.
pub fn static_removals(state: &State, multiple: bool) -> [u128; 9] {
    match state.candidates.iter().map(|set| size(*set)).sum() {
        0..=128usize => static_removals_of_width::<2>(state, multiple),
        129..=192 => static_removals_of_width::<3>(state, multiple),
        193..=256 => static_removals_of_width::<4>(state, multiple),
        257..=384 => static_removals_of_width::<6>(state, multiple),
        _ => static_removals_of_width::<12>(state, multiple),
    }
}

fn static_removals_of_width<const W: usize>(state: &State, multiple: bool) -> [u128; 9] {
    let graph = Graph::<W>::new(state, PASSES[2]);
    let exclusions = Exclusions::new(&graph);
    let mut row = exclusions.refuted();
    if multiple && row == [0; W] {
        graph.alternatives(state, |nodes| {
            let mut common = [u64::MAX; W];
            nodes.iter().for_each(|&node| and(&mut common, &exclusions.rows[node]));
            or(&mut row, &common);
        });
    }
    let mut gone = [0; 9];
    members(row, |node| {
        let (cell, digit) = graph.nodes[node];
        gone[digit as usize] |= 1 << cell;
    });
    gone
}

/// What each assumption that a candidate is on excludes.
pub struct Reach {
    /// Words of a row.
    width: usize,
    index: [[u16; 9]; CELLS],
    rows: Vec<u64>,
}

impl Reach {
    /// Follows all assumptions. If the solution is known, only what is wrong there is kept.
    pub fn new(state: &State, solution: Option<&[u8; CELLS]>) -> Reach {
        match state.candidates.iter().map(|set| size(*set)).sum() {
            0..=128usize => Reach::of_width::<2>(state, solution),
            129..=192 => Reach::of_width::<3>(state, solution),
            193..=256 => Reach::of_width::<4>(state, solution),
            257..=384 => Reach::of_width::<6>(state, solution),
            _ => Reach::of_width::<12>(state, solution),
        }
    }

    fn of_width<const W: usize>(state: &State, solution: Option<&[u8; CELLS]>) -> Reach {
        let graph = Graph::<W>::new(state, PASSES[2]);
        let (mut index, mut right) = ([[0; 9]; CELLS], [0u64; W]);
        for (node, &(cell, digit)) in graph.nodes.iter().enumerate() {
            index[cell as usize][digit as usize] = node as u16;
            let is_right = solution.is_some_and(|solution| solution[cell as usize] == digit + 1);
            right[node / 64] |= (is_right as u64) << (node % 64);
        }
        let mut rows = Exclusions::new(&graph).rows;
        rows.iter_mut().for_each(|row| row.iter_mut().zip(right).for_each(|(word, right)| *word &= !right));
        Reach { width: W, index, rows: rows.into_flattened() }
    }

    /// Whether candidates that are on lead to a common node.
    pub fn have_common(&self, assumptions: impl Iterator<Item = Triple> + Clone) -> bool {
        let row = |assumption: Triple| {
            let (cell, digit, _) = parts(assumption);
            self.index[cell][digit] as usize * self.width
        };
        let common =
            |word: usize| assumptions.clone().fold(u64::MAX, |all, on| all & self.rows[row(on) + word]);
        (0..self.width).any(|word| common(word) != 0)
    }
}
