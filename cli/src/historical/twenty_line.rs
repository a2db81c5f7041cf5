//! `twenty-line`: a recursion over the tiles 0 to 80 of a grid that is stored backwards.
//!
//! Tile 0 is the bottom-right cell. A given tile keeps its value. Every other one lists the values that its
//! row, column and box have not taken, tries them from the lowest, and is blank again when all have failed.

use std::ops::ControlFlow;

use super::Journal;
use rapidoku::grid::{CELLS, box_of, column_of, row_of};

pub fn solve(cells: &[u8; CELLS], journal: &mut Journal) -> ControlFlow<()> {
    let mut tiles = *cells;
    tiles.reverse();
    place(0, &mut tiles, journal)
}

fn place(tile: usize, tiles: &mut [u8; CELLS], journal: &mut Journal) -> ControlFlow<()> {
    if tile == CELLS {
        let mut cells = *tiles;
        cells.reverse();
        return journal.solution(&cells);
    }
    if tiles[tile] != 0 {
        return place(tile + 1, tiles, journal);
    }
    for value in free_values(tile, tiles) {
        journal.guess()?;
        tiles[tile] = value;
        place(tile + 1, tiles, journal)?;
    }
    tiles[tile] = 0;
    ControlFlow::Continue(())
}

/// Those that no tile of the same row, column or box has. Backwards, rows are still rows.
fn free_values(tile: usize, tiles: &[u8; CELLS]) -> impl Iterator<Item = u8> + use<> {
    let mut taken = [false; 10];
    for (other, &value) in tiles.iter().enumerate() {
        let sees = row_of(other) == row_of(tile)
            || column_of(other) == column_of(tile)
            || box_of(other) == box_of(tile);
        taken[value as usize] |= sees;
    }
    (1..=9).filter(move |&value| !taken[value as usize])
}
