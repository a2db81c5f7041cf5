//! Techniques 21 and 23 to 30: chains of implications.
//!
//! | what defines a rating | what only saves time, in `filter` |
//! |---|---|
//! | `mod`: nodes, hints, increments, removals | `rows`: sets of nodes as rows of bits |
//! | `forcing`: links and their order, passes, a shortest chain | `links`: static links, and what excludes what by them |
//! | `cycles`: cycles from a start | `forcing_lengths`: which assumptions have a chain, and its length |
//! | `closure`: what follows from an assumption, and its ancestors | `cycle_bounds`: where cycles may be, and their least length |
//! | `multiple`: contradictions, double, region and cell chains | `static_chains`: which hint of techniques 21 and 24 is the first |
//! | `advanced`: simpler techniques and inner chains within a closure | `exclusions`: the links left under an assumption |
//! | `hints`: the order of hints, equal inner chains | `upper_bounds`: the most that follows from an assumption |
//! | | `mod`: when these hold (`Known`) |
//!
//! A rating changes only by the left column. The tests have its rules once more, in `tests/it/reference`, without any
//! filter.
//!
//! A *node* says that a candidate is on (it is the value) or off. Links between nodes:
//!
//! | link | if | cause |
//! |---|---|---|
//! | on to off | another candidate of the cell | cell |
//! | on to off | the same digit elsewhere in a house | block, row, column |
//! | off to on | the cell has two candidates | cell |
//! | off to on | the digit has two places in the house | block, row, column |
//!
//! Links by cells are called Y, those by houses X. In dynamic chains candidates that are off disappear, so that new
//! links appear; the nodes that removed the others are *hidden parents* of what follows. From level 1 on, simpler
//! techniques are applied to what is left.
//!
//! The rating of a chain is that of its technique plus 0.1 for each of the steps 4, 6, 8, 12, 16, 24, ... that its
//! length exceeds; the length counts the different nodes among the ancestors of its ends. Of all hints of a technique
//! the one with the lowest rating, then complexity, then kind is the first; of equal ones that found first.

mod advanced;
mod closure;
mod cycles;
mod filter;
mod forcing;
mod hints;
mod multiple;
mod search;

pub use hints::{Hints, Inner};
pub use search::Search;

use super::state::State;
use super::tables::PEERS_OF;
use crate::grid::CELLS;

/// Which of the techniques with chains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    Forcing,
    Nishio,
    Static,
    /// Level 0 to 5.
    Dynamic(u8),
}

/// A node: `2 * (9 * cell + digit)`, plus 1 if it is on.
pub type Triple = u16;

/// The number of nodes of a grid.
pub const TRIPLES: usize = 2 * 9 * CELLS;

#[inline]
pub fn triple(cell: usize, digit: usize, on: bool) -> Triple {
    (2 * (9 * cell + digit) + on as usize) as Triple
}

#[inline]
pub fn parts(triple: Triple) -> (usize, usize, bool) {
    let candidate = triple as usize / 2;
    (candidate / 9, candidate % 9, triple & 1 == 1)
}

/// Why a node follows from its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// It is assumed.
    None,
    Cell,
    /// A block, row or column of the cell: 0, 1, 2.
    House(u8),
    /// A simpler technique on what is left.
    Advanced,
}

/// The kinds of hints, in order of preference among hints of equal complexity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    Double,
    X,
    Y,
    Xy,
    Cell,
    Region,
    Contradiction,
}

/// `X`, `Y` and `Xy` are the passes of technique 21.
impl Key {
    /// Whether links by houses lead from off to on.
    pub fn by_houses(self) -> bool {
        self != Key::Y
    }

    /// Whether there are links by cells.
    pub fn by_cells(self) -> bool {
        self != Key::X
    }
}

/// A node of a hint with the reason for it.
#[derive(Clone, Debug)]
pub struct Ancestor {
    pub triple: Triple,
    pub cause: Cause,
    /// The inner chain that gives it: an index into the chains of the search, plus one.
    pub nested: u32,
    /// Nodes come after those that they follow from.
    pub order: u16,
    /// Where its parents are in the list of the target, and their number.
    first_parent: u32,
    parents: u32,
}

/// The end of a chain, and its ancestors breadth first, itself included.
#[derive(Clone, Debug)]
pub struct Target {
    pub ancestors: Vec<Ancestor>,
    parents: Vec<Triple>,
}

impl Target {
    fn with_capacity(ancestors: usize) -> Target {
        Target { ancestors: Vec::with_capacity(ancestors), parents: Vec::with_capacity(2 * ancestors) }
    }

    /// Adds an ancestor with the node that it follows from, if any.
    fn add(&mut self, triple: Triple, cause: Cause, order: u16, parent: Option<Triple>) {
        let first = self.parents.len();
        self.parents.extend(parent);
        self.enter(triple, cause, 0, order, first);
    }

    /// Adds an ancestor; its parents are the last of the list, from `first`.
    fn enter(&mut self, triple: Triple, cause: Cause, nested: u32, order: u16, first: usize) {
        let parents = (self.parents.len() - first) as u32;
        self.ancestors.push(Ancestor { triple, cause, nested, order, first_parent: first as u32, parents });
    }

    /// The nodes that an ancestor follows from.
    pub fn parents_of(&self, ancestor: &Ancestor) -> &[Triple] {
        &self.parents[ancestor.first_parent as usize..][..ancestor.parents as usize]
    }
}

/// A hint by chains.
#[derive(Clone, Debug)]
pub struct ChainHint {
    /// The rating as the sum of binary fractions, which breaks ties.
    pub difficulty: f64,
    pub complexity: u32,
    pub key: Key,
    /// What an assumption counts as among the ancestors: the cell or house whose candidates are assumed one by one.
    pub assumed: Cause,
    /// Removed candidates; of an `on` conclusion, those of its cell.
    pub removals: Vec<(u8, u16)>,
    pub place: Option<(u8, u8)>,
    /// For inner chains and explanations only.
    pub targets: Vec<Target>,
    /// What a forcing chain starts from, to find its targets when they are needed.
    pub start: Option<Triple>,
}

impl ChainHint {
    /// The order of hints.
    pub fn rank(&self) -> (f64, u32, Key) {
        (self.difficulty, self.complexity, self.key)
    }
}

/// The sum of the increments of a chain of this complexity.
pub fn increment(complexity: u32) -> f64 {
    let length = complexity.saturating_sub(2);
    let (mut step, mut is_three_quarters, mut sum) = (4, false, 0.0);
    while length > step {
        sum += 0.1;
        step = if is_three_quarters { step / 3 * 4 } else { step / 2 * 3 };
        is_three_quarters = !is_three_quarters;
    }
    sum
}

/// The removals of a conclusion: another candidate goes, or all others of the cell.
pub fn removal(state: &State, conclusion: Triple) -> Option<(u8, u16)> {
    let (cell, digit, on) = parts(conclusion);
    let bit = 1u16 << digit;
    let removed = state.candidates[cell] & if on { !bit } else { bit };
    (removed != 0).then_some((cell as u8, removed))
}

/// The candidates outside a cycle that see both an on and an off node of their digit.
pub fn cycle_removals(state: &State, path: impl Iterator<Item = Triple>, removals: &mut Vec<(u8, u16)>) {
    let (mut inside, mut seen, mut digits) = (0u128, [[0u128; 9]; 2], 0u16);
    for node in path {
        let (cell, digit, on) = parts(node);
        inside |= 1 << cell;
        seen[on as usize][digit] |= PEERS_OF[cell];
        digits |= 1 << digit;
    }
    let mut sets = [0u16; CELLS];
    let mut all = 0;
    for digit in super::tables::bits(digits) {
        let removed = seen[0][digit] & seen[1][digit] & state.cells[digit] & !inside;
        all |= removed;
        super::tables::cells(removed).for_each(|cell| sets[cell] |= 1 << digit);
    }
    removals.clear();
    removals.extend(super::tables::cells(all).map(|cell| (cell as u8, sets[cell])));
}
