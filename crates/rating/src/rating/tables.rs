//! Houses and peers in the orders of the specification: blocks, rows, columns.

/// The members of a set of cells, ascending.
pub use crate::grid::bits as cells;
use crate::grid::{CELLS, HOUSE_CELLS, HOUSES};

/// The number of digits, of cells in a house, and of houses of a kind.
pub const NINE: usize = 9;

/// The cells of each house: blocks `0..9`, rows `9..18`, columns `18..27`, in order of position.
pub static CELLS_OF: [[u8; NINE]; HOUSES] = {
    let mut table = [[0; NINE]; HOUSES];
    let mut house = 0;
    while house < HOUSES {
        table[house] = HOUSE_CELLS[(house + 18) % HOUSES];
        house += 1;
    }
    table
};

/// The cells of each house as a set.
pub static MASK_OF: [u128; HOUSES] = {
    let mut table = [0; HOUSES];
    let mut house = 0;
    while house < HOUSES {
        let mut i = 0;
        while i < NINE {
            table[house] |= 1 << CELLS_OF[house][i];
            i += 1;
        }
        house += 1;
    }
    table
};

/// The block, row and column of each cell, as houses.
pub static HOUSES_OF: [[u8; 3]; CELLS] = {
    let mut table = [[0; 3]; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        let (row, column) = (cell / 9, cell % 9);
        table[cell] = [(row / 3 * 3 + column / 3) as u8, 9 + row as u8, 18 + column as u8];
        cell += 1;
    }
    table
};

/// The position of each cell in its block, row and column.
pub static POSITION_IN: [[u8; 3]; CELLS] = {
    let mut table = [[0; 3]; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        let (row, column) = (cell / 9, cell % 9);
        table[cell] = [(row % 3 * 3 + column % 3) as u8, column as u8, row as u8];
        cell += 1;
    }
    table
};

/// Each cell as a set.
pub static BIT_OF: [u128; CELLS] = {
    let mut table = [0; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        table[cell] = 1 << cell;
        cell += 1;
    }
    table
};

/// The peers of each cell as a set.
pub static PEERS_OF: [u128; CELLS] = {
    let mut table = [0; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        let [a, b, c] = HOUSES_OF[cell];
        table[cell] = (MASK_OF[a as usize] | MASK_OF[b as usize] | MASK_OF[c as usize]) & !(1 << cell);
        cell += 1;
    }
    table
};

/// The houses in the order blocks, columns, rows.
pub static BLOCKS_COLUMNS_ROWS: [u8; HOUSES] =
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 18, 19, 20, 21, 22, 23, 24, 25, 26, 9, 10, 11, 12, 13, 14, 15, 16, 17];

/// Those of some peers of a cell in the order of peers: those of its block first, then the others of its row, then
/// those of its column.
pub fn in_peer_order(cell: usize, mut peers: u128) -> impl Iterator<Item = usize> + Clone {
    HOUSES_OF[cell].into_iter().flat_map(move |house| {
        let here = peers & MASK_OF[house as usize];
        peers &= !here;
        cells(here)
    })
}

/// The cells that see a cell of the set.
pub fn seen_by(set: u128) -> u128 {
    cells(set).fold(0, |seen, cell| seen | PEERS_OF[cell])
}

/// The members of a set of digits or positions, ascending.
#[inline]
pub fn bits(mut set: u16) -> impl Iterator<Item = usize> + Clone {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let bit = set.trailing_zeros() as usize;
        set &= set - 1;
        Some(bit)
    })
}

/// Whether a set has exactly one member.
#[inline]
pub const fn is_single(set: u16) -> bool {
    set.is_power_of_two()
}

/// Whether a set has at least two members.
#[inline]
pub const fn has_two(set: u16) -> bool {
    set & set.wrapping_sub(1) != 0
}

/// Whether a set of cells has at least two members.
#[inline]
pub fn has_two_cells(set: u128) -> bool {
    set & set.wrapping_sub(1) != 0
}

/// Whether a set of cells has at least three members.
#[inline]
pub fn has_three_cells(set: u128) -> bool {
    has_two_cells(set & set.wrapping_sub(1))
}

/// Whether a set has exactly two members.
#[inline]
pub fn is_pair(set: u16) -> bool {
    is_single(set & set.wrapping_sub(1))
}

/// Whether a set has two or three members.
#[inline]
pub fn is_pair_or_triple(set: u16) -> bool {
    let rest = set & set.wrapping_sub(1);
    is_single(rest) || is_pair(rest)
}

/// The number of members of each set of nine.
static SIZES: [u8; 512] = {
    let mut table = [0; 512];
    let mut set = 0;
    while set < 512 {
        table[set] = (set as u16).count_ones() as u8;
        set += 1;
    }
    table
};

/// The number of members of a set of digits or positions. A table: no instruction counts bits on the oldest machines.
#[inline]
pub fn size(set: u16) -> usize {
    SIZES[set as usize & 511] as usize
}
