//! The scale of ratings by its definition alone: the oracle of [`rapidoku::rating`].
//!
//! Nothing is bounded, filtered or remembered, and no code is shared. Every technique looks at the whole grid at every
//! step; chains are searched node by node. So it is slow, and short.
//!
//! | module | techniques |
//! |---|---|
//! | `patterns` | 1 to 14, 16 to 18: singles, locked candidates, sets, fish, wings |
//! | `unique` | 15 and 19: unique loops, bivalue universal grave |
//! | `aligned` | 20 and 22: aligned pair and triplet exclusion |
//! | `forcing` | 21: cycles and forcing chains |
//! | `closures` | 23 to 30: Nishio, multiple, dynamic and nested chains |

mod aligned;
mod chain;
mod closures;
mod forcing;
mod grid;
mod patterns;
mod unique;

use rapidoku::Candidates;

use chain::Chain;
use closures::Mode;
use grid::{Grid, members};

/// What the first step of a technique does.
#[derive(Debug)]
pub struct Hint {
    /// Tenths.
    difficulty: u16,
    /// Cell and digit `0..9`.
    place: Option<(usize, usize)>,
    /// Candidates of cells, ascending.
    removals: Vec<(usize, u16)>,
    /// That of a chain.
    complexity: u32,
}

impl Hint {
    fn place(difficulty: u16, cell: usize, digit: usize) -> Hint {
        Hint { difficulty, place: Some((cell, digit)), removals: Vec::new(), complexity: 0 }
    }

    /// A hint that removes something.
    fn remove(difficulty: u16, removals: Vec<(usize, u16)>) -> Option<Hint> {
        (!removals.is_empty()).then_some(Hint { difficulty, place: None, removals, complexity: 0 })
    }

    fn chain(chains: Vec<Chain>) -> Option<Hint> {
        // The first of equal ones.
        let first = chains.into_iter().reduce(|best, chain| if chain.rank() < best.rank() { chain } else { best })?;
        let difficulty = (10.0 * (first.difficulty() + 0.05)).floor() as u16;
        Some(Hint { difficulty, place: first.place, removals: first.removals, complexity: first.complexity })
    }
}

/// One step of a solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// From 0.
    pub technique: usize,
    pub difficulty: u16,
    /// Cell and digit `1..=9`.
    pub placed: Option<(u8, u8)>,
    pub removed: Vec<(u8, u16)>,
    /// That of a chain, else 0.
    pub complexity: u32,
}

/// The rating of a puzzle in tenths, with all steps.
#[derive(Debug)]
pub struct Rated {
    pub er: u16,
    pub ep: u16,
    pub ed: u16,
    pub steps: Vec<Step>,
}

/// The first hint of a technique.
fn find(technique: usize, grid: &Grid) -> Option<Hint> {
    match technique {
        0 => patterns::hidden_single(grid),
        1 => patterns::direct_locked(grid),
        2 => patterns::direct_hidden_set(grid, 2),
        3 => patterns::naked_single(grid),
        4 => patterns::direct_hidden_set(grid, 3),
        5 => patterns::first(patterns::locked(grid)),
        6 => patterns::first(patterns::naked_sets(grid, 2)),
        7 => patterns::first(patterns::fish(grid, 2)),
        8 => patterns::first(patterns::hidden_sets(grid, 2)),
        9 => patterns::first(patterns::naked_sets(grid, 3)),
        10 => patterns::first(patterns::fish(grid, 3)),
        11 => patterns::first(patterns::hidden_sets(grid, 3)),
        12 => patterns::wing(grid, false),
        13 => patterns::wing(grid, true),
        14 => unique::unique_loop(grid),
        15 => patterns::first(patterns::naked_sets(grid, 4)),
        16 => patterns::first(patterns::fish(grid, 4)),
        17 => patterns::first(patterns::hidden_sets(grid, 4)),
        18 => unique::bug(grid),
        19 => aligned::pair(grid),
        20 => Hint::chain(forcing::chains(grid)),
        21 => aligned::triplet(grid),
        22 => Hint::chain(closures::chains(grid, Mode::Nishio)),
        23 => Hint::chain(closures::chains(grid, Mode::Static)),
        24..30 => Hint::chain(closures::chains(grid, Mode::Dynamic(technique - 24))),
        _ => unreachable!("there are 30 techniques"),
    }
}

/// Rates a puzzle with one solution by these techniques, in their order.
pub fn rate(puzzle: &Candidates, techniques: &[usize]) -> Rated {
    let mut grid = Grid::new(puzzle);
    let mut rated = Rated { er: 0, ep: 0, ed: 0, steps: Vec::new() };
    while grid.values.contains(&None) {
        let hint = techniques.iter().find_map(|&technique| Some((technique, find(technique, &grid)?)));
        let Some((technique, Hint { difficulty, place, removals, complexity })) = hint else {
            rated.er = 200;
            break;
        };
        rated.er = rated.er.max(difficulty);
        if rated.ep == 0 {
            if rated.ed == 0 {
                rated.ed = rated.er;
            }
            if place.is_some() {
                rated.ep = rated.er;
            }
        }
        for &(cell, digits) in &removals {
            members(digits).for_each(|digit| grid.remove(cell, digit));
        }
        if let Some((cell, digit)) = place {
            grid.place(cell, digit);
        }
        let removed = removals.into_iter().map(|(cell, digits)| (cell as u8, digits)).collect();
        let placed = place.map(|(cell, digit)| (cell as u8, digit as u8 + 1));
        rated.steps.push(Step { technique, difficulty, placed, removed, complexity });
    }
    rated
}
