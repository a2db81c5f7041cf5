//! Technique 21 without the search: which assumptions have a forcing chain, and the length of the shortest one.
//!
//! The [exclusions](super::exclusion) tell which assumptions have a chain. The graph of links can be read backwards with all nodes
//! opposite, so two searches give its length:
//!
//! ```text
//! s on  -> x on, s on  -> y on, x and y exclude each other:  s on -> .. x on -> y off .. -> s off
//! s off -> x on, s off -> y on, x and y exclude each other:  s off -> .. x on -> y off .. -> s on
//! ```
//!
//! So a chain is found when the searches from both of its ends meet, at half its length. `k` on nodes after the start give a complexity of
//! `2k + 2` for an assumption that is on, and of `2k` for one that is off. All assumptions are advanced by a level at a time, until
//! one of them meets.
//!
//! If a cycle of complexity `n` removes a candidate, there is a forcing chain from that candidate of complexity `n + 2` at
//! most. So cycles need be searched only where there are such chains.

use super::cycles::{Back, base_of_cycles, cycles};
use super::exclusion::{Exclusions, Reach};
use super::forcing::{Link, PASSES, forcing_target};
use super::graph::{Graph, Row, and, count, has, meets, members, or};
use super::search::Hints;
use super::{Branches, ChainHint, Key, Pass, Search, TRIPLES, increment, removal, triple};
use crate::rating::state::State;
use crate::rating::tables::{NINE, PEERS_OF, bits, cells, size};

/// The highest complexity of a cycle that is looked for.
const LONGEST: u32 = u8::MAX as u32 - 1;

/// What one assumption reaches.
#[derive(Clone, Copy)]
struct Front<const W: usize> {
    /// On nodes of all levels, and of the last one.
    reached: Row<W>,
    last: Row<W>,
    /// Off nodes of all levels but perhaps the last one.
    off: Row<W>,
}

impl<const W: usize> Graph<W> {
    /// The nodes that a node excludes by houses.
    fn near(&self, node: usize) -> Row<W> {
        let mut near = self.weak[node];
        and(&mut near, &self.digits[self.nodes[node].1 as usize]);
        near
    }

    /// Whether a chain from the node to its opposite, of at most this complexity, starts and ends with links by houses.
    fn is_refuted_by_houses(&self, node: usize, most: u32) -> bool {
        let mut front = self.start(node, true);
        front.off = self.near(node);
        let mut first = [0; W];
        members(front.off, |other| or(&mut first, &self.strong[other]));
        (front.reached, front.last) = (first, first);
        for k in 1..=(most - 2) / 2 {
            if k % 2 == 0 {
                self.close(&mut front);
            } else if k > 1 {
                self.advance(&mut front);
            }
            if meets(&front.last, &front.off) {
                return true;
            }
            if front.last == [0; W] {
                return false;
            }
        }
        false
    }

    fn start(&self, node: usize, on: bool) -> Front<W> {
        let mut front = Front { reached: [0; W], last: [0; W], off: [0; W] };
        if on {
            front.last[node / 64] = 1 << (node % 64);
            front.off = self.weak[node];
        } else {
            front.last = self.strong[node];
        }
        front.reached = front.last;
        front
    }

    /// Adds the off nodes of the last level.
    fn close(&self, front: &mut Front<W>) {
        members(front.last, |node| or(&mut front.off, &self.weak[node]));
    }

    /// Goes to the next level of on nodes, without its off nodes.
    fn advance(&self, front: &mut Front<W>) {
        let mut next = [0; W];
        members(front.last, |node| or(&mut next, &self.next[node]));
        for (next, reached) in next.iter_mut().zip(&mut front.reached) {
            *next &= !*reached;
            *reached |= *next;
        }
        front.last = next;
    }

    /// The complexity of the shortest chain from each of these nodes, which is on if it is wrong, up to `most`, and to `beyond`
    /// the lowest of all. `u32::MAX` where there is none.
    fn shortest(
        &self,
        nodes: Row<W>,
        on: impl Fn(usize) -> bool,
        mut most: u32,
        beyond: impl Fn(u32) -> u32,
    ) -> Vec<u32> {
        let mut fronts = Vec::with_capacity(count(nodes));
        members(nodes, |node| fronts.push((node, self.start(node, on(node)))));
        let mut lengths = vec![u32::MAX; self.count];
        let mut complexity = 4;
        while complexity <= most && !fronts.is_empty() {
            fronts.retain_mut(|(node, front)| {
                // The levels that meet: the last one with itself, or with the one before.
                let k = (complexity - 2 * on(*node) as u32) / 2;
                if k % 2 == 1 {
                    self.advance(front);
                } else {
                    self.close(front);
                }
                if meets(&front.last, &front.off) {
                    lengths[*node] = complexity;
                    most = most.min(beyond(complexity));
                    return false;
                }
                front.last != [0; W]
            });
            complexity += 2;
        }
        lengths
    }

    /// The hint of the shortest chain of a node.
    fn hint(
        &self,
        state: &State,
        pass: Pass,
        node: usize,
        on: bool,
        complexity: u32,
        explains: bool,
    ) -> ChainHint {
        let (cell, digit) = self.nodes[node];
        let start = triple(cell as usize, digit as usize, on);
        let target =
            explains.then(|| forcing_target(state, pass, start, complexity).expect("there is a chain"));
        ChainHint {
            difficulty: if pass.cells { 7.0 } else { 6.6 } + increment(complexity),
            complexity,
            key: pass.key,
            branches: Branches::Single,
            removals: vec![removal(state, start ^ 1).expect("the cell has several candidates")],
            place: (!on).then_some((cell, digit)),
            targets: target.into_iter().collect(),
            start: Some((pass, start)),
        }
    }

    /// Adds the hints of the chains from a node on, and then off, if these complexities are known.
    fn add_chains(&self, state: &State, pass: Pass, node: usize, lengths: [&Vec<u32>; 2], hints: &mut Hints) {
        for on in [true, false] {
            let length = lengths[on as usize][node];
            if length != u32::MAX {
                hints.add(self.hint(state, pass, node, on, length, false));
            }
        }
    }

    /// The level of each node that an assumption reaches, up to `most`.
    fn levels(&self, node: usize, on: bool, most: u8) -> Levels<W> {
        let mut levels = Levels { on: [[u8::MAX; 64]; W], off: [[u8::MAX; 64]; W] };
        let [all_on, all_off] = [&mut levels.on, &mut levels.off].map(|all| all.as_flattened_mut());
        let mut front = self.start(node, on);
        let mut known = [0; W];
        for level in !on as u8..=most {
            members(front.last, |node| all_on[node] = level);
            self.close(&mut front);
            let new: Row<W> = std::array::from_fn(|i| front.off[i] & !known[i]);
            members(new, |node| all_off[node] = level);
            known = front.off;
            self.advance(&mut front);
            if front.last == [0; W] {
                break;
            }
        }
        levels
    }

    /// For each of the `ends` and each node, half of a lower bound of the complexity of the cycles from there that remove it; `u8::MAX`
    /// if there are none that matter. Such a cycle has two nodes with the digit of the end that it excludes by houses.
    ///
    /// A cycle of complexity `n` through the start, `a` on and `b` off, in one of the two orders, has `n / 2` levels. Any closed walk
    /// passes this test, not only cycles.
    fn cycle_bounds(&self, exclusions: &Exclusions<W>, ends: &[End]) -> Vec<[[u8; 64]; W]> {
        let longest = ends.iter().map(|end| end.most).max().unwrap_or(0);
        let mut bounds = vec![[[u8::MAX; 64]; W]; ends.len()];
        let (mut walks, mut at) = (Vec::new(), [[u16::MAX; 64]; W]);
        let at = at.as_flattened_mut();
        for (&End { node, least, most }, bounds) in ends.iter().zip(&mut bounds) {
            let near = self.on_cycle(exclusions, self.near(node));
            if near == [0; W] || !self.is_refuted_by_houses(node, 2 * most as u32 + 2) {
                continue;
            }
            members(near, |a| {
                if at[a] == u16::MAX {
                    at[a] = walks.len() as u16;
                    walks.push(self.walks(a, longest));
                }
            });
            members(near, |a| {
                members(near, |b| {
                    let [of_a, of_b] = [a, b].map(|node| &walks[at[node] as usize]);
                    let (to_b, from_b) = (of_a.on.off[b / 64][b % 64], of_a.off.on[b / 64][b % 64]);
                    if a != b && to_b.saturating_add(from_b) <= most {
                        let a_first = of_a.off.off.as_flattened().iter().zip(of_b.off.on.as_flattened());
                        let b_first = of_b.on.off.as_flattened().iter().zip(of_a.on.on.as_flattened());
                        for (bound, (a, b)) in bounds.as_flattened_mut().iter_mut().zip(a_first.zip(b_first))
                        {
                            let a_first = a.0.saturating_add(to_b).saturating_add(*a.1);
                            let b_first = b.0.saturating_add(from_b).saturating_add(*b.1);
                            let found = a_first.min(b_first).max(least);
                            *bound = (*bound).min(if found <= most { found } else { u8::MAX });
                        }
                    }
                });
            });
        }
        bounds
    }

    /// Those of some nodes, of which two may be on one cycle, one on and one off.
    fn on_cycle(&self, exclusions: &Exclusions<W>, nodes: Row<W>) -> Row<W> {
        let mut found = [0; W];
        // Nodes of a cycle are ends of strong links.
        members(nodes, |a| {
            let without = exclusions.without(self, a);
            members(nodes, |b| {
                let follows = has(&self.strong[a], b) || meets(&without, &self.strong[b]);
                if a < b && follows && exclusions.exclude(a, b) {
                    found[a / 64] |= 1 << (a % 64);
                    found[b / 64] |= 1 << (b % 64);
                }
            });
        });
        found
    }

    /// What a node on and off leads to, up to a number of levels.
    fn walks(&self, node: usize, most: u8) -> Walks<W> {
        let [on, mut off] = [true, false].map(|on| self.levels(node, on, most));
        off.off[node / 64][node % 64] = 0;
        Walks { on, off }
    }

    /// How nodes lead to a node that is on, up to a number of levels: as they follow from it if all are opposite.
    fn lead_back(&self, node: usize, most: u8, back: &mut Back) {
        let Levels { on, off } = self.levels(node, false, most);
        back.linked = [0; 9];
        for (&(cell, digit), (&on, &off)) in
            self.nodes.iter().zip(on.as_flattened().iter().zip(off.as_flattened()))
        {
            back.linked[digit as usize] |= ((on != u8::MAX) as u128) << cell;
            let off_node = triple(cell as usize, digit as usize, false) as usize;
            back.levels[off_node..off_node + 2].copy_from_slice(&[on, off]);
        }
    }

    /// Finds the cycles that may remove one of the `ends`: all, or those of the lowest complexity. If all, also adds the chains of these
    /// complexities: the hints of a start are its cycles, then its chains.
    fn cycles(
        &self,
        state: &State,
        pass: Pass,
        exclusions: &Exclusions<W>,
        ends: Ends,
        lengths: Option<[&Vec<u32>; 2]>,
        hints: &mut Hints,
    ) {
        let bounds = self.cycle_bounds(exclusions, &ends.list);
        let most = ends.list.iter().map(|end| end.most).max().unwrap_or(0);
        let least = |node: usize| bounds.iter().map(|bounds| bounds.as_flattened()[node]).min();
        let mut starts = Vec::new();
        members(self.several, |node| {
            if let Some(least) = least(node).filter(|&least| least <= most) {
                // A search finds the shortest cycle for each node that may come last, and no other.
                let closed = self.closed_walks(node, most) & u128::MAX << least;
                if closed != 0 {
                    starts.push(Start { node, least, closed });
                }
            }
        });
        let back = Back { linked: [0; 9], levels: [u8::MAX; TRIPLES] };
        let search = CycleSearch { graph: self, state, pass, back, links: Vec::new() };
        if hints.all {
            search.all(&starts, ends, &bounds, lengths, hints);
        } else {
            search.first(&starts, most, ends.last, hints);
        }
    }

    /// The lengths in levels, up to `most`, of the shortest walks from a node on back to it by each node that may come before it.
    fn closed_walks(&self, node: usize, most: u8) -> u128 {
        let (mut ends, mut lengths) = ([0; W], 0);
        members(self.strong[node], |other| or(&mut ends, &self.weak[other]));
        let mut front = self.start(node, true);
        for length in 2..=most {
            self.advance(&mut front);
            if front.last == [0; W] {
                break;
            }
            lengths |= (meets(&front.last, &ends) as u128) << length;
        }
        lengths
    }
}

/// A node from which cycles may start. All lengths are half of the complexity.
struct Start {
    node: usize,
    /// A lower bound of the lengths of the cycles that matter.
    least: u8,
    /// The set of the lengths that they may have.
    closed: u128,
}

/// The search for cycles.
struct CycleSearch<'a, const W: usize> {
    graph: &'a Graph<W>,
    state: &'a State,
    pass: Pass,
    back: Back,
    links: Vec<Link>,
}

impl<const W: usize> CycleSearch<'_, W> {
    /// Finds the cycles of a length, which is half of the complexity, and shorter ones.
    fn run(&mut self, node: usize, length: u8, hints: &mut Hints) {
        self.graph.lead_back(node, length, &mut self.back);
        let (cell, digit) = self.graph.nodes[node];
        let start = triple(cell as usize, digit as usize, true);
        cycles(self.state, self.pass, start, (2 * length as u32, &self.back), hints, &mut self.links);
    }

    /// Finds those of the lowest complexity; of the highest one, only those from starts up to `last`.
    fn first(mut self, starts: &[Start], most: u8, last: usize, hints: &mut Hints) {
        let least = starts.iter().map(|start| start.least).min().unwrap_or(u8::MAX);
        for length in least..=most {
            let counts =
                |start: &&Start| start.closed >> length & 1 == 1 && (length < most || start.node <= last);
            for start in starts.iter().filter(counts) {
                if !hints.may_win(base_of_cycles(self.pass), 2 * length as u32, self.pass.key) {
                    return;
                }
                self.run(start.node, length, hints);
            }
        }
    }

    /// Finds all that matter.
    fn all(
        mut self,
        starts: &[Start],
        mut ends: Ends,
        bounds: &[[[u8; 64]; W]],
        lengths: Option<[&Vec<u32>; 2]>,
        hints: &mut Hints,
    ) {
        let mut starts = starts.iter().peekable();
        for node in 0..self.graph.count {
            if let Some(start) = starts.next_if(|start| start.node == node) {
                self.all_of_start(start, &mut ends, bounds, hints);
            }
            if let Some(lengths) = lengths {
                self.graph.add_chains(self.state, self.pass, node, lengths, hints);
            }
        }
    }

    /// Finds all from a start that matter.
    fn all_of_start(&mut self, start: &Start, ends: &mut Ends, bounds: &[[[u8; 64]; W]], hints: &mut Hints) {
        let &Start { node, closed, .. } = start;
        let of_end = ends.list.iter().zip(bounds);
        let matter = of_end.filter(|(end, bounds)| bounds.as_flattened()[node] <= end.most);
        let Some(most) = matter.map(|(end, _)| end.most).max() else { return };
        if closed & u128::MAX >> (127 - most) == 0 {
            return;
        }
        let first = hints.list.len();
        self.run(node, most, hints);
        if ends.only_first {
            for end in &mut ends.list {
                let candidate = self.graph.nodes[end.node];
                hints.list[first..].iter().for_each(|cycle| end.limit(candidate, cycle));
            }
        }
    }
}

/// The candidates that cycles may remove.
struct Ends {
    list: Vec<End>,
    /// Whether a cycle matters only if it comes before the others that remove one of these candidates.
    only_first: bool,
    /// The last start of cycles of the highest complexity that matter.
    last: usize,
}

/// A candidate that cycles may remove. Half of the least and the highest complexity of those that matter.
struct End {
    node: usize,
    least: u8,
    most: u8,
}

impl End {
    /// Lets only shorter cycles matter than one that removes this candidate.
    fn limit(&mut self, (cell, digit): (u8, u8), cycle: &ChainHint) {
        if cycle.removals.iter().any(|&(other, digits)| other == cell && digits >> digit & 1 == 1) {
            self.most = self.most.min(half(cycle.complexity) - 1);
        }
    }
}

/// Half of a complexity, or of the highest one that is looked for.
fn half(complexity: u32) -> u8 {
    (complexity.min(LONGEST) / 2) as u8
}

/// What a node leads to if it is on, and if it is off. Backwards, all are opposite.
struct Walks<const W: usize> {
    on: Levels<W>,
    off: Levels<W>,
}

/// The level at which each node is reached, `u8::MAX` if it is not.
struct Levels<const W: usize> {
    on: [[u8; 64]; W],
    off: [[u8; 64]; W],
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

/// Whether cells with two candidates each may form a cycle: some of them have links to and from others of them.
fn has_cycle_of_cells(state: &State) -> bool {
    let pairs = state.bivalue();
    // On nodes of these cells by digit; a node needs another one before it and after it.
    let mut left: [u128; 9] = state.cells.map(|set| set & pairs);
    loop {
        let before = left;
        for digit in 0..9 {
            for cell in cells(left[digit]) {
                let other = (state.candidates[cell] & !(1 << digit)).trailing_zeros() as usize;
                // Before it comes a node that excludes the other digit of this cell.
                let follows = cells(pairs & PEERS_OF[cell] & state.cells[digit]).any(|next| {
                    let end = (state.candidates[next] & !(1 << digit)).trailing_zeros() as usize;
                    left[end] >> next & 1 == 1
                });
                if !follows || left[other] & PEERS_OF[cell] == 0 {
                    left[digit] &= !(1 << cell);
                }
            }
        }
        if left == before {
            return left.iter().any(|&set| set != 0);
        }
    }
}

impl Search {
    /// Finds the first hint of technique 21, after some digits changed.
    pub fn first_forcing(&mut self, state: &State, changed: u16, hints: &mut Hints) {
        self.chained_digits |= changed;
        // The kept links leave out cells with one candidate. There are such cells only if naked singles may not be used.
        let may_keep = state.counted()[0] == 0;
        if !may_keep {
            self.links = None;
        }
        // If there is any chain or cycle, some candidate excludes itself. Of a chain from an off node, that is its first on node.
        if self.links.as_mut().is_some_and(|links| !links.update(state)) {
            (self.has_no_chains, self.chained_digits) = (true, 0);
            return;
        }
        self.forcing(state, hints);
        self.has_no_chains = hints.best.is_none();
        if self.has_no_chains && may_keep && self.links.is_none() {
            self.links = Some(Reach::new(state));
        }
    }

    /// Finds the hints of technique 21: all of them, or the first.
    pub fn forcing(&mut self, state: &State, hints: &mut Hints) {
        let count: usize = state.candidates.iter().map(|set| size(*set)).sum();
        self.count(count);
        match count {
            0..=128 => self.passes::<2>(state, hints),
            129..=192 => self.passes::<3>(state, hints),
            193..=256 => self.passes::<4>(state, hints),
            257..=384 => self.passes::<6>(state, hints),
            _ => self.passes::<12>(state, hints),
        }
    }

    fn passes<const W: usize>(&mut self, state: &State, hints: &mut Hints) {
        if hints.all {
            self.all_of_passes::<W>(state, hints)
        } else {
            self.first_of_passes::<W>(state, hints)
        }
    }

    /// All hints, for use within other chains. Cycles that come after the chains of all candidates that they remove may be
    /// missing.
    fn all_of_passes<const W: usize>(&mut self, state: &State, hints: &mut Hints) {
        // The links of all passes are among the exclusions.
        let has_none = |reach: &Reach| reach.removals(state, &mut reach.left(state), false) == [0; 9];
        if self.unordered.reach().is_some_and(has_none) {
            return;
        }
        let [x, y, xy] = PASSES;
        let mut by_houses = Graph::<W>::new(state, x);
        let mut all = by_houses.clone();
        all.add_cells(state);
        let exclusions = Exclusions::new(&all);
        by_houses.join();
        all.join();
        // Chains by houses are among all chains.
        let lengths = [false, true].map(|on| {
            let mut nodes = exclusions.chained(&all, |_| on);
            let first = by_houses.shortest(nodes, |_| on, u32::MAX, |_| u32::MAX);
            for (node, &length) in first.iter().enumerate() {
                let is_lower = length != u32::MAX && 6.6 + increment(length) < 7.0;
                nodes[node / 64] &= !((is_lower as u64) << (node % 64));
            }
            [first, all.shortest(nodes, |_| on, u32::MAX, |_| u32::MAX)]
        });
        let [[forced_by_houses, forced], [refuted_by_houses, refuted]] = &lengths;
        let best = |node: usize| {
            let known = [(6.6, refuted_by_houses[node]), (7.0, refuted[node])].into_iter();
            let ranks = known
                .filter(|&(_, length)| length != u32::MAX)
                .map(|(base, length)| (base + increment(length), length));
            ranks.min_by(|a, b| a.partial_cmp(b).expect("numbers"))
        };
        let bounds_cycles = self.bounds_cycles;
        let ends = |base: f64, refuted: Row<W>| {
            let limit = |node: usize| match best(node).filter(|_| bounds_cycles) {
                Some(best) => longest(base, best),
                None => u32::MAX,
            };
            let mut list = Vec::new();
            members(refuted, |node| list.push(End { node, least: 0, most: half(limit(node)) }));
            Ends { list, only_first: bounds_cycles, last: usize::MAX }
        };
        let mut ends_by_houses = [0; W];
        for (node, _) in refuted_by_houses.iter().enumerate().filter(|(_, length)| **length != u32::MAX) {
            ends_by_houses[node / 64] |= 1 << (node % 64);
        }
        let lengths = Some([forced_by_houses, refuted_by_houses]);
        by_houses.cycles(state, x, &exclusions, ends(6.5, ends_by_houses), lengths, hints);
        all.cycles(state, xy, &exclusions, ends(7.0, exclusions.refuted()), Some([forced, refuted]), hints);
        if has_cycle_of_cells(state) {
            let mut graph = all;
            graph.keep_links_by_cells(state);
            graph.join();
            let exclusions = Exclusions::new(&graph);
            graph.cycles(state, y, &exclusions, ends(6.5, exclusions.refuted()), None, hints);
        }
    }

    fn first_of_passes<const W: usize>(&mut self, state: &State, hints: &mut Hints) {
        let mut graph = Graph::<W>::new(state, PASSES[0]);
        // An assumption that holds in the solution has no chain to its opposite.
        let is_wrong = |&(cell, digit): &(u8, u8)| self.solution[cell as usize] != digit + 1;
        let on: Vec<bool> = graph.nodes.iter().map(is_wrong).collect();
        self.chained_digits = graph.first_by_houses(state, self.chained_digits, &on, hints);
        graph.add_cells(state);
        if let Some(most) = highest(hints, 7.0, Key::Xy) {
            graph.first_by_all(state, &on, most, hints);
        }
        if has_cycle_of_cells(state)
            && let Some(most) = highest(hints, 6.5, Key::Y)
        {
            graph.keep_links_by_cells(state);
            graph.first_by_cells(state, &on, most, hints);
        }
    }
}

impl<const W: usize> Graph<W> {
    /// The first hint of pass 1 by chains of some digits. Returns the digits that have chains.
    fn first_by_houses(&mut self, state: &State, digits: u16, on: &[bool], hints: &mut Hints) -> u16 {
        let mut nodes = [0; W];
        bits(digits & 0x1ff).for_each(|digit| or(&mut nodes, &self.digits[digit]));
        let exclusions = Exclusions::within(self, nodes);
        self.join_within(nodes);
        let chained = exclusions.chained(self, |node| on[node]);
        let beyond = |complexity| same_increment(complexity) + 2;
        let lengths = self.shortest(chained, |node| on[node], u32::MAX, beyond);
        if let Some(node) = first_shortest(&lengths) {
            hints.add(self.hint(state, PASSES[0], node, on[node], lengths[node], hints.explains));
            let most = same_increment(lengths[node]);
            let ends = ends(&lengths, on, most);
            self.cycles(state, PASSES[0], &exclusions, ends, None, hints);
        }
        (0..NINE).fold(0, |all, digit| all | (meets(&chained, &self.digits[digit]) as u16) << digit)
    }

    /// The first hint of pass 3 up to a complexity.
    fn first_by_all(&mut self, state: &State, on: &[bool], most: u32, hints: &mut Hints) {
        let exclusions = Exclusions::new(self);
        self.join();
        let chained = exclusions.chained(self, |node| on[node]);
        let lengths = self.shortest(chained, |node| on[node], most + 2, |complexity| complexity + 2);
        let Some(node) = first_shortest(&lengths) else { return };
        let least = lengths[node];
        let chain = self.hint(state, PASSES[2], node, on[node], least, hints.explains);
        // Of the same complexity, the cycles from this start and those before it come first.
        let mut cycle = Hints::new(false, hints.explains);
        cycle.best = Some(ChainHint { complexity: least + 1, ..chain.clone() });
        if cycle.may_win(7.0, least - 2, Key::Xy) {
            let ends = Ends { last: node, ..ends(&lengths, on, least) };
            self.cycles(state, PASSES[2], &exclusions, ends, None, &mut cycle);
        }
        if let Some(cycle) = cycle.best.filter(|best| best.complexity <= least) {
            hints.add(cycle);
        }
        hints.add(chain);
    }

    /// The first hint of pass 2 up to a complexity.
    fn first_by_cells(&mut self, state: &State, on: &[bool], most: u32, hints: &mut Hints) {
        let exclusions = Exclusions::new(self);
        let refuted = exclusions.refuted();
        if refuted == [0; W] {
            return;
        }
        self.join();
        let lengths = self.shortest(refuted, |_| true, most + 2, |_| u32::MAX);
        let ends = ends(&lengths, on, most);
        self.cycles(state, PASSES[1], &exclusions, ends, None, hints);
    }
}

/// The highest complexity of a cycle that comes before a chain of this rank.
fn longest(base: f64, rank: (f64, u32)) -> u32 {
    let is_before = |&complexity: &u32| (base + increment(complexity), complexity) <= rank;
    (4..).step_by(2).take_while(is_before).last().unwrap_or(0)
}

/// The wrong candidates that cycles up to a complexity may remove: it is lower by 2 at most than that of the chain.
fn ends(lengths: &[u32], on: &[bool], most: u32) -> Ends {
    let wrong = lengths.iter().zip(on).enumerate().filter(|(_, (length, on))| **on && **length - 2 <= most);
    let end = |(node, (&length, _))| End { node, least: half(length - 2), most: half(most) };
    Ends { list: wrong.map(end).collect(), only_first: false, last: usize::MAX }
}

/// The first node with the shortest chain.
fn first_shortest(lengths: &[u32]) -> Option<usize> {
    let least = lengths.iter().copied().min().filter(|&least| least != u32::MAX)?;
    lengths.iter().position(|&length| length == least)
}
