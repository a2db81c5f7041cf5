//! The static links among the candidates of a grid, as rows of bits.
//!
//! On to off by *weak* links between candidates that exclude each other, off to on by *strong* links between candidates of which one
//! holds.

use super::Pass;
use crate::grid::CELLS;
use crate::rating::state::State;
use crate::rating::tables::{PEERS_OF, bits, cells, is_pair, size};

/// A set of nodes.
pub type Row<const W: usize> = [u64; W];

#[inline]
pub fn or<const W: usize>(a: &mut Row<W>, b: &Row<W>) {
    a.iter_mut().zip(b).for_each(|(a, b)| *a |= b);
}

#[inline]
pub fn and<const W: usize>(a: &mut Row<W>, b: &Row<W>) {
    a.iter_mut().zip(b).for_each(|(a, b)| *a &= b);
}

#[inline]
pub fn has<const W: usize>(row: &Row<W>, node: usize) -> bool {
    row[node / 64] >> (node % 64) & 1 == 1
}

#[inline]
pub fn meets<const W: usize>(a: &Row<W>, b: &Row<W>) -> bool {
    a.iter().zip(b).fold(0, |any, (a, b)| any | a & b) != 0
}

#[inline]
pub fn members<const W: usize>(row: Row<W>, mut visit: impl FnMut(usize)) {
    for (i, mut word) in row.into_iter().enumerate() {
        while word != 0 {
            visit(64 * i + word.trailing_zeros() as usize);
            word &= word - 1;
        }
    }
}

/// The links among the candidates of a grid, numbered by cell, then digit.
pub struct Graph<const W: usize> {
    pub count: usize,
    /// Cell and digit.
    pub nodes: Vec<(u8, u8)>,
    pub weak: Vec<Row<W>>,
    pub strong: Vec<Row<W>>,
    /// From on node to on node.
    pub next: Vec<Row<W>>,
}

impl<const W: usize> Graph<W> {
    /// The links of a pass.
    pub fn new(state: &State, pass: Pass) -> Graph<W> {
        let mut graph =
            Graph { count: 0, nodes: Vec::new(), weak: Vec::new(), strong: Vec::new(), next: Vec::new() };
        let mut index = [[0u16; 9]; CELLS];
        for cell in cells(state.empty) {
            for digit in bits(state.candidates[cell]) {
                index[cell][digit] = graph.nodes.len() as u16;
                graph.nodes.push((cell as u8, digit as u8));
            }
        }
        graph.count = graph.nodes.len();
        graph.weak.resize(graph.count, [0; W]);
        graph.strong.resize(graph.count, [0; W]);
        let set = |row: &mut Row<W>, other: usize| row[other / 64] |= 1 << (other % 64);
        for node in 0..graph.count {
            let (cell, digit) = (graph.nodes[node].0 as usize, graph.nodes[node].1 as usize);
            // Each link once: the peers after the cell.
            for other in cells(state.cells[digit] & PEERS_OF[cell] & (u128::MAX << cell)) {
                let other = index[other][digit] as usize;
                set(&mut graph.weak[node], other);
                set(&mut graph.weak[other], node);
            }
            for kind in (0..3).filter(|_| pass.x) {
                if let Some(other) = state.partner(cell, digit, kind) {
                    set(&mut graph.strong[node], index[other][digit] as usize);
                }
            }
        }
        if pass.cells {
            graph.add_cells(state);
        }
        graph
    }

    /// Adds the links by cells.
    pub fn add_cells(&mut self, state: &State) {
        let mut first = 0;
        while first < self.count {
            let candidates = state.candidates[self.nodes[first].0 as usize];
            let nodes = first..first + size(candidates);
            for (a, b) in nodes.clone().flat_map(|a| nodes.clone().map(move |b| (a, b))) {
                let bit = ((a != b) as u64) << (b % 64);
                self.weak[a][b / 64] |= bit;
                self.strong[a][b / 64] |= if is_pair(candidates) { bit } else { 0 };
            }
            first = nodes.end;
        }
    }

    /// Removes the strong links by houses.
    pub fn keep_links_by_cells(&mut self, state: &State) {
        self.strong.fill([0; W]);
        for node in 1..self.count {
            let cell = self.nodes[node].0;
            if self.nodes[node - 1].0 == cell && is_pair(state.candidates[cell as usize]) {
                self.strong[node][(node - 1) / 64] |= 1 << ((node - 1) % 64);
                self.strong[node - 1][node / 64] |= 1 << (node % 64);
            }
        }
    }

    /// Joins weak and strong links, which searches by levels need.
    pub fn join(&mut self) {
        self.next.clear();
        self.next.resize(self.count, [0; W]);
        for node in 0..self.count {
            let strong = self.strong[node];
            if strong != [0; W] {
                members(self.weak[node], |other| or(&mut self.next[other], &strong));
            }
        }
    }
}
