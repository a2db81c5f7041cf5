//! The static links among the candidates of a grid, and the candidates that exclude each other by them, as rows of
//! bits.
//!
//! On to off by *weak* links between candidates that exclude each other, off to on by *strong* links between candidates
//! of which one holds. `x` on leads to `y` off if and only if `y` on leads to `x` off, so the closures of all
//! assumptions form a symmetric matrix. It starts with the weak links. A strong link between `y` and `z` adds: what
//! leads to `y` off leads to `z` on, so to all that `z` excludes.
//!
//! Nodes are numbered once for a puzzle. When candidates go, strong links appear, and those between candidates that are
//! left stay. So the matrix only grows: a chain over a candidate that is gone, or holds, excludes nothing that is left.

use super::rows::{Row, and, both, has, insert, meets, members, or, set};
use crate::grid::{CELLS, HOUSES};
use crate::rating::chains::Triple;
use crate::rating::chains::closure::CandidateSet;
use crate::rating::state::State;
use crate::rating::tables::{CELLS_OF, HOUSES_OF, NINE, bits, cells, has_two, is_pair};

/// The candidates of a grid as nodes, by cell, then digit, with their weak links.
pub struct Numbering<const W: usize> {
    /// Cell and digit.
    pub nodes: Vec<(u8, u8)>,
    index: [[u16; NINE]; CELLS],
    /// The nodes of each digit.
    pub digits: [Row<W>; NINE],
    /// The weak links by houses, and those by houses and cells.
    pub weak: [Vec<Row<W>>; 2],
    /// The nodes that are wrong in the solution.
    pub wrong: Row<W>,
}

/// Strong links, and what they exclude. All may name candidates that are gone.
pub struct Layer<const W: usize> {
    /// The nodes with strong links.
    pub linked: Row<W>,
    /// The nodes that exclude themselves.
    refuted: Row<W>,
    pub strong: Vec<Row<W>>,
    pub excluded: Vec<Row<W>>,
}

/// The links among the candidates that are left: those by houses, and those by houses and cells.
pub struct Left<const W: usize> {
    pub alive: Row<W>,
    /// The nodes of cells with several candidates, from which chains may start.
    pub several: Row<W>,
    layers: [Layer<W>; 2],
    /// The grid.
    candidates: [u16; CELLS],
    places: [[u16; NINE]; HOUSES],
}

/// One of the layers.
#[derive(Clone, Copy)]
pub struct Graph<'a, const W: usize> {
    pub numbering: &'a Numbering<W>,
    pub alive: &'a Row<W>,
    pub several: &'a Row<W>,
    pub weak: &'a [Row<W>],
    pub layer: &'a Layer<W>,
}

impl<const W: usize> Numbering<W> {
    pub fn new(state: &State, solution: &CandidateSet) -> Numbering<W> {
        let mut numbering = Numbering {
            nodes: Vec::with_capacity(64 * W),
            index: [[0; NINE]; CELLS],
            digits: [[0; W]; NINE],
            weak: [Vec::with_capacity(64 * W), Vec::with_capacity(64 * W)],
            wrong: [0; W],
        };
        // The nodes of each cell, and of each digit in each house.
        let (mut of_cell, mut houses) = ([[0; W]; CELLS], [[[0; W]; NINE]; HOUSES]);
        for cell in cells(state.empty) {
            for digit in bits(state.candidates[cell]) {
                let node = numbering.nodes.len();
                numbering.nodes.push((cell as u8, digit as u8));
                numbering.index[cell][digit] = node as u16;
                insert(&mut numbering.digits[digit], node, true);
                insert(&mut numbering.wrong, node, solution[digit] >> cell & 1 == 0);
                insert(&mut of_cell[cell], node, true);
                HOUSES_OF[cell].iter().for_each(|&house| insert(&mut houses[house as usize][digit], node, true));
            }
        }
        for (node, &(cell, digit)) in numbering.nodes.iter().enumerate() {
            let mut weak = [0; W];
            HOUSES_OF[cell as usize].iter().for_each(|&house| or(&mut weak, &houses[house as usize][digit as usize]));
            weak[node / 64] &= !(1 << (node % 64));
            numbering.weak[0].push(weak);
            or(&mut weak, &of_cell[cell as usize]);
            weak[node / 64] &= !(1 << (node % 64));
            numbering.weak[1].push(weak);
        }
        numbering
    }

    #[inline]
    pub fn node(&self, cell: usize, digit: usize) -> usize {
        self.index[cell][digit] as usize
    }

    /// The node of an assumption.
    pub fn node_of(&self, assumption: Triple) -> usize {
        self.index.as_flattened()[assumption as usize / 2] as usize
    }

    /// A set of candidates as nodes.
    pub fn row(&self, set: &CandidateSet) -> Row<W> {
        let mut row = [0; W];
        for (digit, &set) in set.iter().enumerate() {
            cells(set).for_each(|cell| insert(&mut row, self.node(cell, digit), true));
        }
        row
    }

    /// The nodes of the two places or candidates of a strong link.
    fn ends(&self, set: u16, node: impl Fn(usize) -> (usize, usize)) -> [usize; 2] {
        [set.trailing_zeros() as usize, 15 - set.leading_zeros() as usize].map(|i| {
            let (cell, digit) = node(i);
            self.node(cell, digit)
        })
    }

    /// The strong link between the candidates of a cell.
    pub fn ends_in_cell(&self, cell: usize, candidates: u16) -> [usize; 2] {
        self.ends(candidates, |digit| (cell, digit))
    }

    /// The strong link between the places of a digit in a house.
    pub fn ends_in_house(&self, house: usize, digit: usize, places: u16) -> [usize; 2] {
        self.ends(places, |position| (CELLS_OF[house][position] as usize, digit))
    }
}

/// Adds what a strong link excludes to the rows of some nodes. Returns those of them that exclude themselves by it.
pub fn exclude<const W: usize>(rows: &mut [Row<W>], nodes: &Row<W>, [y, z]: [usize; 2]) -> Row<W> {
    let (mut of_y, mut of_z) = (rows[y], rows[z]);
    let (y_fails, z_fails) = (has(&of_y, y), has(&of_z, z));
    if y_fails {
        or(&mut of_y, &rows[z]);
    }
    if z_fails {
        or(&mut of_z, &rows[y]);
    }
    let (mut to_y, to_z) = (both(of_y, nodes), both(of_z, nodes));
    members(to_y, |x| or(&mut rows[x], &of_z));
    members(to_z, |x| or(&mut rows[x], &of_y));
    and(&mut to_y, &of_z);
    or(&mut to_y, &both(to_z, &of_y));
    to_y
}

impl<const W: usize> Layer<W> {
    pub fn new(weak: &[Row<W>]) -> Layer<W> {
        let strong = vec![[0; W]; weak.len()];
        Layer { linked: [0; W], refuted: [0; W], strong, excluded: weak.to_vec() }
    }

    /// Adds a strong link.
    pub fn link(&mut self, alive: &Row<W>, [y, z]: [usize; 2]) {
        for (node, other) in [(y, z), (z, y)] {
            insert(&mut self.linked, node, true);
            insert(&mut self.strong[node], other, true);
        }
        or(&mut self.refuted, &exclude(&mut self.excluded, alive, [y, z]));
    }

    fn clone_from(&mut self, other: &Layer<W>) {
        (self.linked, self.refuted) = (other.linked, other.refuted);
        self.strong.clone_from(&other.strong);
        self.excluded.clone_from(&other.excluded);
    }
}

impl<const W: usize> Left<W> {
    /// The weak links alone.
    pub fn new(weak: &[Vec<Row<W>>; 2]) -> Left<W> {
        Left {
            alive: [0; W],
            several: [0; W],
            layers: [0, 1].map(|i| Layer::new(&weak[i])),
            candidates: [0; CELLS],
            places: [[0; NINE]; HOUSES],
        }
    }

    pub fn clone_from(&mut self, other: &Left<W>) {
        self.layers.iter_mut().zip(&other.layers).for_each(|(layer, other)| layer.clone_from(other));
        (self.alive, self.several) = (other.alive, other.several);
        (self.candidates, self.places) = (other.candidates, other.places);
    }

    /// Whether it is that of a state.
    pub fn is_of(&self, state: &State) -> bool {
        self.candidates == state.candidates
    }

    /// Whether a state has no other candidates.
    pub fn has_all_of(&self, state: &State) -> bool {
        self.candidates.iter().zip(&state.candidates).fold(0, |others, (all, set)| others | set & !all) == 0
    }

    /// Goes on to a state with fewer candidates.
    pub fn update(&mut self, numbering: &Numbering<W>, state: &State) {
        (self.alive, self.several) = self.alive(numbering, state);
        let Left { alive, layers, candidates, places, .. } = self;
        each_new_link(numbering, (candidates, places), state, |ends, by_house| {
            if by_house {
                layers[0].link(alive, ends);
            }
            layers[1].link(alive, ends);
        });
        (*candidates, *places) = (state.candidates, state.places);
    }

    /// The candidates that a state with fewer candidates has, and those of them in cells with several.
    pub fn alive(&self, numbering: &Numbering<W>, state: &State) -> (Row<W>, Row<W>) {
        let (mut alive, mut several) = (self.alive, self.several);
        for (cell, (&now, &before)) in state.candidates.iter().zip(&self.candidates).enumerate() {
            if now != before {
                for digit in bits(now | before) {
                    let (node, is_alive) = (numbering.node(cell, digit), now >> digit & 1 == 1);
                    set(&mut alive, node, is_alive);
                    set(&mut several, node, is_alive & has_two(now));
                }
            }
        }
        (alive, several)
    }

    /// Visits the strong links that a state with fewer candidates has in addition.
    pub fn each_new_link(&self, numbering: &Numbering<W>, state: &State, visit: impl FnMut([usize; 2], bool)) {
        each_new_link(numbering, (&self.candidates, &self.places), state, visit);
    }

    /// The links by houses, or by houses and cells.
    pub fn graph<'a>(&'a self, numbering: &'a Numbering<W>, with_cells: bool) -> Graph<'a, W> {
        let i = with_cells as usize;
        let (alive, several) = (&self.alive, &self.several);
        Graph { numbering, alive, several, weak: &numbering.weak[i], layer: &self.layers[i] }
    }
}

/// Visits the strong links of a state that a grid with more candidates did not have, and whether they are by houses.
fn each_new_link<const W: usize>(
    numbering: &Numbering<W>,
    (candidates, places): (&[u16; CELLS], &[[u16; NINE]; HOUSES]),
    state: &State,
    mut visit: impl FnMut([usize; 2], bool),
) {
    for (cell, (&now, before)) in state.candidates.iter().zip(candidates).enumerate() {
        if now != *before && is_pair(now) {
            visit(numbering.ends_in_cell(cell, now), false);
        }
    }
    for (house, (now, before)) in state.places.iter().zip(places).enumerate().filter(|(_, (now, before))| now != before)
    {
        for (digit, (&now, before)) in now.iter().zip(before).enumerate() {
            if now != *before && is_pair(now) {
                visit(numbering.ends_in_house(house, digit, now), true);
            }
        }
    }
}

impl<const W: usize> Graph<'_, W> {
    /// The nodes that a node has strong links with.
    #[inline]
    pub fn strong(&self, node: usize) -> Row<W> {
        both(self.layer.strong[node], self.alive)
    }

    /// The nodes that exclude themselves: those with a chain to their opposite if they are on.
    pub fn refuted(&self) -> Row<W> {
        both(self.layer.refuted, self.several)
    }

    /// The nodes with a chain to their opposite if they are off: two of their strong links exclude each other.
    pub fn forced(&self, nodes: &Row<W>) -> Row<W> {
        let mut forced = [0; W];
        members(both(*self.several, nodes), |node| {
            let strong = self.strong(node);
            members(strong, |other| insert(&mut forced, node, meets(&self.layer.excluded[other], &strong)));
        });
        forced
    }

    /// What a node excludes if it is off.
    pub fn without(&self, node: usize) -> Row<W> {
        let mut excluded = [0; W];
        members(self.strong(node), |other| or(&mut excluded, &self.layer.excluded[other]));
        excluded
    }
}
