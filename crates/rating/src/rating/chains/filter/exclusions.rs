//! The exclusions among the candidates that are left under an assumption, kept while more candidates go.

use super::links::{Left, Numbering, exclude};
use super::rows::{Row, and, has, members, or};
use crate::grid::{CELLS, HOUSES};
use crate::rating::chains::closure::CandidateSet;
use crate::rating::state::State;
use crate::rating::tables::{CELLS_OF, HOUSES_OF, NINE, bits, has_two, is_pair, is_single};

/// The words of the longest row.
const MAX_WIDTH: usize = 12;

/// Exclusions, whatever the number of candidates of the puzzle.
#[derive(Clone)]
pub struct Exclusions {
    rows: Vec<u64>,
    /// The candidates that are left, but not those that are on.
    alive: Row<MAX_WIDTH>,
    /// The candidates that exclude themselves.
    refuted: Row<MAX_WIDTH>,
    /// Strong links that the rows do not have yet.
    links: Vec<[u16; 2]>,
    /// Where there may be a cell or a house all of whose candidates exclude another one: anywhere, or where these
    /// candidates went.
    all_changed: bool,
    changed: Vec<u16>,
}

impl Exclusions {
    /// Those of a grid, for a state with fewer candidates.
    pub fn new<const W: usize>(numbering: &Numbering<W>, grid: &Left<W>, state: &State) -> Exclusions {
        let graph = grid.graph(numbering, true);
        let mut links = Vec::new();
        grid.each_new_link(numbering, state, |ends, _| links.push(ends.map(|node| node as u16)));
        let mut refuted = [0; MAX_WIDTH];
        refuted[..W].copy_from_slice(&graph.refuted());
        let mut several = [0; MAX_WIDTH];
        several[..W].copy_from_slice(&grid.alive(numbering, state).1);
        let rows = graph.layer.excluded.as_flattened().to_vec();
        Exclusions { rows, alive: several, refuted, links, all_changed: true, changed: Vec::new() }
    }

    /// Notes that a candidate was removed from the state.
    #[inline]
    pub fn note<const W: usize>(&mut self, numbering: &Numbering<W>, state: &State, cell: usize, digit: usize) {
        let mut remove = |node: usize| self.alive[node / 64] &= !(1 << (node % 64));
        remove(numbering.node(cell, digit));
        if !self.all_changed {
            self.changed.push(numbering.node(cell, digit) as u16);
        }
        let candidates = state.candidates[cell];
        if is_single(candidates) {
            remove(numbering.node(cell, candidates.trailing_zeros() as usize));
        }
        if is_pair(candidates) {
            self.links.push(numbering.ends_in_cell(cell, candidates).map(|node| node as u16));
        }
        for house in HOUSES_OF[cell].map(usize::from) {
            let places = state.places[house][digit];
            if is_pair(places) {
                self.links.push(numbering.ends_in_house(house, digit, places).map(|node| node as u16));
            }
        }
    }

    /// The candidates that are refuted by static links if only those of a state are left. If `multiple`, also those
    /// that all candidates of a cell, or all places of a digit in a house, exclude.
    pub fn removals<const W: usize>(
        &mut self,
        numbering: &Numbering<W>,
        state: &State,
        multiple: bool,
    ) -> CandidateSet {
        let word = |row: &Row<MAX_WIDTH>| -> Row<W> { std::array::from_fn(|i| row[i]) };
        let (alive, mut refuted) = (word(&self.alive), word(&self.refuted));
        let (rows, _) = self.rows.as_chunks_mut::<W>();
        self.all_changed |= !self.links.is_empty();
        for ends in self.links.drain(..).map(|link| link.map(usize::from)) {
            // A chain over a candidate that is gone, or on, removes nothing that is left.
            if ends.iter().all(|&node| has(&alive, node)) {
                or(&mut refuted, &exclude(rows, &alive, ends));
            }
        }
        self.refuted[..W].copy_from_slice(&refuted);
        let mut row = refuted;
        and(&mut row, &alive);
        if multiple && row == [0; W] {
            let mut of_cell = |cell: usize| {
                let set = state.candidates[cell];
                if has_two(set) {
                    or(&mut row, &common(alive, rows, bits(set).map(|digit| numbering.node(cell, digit))));
                }
            };
            if self.all_changed {
                (0..CELLS).for_each(&mut of_cell);
            }
            self.changed.iter().for_each(|&gone| of_cell(numbering.nodes[gone as usize].0 as usize));
            let mut of_house = |house: usize, digit: usize| {
                let set = state.places[house][digit];
                if has_two(set) {
                    let cells = bits(set).map(|position| CELLS_OF[house][position] as usize);
                    or(&mut row, &common(alive, rows, cells.map(|cell| numbering.node(cell, digit))));
                }
            };
            if self.all_changed {
                (0..HOUSES).for_each(|house| (0..NINE).for_each(|digit| of_house(house, digit)));
            }
            for (cell, digit) in self.changed.drain(..).map(|gone| numbering.nodes[gone as usize]) {
                HOUSES_OF[cell as usize].iter().for_each(|&house| of_house(house as usize, digit as usize));
            }
            self.all_changed = false;
        }
        let mut gone = [0; 9];
        members(row, |node| {
            let (cell, digit) = numbering.nodes[node];
            gone[digit as usize] |= 1 << cell;
        });
        gone
    }
}

/// Those of some nodes that several nodes exclude.
#[inline]
pub fn common<const W: usize>(mut all: Row<W>, rows: &[Row<W>], nodes: impl Iterator<Item = usize>) -> Row<W> {
    for node in nodes {
        and(&mut all, &rows[node]);
        if all == [0; W] {
            break;
        }
    }
    all
}
