//! Tables of minirows, minicolumns and the six configurations of a digit in a band or stack.

/// Which of the three minirows of a row hold a cell, by the nine cells of the row.
pub(super) const MINIROWS: [u8; 512] = {
    let mut table = [0; 512];
    let mut row = 0;
    while row < 512 {
        table[row] = (row & 7 != 0) as u8 | ((row >> 3 & 7 != 0) as u8) << 1 | ((row >> 6 != 0) as u8) << 2;
        row += 1;
    }
    table
};

/// The union of the configurations that fit into `map`, and 0 if none does.
///
/// A configuration takes one line from each of three boxes, all lines different. Bit `3 * line + box` of
/// `map` says that the digit may be in that line of that box; in a band lines are rows, in a stack (with
/// the bit order transposed, which makes no difference to the set of configurations) columns.
const fn fitting(map: usize) -> usize {
    let mut union = 0;
    let mut a = 0;
    while a < 3 {
        let mut b = 0;
        while b < 3 {
            if a != b {
                let configuration = 1 << (3 * a) | 2 << (3 * b) | 4 << (3 * (3 - a - b));
                if map & configuration == configuration {
                    union |= configuration;
                }
            }
            b += 1;
        }
        a += 1;
    }
    union
}

/// What follows from the minirows that a digit may take in a band.
#[derive(Clone, Copy)]
pub(super) struct Band {
    /// The cells of all configurations that fit; 0 for a contradiction.
    pub keep: u32,
    /// The cells of the boxes that are left with one minirow.
    pub one_row: u32,
}

/// By minirow map of a band: bit `3 * row + box`.
pub(super) const BANDS: [Band; 512] = {
    let mut table = [Band { keep: 0, one_row: 0 }; 512];
    let mut map = 0;
    while map < 512 {
        let fits = fitting(map);
        let mut minirow = 0;
        while minirow < 9 {
            if fits >> minirow & 1 == 1 {
                table[map].keep |= 7 << (3 * minirow);
            }
            minirow += 1;
        }
        let mut stack = 0;
        while stack < 3 {
            if (fits >> stack & 0o111).count_ones() == 1 {
                table[map].one_row |= 0o7_007_007 << (3 * stack);
            }
            stack += 1;
        }
        map += 1;
    }
    table
};

/// By minicolumn map of a stack, bit `3 * band + column`: the minicolumns of all configurations that
/// fit, moved to bit `9 * band + column`.
pub(super) const STACKS: [u32; 512] = {
    let mut table = [0; 512];
    let mut map = 0;
    while map < 512 {
        let fits = fitting(map) as u32;
        table[map] = (fits & 7) | (fits >> 3 & 7) << 9 | (fits >> 6) << 18;
        map += 1;
    }
    table
};

/// By the columns that a digit may take in a band: the cells of the boxes left with one column.
pub(super) const ONE_COLUMN: [u32; 512] = {
    let mut table = [0; 512];
    let mut columns = 0;
    while columns < 512 {
        let mut stack = 0;
        while stack < 3 {
            if (columns >> (3 * stack) & 7usize).count_ones() == 1 {
                table[columns] |= 0o7_007_007 << (3 * stack);
            }
            stack += 1;
        }
        columns += 1;
    }
    table
};
