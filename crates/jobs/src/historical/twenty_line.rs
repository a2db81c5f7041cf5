//! `twenty-line`: a recursion over the tiles 0 to 80 of a grid that is stored in reverse.
//!
//! Tile 0 is the bottom-right cell. A clue keeps its value. For any other tile, the recursion lists the values that
//! are free in its row, column and box, tries them in ascending order, and clears the tile when all have failed.

use std::ops::ControlFlow;

use super::{SearchState, sees};
use rapidoku::grid::CELLS;

pub fn solve(cells: &[u8; CELLS], state: &mut SearchState) -> ControlFlow<()> {
    let mut tiles = *cells;
    tiles.reverse();
    place(0, &mut tiles, state)
}

fn place(tile: usize, tiles: &mut [u8; CELLS], state: &mut SearchState) -> ControlFlow<()> {
    if tile == CELLS {
        let mut cells = *tiles;
        cells.reverse();
        return state.add_solution(&cells);
    }
    if tiles[tile] != 0 {
        return place(tile + 1, tiles, state);
    }
    for value in free_values(tile, tiles) {
        state.count_guess()?;
        tiles[tile] = value;
        place(tile + 1, tiles, state)?;
    }
    tiles[tile] = 0;
    ControlFlow::Continue(())
}

/// The values that no tile of the same row, column or box has. Reversing the grid maps rows to rows, columns to
/// columns and boxes to boxes.
fn free_values(tile: usize, tiles: &[u8; CELLS]) -> impl Iterator<Item = u8> + use<> {
    let mut taken = [false; 10];
    for (other, &value) in tiles.iter().enumerate() {
        taken[value as usize] |= sees(other, tile);
    }
    (1..=9).filter(move |&value| !taken[value as usize])
}
