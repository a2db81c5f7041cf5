//! Permutations of bytes with the AVX-512 of Ice Lake, Zen 4 and later.

use core::arch::x86_64::{__m128i, __m512i, _mm512_maskz_loadu_epi8};
use std::cmp::Ordering;

use super::{level, memory, op};
use crate::simd::{Blocks, Bytes, Four, Moves};

level!(@bytes
    /// Proof that the machine has AVX-512 with VBMI, BITALG and GFNI.
    Avx512Bytes "avx512f" "avx512bw" "avx512dq" "avx512vl" "avx512vbmi" "avx512bitalg" "gfni" "bmi1" "bmi2" "popcnt" "lzcnt"
);

/// The first nine bytes of three blocks.
const LINE_BYTES: u64 = 0x1ff_01ff_01ff;
/// Bytes 1 to 9 of three blocks.
const DIGIT_BYTES: u64 = LINE_BYTES << 1;
/// The first words of blocks, each of which has two.
const FIRST_WORDS: u8 = 0b0101_0101;

/// The cell at a place of a line: rows first, then columns.
const fn cell(line: usize, place: usize) -> u8 {
    (if line < 9 { 9 * line + place } else { 9 * place + line - 9 }) as u8
}

/// The cells of the lines of each chute.
static LINES: [[u8; 64]; 6] = {
    let mut cells = [[0; 64]; 6];
    let mut i = 0;
    while i < 18 * 9 {
        let (line, place) = (i / 9, i % 9);
        cells[line / 3][16 * (line % 3) + place] = cell(line, place);
        i += 1;
    }
    cells
};

/// The first eight cells of six lines in reverse order, for each two chutes.
static REVERSED_EIGHTS: [[u8; 64]; 3] = {
    let mut cells = [[0; 64]; 3];
    let mut i = 0;
    while i < 18 * 8 {
        let (line, place) = (i / 8, i % 8);
        cells[line / 6][8 * (line % 6) + 7 - place] = cell(line, place);
        i += 1;
    }
    cells
};

/// For the lines of one of two chutes, from vectors with eight bytes for each line, the places of digits 1 to 8 from
/// the first and the place of digit 9 from the second.
static PLACES: [[u8; 64]; 2] = {
    let mut at = [[0; 64]; 2];
    let mut line = 0;
    while line < 6 {
        let block = 16 * (line % 3);
        let mut digit = 1;
        while digit < 9 {
            at[line / 3][block + digit] = (8 * line + digit - 1) as u8;
            digit += 1;
        }
        at[line / 3][block + 9] = (64 + 8 * line) as u8;
        line += 1;
    }
    at
};

/// The row and the column of cells 0 to 63, and of cells 17 to 80.
static ROWS_AND_COLUMNS: [[[u8; 64]; 2]; 2] = {
    let mut table = [[[0; 64]; 2]; 2];
    let mut i = 0;
    while i < 128 {
        let cell = if i < 64 { i } else { i - 64 + 17 };
        table[i / 64][0][i % 64] = (cell / 9) as u8;
        table[i / 64][1][i % 64] = (cell % 9) as u8;
        i += 1;
    }
    table
};

impl Avx512Bytes {
    memory! {
        load load_64: &[u8; 64] => __m512i = _mm512_loadu_si512;
        store store_64: __m512i => &mut [u8; 64] = _mm512_storeu_si512;
    }

    /// The cells of a grid in the first 81 bytes of two vectors.
    #[inline(always)]
    fn load_cells(self, cells: &[u8; 81]) -> [__m512i; 2] {
        let (first, rest) = cells.split_first_chunk().expect("64 of 81 cells");
        let rest: &[u8; 17] = rest.try_into().expect("17 cells");
        // SAFETY: `self` proves the features, and the reference is valid for 17 bytes, the bits of the mask. No
        // alignment is required.
        let rest = unsafe { _mm512_maskz_loadu_epi8((1 << 17) - 1, rest.as_ptr().cast()) };
        [self.load_64(first), rest]
    }

    /// For each of six lines, whose first eight cells are in reverse order, the places of digits 1 to 8 and that of
    /// digit 9.
    #[inline(always)]
    fn places_of_eights(self, reversed: __m512i) -> [__m512i; 2] {
        // Bit `d - 1` of byte `7 - c` is set if digit `d` is in place `c`. The product with the unit matrix exchanges
        // rows and columns: bit `c` of byte `d - 1`.
        let bits = self.repeat(self.load_bytes(&[0, 1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0]));
        let unit = op!(_mm512_set1_epi64(0x8040_2010_0804_0201_u64 as i64));
        let by_digit = op!(_mm512_gf2p8affine_epi64_epi8::<0>(unit, self.lookup_each(bits, reversed)));
        // The number of bits below the lowest one; 8 where there is none.
        let places = op!(_mm512_popcnt_epi8(op!(_mm512_add_epi8(by_digit, op!(_mm512_set1_epi8(-1))))));
        let sums = op!(_mm512_sad_epu8(places, op!(_mm512_setzero_si512())));
        [places, op!(_mm512_sub_epi8(op!(_mm512_set1_epi64(36)), sums))]
    }
}

impl Blocks for Avx512Bytes {
    type F = __m512i;

    memory! {
        load load_four: &Four => __m512i = _mm512_load_si512;
        store store_four: __m512i => &mut Four = _mm512_store_si512;
    }

    inline! {
        fn repeat(self, block: __m128i) -> __m512i = op!(_mm512_broadcast_i32x4(block));
        fn lookup_each(self, table: __m512i, at: __m512i) -> __m512i = op!(_mm512_shuffle_epi8(table, at));
        fn lookup_eight_each(self, table: __m512i, at: __m512i) -> __m512i = self.lookup_each(table, at);
        fn or_each(self, a: __m512i, b: __m512i) -> __m512i = op!(_mm512_or_si512(a, b));
        fn next_lines(self, v: __m512i) -> __m512i = op!(_mm512_shuffle_i32x4::<0b00_00_10_01>(v, v));
        fn first_of_pairs(self, v: __m512i) -> __m512i = op!(_mm512_shuffle_i32x4::<0b01_01_00_00>(v, v));
        fn second_of_pairs(self, v: __m512i) -> __m512i = op!(_mm512_shuffle_i32x4::<0b10_10_10_01>(v, v));
    }
    #[inline(always)]
    fn weighted_sums_each(self, v: __m512i, weights: &[u8; 16]) -> __m512i {
        let weights = self.repeat(self.load_bytes(weights));
        let pairs = op!(_mm512_maddubs_epi16(v, weights));
        op!(_mm512_madd_epi16(pairs, op!(_mm512_set1_epi16(1))))
    }

    inline! { fn min_numbers(self, a: __m512i, b: __m512i) -> __m512i = op!(_mm512_min_epu64(a, b)); }
    #[inline(always)]
    fn least_number(self, v: __m512i) -> u64 {
        let v = op!(_mm512_min_epu64(v, op!(_mm512_shuffle_i32x4::<0b01_00_11_10>(v, v))));
        let v = op!(_mm512_min_epu64(v, op!(_mm512_shuffle_i32x4::<0b10_11_00_01>(v, v))));
        self.first_number(op!(_mm512_castsi512_si128(v)))
    }
    #[inline(always)]
    fn equal_numbers(self, v: __m512i, number: u64) -> u32 {
        let number = op!(_mm512_set1_epi64(number as i64));
        u32::from(op!(_mm512_mask_cmpeq_epi64_mask(FIRST_WORDS, v, number)))
    }

    #[inline(always)]
    fn first_bytes(self, [a, b]: [__m512i; 2]) -> __m128i {
        let first = self.load_bytes(&[0, 16, 32, 48, 64, 80, 96, 112, 0, 0, 0, 0, 0, 0, 0, 0]);
        op!(_mm512_castsi512_si128(op!(_mm512_permutex2var_epi8(a, op!(_mm512_castsi128_si512(first)), b))))
    }
    #[inline(always)]
    fn pack_nines(self, [a, b]: [__m512i; 2], at: &[u8; 6]) -> __m512i {
        let mut padded = [0; 16];
        padded[..6].copy_from_slice(at);
        // The first byte of each block.
        let first = op!(_mm_slli_epi16::<4>(self.load_bytes(&padded)));
        // The block of nine bytes that a byte belongs to, and its place there, are the row and the column of a cell.
        let [block, byte] = &ROWS_AND_COLUMNS[0];
        let (block, byte) = (self.load_64(block), self.load_64(byte));
        let first = op!(_mm512_permutexvar_epi8(block, op!(_mm512_castsi128_si512(first))));
        op!(_mm512_permutex2var_epi8(a, op!(_mm512_add_epi8(first, byte)), b))
    }
    #[inline(always)]
    fn compare_54(self, a: __m512i, b: __m512i) -> Ordering {
        const FIRST_54: u64 = (1 << 54) - 1;
        let differ = op!(_mm512_mask_cmpneq_epu8_mask(FIRST_54, a, b));
        let less = op!(_mm512_cmplt_epu8_mask(a, b));
        let first = differ & differ.wrapping_neg();
        if first == 0 {
            Ordering::Equal
        } else if less & first != 0 {
            Ordering::Less
        } else {
            Ordering::Greater
        }
    }

    #[inline(always)]
    fn least_byte(self, bytes: &Four) -> u8 {
        let v = self.load_four(bytes);
        let v = op!(_mm512_min_epu8(v, op!(_mm512_shuffle_i32x4::<0b01_00_11_10>(v, v))));
        let v = op!(_mm512_min_epu8(v, op!(_mm512_shuffle_i32x4::<0b10_11_00_01>(v, v))));
        let v = op!(_mm512_castsi512_si128(v));
        let words = op!(_mm_min_epu8(v, op!(_mm_srli_epi16::<8>(v))));
        op!(_mm_cvtsi128_si32(op!(_mm_minpos_epu16(words)))) as u8
    }
    #[inline(always)]
    fn equal_mask(self, bytes: &Four, byte: u8) -> u64 {
        op!(_mm512_cmpeq_epi8_mask(self.load_four(bytes), op!(_mm512_set1_epi8(byte as i8))))
    }

    #[inline(always)]
    fn lines(self, cells: &[u8; 81], lines: &mut [Four; 6]) {
        let [first, rest] = self.load_cells(cells);
        for (line, at) in lines.iter_mut().zip(&LINES) {
            let cells = op!(_mm512_maskz_permutex2var_epi8(LINE_BYTES, first, self.load_64(at), rest));
            self.store_four(cells, line);
        }
    }
    #[inline(always)]
    fn lines_and_places(self, cells: &[u8; 81], lines: &mut [Four; 6], places: &mut [Four; 6]) -> bool {
        let [first, rest] = self.load_cells(cells);
        let identity = self.repeat(self.load_bytes(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0, 0, 0, 0]));
        let mut wrong = 0;
        for (two, at) in REVERSED_EIGHTS.iter().enumerate() {
            let reversed = op!(_mm512_permutex2var_epi8(first, self.load_64(at), rest));
            let [eights, nines] = self.places_of_eights(reversed);
            for (i, place_at) in PLACES.iter().enumerate() {
                let chute = 2 * two + i;
                let at = self.load_64(&LINES[chute]);
                let line = op!(_mm512_maskz_permutex2var_epi8(LINE_BYTES, first, at, rest));
                let at = self.load_64(place_at);
                let place = op!(_mm512_maskz_permutex2var_epi8(DIGIT_BYTES, eights, at, nines));
                self.store_four(line, &mut lines[chute]);
                self.store_four(place, &mut places[chute]);
                let found = self.lookup_each(place, line);
                wrong |= op!(_mm512_mask_cmpneq_epi8_mask(LINE_BYTES, found, identity));
            }
        }
        wrong == 0
    }

    #[inline(always)]
    fn move_cells(self, cells: &[u8; 81], moves: Moves<__m128i>, names: __m128i, zero: u8, image: &mut [u8; 81]) {
        let [first, rest] = self.load_cells(cells);
        // The distance in the grid between lines is nine for rows, one for columns, or the other way round.
        let Moves { is_transposed, rows, columns } = moves;
        let columns_by_nine = if is_transposed { u16::MAX } else { 0 };
        let rows_by_eight = op!(_mm_maskz_mov_epi8(!columns_by_nine, op!(_mm_slli_epi16::<3>(rows))));
        let columns_by_eight = op!(_mm_maskz_mov_epi8(columns_by_nine, op!(_mm_slli_epi16::<3>(columns))));
        let (rows, columns) = (op!(_mm_add_epi8(rows, rows_by_eight)), op!(_mm_add_epi8(columns, columns_by_eight)));
        let (rows, columns) = (op!(_mm512_castsi128_si512(rows)), op!(_mm512_castsi128_si512(columns)));
        let names = self.repeat(names);
        let one = op!(_mm512_set1_epi8(zero.wrapping_add(1) as i8));
        for (at, [row, column]) in [0, 17].into_iter().zip(&ROWS_AND_COLUMNS) {
            let row = op!(_mm512_permutexvar_epi8(self.load_64(row), rows));
            let column = op!(_mm512_permutexvar_epi8(self.load_64(column), columns));
            let moved = op!(_mm512_permutex2var_epi8(first, op!(_mm512_add_epi8(row, column)), rest));
            let is_digit = op!(_mm512_cmplt_epu8_mask(op!(_mm512_sub_epi8(moved, one)), op!(_mm512_set1_epi8(9))));
            let renamed = op!(_mm512_mask_shuffle_epi8(moved, is_digit, names, moved));
            self.store_64(renamed, image[at..].first_chunk_mut().expect("64 of 81 cells"));
        }
    }
}
