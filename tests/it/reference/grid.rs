//! A grid with its candidates. Cells are numbered row by row; digits are `0..9`.

use rapidoku::Candidates;

/// Blocks are houses `0..9`, rows `9..18`, columns `18..27`.
pub const BLOCKS: usize = 0;
pub const ROWS: usize = 9;
pub const COLUMNS: usize = 18;

/// The orders in which houses are visited.
pub const BLOCKS_COLUMNS_ROWS: [usize; 3] = [BLOCKS, COLUMNS, ROWS];

/// The cells of each house by position: in a block row by row.
pub static HOUSES: [[usize; 9]; 27] = {
    let mut houses = [[0; 9]; 27];
    let mut cell = 0;
    while cell < 81 {
        let (row, column) = (cell / 9, cell % 9);
        houses[BLOCKS + row / 3 * 3 + column / 3][row % 3 * 3 + column % 3] = cell;
        houses[ROWS + row][column] = cell;
        houses[COLUMNS + column][row] = cell;
        cell += 1;
    }
    houses
};

/// The block, row and column of a cell.
pub fn houses_of(cell: usize) -> [usize; 3] {
    let (row, column) = (cell / 9, cell % 9);
    [BLOCKS + row / 3 * 3 + column / 3, ROWS + row, COLUMNS + column]
}

/// The other cells of the houses of a cell: of its block, then of its row, then of its column.
pub static PEERS: std::sync::LazyLock<[Vec<usize>; 81]> = std::sync::LazyLock::new(|| {
    std::array::from_fn(|cell| {
        let mut peers = Vec::new();
        for other in houses_of(cell).into_iter().flat_map(|house| HOUSES[house]) {
            if other != cell && !peers.contains(&other) {
                peers.push(other);
            }
        }
        peers
    })
});

/// Whether two cells are different and share a house.
pub fn see(a: usize, b: usize) -> bool {
    a != b && houses_of(a).into_iter().zip(houses_of(b)).any(|(a, b)| a == b)
}

/// The members of a set of digits or positions, ascending.
pub fn members(set: u16) -> impl Iterator<Item = usize> + Clone {
    let mut left = set & 0x1ff;
    std::iter::from_fn(move || {
        let member = (left != 0).then(|| first(left))?;
        left &= left - 1;
        Some(member)
    })
}

pub fn size(set: u16) -> usize {
    set.count_ones() as usize
}

/// The smallest member.
pub fn first(set: u16) -> usize {
    set.trailing_zeros() as usize
}

/// The sets of `k` of nine, in colexicographic order: as ascending numbers.
pub fn combinations(k: usize) -> impl Iterator<Item = u16> {
    (0..512).filter(move |&set| size(set) == k)
}

/// The pairs of the numbers below `n`, in colexicographic order, the lower one first.
pub fn pairs(n: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n).flat_map(|high| (0..high).map(move |low| (low, high)))
}

/// All members of the sets.
pub fn union(sets: impl Iterator<Item = u16>) -> u16 {
    sets.fold(0, |all, set| all | set)
}

#[derive(Clone)]
pub struct Grid {
    pub values: [Option<u8>; 81],
    /// None of a filled cell.
    pub candidates: [u16; 81],
}

impl Grid {
    pub fn new(given: &Candidates) -> Grid {
        let mut grid = Grid { values: [None; 81], candidates: *given.cells() };
        for (cell, &set) in given.cells().iter().enumerate() {
            if size(set) == 1 {
                grid.place(cell, first(set));
            }
        }
        grid
    }

    pub fn has(&self, cell: usize, digit: usize) -> bool {
        self.candidates[cell] >> digit & 1 == 1
    }

    pub fn remove(&mut self, cell: usize, digit: usize) {
        self.candidates[cell] &= !(1 << digit);
    }

    pub fn place(&mut self, cell: usize, digit: usize) {
        self.values[cell] = Some(digit as u8);
        self.candidates[cell] = 0;
        PEERS[cell].iter().for_each(|&peer| self.remove(peer, digit));
    }

    /// The positions of a digit in a house.
    pub fn places(&self, digit: usize, house: usize) -> u16 {
        let cells = HOUSES[house].iter().enumerate();
        cells.fold(0, |set, (i, &cell)| set | (self.candidates[cell] >> digit & 1) << i)
    }

    /// The number of cells of a house without value.
    pub fn empties(&self, house: usize) -> usize {
        HOUSES[house].iter().filter(|&&cell| self.values[cell].is_none()).count()
    }

    /// Those of the digits that are candidates of the cells, by cell.
    pub fn those(&self, cells: impl Iterator<Item = usize>, digits: u16) -> Vec<(usize, u16)> {
        let mut found: Vec<_> = cells.map(|cell| (cell, self.candidates[cell] & digits)).collect();
        found.retain(|&(_, digits)| digits != 0);
        found.sort();
        found
    }
}
