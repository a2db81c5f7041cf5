//! The first hint of technique 21, or all, by the lengths of chains and the bounds of cycles; and what static chains
//! have in common.

use super::cycle_bounds::{CycleSearch, Levels};
use super::exclusions::{Exclusions, common};
use super::links::{Graph, Layer, Left, Numbering};
use super::rows::{Row, and, both, has, insert, members, or, remove};
use crate::rating::chains::closure::CandidateSet;
use crate::rating::chains::forcing::forcing_target;
use crate::rating::chains::hints::Hints;
use crate::rating::chains::{Cause, ChainHint, Key, Triple, increment, removal, triple};
use crate::rating::state::State;
use crate::rating::tables::{NINE, is_pair, size};

/// The static chains of a puzzle, whatever the number of its candidates.
pub trait StaticChains: Send + Sync {
    /// Goes on to a grid with fewer candidates.
    fn update(&mut self, grid: &State);

    /// The first hint of technique 21 on the grid.
    fn first(&self, grid: &State, hints: &mut Hints);

    /// All its hints if only the candidates of a state are left. If `bounds_cycles`, cycles may be missing that come
    /// after the chains of all candidates that they remove.
    fn all(&mut self, left: &State, bounds_cycles: bool, hints: &mut Hints);

    /// Whether candidates that are on exclude a common one, if only the candidates of a state are left.
    fn have_common(&mut self, left: &State, assumptions: &mut dyn Iterator<Item = Triple>) -> bool;

    /// The least complexity of a node that follows from all of these candidates that are on, if no closure has a
    /// contradiction.
    fn least_common(&mut self, assumptions: &mut dyn Iterator<Item = Triple>) -> Option<u32>;

    /// The exclusions if only the candidates of a state are left.
    fn exclusions(&self, left: &State) -> Exclusions;

    /// Notes that a candidate was removed from the state of exclusions.
    fn note(&self, exclusions: &mut Exclusions, left: &State, cell: usize, digit: usize);

    /// See [`Exclusions::removals`].
    fn removals(&self, exclusions: &mut Exclusions, left: &State, multiple: bool) -> CandidateSet;
}

/// The static chains of a puzzle from a grid on, the first one on which they are needed.
pub fn static_chains(grid: &State, solution: &CandidateSet) -> Box<dyn StaticChains> {
    match grid.candidates.iter().map(|set| size(*set)).sum() {
        0..=128usize => Box::new(Rows::<2>::new(grid, solution)),
        129..=256 => Box::new(Rows::<4>::new(grid, solution)),
        _ => Box::new(Rows::<12>::new(grid, solution)),
    }
}

struct Rows<const W: usize> {
    numbering: Numbering<W>,
    grid: Left<W>,
    /// What follows from candidates of the grid that are on.
    reached: Vec<Option<Box<Levels<W>>>>,
    /// What is left under an assumption.
    inner: Left<W>,
}

impl<const W: usize> Rows<W> {
    fn new(grid: &State, solution: &CandidateSet) -> Rows<W> {
        let numbering = Numbering::new(grid, solution);
        let grid = Left::new(&numbering.weak);
        // A copy of the grid once it is needed.
        let inner = Left::new(&[Vec::new(), Vec::new()]);
        Rows { numbering, grid, inner, reached: Vec::new() }
    }

    /// Goes on to a state under an assumption.
    fn assume(&mut self, left: &State) {
        if !self.inner.has_all_of(left) {
            self.inner.clone_from(&self.grid);
        }
        if !self.inner.is_of(left) {
            self.inner.update(&self.numbering, left);
        }
    }
}

impl<const W: usize> StaticChains for Rows<W> {
    fn update(&mut self, grid: &State) {
        if !self.grid.is_of(grid) {
            self.grid.update(&self.numbering, grid);
            self.reached.clear();
        }
    }

    fn first(&self, grid: &State, hints: &mut Hints) {
        let [by_houses, all] = [false, true].map(|with_cells| self.grid.graph(&self.numbering, with_cells));
        // If there is any chain or cycle, some candidate excludes itself. Of a chain from an off node, that is its
        // first on node.
        if all.refuted() == [0; W] {
            return;
        }
        by_houses.first_by_houses(grid, hints);
        if let Some(most) = highest(hints, 6.5, Key::Y) {
            let pairs = self.numbering.row(&in_pairs(grid));
            let mut nodes = [0; W];
            members(both(all.refuted(), &self.numbering.wrong), |node| {
                insert(&mut nodes, node, all.on_cycle(both(all.near(node), &pairs), true) != [0; W]);
            });
            if nodes != [0; W] {
                let layer = all.by_cells(grid, &pairs);
                CycleSearch::new(all.within(&layer, &pairs), grid, Key::Y, nodes, true, |_| (0, most))
                    .first(usize::MAX, hints);
            }
        }
        if let Some(most) = highest(hints, 7.0, Key::Xy) {
            all.first_by_all(grid, most, hints);
        }
    }

    fn all(&mut self, left: &State, bounds_cycles: bool, hints: &mut Hints) {
        self.assume(left);
        let [by_houses, all] = [false, true].map(|with_cells| self.inner.graph(&self.numbering, with_cells));
        let refuted = all.refuted();
        if refuted == [0; W] {
            return;
        }
        // Chains by houses are among all chains.
        let every = self.inner.alive;
        let lengths = [(all.forced(&every), [0; W]), (refuted, every)].map(|(mut nodes, on)| {
            let first = by_houses.shortest(nodes, &on, u32::MAX, |_| u32::MAX);
            for (node, &length) in first.iter().enumerate() {
                let is_lower = length != u32::MAX && 6.6 + increment(length) < 7.0;
                nodes[node / 64] &= !((is_lower as u64) << (node % 64));
            }
            [first, all.shortest(nodes, &on, u32::MAX, |_| u32::MAX)]
        });
        let [[forced_by_houses, forced], [refuted_by_houses, refuted_by_all]] = &lengths;
        let best = |node: usize| {
            let known = [(6.6, refuted_by_houses[node]), (7.0, refuted_by_all[node])].into_iter();
            let ranks = known
                .filter(|&(_, length)| length != u32::MAX)
                .map(|(base, length)| (base + increment(length), length));
            ranks.min_by(|a, b| a.partial_cmp(b).expect("numbers"))
        };
        let limits = |base: f64| {
            move |node| match best(node).filter(|_| bounds_cycles) {
                Some(best) => (0, longest(base, best)),
                None => (0, u32::MAX),
            }
        };
        let mut ends = [0; W];
        for (node, length) in refuted_by_houses.iter().enumerate() {
            insert(&mut ends, node, *length != u32::MAX);
        }
        let search = CycleSearch::new(by_houses, left, Key::X, ends, false, limits(6.5));
        search.all(bounds_cycles, hints, |node, hints| {
            by_houses.add_chains(left, Key::X, node, [forced_by_houses, refuted_by_houses], hints);
        });
        let search = CycleSearch::new(all, left, Key::Xy, refuted, false, limits(7.0));
        search.all(bounds_cycles, hints, |node, hints| {
            all.add_chains(left, Key::Xy, node, [forced, refuted_by_all], hints);
        });
        let pairs = self.numbering.row(&in_pairs(left));
        if pairs != [0; W] {
            let layer = all.by_cells(left, &pairs);
            let graph = all.within(&layer, &pairs);
            let search = CycleSearch::new(graph, left, Key::Y, refuted, false, limits(6.5));
            search.all(bounds_cycles, hints, |_, _| ());
        }
    }

    fn have_common(&mut self, left: &State, assumptions: &mut dyn Iterator<Item = Triple>) -> bool {
        self.assume(left);
        let excluded = &self.inner.graph(&self.numbering, true).layer.excluded;
        let nodes = assumptions.map(|assumption| self.numbering.node_of(assumption));
        common(self.inner.alive, excluded, nodes) != [0; W]
    }

    fn least_common(&mut self, assumptions: &mut dyn Iterator<Item = Triple>) -> Option<u32> {
        let numbering = &self.numbering;
        let mut nodes = [0; NINE];
        let assumed = nodes.iter_mut().zip(assumptions);
        let count = assumed.map(|(node, assumption)| *node = numbering.node_of(assumption)).count();
        let nodes = &nodes[..count];
        let graph = self.grid.graph(numbering, true);
        let wrong = both(numbering.wrong, &self.grid.alive);
        let off = common(wrong, &graph.layer.excluded, nodes.iter().copied());
        if off == [0; W] {
            return None;
        }
        self.reached.resize_with(numbering.nodes.len(), || None);
        for &node in nodes {
            self.reached[node].get_or_insert_with(|| Box::new(graph.levels(node, true, u8::MAX - 1)));
        }
        let (mut least, mut right) = (u32::MAX, [0; W]);
        members(off, |node| or(&mut right, &graph.weak[node]));
        and(&mut right, &self.grid.alive);
        remove(&mut right, &numbering.wrong);
        let mut add = |node: usize, on: bool| {
            let levels = nodes.iter().map(|&of| {
                let Levels { on: all_on, off } = self.reached[of].as_deref().expect("it was found");
                (if on { all_on } else { off }).as_flattened()[node]
            });
            let complexity = |level| if level == u8::MAX { 1 << 20 } else { 2 * u32::from(level) + 2 - on as u32 };
            least = least.min(levels.map(complexity).sum());
        };
        members(off, |node| add(node, false));
        members(right, |node| {
            // All that it excludes is excluded by all, too.
            let mut others = both(graph.weak[node], &self.grid.alive);
            remove(&mut others, &off);
            if others == [0; W] {
                add(node, true);
            }
        });
        Some(least)
    }

    fn exclusions(&self, left: &State) -> Exclusions {
        Exclusions::new(&self.numbering, &self.grid, left)
    }

    fn note(&self, exclusions: &mut Exclusions, left: &State, cell: usize, digit: usize) {
        exclusions.note(&self.numbering, left, cell, digit);
    }

    fn removals(&self, exclusions: &mut Exclusions, left: &State, multiple: bool) -> CandidateSet {
        exclusions.removals(&self.numbering, left, multiple)
    }
}

impl<const W: usize> Graph<'_, W> {
    /// The wrong nodes with a chain to their opposite if they are on, and the others with one if they are off. An
    /// assumption that holds in the solution has no chain to its opposite.
    fn chained(&self) -> Row<W> {
        let wrong = &self.numbering.wrong;
        let mut right = *self.several;
        remove(&mut right, wrong);
        let mut chained = both(self.refuted(), wrong);
        or(&mut chained, &self.forced(&right));
        chained
    }

    /// The hint of the shortest chain of a node.
    fn hint(&self, state: &State, pass: Key, node: usize, on: bool, complexity: u32, explains: bool) -> ChainHint {
        let (cell, digit) = self.numbering.nodes[node];
        let start = triple(cell as usize, digit as usize, on);
        let target = explains.then(|| forcing_target(state, pass, start, complexity).expect("there is a chain"));
        ChainHint {
            difficulty: if pass.by_cells() { 7.0 } else { 6.6 } + increment(complexity),
            complexity,
            key: pass,
            assumed: Cause::None,
            removals: vec![removal(state, start ^ 1).expect("the cell has several candidates")],
            place: (!on).then_some((cell, digit)),
            targets: target.into_iter().collect(),
            start: Some(start),
        }
    }

    /// The first hint of a shortest chain.
    fn first_hint(&self, state: &State, pass: Key, lengths: &[u32], explains: bool) -> Option<(usize, ChainHint)> {
        let least = lengths.iter().copied().min().filter(|&least| least != u32::MAX)?;
        let node = lengths.iter().position(|&length| length == least)?;
        let on = has(&self.numbering.wrong, node);
        Some((node, self.hint(state, pass, node, on, least, explains)))
    }

    /// Adds the hints of the chains from a node on, and then off, if these complexities are known.
    fn add_chains(&self, state: &State, pass: Key, node: usize, lengths: [&Vec<u32>; 2], hints: &mut Hints) {
        for on in [true, false] {
            let length = lengths[on as usize][node];
            if length != u32::MAX {
                hints.add(self.hint(state, pass, node, on, length, false));
            }
        }
    }

    /// The first hint of pass 1.
    fn first_by_houses(&self, state: &State, hints: &mut Hints) {
        let wrong = &self.numbering.wrong;
        let beyond = |complexity| same_increment(complexity) + 2;
        let lengths = self.shortest(self.chained(), wrong, u32::MAX, beyond);
        if let Some((_, chain)) = self.first_hint(state, Key::X, &lengths, hints.explains) {
            let most = same_increment(chain.complexity);
            let limits = |node| (lengths[node] - 2, most);
            hints.add(chain);
            CycleSearch::new(*self, state, Key::X, *wrong, true, limits).first(usize::MAX, hints);
        }
    }

    /// The first hint of pass 3 up to a complexity.
    fn first_by_all(&self, state: &State, most: u32, hints: &mut Hints) {
        let wrong = &self.numbering.wrong;
        let lengths = self.shortest(self.chained(), wrong, most + 2, |complexity| complexity + 2);
        let Some((node, chain)) = self.first_hint(state, Key::Xy, &lengths, hints.explains) else { return };
        let least = chain.complexity;
        // Of the same complexity, the cycles from this start and those before it come first.
        let mut cycle = Hints::new(false, hints.explains);
        cycle.best = Some(ChainHint { complexity: least + 1, ..chain.clone() });
        if cycle.may_win(7.0, least - 2, Key::Xy) {
            let limits = |node| (lengths[node] - 2, least);
            CycleSearch::new(*self, state, Key::Xy, *wrong, true, limits).first(node, &mut cycle);
        }
        if let Some(cycle) = cycle.best.filter(|best| best.complexity <= least) {
            hints.add(cycle);
        }
        hints.add(chain);
    }

    /// The strong links by cells alone, among some nodes.
    fn by_cells(&self, state: &State, nodes: &Row<W>) -> Layer<W> {
        let mut layer = Layer::new(self.weak);
        for (cell, &candidates) in state.candidates.iter().enumerate().filter(|(_, set)| is_pair(**set)) {
            let ends = self.numbering.ends_in_cell(cell, candidates);
            if ends.iter().all(|&node| has(nodes, node)) {
                layer.link(nodes, ends);
            }
        }
        layer
    }

    /// Other links among some of the nodes.
    fn within<'a>(&'a self, layer: &'a Layer<W>, nodes: &'a Row<W>) -> Graph<'a, W> {
        Graph { layer, alive: nodes, several: nodes, ..*self }
    }
}

/// The highest complexity with the same increment.
fn same_increment(complexity: u32) -> u32 {
    let sum = increment(complexity);
    (complexity..).take_while(|&other| increment(other) == sum).last().expect("it is the same itself")
}

/// The highest complexity that may win, if any does.
fn highest(hints: &Hints, base: f64, key: Key) -> Option<u32> {
    if hints.best.is_none() {
        return Some(u32::MAX / 2);
    }
    (4..).step_by(2).take_while(|&complexity| hints.may_win(base, complexity, key)).last()
}

/// The highest complexity of a cycle that comes before a chain of this rank.
fn longest(base: f64, rank: (f64, u32)) -> u32 {
    let is_before = |&complexity: &u32| (base + increment(complexity), complexity) <= rank;
    (4..).step_by(2).take_while(is_before).last().unwrap_or(0)
}

/// The candidates of cells with two, the only ones on cycles by cells.
fn in_pairs(state: &State) -> CandidateSet {
    let pairs = state.bivalue();
    state.cells.map(|set| set & pairs)
}
