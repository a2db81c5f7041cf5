//! Solves a puzzle like a person: step by step, always with the simplest technique that applies.
//!
//! | technique | pattern | described at |
//! |---|---|---|
//! | naked single | one candidate is left in a cell | sudopedia.org, "Naked Single" |
//! | hidden single | one place is left for a digit in a house | "Hidden Single" |
//! | pointing | the places of a digit in a box are in one line: it is nowhere else in that line | "Locked Candidates", type 1 |
//! | claiming | the places of a digit in a line are in one box: it is nowhere else in that box | type 2 |
//! | naked pair, triple, quad | two to four cells of a house have no other candidates than as many digits: these are nowhere else in the house | "Naked Subset" |
//! | hidden pair, triple, quad | two to four digits have no other places in a house than as many cells: nothing else is there | "Hidden Subset" |
//! | guess | a digit is assumed, and refuted if that ends in a contradiction | "Trial and Error" |
//!
//! Names and methods are those of Sudopedia, the players' encyclopaedia, under the titles given.
//!
//! # The order of steps
//!
//! Techniques are tried in the order of [`Technique`], from the simplest: singles, locked candidates, pairs, triples,
//! quads, naked before hidden. Of the steps of a technique the first is taken: by cell for naked singles; by house (rows, columns, boxes), then digit for hidden singles and locked
//! candidates; by house, then by set for subsets, sets being compared as binary numbers with a bit for
//! each cell of the house or digit, the first being the lowest. A step that changes nothing does not count.
//! If no technique applies, the lowest candidate of the cell with the fewest (the first of these in
//! reading order) is guessed. If that comes to a contradiction, a cell without candidate or a digit
//! without place in a house, it is undone and the candidate is removed. The search ends at the first solution.
//!
//! Ratings depend on this order, so changing it is a breaking change.

mod board;
mod search;

use std::fmt;

use crate::grid::{Cell, House};

pub(crate) use board::Board;
pub use search::{Rating, solve};

/// A solving technique. The order is that of difficulty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "described in the table of the module")]
pub enum Technique {
    NakedSingle,
    HiddenSingle,
    Pointing,
    Claiming,
    NakedPair,
    HiddenPair,
    NakedTriple,
    HiddenTriple,
    NakedQuad,
    HiddenQuad,
    Guess,
}

impl Technique {
    /// All techniques, from the simplest.
    pub const ALL: [Technique; 11] = [
        Technique::NakedSingle,
        Technique::HiddenSingle,
        Technique::Pointing,
        Technique::Claiming,
        Technique::NakedPair,
        Technique::HiddenPair,
        Technique::NakedTriple,
        Technique::HiddenTriple,
        Technique::NakedQuad,
        Technique::HiddenQuad,
        Technique::Guess,
    ];

    /// The name, as in `naked pair`.
    pub fn name(self) -> &'static str {
        [
            "naked single",
            "hidden single",
            "pointing",
            "claiming",
            "naked pair",
            "hidden pair",
            "naked triple",
            "hidden triple",
            "naked quad",
            "hidden quad",
            "guess",
        ][self as usize]
    }
}

impl fmt::Display for Technique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A set of digits: bit `digit - 1` is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Digits(
    /// The nine bits.
    pub u16,
);

impl Digits {
    /// The digits `1..=9` of the set, ascending.
    pub fn iter(self) -> impl Iterator<Item = u8> {
        (1..=9).filter(move |digit| self.0 >> (digit - 1) & 1 == 1)
    }
}

/// Candidates that a step removes from a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Removed {
    /// The cell.
    pub cell: Cell,
    /// The digits.
    pub digits: Digits,
}

/// One step: places a digit or removes candidates.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Step {
    /// The technique.
    pub technique: Technique,
    /// The house of the pattern, if it has one.
    pub house: Option<House>,
    /// The cells of the pattern; a single cell for a placement or a guess.
    pub cells: Vec<Cell>,
    /// The digits of the pattern.
    pub digits: Digits,
    /// The candidates removed. Empty if the step places its digit in its cell.
    pub removed: Vec<Removed>,
}

impl Step {
    /// The cell and the digit of a step that places a digit.
    pub fn placement(&self) -> Option<(Cell, u8)> {
        self.removed.is_empty().then(|| (self.cells[0], self.digits.0.trailing_zeros() as u8 + 1))
    }
}

/// For example `pointing: 5 of box 1 in r2c1 r2c3: no 5 in r2c7`.
impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let technique = self.technique;
        write!(f, "{technique}: ")?;
        if let Some((cell, digit)) = self.placement() {
            write!(f, "{cell} = {digit}")?;
            return self.house.map_or(Ok(()), |house| write!(f, ", the only place in {house}"));
        }
        let words = |set: Digits| set.iter().map(|digit| digit.to_string()).collect::<Vec<_>>().join(" ");
        if let Some(house) = self.house {
            let cells: Vec<_> = self.cells.iter().map(Cell::to_string).collect();
            write!(f, "{} of {house} in {}: ", words(self.digits), cells.join(" "))?;
        }
        let removed = self.removed.iter().map(|r| format!("no {} in {}", words(r.digits), r.cell));
        f.write_str(&removed.collect::<Vec<_>>().join(", "))
    }
}

/// The reason why a grid cannot be completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(untagged))]
pub enum Contradiction {
    /// A cell has no candidate.
    Cell {
        /// The cell.
        cell: Cell,
    },
    /// A digit has no place in a house.
    Digit {
        /// The digit.
        digit: u8,
        /// The house.
        house: House,
    },
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Contradiction::Cell { cell } => write!(f, "no candidate is left for {cell}"),
            Contradiction::Digit { digit, house } => write!(f, "no place is left for {digit} in {house}"),
        }
    }
}
