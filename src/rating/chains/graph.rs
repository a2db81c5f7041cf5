//! The static links among the candidates of a grid, as rows of bits.
//!
//! On to off by *weak* links between candidates that exclude each other, off to on by *strong* links between candidates of which one
//! holds.

use super::Pass;
use crate::grid::HOUSES;
use crate::rating::state::State;
use crate::rating::tables::{HOUSES_OF, NINE, bits, cells, has_two, is_pair, size};

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
pub fn count<const W: usize>(row: Row<W>) -> usize {
    row.iter().map(|word| word.count_ones() as usize).sum()
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
#[derive(Clone)]
pub struct Graph<const W: usize> {
    pub count: usize,
    /// Cell and digit.
    pub nodes: Vec<(u8, u8)>,
    /// The nodes of each digit.
    pub digits: [Row<W>; NINE],
    /// The nodes of cells with several candidates, from which chains may start.
    pub several: Row<W>,
    pub weak: Vec<Row<W>>,
    pub strong: Vec<Row<W>>,
    /// From on node to on node.
    pub next: Vec<Row<W>>,
}

impl<const W: usize> Graph<W> {
    /// The links of a pass.
    pub fn new(state: &State, pass: Pass) -> Graph<W> {
        let mut graph = Graph {
            count: 0,
            nodes: Vec::with_capacity(64 * W),
            digits: [[0; W]; NINE],
            several: [0; W],
            weak: Vec::with_capacity(64 * W),
            strong: Vec::with_capacity(64 * W),
            next: Vec::new(),
        };
        // The nodes of each digit in each house.
        let mut houses = [[[0; W]; NINE]; HOUSES];
        for cell in cells(state.empty) {
            for digit in bits(state.candidates[cell]) {
                let node = graph.nodes.len();
                let (word, bit) = (node / 64, 1 << (node % 64));
                graph.digits[digit][word] |= bit;
                graph.several[word] |= if has_two(state.candidates[cell]) { bit } else { 0 };
                HOUSES_OF[cell].iter().for_each(|&house| houses[house as usize][digit][word] |= bit);
                graph.nodes.push((cell as u8, digit as u8));
            }
        }
        graph.count = graph.nodes.len();
        for (node, &(cell, digit)) in graph.nodes.iter().enumerate() {
            let (mut weak, mut strong) = ([0; W], [0; W]);
            for house in HOUSES_OF[cell as usize].map(usize::from) {
                let nodes = &houses[house][digit as usize];
                let is_strong = pass.x & is_pair(state.places[house][digit as usize]);
                // Without a branch, which would be hard to predict.
                let mask = (is_strong as u64).wrapping_neg();
                for (i, word) in nodes.iter().enumerate() {
                    weak[i] |= word;
                    strong[i] |= word & mask;
                }
            }
            weak[node / 64] &= !(1 << (node % 64));
            strong[node / 64] &= !(1 << (node % 64));
            graph.weak.push(weak);
            graph.strong.push(strong);
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
        self.join_within([u64::MAX; W]);
    }

    /// Joins the links of some nodes.
    pub fn join_within(&mut self, nodes: Row<W>) {
        self.next.clear();
        self.next.resize(self.count, [0; W]);
        for node in (0..self.count).filter(|&node| has(&nodes, node)) {
            let strong = self.strong[node];
            if strong != [0; W] {
                members(self.weak[node], |other| or(&mut self.next[other], &strong));
            }
        }
    }
}
