//! Tables, 210 KB, made on first use within some milliseconds.

use std::sync::LazyLock;

/// Orders of the nine columns that keep stacks together: 6⁴.
pub const ORDERS: usize = 1296;
/// Pairs of rows of a band, up to the names of the digits: 56 ways to choose the sets of digits, 6³ orders.
pub const PAIRS: usize = 12_096;

/// A permutation of the nine places in a line, then entry 15 for the rest of a vector.
pub type Places = [u8; 16];

pub static TABLES: LazyLock<Tables> = LazyLock::new(Tables::new);

/// Everything about orders of columns, and about pairs of rows.
///
/// A *pair* is two rows of the same band, the second in terms of the first: for each place in the second row, the place of
/// the same digit in the first. An order of the columns turns a pair into another one, its conjugate. There are 15 classes of
/// conjugate pairs, numbered by their least members in ascending order.
pub struct Tables {
    /// For each order, the source of each column.
    pub sources: Vec<Places>,
    /// For each order, the place to which each column moves.
    pub targets: Vec<Places>,
    /// The number of a pair is the sum of three entries, one for each stack, indexed by a number in base 9 with the first
    /// place lowest. The entry of places that are not in a pair is [`PAIRS`]. A line that is no permutation
    /// has places of 15; they stay within these tables.
    pub numbers: Box<[[u16; 2048]; 3]>,
    /// For each pair, its class and that of its inverse: of the same rows in reverse order. [`NO_CLASS`] at the end.
    pub classes: Vec<[u8; 2]>,
    /// For each pair, the number of the inverse pair.
    pub inverses: Vec<u16>,
    /// For each pair, where its orders begin in `orders`.
    starts: Vec<u16>,
    /// For each pair, the orders that turn it into the least member of its class.
    orders: Vec<u16>,
    /// For each class, the number of orders that each member has in `orders`.
    lengths: Vec<u16>,
    /// For each pattern of ties, see [`Tables::ties`], the range in `tied`.
    tie_ranges: Vec<[u16; 2]>,
    tied: Vec<u16>,
}

/// The class of what is not a pair.
pub const NO_CLASS: u8 = u8::MAX;

/// The orders of three things, the identity first.
const THREE: [[u8; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

impl Tables {
    /// The orders of columns that turn a pair of a class into the least member of the class.
    #[inline(always)]
    pub fn orders_to_least(&self, pair: u16, class: u8) -> &[u16] {
        let start = self.starts[pair as usize] as usize;
        &self.orders[start..start + self.length(class)]
    }

    /// The number of these orders, the same for all pairs of a class.
    #[inline(always)]
    pub fn length(&self, class: u8) -> usize {
        self.lengths[class as usize] as usize
    }

    /// The orders of columns that exchange equal columns of a stack and equal stacks only.
    ///
    /// Bits 0 and 1 of `columns` tell that the first two columns of the first stack are equal, and the last two; bits 3 and
    /// 4, and 6 and 7, are those of the other stacks. Bits 0 and 1 of `stacks` tell the same of the stacks.
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

        let mut classes = vec![[NO_CLASS; 2]; PAIRS + 1];
        let mut inverses = vec![0; PAIRS + 1];
        let mut orders_of = vec![Vec::new(); PAIRS];
        let mut lengths = Vec::new();
        let pairs = pairs();
        for least in &pairs {
            inverses[number(least) as usize] = number(&inverse(least));
            if classes[number(least) as usize][0] != NO_CLASS {
                continue;
            }
            // The first pair of a class in ascending order. The order that turns it into another member has an inverse
            // that turns this one into the least.
            let class = lengths.len() as u8;
            for (order, (source, target)) in (0..).zip(sources.iter().zip(&targets)) {
                // For place `i` of the conjugate: to the place in the least pair, through it, and back.
                let mut conjugate = [15; 16];
                for i in 0..9 {
                    conjugate[i] = source[least[target[i] as usize] as usize];
                }
                let member = number(&conjugate) as usize;
                classes[member][0] = class;
                orders_of[member].push(order);
            }
            lengths.push(orders_of[number(least) as usize].len() as u16);
        }
        for pair in 0..PAIRS {
            classes[pair][1] = classes[inverses[pair] as usize][0];
        }

        let mut starts = Vec::new();
        let mut orders = Vec::new();
        for list in &orders_of {
            starts.push(orders.len() as u16);
            orders.extend(list);
        }
        let (tie_ranges, tied) = ties(&sources);
        Tables { sources, targets, numbers, classes, inverses, starts, orders, lengths, tie_ranges, tied }
    }
}

/// The source of each column in order number `index`.
fn order(index: usize) -> Places {
    let stacks = THREE[index / 216];
    let mut source = [15; 16];
    for (stack, from) in stacks.into_iter().enumerate() {
        let columns = THREE[index / [36, 6, 1][stack] % 6];
        for (i, column) in columns.into_iter().enumerate() {
            source[3 * stack + i] = 3 * from + column;
        }
    }
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

/// See [`Tables::numbers`]. The sets of places in the three stacks have 56 combinations: if the first stack has `k` places
/// of the second, the last has `3 - k` of the second and `k` of the first. So the first and the last determine all.
fn numbers() -> Box<[[u16; 2048]; 3]> {
    let mut numbers = Box::new([[PAIRS as u16; 2048]; 3]);
    for (stack, numbers) in numbers.iter_mut().enumerate() {
        for (index, number) in numbers.iter_mut().enumerate().take(729) {
            let places = [index % 9, index / 9 % 9, index / 81];
            let [a, b, c] = places;
            if a == b || a == c || b == c || places.iter().any(|place| place / 3 == stack) {
                continue;
            }
            let among = |stack: usize| -> Vec<usize> {
                let mut places: Vec<usize> =
                    places.iter().filter(|&place| place / 3 == stack).map(|place| place % 3).collect();
                places.sort();
                places
            };
            // One of the `C(3, k)` sets of `k` places of a stack.
            let set = |places: &[usize]| match places.len() {
                0 | 3 => 0,
                1 => places[0],
                _ => 3 - places.iter().sum::<usize>(),
            };
            let sets = match stack {
                0 => {
                    let (second, third) = (among(1), among(2));
                    [0, 1, 28, 55][second.len()] + 9 * set(&second) + 3 * set(&third)
                }
                1 => 0,
                _ => set(&among(0)),
            };
            let order = THREE
                .iter()
                .position(|order| {
                    places[order[0] as usize] < places[order[1] as usize]
                        && places[order[1] as usize] < places[order[2] as usize]
                })
                .expect("three different places have an order");
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
                    && [0, 3, 6]
                        .iter()
                        .all(|&at| keeps([0, 1, 2].map(|i| source[at + i] % 3), columns >> at));
                if is_tie {
                    tied.push(index);
                }
            }
            ranges[4 * columns + stacks] = [start, tied.len() as u16];
        }
    }
    (ranges, tied)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn pairs_are_numbered_and_fall_into_15_classes() {
        let pairs = pairs();
        assert_eq!(pairs.len(), PAIRS);
        let number = |pair: &Places| -> usize {
            (0..3)
                .map(|stack| {
                    let index = (0..3).rev().fold(0, |index, i| 9 * index + pair[3 * stack + i] as usize);
                    TABLES.numbers[stack][index] as usize
                })
                .sum()
        };
        let numbers: HashSet<usize> = pairs.iter().map(number).collect();
        assert_eq!((numbers.len(), numbers.iter().max()), (PAIRS, Some(&(PAIRS - 1))));
        assert_eq!(TABLES.lengths.len(), 15);
        assert_eq!(TABLES.orders.len(), 15 * ORDERS);
        assert_eq!(TABLES.classes[PAIRS], [NO_CLASS; 2]);
        for pair in pairs.iter().step_by(97) {
            let at = number(pair);
            assert_eq!(TABLES.inverses[at] as usize, number(&inverse(pair)));
            // By brute force: the least conjugate, and the orders that reach it.
            let conjugates: Vec<Vec<u8>> = (0..ORDERS)
                .map(|order| {
                    let (source, target) = (&TABLES.sources[order], &TABLES.targets[order]);
                    (0..9).map(|i| target[pair[source[i] as usize] as usize]).collect()
                })
                .collect();
            let least = conjugates.iter().min().unwrap();
            let orders: Vec<u16> =
                (0..ORDERS).filter(|&order| conjugates[order] == *least).map(|order| order as u16).collect();
            let mut listed = TABLES.orders_to_least(at as u16, TABLES.classes[at][0]).to_vec();
            listed.sort();
            assert_eq!(listed, orders);
        }
    }

    #[test]
    fn ties_are_subgroups() {
        for (columns, stacks, size) in
            [(0, 0, 1), (0b11, 0, 6), (0b10_000_001, 0, 4), (0, 3, 6), (0b11_011_011, 3, 1296)]
        {
            assert_eq!(TABLES.ties(columns, stacks).len(), size, "{columns:b} {stacks:b}");
        }
    }
}
