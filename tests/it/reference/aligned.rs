//! Techniques 20 and 22: aligned pair and triplet exclusion.

use super::Hint;
use super::grid::{Grid, PEERS, members, pairs, see, size};

/// Cells of which combinations are tried, and the cells with few candidates that each of them sees.
struct Base {
    cells: Vec<usize>,
    excluders: Vec<Vec<usize>>,
}

impl Base {
    fn new(grid: &Grid, most: usize) -> Base {
        let mut base = Base { cells: Vec::new(), excluders: Vec::new() };
        for cell in (0..81).filter(|&cell| size(grid.candidates[cell]) >= 2) {
            let peers = PEERS[cell].iter().copied();
            let excluders: Vec<usize> =
                peers.filter(|&peer| (2..=most).contains(&size(grid.candidates[peer]))).collect();
            if !excluders.is_empty() && PEERS[cell].iter().all(|&peer| size(grid.candidates[peer]) != 1) {
                base.cells.push(cell);
                base.excluders.push(excluders);
            }
        }
        base
    }
}

/// Technique 20.
pub fn pair(grid: &Grid) -> Option<Hint> {
    let base = Base::new(grid, 2);
    pairs(base.cells.len())
        .find_map(|(low, high)| exclude(grid, &[base.cells[low], base.cells[high]], &base.excluders[low], 62))
}

/// Technique 22.
pub fn triplet(grid: &Grid) -> Option<Hint> {
    let base = Base::new(grid, 3);
    pairs(base.cells.len()).find_map(|(low, high)| {
        let two = [base.cells[low], base.cells[high]];
        let mut thirds = Vec::new();
        for &cell in base.excluders[low].iter().chain(&base.excluders[high]) {
            if !two.contains(&cell) && !thirds.contains(&cell) && base.cells.contains(&cell) {
                thirds.push(cell);
            }
        }
        thirds.into_iter().find_map(|third| exclude(grid, &[two[0], two[1], third], &base.excluders[low], 75))
    })
}

/// Removes the candidates of cells that are in no possible combination. `excluders` are those that the first one sees.
fn exclude(grid: &Grid, cells: &[usize], excluders: &[usize], difficulty: u16) -> Option<Hint> {
    let common = excluders.iter().filter(|&&excluder| cells.iter().all(|&cell| see(cell, excluder)));
    let common: Vec<u16> = common.map(|&cell| grid.candidates[cell]).collect();
    if common.len() < 2 {
        return None;
    }
    let mut possible = vec![0u16; cells.len()];
    let mut chosen = Vec::new();
    combine(grid, cells, &common, &mut chosen, &mut possible);
    let mut removals: Vec<_> =
        cells.iter().zip(possible).map(|(&cell, possible)| (cell, grid.candidates[cell] & !possible)).collect();
    removals.retain(|&(_, digits)| digits != 0);
    removals.sort();
    Hint::remove(difficulty, removals)
}

/// Tries all combinations that begin with the chosen digits, and marks those of possible ones.
fn combine(grid: &Grid, cells: &[usize], common: &[u16], chosen: &mut Vec<usize>, possible: &mut [u16]) {
    let next = chosen.len();
    if next == cells.len() {
        let all = chosen.iter().fold(0, |set, digit| set | 1 << digit);
        if common.iter().all(|set| set & !all != 0) {
            possible.iter_mut().zip(chosen).for_each(|(set, digit)| *set |= 1 << *digit);
        }
        return;
    }
    for digit in members(grid.candidates[cells[next]]) {
        let clashes = |i: usize| chosen[i] == digit && see(cells[i], cells[next]);
        if !(0..next).any(clashes) {
            chosen.push(digit);
            combine(grid, cells, common, chosen, possible);
            chosen.pop();
        }
    }
}
