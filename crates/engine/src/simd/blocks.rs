//! Operations on vectors of four blocks of 16 bytes, and on the cells of grids.

use std::cmp::Ordering;

use super::Bytes;

/// Cells of a grid.
const CELLS: usize = 81;

/// Four blocks of 16 bytes in memory.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct Four(pub [[u8; 16]; 4]);

impl Four {
    pub const ZERO: Four = Four([[0; 16]; 4]);
}

/// How the cells of a grid move.
#[derive(Clone, Copy)]
pub struct Moves<B> {
    /// Whether rows and columns are exchanged first.
    pub is_transposed: bool,
    /// For each row of the image, its row in the grid, transposed or not. The other bytes are below 16.
    pub rows: B,
    /// For each column of the image, its column in the grid, transposed or not. The other bytes are below 16.
    pub columns: B,
}

/// Vectors of four blocks of 16 bytes, for example the lines of a chute: the three rows of a band or columns of a
/// stack, and a block of zeros.
pub trait Blocks: Bytes {
    /// Four blocks in registers.
    type F: Copy;

    fn load_four(self, four: &Four) -> Self::F;
    fn store_four(self, v: Self::F, four: &mut Four);
    /// `block` four times.
    fn repeat(self, block: Self::B) -> Self::F;
    /// [`lookup`](Bytes::lookup) in each block.
    fn lookup_each(self, table: Self::F, at: Self::F) -> Self::F;
    /// [`lookup_eight`](Bytes::lookup_eight) in each block.
    fn lookup_eight_each(self, table: Self::F, at: Self::F) -> Self::F;
    /// Bitwise or.
    fn or_each(self, a: Self::F, b: Self::F) -> Self::F;
    /// Of three lines, the next line of each, the first after the last: blocks 1, 2, 0. The last block is unspecified.
    fn next_lines(self, v: Self::F) -> Self::F;
    /// Of three lines, the first line of each pair: blocks 0, 0, 1. The last block is unspecified.
    fn first_of_pairs(self, v: Self::F) -> Self::F;
    /// Of three lines, the second line of each pair: blocks 1, 2, 2. The last block is unspecified.
    fn second_of_pairs(self, v: Self::F) -> Self::F;
    /// [`weighted_sums`](Bytes::weighted_sums) of each block.
    fn weighted_sums_each(self, v: Self::F, weights: &[u8; 16]) -> Self::F;

    /// For each block the lesser of two numbers, which are the first eight bytes, the first byte lowest. The rest of
    /// each block is unspecified.
    fn min_numbers(self, a: Self::F, b: Self::F) -> Self::F;
    /// The least of the four numbers.
    fn least_number(self, v: Self::F) -> u64;
    /// The mask of blocks with this number: bit `2 * i` is block `i`.
    fn equal_numbers(self, v: Self::F, number: u64) -> u32;

    /// The first bytes of eight blocks. The other bytes are unspecified.
    fn first_bytes(self, v: [Self::F; 2]) -> Self::B;
    /// The first nine bytes of six of eight blocks, side by side; `at` has their numbers. The rest is unspecified.
    fn pack_nines(self, v: [Self::F; 2], at: &[u8; 6]) -> Self::F;
    /// Compares the first 54 bytes.
    fn compare_54(self, a: Self::F, b: Self::F) -> Ordering;

    /// The least of 64 bytes.
    fn least_byte(self, bytes: &Four) -> u8;
    /// The mask of those of 64 bytes that are equal to one.
    fn equal_mask(self, bytes: &Four, byte: u8) -> u64;

    /// The lines of the six chutes of a grid: bands, then stacks. There are zeros behind nine cells and in the last
    /// block.
    #[inline(always)]
    fn lines(self, cells: &[u8; CELLS], lines: &mut [Four; 6]) {
        fill_lines(cells, lines);
    }

    /// [`lines`](Blocks::lines), and the place of each digit in each line, at the index of the digit. Returns whether
    /// each line has nine digits; otherwise `places` are unspecified. Cells are below 16.
    #[inline(always)]
    fn lines_and_places(self, cells: &[u8; CELLS], lines: &mut [Four; 6], places: &mut [Four; 6]) -> bool {
        fill_lines(cells, lines);
        *places = [Four([[15; 16]; 4]); 6];
        for (r, cells) in cells.as_chunks::<9>().0.iter().enumerate() {
            for (c, &digit) in cells.iter().enumerate() {
                places[r / 3].0[r % 3][digit as usize & 15] = c as u8;
                places[3 + c / 3].0[c % 3][digit as usize & 15] = r as u8;
            }
        }
        let mut greatest = self.splat_byte(0);
        for chute in &*places {
            for places in &chute.0[..3] {
                greatest = self.max_bytes(greatest, self.load_bytes(places));
            }
        }
        // A digit is missing in a line if its place is 15, which becomes the high bit.
        self.high_bits(self.add_bytes(greatest, self.splat_byte(128 - 15))) & 0b11_1111_1110 == 0
    }

    /// Writes the image of cells when they move. Digits, which follow the value `zero`, get the `names` whose index is
    /// the digit; other cells stay as they are. `zero` is divisible by 16.
    #[inline(always)]
    fn move_cells(self, cells: &[u8; CELLS], moves: Moves<Self::B>, names: Self::B, zero: u8, image: &mut [u8; CELLS]) {
        let transposed;
        let cells = if moves.is_transposed {
            transposed = transposed_cells(cells);
            &transposed
        } else {
            cells
        };
        // The last row is at the end of the vector that has it.
        let columns = [moves.columns, self.add_bytes(moves.columns, self.splat_byte(7))];
        let rows = self.bytes_of(moves.rows);
        let (one, eight) = (self.splat_byte(zero.wrapping_add(1).wrapping_neg()), self.splat_byte(8));
        // Each vector overwrites what the one before it has beyond its nine cells.
        let mut padded = [0; 88];
        for (i, &row) in rows[..9].iter().enumerate() {
            let at = (9 * row as usize).min(CELLS - 16);
            let line = self.load_bytes(cells[at..].first_chunk().expect("16 of 81 cells"));
            let line = self.lookup(line, columns[usize::from(row == 8)]);
            let above_one = self.add_bytes(line, one);
            let is_digit = self.equal_bytes(self.min_bytes(above_one, eight), above_one);
            let renamed = self.lookup(names, self.and_bytes(line, self.splat_byte(15)));
            let line = self.select_bytes(is_digit, renamed, line);
            padded[9 * i..9 * i + 16].copy_from_slice(&self.bytes_of(line));
        }
        image.copy_from_slice(&padded[..CELLS]);
    }
}

/// Fills the lines of chutes.
#[inline(always)]
fn fill_lines(cells: &[u8; CELLS], lines: &mut [Four; 6]) {
    *lines = [Four::ZERO; 6];
    let transposed = transposed_cells(cells);
    let (bands, stacks) = lines.split_at_mut(3);
    for (cells, chutes) in [(cells, bands), (&transposed, stacks)] {
        for (i, line) in cells.as_chunks::<9>().0.iter().enumerate() {
            chutes[i / 3].0[i % 3][..9].copy_from_slice(line);
        }
    }
}

/// Exchanges rows and columns.
#[inline(always)]
fn transposed_cells(cells: &[u8; CELLS]) -> [u8; CELLS] {
    let mut transposed = [0; CELLS];
    let mut words = [0; 9];
    for (i, row) in cells.as_chunks::<9>().0.iter().enumerate() {
        words[i] = u64::from_le_bytes(*row.first_chunk().expect("a row has eight cells"));
        transposed[72 + i] = row[8];
    }
    for (i, byte) in words[8].to_le_bytes().into_iter().enumerate() {
        transposed[9 * i + 8] = byte;
    }
    // Transposes eight by eight bytes: exchanges blocks of one byte, of two by two, and of four by four.
    for (step, mask) in [(1, 0x00ff_00ff_00ff_00ff), (2, 0x0000_ffff_0000_ffff), (4, 0x0000_0000_ffff_ffff)] {
        for i in (0..8).filter(|i| i & step == 0) {
            let differing = (words[i] >> (8 * step) ^ words[i + step]) & mask;
            words[i + step] ^= differing;
            words[i] ^= differing << (8 * step);
        }
    }
    for (i, word) in words[..8].iter().enumerate() {
        transposed[9 * i..9 * i + 8].copy_from_slice(&word.to_le_bytes());
    }
    transposed
}

/// A level whose blocks are vectors of their own.
pub(super) trait FourVectors: Bytes {}

/// An array with an element for each block. No closure: it would not be inlined into each of several kernels.
macro_rules! each {
    (|$i:ident| $x:expr) => {
        [each!(@0 $i $x), each!(@1 $i $x), each!(@2 $i $x), each!(@3 $i $x)]
    };
    (@$at:literal $i:ident $x:expr) => {{
        let $i = $at;
        $x
    }};
}

impl<S: FourVectors> Blocks for S {
    type F = [S::B; 4];

    inline! {
        fn load_four(self, four: &Four) -> Self::F = each!(|i| self.load_bytes(&four.0[i]));
    }
    #[inline(always)]
    fn store_four(self, v: Self::F, four: &mut Four) {
        four.0 = each!(|i| self.bytes_of(v[i]));
    }
    inline! {
        fn repeat(self, block: S::B) -> Self::F = [block; 4];
        fn lookup_each(self, table: Self::F, at: Self::F) -> Self::F = each!(|i| self.lookup(table[i], at[i]));
        fn lookup_eight_each(self, table: Self::F, at: Self::F) -> Self::F =
            each!(|i| self.lookup_eight(table[i], at[i]));
        fn or_each(self, a: Self::F, b: Self::F) -> Self::F = each!(|i| self.or_bytes(a[i], b[i]));
        fn next_lines(self, v: Self::F) -> Self::F = [v[1], v[2], v[0], v[0]];
        fn first_of_pairs(self, v: Self::F) -> Self::F = [v[0], v[0], v[1], v[1]];
        fn second_of_pairs(self, v: Self::F) -> Self::F = [v[1], v[2], v[2], v[2]];
        fn weighted_sums_each(self, v: Self::F, weights: &[u8; 16]) -> Self::F =
            each!(|i| self.weighted_sums(v[i], weights));
        fn min_numbers(self, a: Self::F, b: Self::F) -> Self::F =
            each!(|i| if self.first_number(b[i]) < self.first_number(a[i]) { b[i] } else { a[i] });
    }
    #[inline(always)]
    fn least_number(self, v: Self::F) -> u64 {
        let [a, b, c, d] = each!(|i| self.first_number(v[i]));
        a.min(b).min(c.min(d))
    }
    #[inline(always)]
    fn equal_numbers(self, v: Self::F, number: u64) -> u32 {
        let [a, b, c, d] = each!(|i| u32::from(self.first_number(v[i]) == number));
        a | b << 2 | c << 4 | d << 6
    }

    #[inline(always)]
    fn first_bytes(self, [a, b]: [Self::F; 2]) -> S::B {
        let mut bytes = [0; 16];
        for (byte, block) in bytes.iter_mut().zip(a.into_iter().chain(b)) {
            *byte = self.first_number(block) as u8;
        }
        self.load_bytes(&bytes)
    }
    #[inline(always)]
    fn pack_nines(self, [a, b]: [Self::F; 2], at: &[u8; 6]) -> Self::F {
        let (x, y) = (each!(|i| self.bytes_of(a[i])), each!(|i| self.bytes_of(b[i])));
        // Each block overwrites what the one before it has beyond its nine bytes.
        let mut packed = Four::ZERO;
        let bytes = packed.0.as_flattened_mut();
        for (i, &at) in at.iter().enumerate() {
            let block = if at < 4 { &x } else { &y }[at as usize & 3];
            let end = 64.min(9 * i + 16);
            bytes[9 * i..end].copy_from_slice(&block[..end - 9 * i]);
        }
        self.load_four(&packed)
    }
    #[inline(always)]
    fn compare_54(self, a: Self::F, b: Self::F) -> Ordering {
        let (a, b) = (each!(|i| self.bytes_of(a[i])), each!(|i| self.bytes_of(b[i])));
        a.as_flattened()[..54].cmp(&b.as_flattened()[..54])
    }

    #[inline(always)]
    fn least_byte(self, bytes: &Four) -> u8 {
        let [a, b, c, d] = self.load_four(bytes);
        let least = self.min_bytes(self.min_bytes(a, b), self.min_bytes(c, d));
        self.bytes_of(least).into_iter().fold(u8::MAX, u8::min)
    }
    #[inline(always)]
    fn equal_mask(self, bytes: &Four, byte: u8) -> u64 {
        let (v, wanted) = (self.load_four(bytes), self.splat_byte(byte));
        let [a, b, c, d] = each!(|i| u64::from(self.high_bits(self.equal_bytes(v[i], wanted))));
        a | b << 16 | c << 32 | d << 48
    }
}
