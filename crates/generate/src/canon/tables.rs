//! Tables, 270 KB, made on first use within some milliseconds.

use std::sync::LazyLock;

use crate::grid::random_symmetry::LINE_ORDERS;
use crate::simd::Four;

/// Orders of the nine columns that keep stacks together: 6⁴.
pub const ORDERS: usize = 1296;
/// Pairs of rows of a band, up to the names of the digits: 56 ways to choose the sets of digits, 6³ orders.
pub const PAIRS: usize = 12_096;

/// A permutation of the nine places in a line, then entry 15 for the rest of a vector.
pub type Places = [u8; 16];

pub static TABLES: LazyLock<Tables> = LazyLock::new(Tables::new);

/// Everything about orders of columns, and about pairs of rows.
///
/// A *pair* is two rows of the same band, the second in terms of the first: for each place in the second row, the place
/// of the same digit in the first. An order of the columns turns a pair into another one, its conjugate. There are 15
/// classes of conjugate pairs, numbered by their least members in ascending order.
pub struct Tables {
    /// For each order, the source of each column.
    pub sources: Vec<Places>,
    /// For each order, the place to which each column moves.
    pub targets: Vec<Places>,
    /// The number of a pair is the sum of three entries, one for each stack, indexed by a number in base 9 with the
    /// first place lowest. The entry of places that are not in a pair is [`PAIRS`]. A line that is no permutation has
    /// places of 15; they stay within these tables.
    pub numbers: Box<[[u16; 2048]; 3]>,
    /// For each pair, its class and that of its inverse: of the same rows in reverse order. [`NO_CLASS`] for numbers
    /// that are not pairs.
    pub classes: Box<[[u8; 2]; 1 << 16]>,
    /// For each pair, an order that turns it into the least member of its class, and one that does so with its inverse.
    pub to_least: Vec<[u16; 2]>,
    /// For each class, the orders that keep its least member. These after the one in `to_least` are all orders that
    /// turn a pair into this member.
    pub keeping: Vec<Keeping>,
    /// For each pattern of ties, see [`Tables::ties`], the range in `tied`.
    tie_ranges: Vec<[u16; 2]>,
    tied: Vec<u16>,
}

/// Orders that keep the least member of a class.
pub struct Keeping {
    pub orders: Vec<u16>,
    /// The same orders four at a time, then some that make each row greater than all others.
    pub fours: Vec<FourOrders>,
}

/// Four orders.
pub struct FourOrders {
    /// The sources of the first eight columns, the last one first.
    pub reversed_sources: Four,
    /// The place to which each column moves.
    pub targets: Four,
}

/// The class of what is not a pair.
pub const NO_CLASS: u8 = u8::MAX;

impl Tables {
    /// The orders of columns that exchange equal columns of a stack and equal stacks only.
    ///
    /// Bits 0 and 1 of `columns` tell that the first two columns of the first stack are equal, and the last two; bits 3
    /// and 4, and 6 and 7, are those of the other stacks. Bits 0 and 1 of `stacks` tell the same of the stacks.
    #[inline(always)]
    pub fn ties(&self, columns: u32, stacks: u32) -> &[u16] {
        let [start, end] = self.tie_ranges[(columns & 255) as usize * 4 + (stacks & 3) as usize];
        &self.tied[start as usize..end as usize]
    }

    fn new() -> Tables {
        let sources: Vec<Places> = (0..ORDERS).map(order).collect();
        let targets: Vec<Places> = sources.iter().map(inverse).collect();
        let numbers = numbers();
        let number = |pair: &Places| -> u16 {
            let piece = |stack: usize| {
                let [a, b, c] = [0, 1, 2].map(|i| pair[3 * stack + i] as usize);
                numbers[stack][a + 9 * b + 81 * c]
            };
            piece(0) + piece(1) + piece(2)
        };

        let mut classes = Box::new([[NO_CLASS; 2]; 1 << 16]);
        let mut inverses = vec![0; PAIRS];
        let mut to_least = vec![[u16::MAX; 2]; PAIRS];
        let mut keeping = Vec::new();
        let pairs = pairs();
        for least in &pairs {
            inverses[number(least) as usize] = number(&inverse(least));
            if classes[number(least) as usize][0] != NO_CLASS {
                continue;
            }
            // The first pair of a class in ascending order. The order that turns it into another member has an inverse
            // that turns this one into the least.
            let class = keeping.len() as u8;
            let mut orders = Vec::new();
            for (order, (source, target)) in (0..).zip(sources.iter().zip(&targets)) {
                // For place `i` of the conjugate: to the place in the least pair, through it, and back.
                let mut conjugate = [15; 16];
                for i in 0..9 {
                    conjugate[i] = source[least[target[i] as usize] as usize];
                }
                let member = number(&conjugate) as usize;
                classes[member][0] = class;
                to_least[member][0] = order.min(to_least[member][0]);
                if member == usize::from(number(least)) {
                    orders.push(order);
                }
            }
            let fours = orders.chunks(4).map(|orders| four_orders(orders, &sources, &targets));
            keeping.push(Keeping { fours: fours.collect(), orders });
        }
        for pair in 0..PAIRS {
            let inverse = inverses[pair] as usize;
            classes[pair][1] = classes[inverse][0];
            to_least[pair][1] = to_least[inverse][0];
        }
        let (tie_ranges, tied) = ties(&sources);
        Tables { sources, targets, numbers, classes, to_least, keeping, tie_ranges, tied }
    }
}

fn four_orders(orders: &[u16], sources: &[Places], targets: &[Places]) -> FourOrders {
    let mut four = FourOrders { reversed_sources: Four::ZERO, targets: Four([[u8::MAX; 16]; 4]) };
    for (i, &order) in orders.iter().enumerate() {
        four.reversed_sources.0[i][..8].copy_from_slice(&sources[order as usize][..8]);
        four.reversed_sources.0[i][..8].reverse();
        four.targets.0[i] = targets[order as usize];
    }
    four
}

/// The source of each column in order number `index`.
fn order(index: usize) -> Places {
    let mut source = LINE_ORDERS[index / 216 + index / 36 % 6 * 6 + index / 6 % 6 * 36 + index % 6 * 216];
    source[9..].fill(15);
    source
}

fn inverse(places: &Places) -> Places {
    let mut inverse = [15; 16];
    for (i, &place) in (0..).zip(&places[..9]) {
        inverse[place as usize] = i;
    }
    inverse
}

/// All pairs in ascending order.
fn pairs() -> Vec<Places> {
    fn extend(pair: &mut Places, at: u8, all: &mut Vec<Places>) {
        if at == 9 {
            all.push(*pair);
            return;
        }
        for place in 0..9 {
            if place / 3 != at / 3 && !pair[..at as usize].contains(&place) {
                pair[at as usize] = place;
                extend(pair, at + 1, all);
            }
        }
    }
    let mut all = Vec::with_capacity(PAIRS);
    extend(&mut [15; 16], 0, &mut all);
    all
}

/// See [`Tables::numbers`]. The sets of places in the three stacks have 56 combinations: if the first stack has `k`
/// places of the second, the last has `3 - k` of the second and `k` of the first. So the first and the last determine
/// all.
fn numbers() -> Box<[[u16; 2048]; 3]> {
    let mut numbers = Box::new([[PAIRS as u16; 2048]; 3]);
    for (stack, numbers) in numbers.iter_mut().enumerate() {
        for (index, number) in numbers.iter_mut().enumerate().take(729) {
            let places = [index % 9, index / 9 % 9, index / 81];
            let [a, b, c] = places;
            if a == b || a == c || b == c || places.iter().any(|place| place / 3 == stack) {
                continue;
            }
            let among = |stack: usize| places.iter().filter(move |&place| place / 3 == stack).map(|place| place % 3);
            // One of the `C(3, k)` sets of `k` places of a stack.
            let set = |stack: usize| {
                let sum: usize = among(stack).sum();
                if among(stack).count() < 2 { sum } else { 3 - sum }
            };
            let sets = match stack {
                0 => [0, 1, 28, 55][among(1).count()] + 9 * set(1) + 3 * set(2),
                1 => 0,
                _ => set(0),
            };
            let order = 2 * (usize::from(a > b) + usize::from(a > c)) + usize::from(b > c);
            *number = (216 * sets + [36, 6, 1][stack] * order) as u16;
        }
    }
    numbers
}

/// See [`Tables::ties`].
fn ties(sources: &[Places]) -> (Vec<[u16; 2]>, Vec<u16>) {
    // Whether an order of three things keeps those that are not equal.
    let keeps = |order: [u8; 3], equal: usize| match equal & 3 {
        0 => order == [0, 1, 2],
        1 => order[2] == 2,
        2 => order[0] == 0,
        _ => true,
    };
    let (mut ranges, mut tied) = (vec![[0; 2]; 1024], Vec::new());
    for columns in (0..256).filter(|columns| columns & 0b100_100 == 0) {
        for stacks in 0..4 {
            let start = tied.len() as u16;
            for (index, source) in (0..).zip(sources) {
                let stack_order = [0, 3, 6].map(|at| source[at] / 3);
                let is_tie = keeps(stack_order, stacks)
                    && [0, 3, 6].iter().all(|&at| keeps([0, 1, 2].map(|i| source[at + i] % 3), columns >> at));
                if is_tie {
                    tied.push(index);
                }
            }
            ranges[4 * columns + stacks] = [start, tied.len() as u16];
        }
    }
    (ranges, tied)
}
