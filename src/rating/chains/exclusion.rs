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
use crate::grid::{CELLS, HOUSES};
use crate::rating::state::State;
use crate::rating::tables::{CELLS_OF, HOUSES_OF, NINE, bits, has_two, is_pair, is_single, size};

/// The nodes that each node excludes.
pub struct Exclusions<const W: usize> {
    rows: Vec<Row<W>>,
}

impl<const W: usize> Exclusions<W> {
    /// Those of a graph.
    pub fn new(graph: &Graph<W>) -> Exclusions<W> {
        Exclusions::within(graph, [u64::MAX; W])
    }

    /// Those by the strong links of some of the nodes of a graph.
    pub fn within(graph: &Graph<W>, nodes: Row<W>) -> Exclusions<W> {
        let mut all = Exclusions { rows: graph.weak.clone() };
        for y in (0..graph.count).filter(|&y| has(&nodes, y)) {
            members(graph.strong[y], |z| {
                if y < z {
                    add(&mut all.rows, &[u64::MAX; W], y, z);
                }
            });
        }
        all
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
        and(&mut chained, &graph.several);
        chained
    }

    /// What a node excludes if it is off.
    pub fn without(&self, graph: &Graph<W>, node: usize) -> Row<W> {
        let mut excluded = [0; W];
        members(graph.strong[node], |other| or(&mut excluded, &self.rows[other]));
        excluded
    }

    /// Whether nodes exclude each other.
    pub fn exclude(&self, a: usize, b: usize) -> bool {
        has(&self.rows[a], b)
    }

    /// Whether a node follows from its absence: two of its strong links exclude each other.
    pub fn is_forced(&self, graph: &Graph<W>, node: usize) -> bool {
        let strong = graph.strong[node];
        let mut is_forced = false;
        members(strong, |other| is_forced |= meets(&self.rows[other], &strong));
        is_forced
    }
}

/// Adds a strong link to the rows of some nodes. Returns those of them that exclude themselves by it.
fn add<const W: usize>(rows: &mut [Row<W>], nodes: &Row<W>, y: usize, z: usize) -> Row<W> {
    let (mut of_y, mut of_z) = (rows[y], rows[z]);
    let (y_fails, z_fails) = (has(&of_y, y), has(&of_z, z));
    if y_fails {
        or(&mut of_y, &rows[z]);
    }
    if z_fails {
        or(&mut of_z, &rows[y]);
    }
    let (mut to_y, mut to_z) = (of_y, of_z);
    and(&mut to_y, nodes);
    and(&mut to_z, nodes);
    members(to_y, |x| or(&mut rows[x], &of_z));
    members(to_z, |x| or(&mut rows[x], &of_y));
    and(&mut to_y, &of_z);
    and(&mut to_z, &of_y);
    or(&mut to_y, &to_z);
    to_y
}

/// Those of some nodes that several nodes exclude.
#[inline]
fn common<const W: usize>(mut all: Row<W>, rows: &[Row<W>], nodes: impl Iterator<Item = usize>) -> Row<W> {
    for node in nodes {
        and(&mut all, &rows[node]);
        if all == [0; W] {
            break;
        }
    }
    all
}

/// The exclusions of a grid, whatever the number of its candidates.
#[derive(Clone)]
pub struct Reach {
    /// Words of a row.
    width: usize,
    index: [[u16; 9]; CELLS],
    /// Cell and digit.
    nodes: Vec<(u8, u8)>,
    rows: Vec<u64>,
    /// The candidates that exclude themselves.
    refuted: Row<MAX_WIDTH>,
    /// The places and candidates of the grid: pairs have their strong links.
    places: [[u16; 9]; HOUSES],
    candidates: [u16; CELLS],
}

/// The words of the longest row.
const MAX_WIDTH: usize = 12;

/// Exclusions among the candidates that are left of a grid, kept while more candidates go.
#[derive(Clone)]
pub struct ReachLeft {
    rows: Vec<u64>,
    /// The candidates that are left, but not those that are on.
    alive: Row<MAX_WIDTH>,
    /// The candidates that exclude themselves.
    refuted: Row<MAX_WIDTH>,
    /// Strong links that the rows do not have yet.
    links: Vec<[u16; 2]>,
    /// Where there may be a cell or a house all of whose candidates exclude another one: anywhere, or where these candidates went.
    all_changed: bool,
    changed: Vec<u16>,
}

/// The lowest and the highest member of a set.
fn ends(set: u16) -> [usize; 2] {
    [set.trailing_zeros() as usize, 15 - set.leading_zeros() as usize]
}

impl Reach {
    /// The exclusions of a grid.
    pub fn new(state: &State) -> Reach {
        match state.candidates.iter().map(|set| size(*set)).sum() {
            0..=128usize => Reach::of_width::<2>(state),
            129..=192 => Reach::of_width::<3>(state),
            193..=256 => Reach::of_width::<4>(state),
            257..=384 => Reach::of_width::<6>(state),
            _ => Reach::of_width::<12>(state),
        }
    }

    fn of_width<const W: usize>(state: &State) -> Reach {
        let graph = Graph::<W>::new(state, PASSES[2]);
        let mut index = [[0; 9]; CELLS];
        for (node, &(cell, digit)) in graph.nodes.iter().enumerate() {
            index[cell as usize][digit as usize] = node as u16;
        }
        let exclusions = Exclusions::new(&graph);
        let mut refuted = [0; MAX_WIDTH];
        refuted[..W].copy_from_slice(&exclusions.refuted());
        let rows = exclusions.rows.into_flattened();
        let (places, candidates) = (state.places, state.candidates);
        Reach { width: W, index, nodes: graph.nodes, rows, refuted, places, candidates }
    }

    /// Keeps only candidates of a state that are wrong in the solution.
    pub fn keep_wrong(&mut self, state: &State, solution: &[u8; CELLS]) {
        let mut wrong = [0; MAX_WIDTH];
        for (node, &(cell, digit)) in self.nodes.iter().enumerate() {
            let is_wrong = solution[cell as usize] != digit + 1 && state.has(cell as usize, digit as usize);
            wrong[node / 64] |= (is_wrong as u64) << (node % 64);
        }
        for row in self.rows.chunks_exact_mut(self.width) {
            row.iter_mut().zip(&wrong).for_each(|(word, wrong)| *word &= wrong);
        }
    }

    /// Whether candidates that are on lead to a common node.
    pub fn have_common(&self, assumptions: impl Iterator<Item = Triple>) -> bool {
        let mut common = [u64::MAX; MAX_WIDTH];
        for assumption in assumptions {
            let (cell, digit, _) = parts(assumption);
            let row = self.node(cell, digit) * self.width;
            common.iter_mut().zip(&self.rows[row..row + self.width]).for_each(|(all, row)| *all &= row);
        }
        common[..self.width].iter().any(|&word| word != 0)
    }

    /// Goes on to a grid with fewer candidates. Returns whether one of them excludes itself.
    pub fn update(&mut self, state: &State) -> bool {
        let mut left = self.left(state);
        let is_any_refuted = self.removals(state, &mut left, false) != [0; 9];
        (self.rows, self.refuted) = (left.rows, left.refuted);
        (self.places, self.candidates) = (state.places, state.candidates);
        is_any_refuted
    }

    /// The exclusions among the candidates of a state, some of this grid.
    pub fn left(&self, state: &State) -> ReachLeft {
        let mut links = Vec::new();
        for (cell, (&now, before)) in state.candidates.iter().zip(self.candidates).enumerate() {
            if now != before && is_pair(now) {
                links.push(ends(now).map(|digit| self.index[cell][digit]));
            }
        }
        for (house, (now, before)) in state.places.iter().zip(&self.places).enumerate() {
            for (digit, (&now, before)) in now.iter().zip(before).enumerate() {
                if now != *before && is_pair(now) {
                    links.push(
                        ends(now).map(|position| self.index[CELLS_OF[house][position] as usize][digit]),
                    );
                }
            }
        }
        let mut alive = [0; MAX_WIDTH];
        for (node, &(cell, digit)) in self.nodes.iter().enumerate() {
            let candidates = state.candidates[cell as usize];
            let is_alive = candidates >> digit & 1 == 1 && has_two(candidates);
            alive[node / 64] |= (is_alive as u64) << (node % 64);
        }
        let (rows, refuted) = (self.rows.clone(), self.refuted);
        ReachLeft { rows, alive, refuted, links, all_changed: true, changed: Vec::new() }
    }

    /// Notes that a candidate was removed from a state.
    #[inline]
    pub fn note(&self, left: &mut ReachLeft, state: &State, cell: usize, digit: usize) {
        let mut remove = |node: u16| left.alive[node as usize / 64] &= !(1 << (node % 64));
        remove(self.index[cell][digit]);
        if !left.all_changed {
            left.changed.push(self.index[cell][digit]);
        }
        let candidates = state.candidates[cell];
        if is_single(candidates) {
            remove(self.index[cell][candidates.trailing_zeros() as usize]);
        }
        if is_pair(candidates) {
            left.links.push(ends(candidates).map(|other| self.index[cell][other]));
        }
        for house in HOUSES_OF[cell].map(usize::from) {
            let places = state.places[house][digit];
            if is_pair(places) {
                let node = |position: usize| self.index[CELLS_OF[house][position] as usize][digit];
                left.links.push(ends(places).map(node));
            }
        }
    }

    /// The candidates that are refuted by static links if only those of a state are left. If `multiple`, also those that all candidates
    /// of a cell, or all places of a digit in a house, exclude.
    pub fn removals(&self, state: &State, left: &mut ReachLeft, multiple: bool) -> [u128; 9] {
        match self.width {
            2 => self.removals_of_width::<2>(state, left, multiple),
            3 => self.removals_of_width::<3>(state, left, multiple),
            4 => self.removals_of_width::<4>(state, left, multiple),
            6 => self.removals_of_width::<6>(state, left, multiple),
            _ => self.removals_of_width::<12>(state, left, multiple),
        }
    }

    fn removals_of_width<const W: usize>(
        &self,
        state: &State,
        left: &mut ReachLeft,
        multiple: bool,
    ) -> [u128; 9] {
        let word = |row: &Row<MAX_WIDTH>| -> Row<W> { std::array::from_fn(|i| row[i]) };
        let alive = word(&left.alive);
        let mut refuted = word(&left.refuted);
        let (rows, _) = left.rows.as_chunks_mut::<W>();
        left.all_changed |= !left.links.is_empty();
        for [y, z] in left.links.drain(..).map(|link| link.map(usize::from)) {
            // A chain over a candidate that is gone, or on, removes nothing that is left.
            if has(&alive, y) && has(&alive, z) {
                or(&mut refuted, &add(rows, &alive, y, z));
            }
        }
        left.refuted[..W].copy_from_slice(&refuted);
        let mut row = refuted;
        and(&mut row, &alive);
        if multiple && row == [0; W] {
            let mut of_cell = |cell: usize| {
                let set = state.candidates[cell];
                if has_two(set) {
                    or(&mut row, &common(alive, rows, bits(set).map(|digit| self.node(cell, digit))));
                }
            };
            if left.all_changed {
                (0..CELLS).for_each(&mut of_cell);
            }
            left.changed.iter().for_each(|&gone| of_cell(self.nodes[gone as usize].0 as usize));
            let mut of_house = |house: usize, digit: usize| {
                let set = state.places[house][digit];
                if has_two(set) {
                    let cells = bits(set).map(|position| CELLS_OF[house][position] as usize);
                    or(&mut row, &common(alive, rows, cells.map(|cell| self.node(cell, digit))));
                }
            };
            if left.all_changed {
                (0..HOUSES).for_each(|house| (0..NINE).for_each(|digit| of_house(house, digit)));
            }
            for (cell, digit) in left.changed.drain(..).map(|gone| self.nodes[gone as usize]) {
                HOUSES_OF[cell as usize].iter().for_each(|&house| of_house(house as usize, digit as usize));
            }
            left.all_changed = false;
        }
        let mut gone = [0; 9];
        members(row, |node| {
            let (cell, digit) = self.nodes[node];
            gone[digit as usize] |= 1 << cell;
        });
        gone
    }

    fn node(&self, cell: usize, digit: usize) -> usize {
        self.index[cell][digit] as usize
    }
}
