//! Techniques 23 to 30: Nishio, multiple and dynamic forcing chains.
//!
//! - Nishio (7.5): an assumption and links by houses only lead to a contradiction.
//! - Multiple (8.0): all candidates of a cell, or all places of a digit in a house, lead to the same node.
//! - Dynamic (8.5): the same with links that appear as candidates disappear; also contradictions, and double chains: a
//!   candidate that is on and one that is off lead to the same node.
//! - With a level (9.0 to 11.0): the same with simpler techniques in between.
//!
//! Without dynamic links, cells with two candidates give no cell chain, and a house is examined from its first cell
//! with the digit only if that has three or more candidates. So the rating depends on how the puzzle is presented.

use super::advanced::Advanced;
use super::closure::{Closure, Nodes, Rules, Sums, is_empty, keep, remove};
use super::filter::Set;
use super::hints::Hints;
use super::search::Frame;
use super::{Cause, Key, Mode, Search, Triple, parts, triple};
use crate::grid::CELLS;
use crate::rating::Technique;
use crate::rating::state::State;
use crate::rating::tables::{BIT_OF, CELLS_OF, HOUSES_OF, MASK_OF, NINE, PEERS_OF, bits, cells, has_two, size};

impl Mode {
    fn base(self) -> f64 {
        let technique = match self {
            Mode::Forcing => Technique::Forcing,
            Mode::Nishio => Technique::Nishio,
            Mode::Static => Technique::Multiple,
            Mode::Dynamic(level) => Technique::ALL[Technique::Dynamic as usize + level as usize],
        };
        f64::from(technique.least().0) / 10.0
    }

    fn rules(self) -> Rules {
        Rules { dynamic: self != Mode::Static, y: self != Mode::Nishio }
    }
}

/// The hints of one technique.
struct Chains<'a> {
    search: &'a mut Search,
    state: &'a State,
    sums: Sums,
    mode: Mode,
    hints: &'a mut Hints,
    /// The level of the upper bounds of what follows, if they cover it.
    level: Option<usize>,
}

impl Search {
    /// Finds the hints of technique 23 for some digits. Those of a digit depend on the candidates with this digit only.
    pub fn nishio(&mut self, state: &State, digits: u16, hints: &mut Hints) {
        let mut frame = self.frame();
        let mut chains = Chains { search: self, state, sums: Sums::new(state), mode: Mode::Nishio, hints, level: None };
        // Only an assumption that does not hold in the solution has a contradiction.
        let right = chains.search.known.solution;
        let mut found = [0; NINE];
        for digit in bits(digits & 0x1ff) {
            found[digit] = contradictions_of_digit(state, digit, !right[digit]);
        }
        for cell in cells(found.iter().fold(0, |all, set| all | set)) {
            if has_two(state.candidates[cell]) && !chains.search.is_stopped {
                for digit in (0..NINE).filter(|&digit| found[digit] >> cell & 1 == 1) {
                    let is_right = right[digit] >> cell & 1 == 1;
                    chains.contradiction(&mut frame, triple(cell, digit, !is_right));
                }
            }
        }
        self.frames.push(frame);
    }

    /// Finds the hints of techniques 24 to 30.
    pub fn multiple(&mut self, state: &State, mode: Mode, hints: &mut Hints) {
        let mut frame = self.frame();
        // Within other chains there is no solution to go by, as their assumption may be wrong.
        let level = if hints.all { None } else { self.known.begin(state, mode) };
        let mut chains = Chains { search: self, state, sums: Sums::new(state), mode, hints, level };
        if mode != Mode::Static {
            chains.contradictions(&mut frame);
        }
        let least = if mode == Mode::Static { 3 } else { 2 };
        let mut sets = Vec::new();
        for cell in (0..CELLS).filter(|&cell| size(state.candidates[cell]) >= least) {
            chains.add_sets(cell, &mut sets);
        }
        if mode == Mode::Static && !chains.hints.all && chains.search.known.has_no_contradictions(state) {
            sets = chains.first_of_least(&sets).into_iter().collect();
        }
        for (set, members) in sets {
            if !chains.search.is_stopped {
                chains.common(&mut frame, set, members);
                chains.count_work();
            }
        }
        self.frames.push(frame);
    }
}

impl Chains<'_> {
    /// The closure of an assumption, as an index.
    fn closure(&mut self, frame: &mut Frame, assumption: Triple) -> usize {
        let known = frame.at[assumption as usize];
        if known != 0 {
            return known as usize - 1;
        }
        if frame.closures.len() == frame.used {
            frame.closures.push(Closure::default());
        }
        let index = frame.used;
        frame.used += 1;
        frame.at[assumption as usize] = index as u16 + 1;
        let (closure, rules) = (&mut frame.closures[index], self.mode.rules());
        match self.mode {
            Mode::Dynamic(level) if level > 0 => {
                let is_lazy = !self.hints.all && self.search.known.has_no_chains;
                let mut advanced = Advanced::new(self.search, self.state, level, is_lazy);
                let advance = |closure: &mut Closure| advanced.advance(self.state, closure);
                closure.run(self.state, &self.sums, assumption, rules, advance);
            }
            _ => closure.run(self.state, &self.sums, assumption, rules, |_| false),
        }
        self.search.count(closure.nodes.len());
        index
    }

    fn conclude(&mut self, kind: (Key, Cause), conclusion: Triple, targets: &[(&Closure, usize)]) {
        self.hints.conclude(self.state, &self.search.inner, self.mode.base(), kind, conclusion, targets);
    }

    /// Finds the reasons of the inner chains that lead to a node.
    fn resolve(&mut self, frame: &mut Frame, index: usize, node: usize) {
        frame.closures[index].resolve(node, self.state, &mut self.search.inner);
        frame.closures[index].find_ancestors(self.state);
    }

    /// A contradiction refutes the assumption.
    fn contradiction(&mut self, frame: &mut Frame, assumption: Triple) {
        let index = self.closure(frame, assumption);
        if let Some((on, off)) = frame.closures[index].contradiction {
            let [on, off] = [on as usize, off as usize];
            let closure = &mut frame.closures[index];
            closure.find_ancestors(self.state);
            let closure = &frame.closures[index];
            let least = self.hints.complexity(&self.search.inner, &[(closure, on), (closure, off)]);
            if !self.hints.may_win(self.mode.base(), least, Key::Contradiction) {
                return;
            }
            self.resolve(frame, index, on);
            self.resolve(frame, index, off);
            let closure = &frame.closures[index];
            let targets = [(closure, on), (closure, off)];
            self.conclude((Key::Contradiction, Cause::None), assumption ^ 1, &targets);
        }
    }

    /// The contradictions of all assumptions. They come first, because fewer closures are then needed for common nodes.
    /// The order does not matter: hints by common nodes have other keys.
    fn contradictions(&mut self, frame: &mut Frame) {
        for cell in 0..CELLS {
            if has_two(self.state.candidates[cell]) && !self.search.is_stopped {
                for digit in bits(self.state.candidates[cell]) {
                    let assumption = triple(cell, digit, true);
                    for assumption in [assumption, assumption ^ 1] {
                        if self.may_be_refuted(assumption) {
                            self.contradiction(frame, assumption);
                        }
                    }
                }
                self.count_work();
            }
        }
    }

    /// Adds the sets of assumptions of a cell that may have common nodes, with their members.
    fn add_sets(&self, cell: usize, sets: &mut Vec<(Set, u16)>) {
        let candidates = self.state.candidates[cell];
        for digit in bits(candidates) {
            if self.mode != Mode::Static && size(candidates) >= 3 && !self.is_without_effect(cell, digit) {
                sets.push((Set::Candidate(cell, digit), 0b11));
            }
            // The houses in which this cell is the first place of the digit.
            for (kind, house) in (0..).zip(HOUSES_OF[cell].map(usize::from)) {
                let places = self.state.places[house][digit];
                if has_two(places) && CELLS_OF[house][places.trailing_zeros() as usize] as usize == cell {
                    sets.push((Set::House(kind, house, digit), places));
                }
            }
        }
        sets.push((Set::Cell(cell), candidates));
    }

    /// The first set with the least complexity, by static links without contradictions.
    fn first_of_least(&mut self, sets: &[(Set, u16)]) -> Option<(Set, u16)> {
        let chains = self.search.known.chains_left(self.state);
        let rank = |&(set, members): &(Set, u16)| {
            let complexity = chains.least_common(&mut bits(members).map(|i| set.member(i)))?;
            Some(((complexity, set.kind().0), (set, members)))
        };
        let first = sets.iter().filter_map(rank).reduce(|best, other| if other.0 < best.0 { other } else { best });
        first.map(|(_, set)| set)
    }

    /// Whether nothing follows at level 0, by singles, if one of three or more candidates of a cell is gone.
    fn is_without_effect(&self, cell: usize, digit: usize) -> bool {
        let has_three = |house: u8| size(self.state.places[house as usize][digit]) >= 3;
        self.level == Some(0) && HOUSES_OF[cell].into_iter().all(has_three)
    }

    /// Counts the work for the bounds.
    fn count_work(&mut self) {
        let work = self.search.known.upper_bounds.work();
        self.search.count(work);
    }

    /// Whether the closure of an assumption may have a contradiction.
    fn may_be_refuted(&mut self, assumption: Triple) -> bool {
        let (Some(level), known) = (self.level, &mut self.search.known) else { return true };
        !known.is_right(assumption) && known.upper_bounds.find(level, assumption).is_none()
    }

    /// Keeps the nodes that may follow from all members of a set, by the closures that are known and the bounds of the
    /// others. Returns whether there are any.
    fn bound(&mut self, frame: &Frame, set: Set, members: u16, all: &mut Nodes) -> bool {
        let is_known = |i: &usize| frame.at[set.member(*i) as usize] != 0;
        if let Some(level) = self.level {
            let bounds = &mut self.search.known.upper_bounds;
            (all.off, all.on) = (bounds.known, bounds.known);
            let unknown = bits(members).filter(|i| !is_known(i));
            // Where nothing is off, nothing is on.
            for i in unknown.clone() {
                if let Some((left, _)) = bounds.left(level, set.member(i)) {
                    remove(&mut all.off, left);
                    if is_empty(&all.off) {
                        return false;
                    }
                }
            }
            for i in unknown {
                if let Some((_, on)) = bounds.left(level, set.member(i)) {
                    keep(&mut all.on, on);
                }
            }
        }
        for known in bits(members).filter(is_known) {
            all.keep(&frame.closures[frame.at[set.member(known) as usize] as usize - 1].set);
        }
        !all.is_empty()
    }

    /// The hints of the nodes that follow from all members of a set.
    fn common(&mut self, frame: &mut Frame, set: Set, members: u16) {
        let assumptions = bits(members).map(|i| set.member(i));
        if self.mode == Mode::Static && self.hints.all {
            let chains = self.search.known.chains_left(self.state);
            if !chains.have_common(self.state, &mut assumptions.clone()) {
                return;
            }
        }
        let mut all = Nodes::ALL;
        if !self.bound(frame, set, members, &mut all) {
            return;
        }
        self.keep_promising(frame, set, members, &mut all);
        let mut closures = [0; 9];
        let mut count = 0;
        for assumption in assumptions {
            if all.is_empty() {
                return;
            }
            closures[count] = self.closure(frame, assumption);
            all.keep(&frame.closures[closures[count]].set);
            count += 1;
        }
        if !all.is_empty() {
            self.conclude_common(frame, set, &closures[..count], &all);
        }
    }

    /// Keeps the nodes that may give the first hint, by the closures that are known.
    fn keep_promising(&mut self, frame: &mut Frame, set: Set, members: u16, all: &mut Nodes) {
        if self.hints.all || self.hints.best.is_none() {
            return;
        }
        let at = bits(members).map(|i| frame.at[set.member(i) as usize] as usize).filter(|&at| at != 0);
        let known: Vec<usize> = at.map(|at| at - 1).collect();
        if known.is_empty() {
            return;
        }
        known.iter().for_each(|&at| frame.closures[at].find_ancestors(self.state));
        // An unknown closure has at least the node and its assumption, which may be the node itself in one of them.
        let others = (2 * (size(members) - known.len()) as u32).saturating_sub(1);
        let mut targets = Vec::with_capacity(known.len());
        for (on, nodes) in [(true, &mut all.on), (false, &mut all.off)] {
            for (digit, nodes) in nodes.iter_mut().enumerate() {
                for cell in cells(*nodes) {
                    targets.clear();
                    targets.extend(known.iter().map(|&at| {
                        let closure = &frame.closures[at];
                        (closure, closure.find(triple(cell, digit, on)).expect("it is in the set"))
                    }));
                    let least = self.hints.complexity(&self.search.inner, &targets) + others;
                    if !self.hints.may_win(self.mode.base(), least, set.kind().0) {
                        *nodes &= !BIT_OF[cell];
                    }
                }
            }
        }
    }

    /// The nodes that are in all closures: first those on, then those off, in the order of the first closure.
    fn conclude_common(&mut self, frame: &mut Frame, set: Set, closures: &[usize], all: &Nodes) {
        let kind = set.kind();
        closures.iter().for_each(|&closure| frame.closures[closure].find_ancestors(self.state));
        for (on, all) in [(true, &all.on), (false, &all.off)] {
            if is_empty(all) {
                continue;
            }
            for index in 0..frame.closures[closures[0]].nodes.len() {
                let node = frame.closures[closures[0]].nodes[index].triple;
                let (cell, digit, is_on) = parts(node);
                if is_on != on || all[digit] >> cell & 1 == 0 {
                    continue;
                }
                let (mut nodes, mut least) = ([index; 9], 0);
                for (node_of, &closure) in nodes.iter_mut().zip(closures) {
                    *node_of = frame.closures[closure].find(node).expect("it is in the set");
                    least += frame.closures[closure].count_ancestors(*node_of);
                }
                if !self.hints.may_win(self.mode.base(), least, kind.0) {
                    continue;
                }
                for (&node, &closure) in nodes.iter().zip(closures) {
                    self.resolve(frame, closure, node);
                }
                let target = |i: usize| (&frame.closures[closures[i.min(closures.len() - 1)]], nodes[i]);
                let targets: [_; 9] = std::array::from_fn(target);
                self.conclude(kind, node, &targets[..closures.len()]);
            }
        }
    }
}

/// The cells in which a digit leaves a house without a place for it, by hidden singles of the digit alone. It is
/// assumed to be on in the cells of `on`, and off in others.
fn contradictions_of_digit(state: &State, digit: usize, on: u128) -> u128 {
    let places = state.cells[digit];
    // The assumptions, by their cells, under which a cell has the digit as candidate, and under which it is a single.
    let (mut left, mut singles) = ([0; CELLS], [0; CELLS]);
    for cell in cells(places) {
        left[cell] = places & !(PEERS_OF[cell] & on) & !(BIT_OF[cell] & !on);
    }
    let (mut contradictions, mut is_changed) = (0, true);
    while is_changed {
        is_changed = false;
        for house in MASK_OF.into_iter().map(|house| places & house).filter(|house| *house != 0) {
            let (mut once, mut twice) = (0, 0);
            for cell in cells(house) {
                twice |= once & left[cell];
                once |= left[cell];
            }
            contradictions |= places & !once;
            for cell in cells(house) {
                let new = left[cell] & !twice & !singles[cell];
                if new != 0 {
                    singles[cell] |= new;
                    cells(places & PEERS_OF[cell]).for_each(|peer| left[peer] &= !new);
                    is_changed = true;
                }
            }
        }
    }
    contradictions
}
