//! The steps of a solution, for explanations.

use std::fmt;

use super::chains::{Cause, ChainHint, Inner, Key, Target, parts};
use super::hint::Hint;
use super::tables::{HOUSES_OF, PEERS_OF, cells};
use super::{Difficulty, Technique};
use crate::grid::{Cell, House};

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

/// One step: places a digit, removes candidates, or both.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Step {
    /// The technique.
    pub technique: Technique,
    /// The difficulty.
    pub difficulty: Difficulty,
    /// The cells of the pattern, ascending. Empty for chains.
    pub cells: Vec<Cell>,
    /// The digits of the pattern. Empty for chains.
    pub digits: Digits,
    /// The houses of the pattern, if it has any.
    pub houses: Vec<House>,
    /// The other cells of a set that completes a unique loop or a grave, and the digits of the set.
    pub set: Option<(Vec<Cell>, Digits)>,
    /// The cell and the digit `1..=9` that the step places. The candidates of the cell, and the digit of its peers, are
    /// removed after those of `removed`.
    pub placed: Option<(Cell, u8)>,
    /// The candidates that the step removes itself. Each is one before the step.
    pub removed: Vec<Removed>,
    /// The reasoning of a chain.
    pub chain: Option<Chain>,
}

/// What the branches of a chain assume, and what they have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum ChainKind {
    /// The implications lead from a candidate back to itself.
    Cycle,
    /// An assumption leads to its opposite.
    Forcing,
    /// An assumption leads to a candidate and, in the second branch, to its opposite.
    Contradiction,
    /// A candidate and, in the second branch, its opposite lead to the same.
    Double,
    /// All candidates of a cell lead to the same, in a branch each.
    Cell,
    /// All places of a digit in a house lead to the same, in a branch each.
    Region,
}

/// The reason why an implication holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Reason {
    /// It is assumed.
    Assumed,
    /// The cell has one digit: its only candidate that is left, or no other digit.
    Cell,
    /// The digit has one place in the house: the only one that is left, or no other place.
    House(House),
    /// A technique that is applied to the candidates that are left.
    Advanced,
}

/// A candidate that is the value of its cell, or is not.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Implication {
    /// The cell.
    pub cell: Cell,
    /// The digit `1..=9`.
    pub digit: u8,
    /// Whether it is the value.
    pub on: bool,
    /// The reason.
    pub reason: Reason,
    /// The implications of the branch from which it follows, as indices. None for an assumption.
    pub parents: Vec<usize>,
    /// The chain within the chain that gives it: an index into [`Chain::inner`].
    pub inner: Option<usize>,
}

/// The reasoning of a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Chain {
    /// The kind.
    pub kind: ChainKind,
    /// The house whose places of a digit are the assumptions of [`ChainKind::Region`].
    pub house: Option<House>,
    /// The number of implications that count for the rating.
    pub complexity: u32,
    /// The branches. In each, an implication comes after those from which it follows, and the last one is its end. Only
    /// the first of a cycle follows from the last.
    pub branches: Vec<Vec<Implication>>,
    /// The chains within the chain.
    pub inner: Vec<Chain>,
}

impl Step {
    /// The step in words, and below it the reasoning of its chain: a line for each branch, and the chains within it.
    pub fn to_text(&self) -> String {
        let mut text = format!("{self}\n");
        if let Some(chain) = &self.chain {
            chain.write(&mut text, 6);
        }
        text
    }

    /// The step of a hint.
    pub(super) fn new(technique: Technique, hint: &Hint, inner: &Inner) -> Step {
        let removed = hint.removals.iter().map(|&(cell, set)| Removed { cell: Cell(cell), digits: Digits(set) });
        Step {
            technique,
            difficulty: Difficulty(hint.difficulty),
            cells: places(hint.cells),
            digits: Digits(hint.digits),
            houses: (0..27).filter(|house| hint.houses >> house & 1 == 1).map(house).collect(),
            set: (hint.set.0 != 0).then(|| (places(hint.set.0), Digits(hint.set.1))),
            placed: hint.place.map(|(cell, digit)| (Cell(cell), digit + 1)),
            removed: removed.collect(),
            chain: hint.chain.as_ref().map(|chain| Chain::new(chain, inner)),
        }
    }
}

fn places(set: u128) -> Vec<Cell> {
    cells(set).map(|cell| Cell(cell as u8)).collect()
}

/// The block, row or column of a cell: 0, 1, 2.
fn house_of(cell: usize, kind: u8) -> House {
    house(HOUSES_OF[cell][kind as usize] as usize)
}

/// A house in the order blocks, rows, columns as one in the order rows, columns, blocks.
fn house(house: usize) -> House {
    House(((house + 18) % 27) as u8)
}

impl Chain {
    fn write(&self, text: &mut String, indent: usize) {
        for line in self.lines() {
            *text += &format!("{:indent$}{line}\n", "");
        }
        for (inner, number) in self.inner.iter().zip(1..) {
            *text += &format!("{:indent$}chain {number}:\n", "");
            inner.write(text, indent + 2);
        }
    }

    /// The argument in words: a line that states what is exhausted, if that is more than one assumption, and one for
    /// each branch, without the chains within.
    pub fn lines(&self) -> Vec<String> {
        let words = |branch: &Vec<Implication>| branch.iter().map(Implication::to_string).collect::<Vec<_>>();
        let branches = self.branches.iter().map(|branch| words(branch).join(", "));
        self.premise().into_iter().chain(branches).collect()
    }

    /// What the branches have in common.
    fn premise(&self) -> Option<String> {
        let first = self.branches.first()?.first()?;
        let ends: Vec<_> = self.branches.iter().filter_map(|branch| Some(branch.last()?.fact())).collect();
        let end = ends.first()?;
        Some(match (self.kind, self.house) {
            (ChainKind::Forcing, _) => return None,
            (ChainKind::Cycle, _) => {
                "each of these follows from the one before, the first from the last, so all hold or none; in both \
                cases each candidate removed sees its digit:"
                    .to_owned()
            }
            (ChainKind::Contradiction, _) => format!("if {}, {end}, and also {}:", first.fact(), ends.get(1)?),
            (ChainKind::Double, _) => format!("{} or not; in both cases {end}:", first.fact()),
            (_, house) => {
                let in_house = |house| format!("{} in {house} is in", first.digit);
                let what = house.map_or(format!("{} is", first.cell), in_house);
                let one = |Implication { cell, digit, .. }: &Implication| match house {
                    Some(_) => cell.to_string(),
                    None => digit.to_string(),
                };
                let all: Vec<_> = self.branches.iter().map(|branch| one(&branch[0])).collect();
                let (last, others) = all.split_last()?;
                format!("{what} {} or {last}; in each case {end}:", others.join(", "))
            }
        })
    }

    fn new(hint: &ChainHint, inner: &Inner) -> Chain {
        let mut numbers = Vec::new();
        let kind = match hint.key {
            Key::Double => ChainKind::Double,
            Key::Cell => ChainKind::Cell,
            Key::Region => ChainKind::Region,
            Key::Contradiction => ChainKind::Contradiction,
            _ if hint.start.is_none() => ChainKind::Cycle,
            _ => ChainKind::Forcing,
        };
        // The second target of a cycle is the first one backwards.
        let targets = &hint.targets[..if kind == ChainKind::Cycle { 1 } else { hint.targets.len() }];
        let branches: Vec<_> = targets.iter().map(|target| branch(target, &mut numbers)).collect();
        let inner = numbers.iter().map(|&number| Chain::new(inner.chain(number), inner)).collect();
        let house = match (hint.assumed, branches.first().and_then(|branch| branch.first())) {
            (Cause::House(kind), Some(first)) => Some(house_of(first.cell.0 as usize, kind)),
            _ => None,
        };
        Chain { kind, house, complexity: hint.complexity, branches, inner }
    }
}

impl Implication {
    /// What holds.
    fn fact(&self) -> String {
        format!("{} is{} {}", self.cell, if self.on { "" } else { " not" }, self.digit)
    }
}

/// For example `r1c5 is 4 (row 1)`, or `if r1c5 is 4` for an assumption.
impl fmt::Display for Implication {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fact = self.fact();
        match (self.reason, self.inner) {
            (Reason::Assumed, _) => write!(f, "if {fact}"),
            (_, Some(inner)) => write!(f, "{fact} (chain {})", inner + 1),
            (Reason::Cell, None) => write!(f, "{fact} (cell)"),
            (Reason::House(house), None) => write!(f, "{fact} ({house})"),
            (Reason::Advanced, None) => write!(f, "{fact} (simpler technique)"),
        }
    }
}

/// The implications of a branch. `numbers` collects the inner chains.
fn branch(target: &Target, numbers: &mut Vec<u32>) -> Vec<Implication> {
    let mut order: Vec<_> = target.ancestors.iter().collect();
    order.sort_by_key(|ancestor| ancestor.order);
    let index = |node: u16| order.iter().position(|ancestor| ancestor.triple == node);
    let implication = |ancestor: &&super::chains::Ancestor| {
        let (cell, digit, on) = parts(ancestor.triple);
        let reason = match ancestor.cause {
            Cause::None => Reason::Assumed,
            Cause::Cell => Reason::Cell,
            Cause::House(kind) => Reason::House(house_of(cell, kind)),
            Cause::Advanced => Reason::Advanced,
        };
        let inner = (ancestor.nested != 0).then(|| {
            let known = numbers.iter().position(|&number| number == ancestor.nested);
            known.unwrap_or_else(|| {
                numbers.push(ancestor.nested);
                numbers.len() - 1
            })
        });
        let parents = target.parents_of(ancestor).iter().filter_map(|&parent| index(parent)).collect();
        Implication { cell: Cell(cell as u8), digit: digit as u8 + 1, on, reason, parents, inner }
    };
    order.iter().map(implication).collect()
}

/// For example `naked pair (3.0): 4 7 in r1c2 r1c5: no 4 7 in r1c8`.
impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = |set: Digits| set.iter().map(|digit| digit.to_string()).collect::<Vec<_>>().join(" ");
        let names = |cells: &[Cell]| cells.iter().map(Cell::to_string).collect::<Vec<_>>().join(" ");
        let is_cycle = self.chain.as_ref().is_some_and(|chain| chain.kind == ChainKind::Cycle);
        write!(f, "{} ({}):", if is_cycle { "cycle" } else { self.technique.name() }, self.difficulty)?;
        if !self.cells.is_empty() && !self.removed.is_empty() {
            write!(f, " {} in {}", words(self.digits), names(&self.cells))?;
            if let Technique::XyWing | Technique::XyzWing = self.technique {
                // It sees the other two cells.
                let sees = |a: &Cell, b: &Cell| a == b || PEERS_OF[a.0 as usize] >> b.0 & 1 == 1;
                let pivot = self.cells.iter().find(|pivot| self.cells.iter().all(|cell| sees(pivot, cell)));
                write!(f, ", pivot {}", pivot.expect("a wing has one"))?;
            }
            if let Some((cells, digits)) = &self.set {
                write!(f, ", with {} in {}", words(*digits), names(cells))?;
            }
            f.write_str(":")?;
        }
        if let Some((cell, digit)) = self.placed {
            write!(f, " {cell} = {digit}")?;
            return match (self.technique, &self.houses[..]) {
                (Technique::HiddenSingle, [house, ..]) => write!(f, ", the only place in {house}"),
                _ => Ok(()),
            };
        }
        let removed = self.removed.iter().map(|r| format!(" no {} in {}", words(r.digits), r.cell));
        f.write_str(&removed.collect::<Vec<_>>().join(","))
    }
}
