//! Random symmetries: which one a random number means.
//!
//! A symmetry is a transposition, an order of the rows, one of the columns and one of the digits. Each order is a
//! number, and tables have the orders. That of the digits is composed of three: the first two of nine digits, the next
//! two of seven, and the other five.

use super::rng::SplitMix64;

/// An order of nine things, or its index plus one.
type Order = [u8; 16];

/// For each order of nine lines that keeps chutes together, the source of each line: the order of the chutes is the
/// last digit in base 6, those in the chutes the digits before.
pub static LINE_ORDERS: [Order; 1296] = {
    let mut orders = [[0; 16]; 1296];
    let mut code = 0;
    while code < 1296 {
        let mut line = 0;
        while line < 9 {
            let within = code / [6, 36, 216][line / 3] % 6;
            orders[code][line] = 3 * THREE[code % 6][line / 3] + THREE[within][line % 3];
            line += 1;
        }
        code += 1;
    }
    orders
};

/// Choices of the first two of nine digits, with the others in ascending order behind them.
pub static FIRST_DIGITS: [Order; 72] = choices(0, 2, 0, 1);
/// For each choice of two of the last seven places, the source of each place.
pub static MIDDLE_DIGITS: [Order; 42] = choices(2, 2, 0, 0);
/// For each order of the last five places, the source of each place, at the index of the place plus one.
pub static OTHER_DIGITS: [Order; 120] = choices(4, 5, 1, 0);

/// The orders of three lines.
const THREE: [[u8; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// For each choice of `n` of the things `skipped..9`, all nine things: those skipped, then those chosen, then the
/// others in ascending order. The first choice is the code modulo the number of things, the next one that of the
/// quotient. The things start at index `at` and are numbered from `one`.
const fn choices<const N: usize>(skipped: usize, n: usize, at: usize, one: u8) -> [Order; N] {
    let mut orders = [[0; 16]; N];
    let mut code = 0;
    while code < N {
        let mut order = [0, 1, 2, 3, 4, 5, 6, 7, 8];
        let (mut place, mut rest) = (skipped, code);
        while place < skipped + n {
            let left = 9 - place;
            // The chosen thing moves to its place, and those before it back.
            let mut from = place + rest % left;
            rest /= left;
            while from > place {
                (order[from - 1], order[from]) = (order[from], order[from - 1]);
                from -= 1;
            }
            place += 1;
        }
        let mut i = 0;
        while i < 9 {
            orders[code][at + i] = order[i] + one;
            i += 1;
        }
        code += 1;
    }
    orders
}

/// The random sequence of a seed.
#[derive(Clone, Copy)]
pub struct Sequence {
    start: u64,
}

/// A symmetry, as indices of the tables.
pub struct Drawn {
    pub rows: usize,
    pub columns: usize,
    pub is_transposed: bool,
    /// In [`FIRST_DIGITS`], [`MIDDLE_DIGITS`] and [`OTHER_DIGITS`].
    pub digits: [usize; 3],
}

impl Sequence {
    /// The seed is mixed first. Otherwise seed 1 would give the sequence of seed 0 without its first symmetry.
    #[inline]
    pub fn of_seed(seed: u64) -> Sequence {
        Sequence { start: SplitMix64(seed).next_word() }
    }

    /// Symmetry number `index`.
    #[inline(always)]
    pub fn draw(self, index: u64) -> Drawn {
        let mut random = SplitMix64(self.start.wrapping_add(index));
        // In 32 bits, where divisions by constants are cheaper.
        let cells = random.below_constant::<{ 2 * 6u64.pow(8) }>() as u32;
        let digits = random.below_constant::<362_880>() as u32;
        Drawn {
            rows: (cells % 1296) as usize,
            columns: (cells / 1296 % 1296) as usize,
            is_transposed: cells / (1296 * 1296) == 1,
            digits: [digits % 72, digits / 72 % 42, digits / (72 * 42)].map(|digits| digits as usize),
        }
    }
}
