//! Techniques 23 to 30: all that follows from assumptions.

use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

use super::chain::{Cause, Chain, Key, Node, TRIPLES, Target, Triple, as_inner, parts, triple};
use super::forcing::{Kinds, chains as forcing_chains, followers};
use super::grid::{Grid, HOUSES, first, houses_of, members, size};
use super::patterns::{Pattern, fish, hidden_sets, locked, naked_sets};

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Nishio,
    Static,
    /// Level 0 to 5.
    Dynamic(usize),
}

impl Mode {
    fn base(self) -> f64 {
        match self {
            Mode::Nishio => 7.5,
            Mode::Static => 8.0,
            Mode::Dynamic(level) => [8.5, 9.0, 9.5, 10.0, 10.5, 11.0][level],
        }
    }

    /// The techniques whose chains are applied within its chains.
    fn inner(self) -> &'static [fn(&Grid) -> Vec<Chain>] {
        match self {
            Mode::Dynamic(2) => &[forcing_chains],
            Mode::Dynamic(3) => &[forcing_chains, |grid| chains(grid, Mode::Static)],
            Mode::Dynamic(4) => &[|grid| chains(grid, Mode::Dynamic(0))],
            Mode::Dynamic(5) => &[|grid| chains(grid, Mode::Dynamic(0)), |grid| chains(grid, Mode::Dynamic(2))],
            _ => &[],
        }
    }
}

/// What follows from an assumption.
struct Closure {
    nodes: Rc<Vec<Node>>,
    /// Where each node of the two sets, on and off, is in the list.
    at: Vec<Option<u16>>,
    /// An on node and an off node that contradict each other. One of them is in no set.
    contradiction: Option<[usize; 2]>,
}

impl Closure {
    fn target(&self, index: usize) -> Target {
        Target { nodes: self.nodes.clone(), index }
    }

    /// The nodes of one of the sets, in the order of entry.
    fn set(&self, on: bool) -> impl Iterator<Item = Triple> {
        let nodes = self.nodes.iter().enumerate();
        let in_set = move |(index, node): &(usize, &Node)| {
            (node.triple % 2 == 1) == on && self.at[node.triple] == Some(*index as u16)
        };
        nodes.filter(in_set).map(|(_, node)| node.triple)
    }
}

/// A closure in the making.
struct Making<'a> {
    mode: Mode,
    /// The candidates at the start, and those that are left.
    start: &'a Grid,
    grid: Grid,
    nodes: Vec<Node>,
    at: Vec<Option<u16>>,
    pending: [VecDeque<usize>; 2],
    contradiction: Option<[usize; 2]>,
}

impl Making<'_> {
    /// Enters a node that is not in the sets, unless it contradicts one of them.
    fn enter(&mut self, node: Node) {
        if self.contradiction.is_some() {
            return;
        }
        let (index, triple) = (self.nodes.len(), node.triple);
        if let Some(opposite) = self.at[triple ^ 1].map(usize::from) {
            self.nodes.push(node);
            self.contradiction = Some(if triple % 2 == 1 { [index, opposite] } else { [opposite, index] });
        } else if self.at[triple].is_none() {
            self.nodes.push(node);
            self.at[triple] = Some(index as u16);
            self.pending[triple % 2].push_back(index);
        }
    }

    /// The off nodes of candidates that were there at the start and are gone.
    fn gone(&self, candidates: impl Iterator<Item = (usize, u16)>) -> Vec<usize> {
        let mut found = Vec::new();
        for (cell, digits) in candidates {
            for digit in members(digits & self.start.candidates[cell] & !self.grid.candidates[cell]) {
                let node = self.at[triple(cell, digit, false)].expect("what is gone is off") as usize;
                if !found.contains(&node) {
                    found.push(node);
                }
            }
        }
        found
    }

    /// Those that a node that is on depends on, by its cause.
    fn hidden_parents(&self, node: Triple, cause: Cause) -> Vec<usize> {
        let (cell, digit, _) = parts(node);
        match cause {
            Cause::Cell => self.gone([(cell, 0x1ff)].into_iter()),
            Cause::House(kind) => self.gone(HOUSES[houses_of(cell)[kind]].into_iter().map(|cell| (cell, 1 << digit))),
            Cause::Assumption | Cause::Advanced => Vec::new(),
        }
    }

    fn follow(&mut self, index: usize) {
        let node = self.nodes[index].triple;
        let (cell, digit, on) = parts(node);
        let with_cells = self.mode != Mode::Nishio;
        let mut made = Vec::new();
        for (triple, cause) in followers(&self.grid, Kinds { x: true, y: with_cells, cells: with_cells }, node) {
            let mut parents = vec![index];
            if !on {
                parents.extend(self.hidden_parents(triple, cause));
            }
            made.push(Node { triple, cause, parents, inner: None });
        }
        if !on && self.mode != Mode::Static {
            self.grid.remove(cell, digit);
        }
        made.into_iter().for_each(|node| self.enter(node));
    }

    /// Applies simpler techniques, until one of them gives anything. Returns whether one did.
    fn advance(&mut self) -> bool {
        let families: [fn(&Grid) -> Vec<Pattern>; 4] =
            [locked, |grid| hidden_sets(grid, 2), |grid| naked_sets(grid, 2), |grid| fish(grid, 2)];
        let before = self.nodes.len();
        for family in families {
            for Pattern { removals, missing, .. } in family(&self.grid) {
                let parents = self.gone(missing.into_iter());
                self.enter_removals(&removals, parents, None);
            }
            if self.nodes.len() > before {
                return true;
            }
        }
        for chains in self.mode.inner() {
            for chain in as_inner(chains(&self.grid)) {
                let parents = self.parents_of(&chain);
                self.enter_removals(&chain.removals, parents, Some(&chain));
            }
            if self.nodes.len() > before {
                return true;
            }
        }
        false
    }

    fn enter_removals(&mut self, removals: &[(usize, u16)], parents: Vec<usize>, inner: Option<&Rc<Chain>>) {
        if parents.is_empty() {
            return;
        }
        for &(cell, digits) in removals {
            for digit in members(digits) {
                let (triple, parents, inner) = (triple(cell, digit, false), parents.clone(), inner.cloned());
                self.enter(Node { triple, cause: Cause::Advanced, parents, inner });
            }
        }
    }

    /// What an inner chain depends on.
    fn parents_of(&self, chain: &Chain) -> Vec<usize> {
        let mut found = Vec::new();
        for target in &chain.targets {
            for node in target.ancestors().into_iter().filter(|node| node.triple % 2 == 1) {
                let cause = match (node.cause, chain.key) {
                    (Cause::Assumption, Key::Cell) => Cause::Cell,
                    (Cause::Assumption, Key::Region(kind)) => Cause::House(kind),
                    (cause, _) => cause,
                };
                for parent in self.hidden_parents(node.triple, cause) {
                    if !found.contains(&parent) {
                        found.push(parent);
                    }
                }
            }
        }
        found
    }
}

fn closure(grid: &Grid, mode: Mode, assumption: Triple) -> Closure {
    let mut making = Making {
        mode,
        start: grid,
        grid: grid.clone(),
        nodes: Vec::new(),
        at: vec![None; TRIPLES],
        pending: Default::default(),
        contradiction: None,
    };
    making.enter(Node { triple: assumption, cause: Cause::Assumption, parents: Vec::new(), inner: None });
    while making.contradiction.is_none() {
        if let Some(index) = making.pending[1].pop_front().or_else(|| making.pending[0].pop_front()) {
            making.follow(index);
        } else if !matches!(mode, Mode::Dynamic(1..)) || !making.advance() {
            break;
        }
    }
    Closure { nodes: Rc::new(making.nodes), at: making.at, contradiction: making.contradiction }
}

/// The search for the chains of a technique.
struct Search<'a> {
    grid: &'a Grid,
    mode: Mode,
    closures: HashMap<Triple, Rc<Closure>>,
    hints: Vec<Chain>,
}

impl Search<'_> {
    fn closure(&mut self, assumption: Triple) -> Rc<Closure> {
        let new = || Rc::new(closure(self.grid, self.mode, assumption));
        self.closures.entry(assumption).or_insert_with(new).clone()
    }

    /// An assumption with a contradiction is wrong.
    fn add_contradiction(&mut self, assumption: Triple) {
        let closure = self.closure(assumption);
        if let Some(nodes) = closure.contradiction {
            let targets = nodes.map(|node| closure.target(node)).into();
            let (base, conclusion) = (self.mode.base(), assumption ^ 1);
            self.hints.extend(Chain::concluding(self.grid, base, Key::Contradiction, conclusion, targets));
        }
    }

    /// What follows from all of some assumptions holds.
    fn add_common(&mut self, key: Key, assumptions: &[Triple]) {
        let closures: Vec<_> = assumptions.iter().map(|&assumption| self.closure(assumption)).collect();
        for conclusion in [true, false].into_iter().flat_map(|on| closures[0].set(on)) {
            let at = |closure: &Rc<Closure>| Some(closure.target(closure.at[conclusion]? as usize));
            if let Some(targets) = closures.iter().map(at).collect() {
                self.hints.extend(Chain::concluding(self.grid, self.mode.base(), key, conclusion, targets));
            }
        }
    }

    fn add_of_cell(&mut self, cell: usize) {
        let candidates = self.grid.candidates[cell];
        let is_dynamic = self.mode != Mode::Static;
        for digit in members(candidates) {
            let [on, off] = [true, false].map(|on| triple(cell, digit, on));
            if is_dynamic {
                self.add_contradiction(on);
                self.add_contradiction(off);
            }
            if self.mode == Mode::Nishio {
                continue;
            }
            if is_dynamic && size(candidates) >= 3 {
                self.add_common(Key::Double, &[on, off]);
            }
            for (kind, house) in houses_of(cell).into_iter().enumerate() {
                let places = self.grid.places(digit, house);
                if size(places) >= 2 && HOUSES[house][first(places)] == cell {
                    let on = members(places).map(|i| triple(HOUSES[house][i], digit, true));
                    self.add_common(Key::Region(kind), &on.collect::<Vec<_>>());
                }
            }
        }
        if self.mode != Mode::Nishio {
            let on = members(candidates).map(|digit| triple(cell, digit, true));
            self.add_common(Key::Cell, &on.collect::<Vec<_>>());
        }
    }
}

/// All hints of a technique, in the order in which they are found.
pub fn chains(grid: &Grid, mode: Mode) -> Vec<Chain> {
    let mut search = Search { grid, mode, closures: HashMap::new(), hints: Vec::new() };
    let least = if mode == Mode::Static { 3 } else { 2 };
    for cell in (0..81).filter(|&cell| size(grid.candidates[cell]) >= least) {
        search.add_of_cell(cell);
    }
    search.hints
}
