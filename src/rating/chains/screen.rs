//! Technique 21 without the search: the length of the shortest forcing chain of every assumption at once.
//!
//! Static links form a graph that can be read backwards with all nodes opposite: on to off by *weak* links between candidates that
//! exclude each other, off to on by *strong* links between candidates of which one holds. Sets of candidates are rows of bits.
//!
//! ```text
//! s on  -> x on, s on  -> y on, x and y exclude each other:  s on -> .. x on -> y off .. -> s off
//! s off -> x on, s off -> y on, x and y exclude each other:  s off -> .. x on -> y off .. -> s on
//! ```
//!
//! So a chain is found when the searches from both of its ends meet, at half its length. `k` on nodes after the start give a complexity of
//! `2k + 2` for an assumption that is on, and of `2k` for one that is off. All assumptions are advanced by a level at a time, until
//! one of them meets. An assumption that holds in the solution meets nothing and is left out.
//!
//! If a cycle of complexity `n` removes a candidate, there is a forcing chain from that candidate of complexity `n + 2` at
//! most. So cycles need be searched only where there are such chains.

use super::cycles::cycles;
use super::forcing::{PASSES, Pass, forced};
use super::search::Hints;
use super::{Branches, ChainHint, Key, Search, Triple, increment, removal, triple};
use crate::grid::CELLS;
use crate::rating::state::State;
use crate::rating::tables::{PEERS_OF, bits, cells, is_pair, size};

/// A set of nodes.
type Row<const W: usize> = [u64; W];

#[inline]
fn or<const W: usize>(a: &mut Row<W>, b: &Row<W>) {
    a.iter_mut().zip(b).for_each(|(a, b)| *a |= b);
}

#[inline]
fn meets<const W: usize>(a: &Row<W>, b: &Row<W>) -> bool {
    a.iter().zip(b).fold(0, |any, (a, b)| any | a & b) != 0
}

#[inline]
fn members<const W: usize>(row: Row<W>, mut visit: impl FnMut(usize)) {
    for (i, mut word) in row.into_iter().enumerate() {
        while word != 0 {
            visit(64 * i + word.trailing_zeros() as usize);
            word &= word - 1;
        }
    }
}

/// The links among the candidates of a grid, numbered by cell, then digit.
struct Graph<const W: usize> {
    count: usize,
    /// Cell and digit.
    nodes: Vec<(u8, u8)>,
    weak: Vec<Row<W>>,
    strong: Vec<Row<W>>,
    /// From on node to on node.
    next: Vec<Row<W>>,
}

/// What one assumption reaches.
#[derive(Clone, Copy)]
struct Front<const W: usize> {
    /// On nodes of all levels, and of the last one.
    reached: Row<W>,
    last: Row<W>,
    /// Off nodes of all levels but perhaps the last one.
    off: Row<W>,
    is_done: bool,
}

impl<const W: usize> Graph<W> {
    /// The links of a pass.
    fn new(state: &State, pass: Pass) -> Graph<W> {
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
        graph.next.resize(graph.count, [0; W]);
        for node in 0..graph.count {
            let (cell, digit) = (graph.nodes[node].0 as usize, graph.nodes[node].1 as usize);
            let set = |row: &mut Row<W>, other: usize| row[other / 64] |= 1 << (other % 64);
            let weak = &mut graph.weak[node];
            if pass.cells {
                let own = state.candidates[cell];
                for other in bits(own & !(1 << digit)) {
                    set(weak, index[cell][other] as usize);
                }
                if is_pair(own) {
                    let other = (own & !(1 << digit)).trailing_zeros() as usize;
                    set(&mut graph.strong[node], index[cell][other] as usize);
                }
            }
            for other in cells(state.cells[digit] & PEERS_OF[cell]) {
                set(weak, index[other][digit] as usize);
            }
            for kind in 0..3 {
                if let Some(other) = state.partner(cell, digit, kind) {
                    set(&mut graph.strong[node], index[other][digit] as usize);
                }
            }
        }
        for node in 0..graph.count {
            let strong = graph.strong[node];
            if strong != [0; W] {
                members(graph.weak[node], |other| or(&mut graph.next[other], &strong));
            }
        }
        graph
    }

    fn start(&self, node: usize, on: bool) -> Front<W> {
        let mut front = Front { reached: [0; W], last: [0; W], off: [0; W], is_done: false };
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

    /// The complexity of the shortest chain from each node that `on` is given for, up to `most`, and to `beyond` the
    /// lowest of all. `u32::MAX` where there is none.
    fn shortest(&self, on: impl Fn(usize) -> bool, mut most: u32, beyond: impl Fn(u32) -> u32) -> Vec<u32> {
        let mut fronts: Vec<_> = (0..self.count).map(|node| self.start(node, on(node))).collect();
        let mut lengths = vec![u32::MAX; self.count];
        let mut complexity = 4;
        let mut any = true;
        while complexity <= most && any {
            any = false;
            for (node, front) in fronts.iter_mut().enumerate().filter(|(_, front)| !front.is_done) {
                // The levels that meet: the last one with itself, or with the one before.
                let k = (complexity - 2 * on(node) as u32) / 2;
                if k % 2 == 1 {
                    self.advance(front);
                } else {
                    self.close(front);
                }
                if meets(&front.last, &front.off) {
                    lengths[node] = complexity;
                    front.is_done = true;
                    most = most.min(beyond(complexity));
                } else {
                    front.is_done = front.last == [0; W];
                }
                any |= !front.is_done;
            }
            complexity += 2;
        }
        lengths
    }

    /// The hint of the shortest chain of a node.
    fn hint(&self, state: &State, pass: Pass, node: usize, on: bool, complexity: u32, explains: bool) -> ChainHint {
        let (cell, digit) = self.nodes[node];
        let start = triple(cell as usize, digit as usize, on);
        if explains {
            let mut hints = Hints::new(false, true);
            forced(state, pass, start, &mut hints, &mut Vec::new());
            return hints.best.expect("there is a chain");
        }
        ChainHint {
            difficulty: if pass.cells { 7.0 } else { 6.6 } + increment(complexity),
            complexity,
            key: pass.key,
            branches: Branches::Single,
            removals: vec![removal(state, start ^ 1).expect("the cell has several candidates")],
            place: (!on).then_some((cell, digit)),
            targets: Vec::new(),
        }
    }

    /// What an assumption reaches within so many levels.
    fn spread(&self, node: usize, on: bool, levels: u32) -> Front<W> {
        let mut front = self.start(node, on);
        self.close(&mut front);
        for _ in on as u32..levels {
            self.advance(&mut front);
            self.close(&mut front);
        }
        front
    }

    /// Whether a cycle of this complexity may remove the node: two nodes of its digit that it excludes by houses are linked both ways.
    fn may_be_in_cycle(&self, node: usize, complexity: u32) -> bool {
        let digit = self.nodes[node].1;
        let mut near = [0; W];
        members(self.weak[node], |other| {
            if self.nodes[other].1 == digit {
                near[other / 64] |= 1 << (other % 64);
            }
        });
        let levels = complexity / 4 + 1;
        let mut found = false;
        let mut before: Vec<(usize, Front<W>, Front<W>)> = Vec::new();
        members(near, |a| {
            if found {
                return;
            }
            let (off, on) = (self.spread(a, false, levels), self.spread(a, true, levels));
            found = before.iter().any(|(b, other_off, other_on)| {
                let weak = self.weak[a][b / 64] >> (b % 64) & 1 == 1;
                let meets_off = meets(&off.reached, &other_off.off);
                meets_off && (weak || meets(&on.reached, &other_on.off))
            });
            before.push((a, off, on));
        });
        found
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
        return Some(u32::MAX - 2);
    }
    (4..).step_by(2).take_while(|&complexity| hints.may_win(base, complexity, key)).last()
}

/// The digits of cells with two candidates that lie on a cycle of such cells.
fn on_cycles_of_cells(state: &State) -> Vec<Triple> {
    let pairs = state.bivalue();
    // Two nodes for each cell: the lower digit, then the higher one.
    let mut number = [0u8; CELLS];
    cells(pairs).zip(0..).for_each(|(cell, i)| number[cell] = i);
    let nodes: Vec<(usize, usize)> =
        cells(pairs).flat_map(|cell| bits(state.candidates[cell]).map(move |digit| (cell, digit))).collect();
    let count = nodes.len();
    let mut links = [vec![0u128; count], vec![0u128; count]];
    let is_small = count <= 128;
    for (node, &(cell, digit)) in nodes.iter().enumerate().filter(|_| is_small) {
        for other in cells(pairs & PEERS_OF[cell] & state.cells[digit]) {
            let digits = state.candidates[other];
            // The other digit of the cell.
            let is_higher = digits & ((1 << digit) - 1) == 0;
            let next = 2 * number[other] as usize + is_higher as usize;
            links[0][node] |= 1 << next;
            links[1][next] |= 1 << node;
        }
    }
    let mut left = if is_small && count > 0 { u128::MAX >> (128 - count) } else { u128::MAX };
    loop {
        let stays = |&node: &usize| links.iter().all(|links| links[node] & left != 0);
        let next = cells(left).filter(|&node| node < count).filter(stays).fold(0, |set, node| set | 1 << node);
        if !is_small || next == left {
            break;
        }
        left = next;
    }
    let nodes = nodes.iter().enumerate().filter(|(node, _)| !is_small || left >> node & 1 == 1);
    nodes.map(|(_, &(cell, digit))| triple(cell, digit, true)).collect()
}

impl Search {
    /// Finds the first hint of technique 21.
    pub fn first_forcing(&mut self, state: &State, hints: &mut Hints) {
        let count: usize = state.candidates.iter().map(|set| size(*set)).sum();
        self.count(count);
        match count {
            0..=128 => self.first_of_passes::<2>(state, hints),
            129..=192 => self.first_of_passes::<3>(state, hints),
            193..=256 => self.first_of_passes::<4>(state, hints),
            257..=384 => self.first_of_passes::<6>(state, hints),
            _ => self.first_of_passes::<12>(state, hints),
        }
    }

    fn first_of_passes<const W: usize>(&mut self, state: &State, hints: &mut Hints) {
        let [x, y, _] = PASSES;
        let mut links = Vec::new();
        let solution = self.solution;
        let is_assumed_on = |&(cell, digit): &(u8, u8)| solution[cell as usize] != digit + 1;

        let graph = Graph::<W>::new(state, x);
        let is_on = |node: usize| is_assumed_on(&graph.nodes[node]);
        let lengths = graph.shortest(is_on, u32::MAX, |complexity| same_increment(complexity) + 2);
        if let Some(node) = first_shortest(&lengths) {
            hints.add(graph.hint(state, x, node, is_on(node), lengths[node], hints.explains));
            // Cycles of a digit need a forcing chain of the digit.
            let reach = |node: &usize| is_on(*node) && lengths[*node] <= same_increment(hints_complexity(hints)) + 2;
            let digits = (0..graph.count).filter(reach).fold(0, |set, node| set | 1u16 << graph.nodes[node].1);
            for &(cell, digit) in graph.nodes.iter().filter(|(_, digit)| digits >> digit & 1 == 1) {
                cycles(state, x, triple(cell as usize, digit as usize, true), hints, &mut links);
            }
        }
        if let Some(most) = highest(hints, 7.0, Key::Xy) {
            self.both::<W>(state, hints, most);
        }
        for start in on_cycles_of_cells(state) {
            cycles(state, y, start, hints, &mut links);
        }
    }

    /// Pass 3, up to a complexity.
    fn both<const W: usize>(&mut self, state: &State, hints: &mut Hints, most: u32) {
        let pass = PASSES[2];
        let graph = Graph::<W>::new(state, pass);
        let solution = self.solution;
        let is_on = |node: usize| solution[graph.nodes[node].0 as usize] != graph.nodes[node].1 + 1;
        let lengths = graph.shortest(is_on, most + 2, |complexity| complexity + 2);
        let Some(node) = first_shortest(&lengths) else { return };
        let least = lengths[node];
        let chain = graph.hint(state, pass, node, is_on(node), least, hints.explains);
        let may_be_cycle = |complexity: u32| {
            let mut ends = (0..graph.count).filter(|&node| is_on(node) && lengths[node] <= complexity + 2);
            complexity >= 4 && ends.any(|node| graph.may_be_in_cycle(node, complexity))
        };
        if may_be_cycle(least - 2) || may_be_cycle(least) {
            // Cycles come before chains of the same complexity.
            let mut cycle = Hints::new(false, hints.explains);
            cycle.best = Some(ChainHint { complexity: least + 1, ..chain.clone() });
            let mut links = Vec::new();
            for &(cell, digit) in &graph.nodes {
                cycles(state, pass, triple(cell as usize, digit as usize, true), &mut cycle, &mut links);
            }
            if let Some(cycle) = cycle.best.filter(|best| best.complexity <= least) {
                hints.add(cycle);
            }
        }
        hints.add(chain);
    }
}

/// The complexity of the best hint.
fn hints_complexity(hints: &Hints) -> u32 {
    hints.best.as_ref().map_or(0, |best| best.complexity)
}

/// The first node with the shortest chain.
fn first_shortest(lengths: &[u32]) -> Option<usize> {
    let least = lengths.iter().copied().min().filter(|&least| least != u32::MAX)?;
    lengths.iter().position(|&length| length == least)
}
