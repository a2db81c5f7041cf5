//! Techniques 1 to 14 and 16 to 18: singles, locked candidates, sets, fish, wings.

use super::Hint;
use super::grid::{
    BLOCKS, BLOCKS_COLUMNS_ROWS, COLUMNS, Grid, HOUSES, PEERS, ROWS, combinations, first as lowest, members, see, size,
    union,
};

/// Candidates in a pattern that are removed.
pub struct Pattern {
    pub difficulty: u16,
    pub removals: Vec<(usize, u16)>,
    /// Cells and digits: the pattern holds because these are no candidates any more.
    pub missing: Vec<(usize, u16)>,
}

/// The first pattern as a hint.
pub fn first(patterns: Vec<Pattern>) -> Option<Hint> {
    let Pattern { difficulty, removals, .. } = patterns.into_iter().next()?;
    Hint::remove(difficulty, removals)
}

/// All blocks, then columns, then rows.
fn houses() -> impl Iterator<Item = usize> {
    BLOCKS_COLUMNS_ROWS.into_iter().flat_map(|kind| kind..kind + 9)
}

/// The cells at some positions of a house.
fn cells_at(house: usize, positions: u16) -> impl Iterator<Item = usize> + Clone {
    members(positions).map(move |i| HOUSES[house][i])
}

/// Technique 1.
pub fn hidden_single(grid: &Grid) -> Option<Hint> {
    for is_full in [true, false] {
        for house in houses().filter(|&house| (grid.empties(house) == 1) == is_full) {
            for digit in 0..9 {
                let places = grid.places(digit, house);
                if size(places) == 1 {
                    let difficulty = if is_full {
                        10
                    } else if house < ROWS {
                        12
                    } else {
                        15
                    };
                    return Some(Hint::place(difficulty, HOUSES[house][lowest(places)], digit));
                }
            }
        }
    }
    None
}

/// Technique 4.
pub fn naked_single(grid: &Grid) -> Option<Hint> {
    let cell = (0..81).find(|&cell| size(grid.candidates[cell]) == 1)?;
    Some(Hint::place(23, cell, lowest(grid.candidates[cell])))
}

/// A house in which all places of a digit lie in another one, which crosses it.
struct Locked {
    house: usize,
    other: usize,
    digit: usize,
}

/// The kinds of a house and of one that crosses it.
const CROSSINGS: [[usize; 2]; 4] = [[BLOCKS, COLUMNS], [BLOCKS, ROWS], [COLUMNS, BLOCKS], [ROWS, BLOCKS]];

fn cross(a: usize, b: usize) -> bool {
    HOUSES[a].iter().any(|cell| HOUSES[b].contains(cell))
}

fn all_locked(grid: &Grid) -> Vec<Locked> {
    let mut found = Vec::new();
    for [kind, other_kind] in CROSSINGS {
        for house in kind..kind + 9 {
            for other in (other_kind..other_kind + 9).filter(|&other| cross(house, other)) {
                for digit in 0..9 {
                    let places = grid.places(digit, house);
                    if size(places) >= 2 && cells_at(house, places).all(|cell| HOUSES[other].contains(&cell)) {
                        found.push(Locked { house, other, digit });
                    }
                }
            }
        }
    }
    found
}

/// Technique 2.
pub fn direct_locked(grid: &Grid) -> Option<Hint> {
    for Locked { house, other, digit } in all_locked(grid) {
        let kind = house / 9 * 9;
        for third in (kind..kind + 9).filter(|&third| third != house && cross(third, other)) {
            let places = grid.places(digit, third);
            let mut outside = cells_at(third, places).filter(|cell| !HOUSES[other].contains(cell));
            if size(places) >= 2
                && let (Some(cell), None) = (outside.next(), outside.next())
            {
                return Some(Hint::place(if kind == BLOCKS { 17 } else { 19 }, cell, digit));
            }
        }
    }
    None
}

/// Technique 6.
pub fn locked(grid: &Grid) -> Vec<Pattern> {
    let mut patterns = Vec::new();
    for Locked { house, other, digit } in all_locked(grid) {
        let outside =
            |house: usize, other: usize| HOUSES[house].into_iter().filter(move |cell| !HOUSES[other].contains(cell));
        patterns.push(Pattern {
            difficulty: if house < ROWS { 26 } else { 28 },
            removals: grid.those(outside(other, house), 1 << digit),
            missing: outside(house, other).map(|cell| (cell, 1 << digit)).collect(),
        });
    }
    patterns.retain(|pattern| !pattern.removals.is_empty());
    patterns
}

/// The digits of hidden sets of `k`, with their positions, by house with more than so many empty cells.
fn all_hidden(grid: &Grid, k: usize, empties: usize) -> Vec<(usize, u16, u16)> {
    let mut found = Vec::new();
    for house in houses().filter(|&house| grid.empties(house) > empties) {
        let places: [u16; 9] = std::array::from_fn(|digit| grid.places(digit, house));
        for digits in combinations(k) {
            let positions = union(members(digits).map(|digit| places[digit]));
            if size(positions) == k && members(digits).all(|digit| size(places[digit]) >= 2) {
                found.push((house, digits, positions));
            }
        }
    }
    found
}

/// Techniques 3 and 5.
pub fn direct_hidden_set(grid: &Grid, k: usize) -> Option<Hint> {
    for (house, digits, positions) in all_hidden(grid, k, k) {
        for digit in members(!digits) {
            let places = grid.places(digit, house);
            if size(places) >= 2 && size(places & !positions) == 1 {
                let cell = HOUSES[house][lowest(places & !positions)];
                return Some(Hint::place(if k == 2 { 20 } else { 25 }, cell, digit));
            }
        }
    }
    None
}

/// Techniques 9, 12 and 18.
pub fn hidden_sets(grid: &Grid, k: usize) -> Vec<Pattern> {
    let mut patterns = Vec::new();
    for (house, digits, positions) in all_hidden(grid, k, 2 * k) {
        patterns.push(Pattern {
            difficulty: [34, 40, 54][k - 2],
            removals: grid.those(cells_at(house, positions), !digits),
            missing: cells_at(house, !positions).map(|cell| (cell, digits)).collect(),
        });
    }
    patterns.retain(|pattern| !pattern.removals.is_empty());
    patterns
}

/// Techniques 7, 10 and 16.
pub fn naked_sets(grid: &Grid, k: usize) -> Vec<Pattern> {
    let mut patterns = Vec::new();
    for house in houses().filter(|&house| grid.empties(house) >= 2 * k) {
        for positions in combinations(k) {
            let sets = cells_at(house, positions).map(|cell| grid.candidates[cell]);
            let digits = union(sets.clone());
            if size(digits) == k && sets.clone().all(|set| size(set) >= 2) {
                patterns.push(Pattern {
                    difficulty: [30, 36, 50][k - 2],
                    removals: grid.those(cells_at(house, !positions), digits),
                    missing: cells_at(house, positions).map(|cell| (cell, !digits)).collect(),
                });
            }
        }
    }
    patterns.retain(|pattern| !pattern.removals.is_empty());
    patterns
}

/// Techniques 8, 11 and 17.
pub fn fish(grid: &Grid, k: usize) -> Vec<Pattern> {
    let mut patterns = Vec::new();
    let filled: [usize; 9] =
        std::array::from_fn(|digit| grid.values.iter().filter(|value| **value == Some(digit as u8)).count());
    for [base, cover] in [[COLUMNS, ROWS], [ROWS, COLUMNS]] {
        let places: [[u16; 9]; 9] =
            std::array::from_fn(|line| std::array::from_fn(|digit| grid.places(digit, base + line)));
        for lines in combinations(k) {
            for digit in (0..9).filter(|&digit| filled[digit] <= 9 - 2 * k) {
                let covers = union(members(lines).map(|line| places[line][digit]));
                if size(covers) != k || members(lines).any(|line| size(places[line][digit]) < 2) {
                    continue;
                }
                patterns.push(Pattern {
                    difficulty: [32, 38, 52][k - 2],
                    removals: grid.those(members(covers).flat_map(|line| cells_at(cover + line, !lines)), 1 << digit),
                    missing: members(lines)
                        .flat_map(|line| cells_at(base + line, !covers).map(|cell| (cell, 1 << digit)))
                        .collect(),
                });
            }
        }
    }
    patterns.retain(|pattern| !pattern.removals.is_empty());
    patterns
}

/// Technique 13, or 14 with three candidates in the pivot.
pub fn wing(grid: &Grid, has_three: bool) -> Option<Hint> {
    let least = if has_three { 3 } else { 2 };
    for pivot in (0..81).filter(|&cell| size(grid.candidates[cell]) == least) {
        let pincers = PEERS[pivot].iter().copied().filter(|&cell| size(grid.candidates[cell]) == 2);
        for (x, y) in pincers.clone().flat_map(|x| pincers.clone().map(move |y| (x, y))) {
            let [p, x_set, y_set] = [pivot, x, y].map(|cell| grid.candidates[cell]);
            if size(p | x_set | y_set) != 3 || size(p & x_set & y_set) != has_three as usize {
                continue;
            }
            let digit = if has_three { p & x_set & y_set } else { x_set & y_set };
            let sees_all = |&cell: &usize| see(cell, x) && see(cell, y) && (!has_three || see(cell, pivot));
            let removals = grid.those((0..81).filter(sees_all), digit);
            if !removals.is_empty() {
                return Hint::remove(if has_three { 44 } else { 42 }, removals);
            }
        }
    }
    None
}
