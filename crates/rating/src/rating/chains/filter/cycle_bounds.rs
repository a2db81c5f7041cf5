//! Where cycles may be, and their least length.
//!
//! If a cycle of complexity `n` removes a candidate, there is a forcing chain from that candidate of complexity `n + 2`
//! at most. So cycles need be searched only where there are such chains.

use super::links::Graph;
use super::rows::{Row, and, both, count, has, insert, meets, members, or, remove};
use crate::rating::chains::cycles::{base_of_cycles, cycles};
use crate::rating::chains::forcing::Link;
use crate::rating::chains::hints::Hints;
use crate::rating::chains::{ChainHint, Key, triple};
use crate::rating::state::State;
use crate::rating::tables::cells;

/// The highest complexity of a cycle that is looked for.
const LONGEST: u32 = u8::MAX as u32 - 1;

/// Half of a complexity, or of the highest one that is looked for.
fn half(complexity: u32) -> u8 {
    (complexity.min(LONGEST) / 2) as u8
}

/// A candidate that cycles may remove.
struct End<const W: usize> {
    node: usize,
    /// Half of the highest complexity of those that matter.
    most: u8,
    /// For each node, half of a lower bound of the complexity of the cycles from there that matter; `u8::MAX` if there
    /// are none.
    bounds: [[u8; 64]; W],
}

impl<const W: usize> End<W> {
    /// Lets only shorter cycles matter than one that removes this candidate.
    fn limit(&mut self, (cell, digit): (u8, u8), cycle: &ChainHint) {
        if cycle.removals.iter().any(|&(other, digits)| other == cell && digits >> digit & 1 == 1) {
            self.most = self.most.min(half(cycle.complexity) - 1);
        }
    }
}

/// What a node leads to if it is on, and if it is off. Backwards, all are opposite.
struct Walks<const W: usize> {
    on: Levels<W>,
    off: Levels<W>,
}

/// The level at which each node is reached, `u8::MAX` if it is not.
pub struct Levels<const W: usize> {
    pub on: [[u8; 64]; W],
    pub off: [[u8; 64]; W],
}

impl<const W: usize> Graph<'_, W> {
    /// The nodes that a node excludes by houses.
    pub fn near(&self, node: usize) -> Row<W> {
        let digit = self.numbering.nodes[node].1 as usize;
        both(both(self.weak[node], &self.numbering.digits[digit]), self.alive)
    }

    /// The level of each node that an assumption reaches, up to `most`.
    pub fn levels(&self, node: usize, on: bool, most: u8) -> Levels<W> {
        let mut levels = Levels { on: [[u8::MAX; 64]; W], off: [[u8::MAX; 64]; W] };
        let [all_on, all_off] = [&mut levels.on, &mut levels.off].map(|all| all.as_flattened_mut());
        let mut front = self.start(node, on);
        for level in !on as u8..=most {
            members(front.last, |node| all_on[node] = level);
            self.close(&mut front);
            members(front.new, |node| all_off[node] = level);
            self.advance(&mut front);
            if front.last == [0; W] {
                break;
            }
        }
        levels
    }

    /// What a node on and off leads to, up to a number of levels.
    fn walks(&self, node: usize, most: u8) -> Walks<W> {
        let mut walks = Walks { on: self.levels(node, true, most), off: self.levels(node, false, most) };
        walks.off.off[node / 64][node % 64] = 0;
        walks
    }

    /// The candidates that cycles may remove, with their bounds. A cycle that removes one has two nodes with its digit
    /// that it excludes by houses.
    ///
    /// A cycle of complexity `n` through the start, `a` on and `b` off, in one of the two orders, has `n / 2` levels.
    /// Any closed walk passes this test, not only cycles.
    fn ends(&self, nodes: Row<W>, has_solution: bool, limits: impl Fn(usize) -> (u32, u32)) -> Vec<End<W>> {
        let mut list = Vec::new();
        members(nodes, |node| {
            let (least, most) = limits(node);
            if least <= most && count(self.near(node)) >= 2 {
                list.push((node, half(least), half(most)));
            }
        });
        let longest = list.iter().map(|&(_, _, most)| most).max().unwrap_or(0);
        let mut ends: Vec<End<W>> = Vec::new();
        let (mut walks, mut at) = (Vec::new(), [[u16::MAX; 64]; W]);
        let at = at.as_flattened_mut();
        for (node, least, most) in list {
            let near = self.on_cycle(self.near(node), has_solution);
            if near == [0; W] {
                continue;
            }
            ends.push(End { node, most, bounds: [[u8::MAX; 64]; W] });
            let bounds = ends.last_mut().expect("it was added").bounds.as_flattened_mut();
            members(near, |a| {
                if at[a] == u16::MAX {
                    at[a] = walks.len() as u16;
                    walks.push(self.walks(a, longest));
                }
            });
            members(near, |a| {
                members(self.others(near, a, has_solution), |b| {
                    let [of_a, of_b] = [a, b].map(|node| &walks[at[node] as usize]);
                    let (to_b, from_b) = (of_a.on.off[b / 64][b % 64], of_a.off.on[b / 64][b % 64]);
                    if a != b && to_b.saturating_add(from_b) <= most {
                        let a_first = of_a.off.off.as_flattened().iter().zip(of_b.off.on.as_flattened());
                        let b_first = of_b.on.off.as_flattened().iter().zip(of_a.on.on.as_flattened());
                        for (bound, (a, b)) in bounds.iter_mut().zip(a_first.zip(b_first)) {
                            let a_first = a.0.saturating_add(to_b).saturating_add(*a.1);
                            let b_first = b.0.saturating_add(from_b).saturating_add(*b.1);
                            let found = a_first.min(b_first).max(least);
                            *bound = (*bound).min(if found <= most { found } else { u8::MAX });
                        }
                    }
                });
            });
        }
        ends
    }

    /// Those of some nodes that may be off on a cycle on which another one is on.
    fn others(&self, nodes: Row<W>, on: usize, has_solution: bool) -> Row<W> {
        let (mut others, wrong) = (nodes, &self.numbering.wrong);
        if has_solution && has(wrong, on) {
            remove(&mut others, wrong);
        } else if has_solution {
            and(&mut others, wrong);
        }
        others
    }

    /// Those of some nodes, of which two may be on one cycle, one on and one off: they exclude each other, and one
    /// follows if the other is off.
    pub fn on_cycle(&self, nodes: Row<W>, has_solution: bool) -> Row<W> {
        let mut found = [0; W];
        members(nodes, |a| {
            let others = both(self.others(nodes, a, has_solution), &self.layer.excluded[a]);
            if others == [0; W] {
                return;
            }
            let without = self.without(a);
            members(others, |b| {
                let follows = has(&self.layer.strong[a], b) || meets(&without, &self.strong(b));
                insert(&mut found, b, follows);
            });
        });
        found
    }

    /// The lengths in levels, up to `most`, of the shortest walks from a node on back to it by each node that may come
    /// before it.
    fn closed_walks(&self, node: usize, most: u8) -> u128 {
        let (mut ends, mut lengths) = ([0; W], 0);
        members(self.strong(node), |other| or(&mut ends, &self.weak[other]));
        let mut front = self.start(node, true);
        for length in 2..=most {
            self.close(&mut front);
            self.advance(&mut front);
            if front.last == [0; W] {
                break;
            }
            lengths |= (meets(&front.last, &ends) as u128) << length;
        }
        lengths
    }
}

/// The search for cycles.
pub struct CycleSearch<'a, const W: usize> {
    graph: Graph<'a, W>,
    state: &'a State,
    pass: Key,
    ends: Vec<End<W>>,
    links: Vec<Link>,
}

impl<'a, const W: usize> CycleSearch<'a, W> {
    /// The search for the cycles that may remove one of these candidates. `limits` tells the least and the highest
    /// complexity of the cycles that matter for a candidate; `has_solution` whether the grid has the solution of the
    /// puzzle, in which the nodes of a cycle are right and wrong in turn.
    pub fn new(
        graph: Graph<'a, W>,
        state: &'a State,
        pass: Key,
        nodes: Row<W>,
        has_solution: bool,
        limits: impl Fn(usize) -> (u32, u32),
    ) -> CycleSearch<'a, W> {
        let ends = graph.ends(nodes, has_solution, limits);
        CycleSearch { graph, state, pass, ends, links: Vec::new() }
    }

    /// Half of the highest complexity of the cycles that matter.
    fn most(&self) -> u8 {
        self.ends.iter().map(|end| end.most).max().unwrap_or(0)
    }

    /// The lengths from `least` on, half of the complexity, of the cycles that a search from a start may find: the
    /// shortest one for each node that may come last, and no other.
    fn lengths(&self, start: usize, least: u8) -> u128 {
        self.graph.closed_walks(start, self.most()) >> least << least
    }

    /// Finds the cycles of a length, which is half of the complexity, and shorter ones.
    fn run(&mut self, node: usize, length: u8, hints: &mut Hints) {
        let (cell, digit) = self.graph.numbering.nodes[node];
        let start = triple(cell as usize, digit as usize, true);
        cycles(self.state, self.pass, start, 2 * length as u32, hints, &mut self.links);
    }

    /// Finds those of the lowest complexity; of the highest one that matters, only from starts up to `last`.
    pub fn first(mut self, last: usize, hints: &mut Hints) {
        if self.ends.is_empty() {
            return;
        }
        let (most, pass) = (self.most(), self.pass);
        let (mut starts, mut lengths) = (Vec::new(), 0);
        members(*self.graph.several, |node| {
            let bounds = self.ends.iter().map(|end| end.bounds.as_flattened()[node]);
            let least = bounds.min().expect("there are some");
            if least <= most {
                let found = self.lengths(node, least);
                lengths |= found;
                starts.push((node, found));
            }
        });
        for length in cells(lengths) {
            for &(start, _) in starts.iter().filter(|(_, lengths)| lengths >> length & 1 == 1) {
                if length < most as usize || start <= last {
                    if !hints.may_win(base_of_cycles(pass), 2 * length as u32, pass) {
                        return;
                    }
                    self.run(start, length as u8, hints);
                }
            }
        }
    }

    /// Finds all that matter. If `only_first`, a cycle matters only if it comes before the others that remove one of
    /// the candidates. After the cycles of each start, `chains` adds others from the same node.
    pub fn all(mut self, only_first: bool, hints: &mut Hints, mut chains: impl FnMut(usize, &mut Hints)) {
        let several = *self.graph.several;
        for node in 0..self.graph.numbering.nodes.len() {
            if has(&several, node) {
                self.all_of_start(node, only_first, hints);
            }
            chains(node, hints);
        }
    }

    /// Finds all from a start that matter.
    fn all_of_start(&mut self, node: usize, only_first: bool, hints: &mut Hints) {
        let bounds = self.ends.iter().map(|end| (end, end.bounds.as_flattened()[node]));
        let matter = bounds.filter(|(end, least)| *least <= end.most);
        let Some((least, most)) = matter
            .map(|(end, least)| (least, end.most))
            .reduce(|(least, most), (other_least, other_most)| (least.min(other_least), most.max(other_most)))
        else {
            return;
        };
        if self.lengths(node, least) << (127 - most) == 0 {
            return;
        }
        let first = hints.list.len();
        self.run(node, most, hints);
        if only_first {
            for end in &mut self.ends {
                let candidate = self.graph.numbering.nodes[end.node];
                hints.list[first..].iter().for_each(|cycle| end.limit(candidate, cycle));
            }
        }
    }
}
