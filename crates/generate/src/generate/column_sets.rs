//! Tables for drawing complete grids: column sets of bands, and the ways to fill them.
//!
//! The *column sets* of a box are the digits of its columns: a partition of nine digits into three sets of three. There
//! are 280 partitions if the order of the sets does not matter. Those of the three boxes of a band determine the number
//! of ways to place the digits in rows. This number, the *fills*, does not depend on the names of the digits. So it is
//! tabulated for bands whose first box has the *standard* partition 012 345 678.
//!
//! A digit is in another row in each box of a band. So a fill is one of six orders of rows for each digit.
//!
//! The columns of the middle band avoid the digits of the top band, which leaves 56 choices for each stack, and the
//! bottom band has the rest. The number of ways to complete a top band is the sum of fills(middle) × fills(bottom) over
//! 56³ choices. The sum of all is the number of grids, 6,670,903,752,021,072,936,960, which is asserted. Counting
//! grids in this way is due to Felgenhauer and Jarvis, *Enumerating possible Sudoku grids* (2005).

use std::sync::LazyLock;

use super::random::Random;
use crate::simd::prefetch;

/// Partitions of nine digits into three sets of three.
pub const PARTITIONS: usize = 280;
/// Ways for the columns of a stack to continue in the middle band.
pub const CONTINUATIONS: usize = 56;

/// The row of a digit in each of the three boxes of a band.
const ROW_ORDERS: [[u8; 3]; 6] = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [1, 0, 2], [2, 1, 0]];

/// For each digit, the index of its set.
pub type Sets = [u8; 9];
/// A permutation of the digits.
pub type Renaming = [u8; 9];

/// The tables.
pub struct ColumnSets {
    /// The partition of the second index, renamed such that the partition of the first index becomes the standard one.
    relative: Vec<[u16; PARTITIONS]>,
    /// The place of each pair of second and third partitions relative to the first.
    bands: Vec<[Place; PARTITIONS]>,
    /// For each pair, the number of fills.
    fill_counts: Vec<[u16; PARTITIONS]>,
    /// The permutations that rename the standard partition to each partition.
    from_standard: Vec<Renaming>,
    /// The permutations that keep the standard partition.
    keeping_standard: Vec<Renaming>,
    /// The fills of each kind of bands, for its first band: the index of a row order for each digit, three bits each.
    fills: Vec<Vec<u32>>,
    /// The kinds of top bands.
    tops: Vec<Top>,
    /// Chooses a kind of top bands.
    choose_top: Alias,
}

/// The kind of a band, and the number of the permutation that makes it from the first band of this kind.
#[derive(Clone, Copy, Default)]
struct Place {
    kind: u16,
    renaming: u16,
}

/// Column sets of top bands that are equal except for the names of digits and the order of stacks.
struct Top {
    /// The sets of the digits in the three boxes.
    sets: [Sets; 3],
    kind: u16,
    /// The ways to continue each stack.
    stacks: [[Continuation; CONTINUATIONS]; 3],
    /// The sum of the weights of the ways for the first two stacks.
    total: u64,
    /// Chooses these ways, see [`Alias`].
    choose_two: Vec<Two>,
}

/// A choice of ways for the first two stacks, see [`Alias`]. With what belongs to the other choice in the same place,
/// since the next cache line takes long to come.
struct Two {
    limit: u32,
    other: u16,
    /// The maximum of fills(middle) × fills(bottom), and that of the other choice.
    maximum: u32,
    other_maximum: u32,
}

/// The columns of a stack in the middle and the bottom band.
#[derive(Clone, Copy, Default)]
struct Continuation {
    /// The partitions.
    partitions: [u16; 2],
    /// The sets of the digits, in the order of columns.
    sets: [Sets; 2],
}

/// The column sets of a band, and a fill.
pub struct Drawn<'a> {
    pub boxes: [&'a Sets; 3],
    /// The digits in the order of the fill.
    pub digits: Renaming,
    /// The index of a row order for each of these digits, three bits each.
    pub fill: u32,
}

/// Draws an index with given weights in constant time, without bias: the alias method of Walker (1977), with integers.
struct Alias {
    /// The sum of the weights, which is the capacity of each entry.
    total: u64,
    entries: Vec<(u64, u16)>,
}

impl Alias {
    fn new(weights: &[u64]) -> Alias {
        let total: u64 = weights.iter().sum();
        let n = weights.len() as u128;
        let mut rest: Vec<u128> = weights.iter().map(|&weight| u128::from(weight) * n).collect();
        let mut entries: Vec<(u64, u16)> = (0..weights.len()).map(|i| (total, i as u16)).collect();
        let (mut small, mut large): (Vec<usize>, Vec<usize>) =
            (0..weights.len()).partition(|&i| rest[i] < u128::from(total));
        while let (Some(i), Some(&j)) = (small.pop(), large.last()) {
            entries[i] = (rest[i] as u64, j as u16);
            rest[j] -= u128::from(total) - rest[i];
            if rest[j] < u128::from(total) {
                small.push(j);
                large.pop();
            }
        }
        Alias { total, entries }
    }

    #[inline]
    fn draw(&self, random: &mut Random) -> usize {
        let i = random.below(self.entries.len() as u64) as usize;
        let (limit, other) = self.entries[i];
        if random.below(self.total) < limit { i } else { other as usize }
    }
}

/// The digits by ascending keys, and of the same key in ascending order. Of a permutation it is the inverse.
fn digits_by(keys: &[u8; 9]) -> Renaming {
    let mut places = (0..9).flat_map(|key| (0..9).filter(move |&digit| keys[digit as usize] == key));
    [0; 9].map(|_| places.next().expect("keys are below 9"))
}

/// All ways to number three sets of three digits, in lexical order.
fn all_sets() -> Vec<Sets> {
    let sets = (0..3_usize.pow(9)).filter_map(|code| {
        let sets: Sets = std::array::from_fn(|i| (code / 3_usize.pow(8 - i as u32) % 3) as u8);
        let is_even = (0..3).all(|set| sets.iter().filter(|&&s| s == set).count() == 3);
        is_even.then_some(sets)
    });
    sets.collect()
}

/// A number for sets.
fn code(sets: &Sets) -> usize {
    sets.iter().fold(0, |code, &set| 3 * code + set as usize)
}

/// The sets numbered in the order of their first digits.
fn sorted(sets: &Sets) -> Sets {
    let mut names = [u8::MAX; 3];
    let mut next = 0;
    sets.map(|set| {
        if names[set as usize] == u8::MAX {
            names[set as usize] = next;
            next += 1;
        }
        names[set as usize]
    })
}

/// All fills of a band.
fn fills(boxes: &[Sets; 3]) -> Vec<u32> {
    fn extend(boxes: &[Sets; 3], digit: usize, fill: u32, used: &mut [[u8; 3]; 3], fills: &mut Vec<u32>) {
        if digit == 9 {
            return fills.push(fill);
        }
        for (order, rows) in ROW_ORDERS.iter().enumerate() {
            let places = || (0..3).map(|b| (b, boxes[b][digit] as usize, 1 << rows[b]));
            if places().all(|(b, set, row)| used[b][set] & row == 0) {
                places().for_each(|(b, set, row)| used[b][set] |= row);
                extend(boxes, digit + 1, fill | (order as u32) << (3 * digit), used, fills);
                places().for_each(|(b, set, row)| used[b][set] &= !row);
            }
        }
    }
    let mut all = Vec::new();
    extend(boxes, 0, 0, &mut [[0; 3]; 3], &mut all);
    all
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

impl ColumnSets {
    /// The tables, which are made at the first call in some 30 ms.
    pub fn get() -> &'static ColumnSets {
        static TABLES: LazyLock<ColumnSets> = LazyLock::new(ColumnSets::new);
        &TABLES
    }

    fn new() -> ColumnSets {
        let all_sets = all_sets();
        let partitions: Vec<Sets> = all_sets.iter().copied().filter(|sets| sorted(sets) == *sets).collect();
        let mut indices = vec![0; 3_usize.pow(9)];
        for sets in &all_sets {
            let found = partitions.binary_search(&sorted(sets)).expect("each partition is in the list");
            indices[code(sets)] = found as u16;
        }
        let index = |sets: &Sets| indices[code(sets)];
        let from_standard: Vec<Renaming> = partitions.iter().map(digits_by).collect();
        // The partition that a renaming turns into each partition.
        let originals = |renaming: &Renaming| -> [u16; PARTITIONS] {
            std::array::from_fn(|i| index(&renaming.map(|digit| partitions[i][digit as usize])))
        };
        let relative = from_standard.iter().map(originals).collect();
        let keeping_standard = keeping_standard();
        let images: Vec<_> = keeping_standard.iter().map(|renaming| originals(&digits_by(renaming))).collect();

        // Bands are of the same kind if a permutation of the digits makes one from the other.
        const OPEN: u16 = u16::MAX;
        let mut bands = vec![[Place { kind: OPEN, renaming: 0 }; PARTITIONS]; PARTITIONS];
        let mut all_fills = Vec::new();
        for second in 0..PARTITIONS {
            for third in 0..PARTITIONS {
                if bands[second][third].kind != OPEN {
                    continue;
                }
                let kind = all_fills.len() as u16;
                for (renaming, image) in (0..).zip(&images) {
                    bands[image[second] as usize][image[third] as usize] = Place { kind, renaming };
                }
                // So that the first band is made by the identity.
                bands[second][third].renaming = 0;
                all_fills.push(fills(&[partitions[0], partitions[second], partitions[third]]));
            }
        }
        let count = |place: &Place| all_fills[place.kind as usize].len() as u16;
        let fill_counts = bands.iter().map(|bands| bands.each_ref().map(count)).collect();
        let mut tables = ColumnSets {
            relative,
            bands,
            fill_counts,
            from_standard,
            keeping_standard,
            fills: all_fills,
            tops: Vec::new(),
            choose_top: Alias::new(&[1]),
        };
        tables.add_tops(&all_sets, &partitions, index);
        tables
    }

    /// Adds the kinds of top bands. The order of stacks does not matter here.
    fn add_tops(&mut self, all_sets: &[Sets], partitions: &[Sets], index: impl Fn(&Sets) -> u16) {
        let mut seen = vec![false; self.fills.len()];
        let mut weights = Vec::new();
        let mut sizes = vec![0; self.fills.len()];
        for place in self.bands.as_flattened() {
            sizes[place.kind as usize] += 1;
        }
        for second in 0..PARTITIONS {
            for third in 0..PARTITIONS {
                let kind = self.bands[second][third].kind;
                let fills = self.fills[kind as usize].len() as u64;
                if seen[kind as usize] || fills == 0 {
                    continue;
                }
                let chosen = [0, second, third];
                let mut size = 0;
                for order in THREE {
                    let [a, b, c] = [0, 1, 2].map(|i| chosen[order[i] as usize]);
                    let kind = self.place(a as u16, b as u16, c as u16).kind as usize;
                    size += if seen[kind] { 0 } else { sizes[kind] };
                    seen[kind] = true;
                }
                let sets = chosen.map(|partition| partitions[partition]);
                let (top, completions) = self.top(sets, kind, all_sets, &index);
                weights.push(size * fills * completions);
                self.tops.push(top);
            }
        }
        self.choose_top = Alias::new(&weights);
        // A permutation of the digits makes 280 bands of each that starts with the standard partition.
        let grids = u128::from(self.choose_top.total) * 280 * 216;
        assert_eq!(grids, 6_670_903_752_021_072_936_960, "the number of grids");
    }

    /// A kind of top bands, and the number of completions of each of its fills with the order of columns given.
    fn top(&self, sets: [Sets; 3], kind: u16, all_sets: &[Sets], index: impl Fn(&Sets) -> u16) -> (Top, u64) {
        let stacks = sets.map(|top| {
            let middles = all_sets.iter().filter(|middle| (0..9).all(|digit| top[digit] != middle[digit]));
            let mut stack = [Continuation::default(); CONTINUATIONS];
            for (to, &middle) in stack.iter_mut().zip(middles) {
                // The column that has the digit in neither the top nor the middle band.
                let bottom = std::array::from_fn(|digit| 3 - top[digit] - middle[digit]);
                *to = Continuation { partitions: [index(&middle), index(&bottom)], sets: [middle, bottom] };
            }
            stack
        });
        let mut weights = Vec::new();
        let mut maximum = Vec::new();
        for first in &stacks[0] {
            let relative = first.partitions.map(|partition| &self.relative[partition as usize]);
            let thirds = stacks[2].map(|third| [0, 1].map(|band| relative[band][third.partitions[band] as usize]));
            for second in &stacks[1] {
                let counts =
                    [0, 1].map(|band| &self.fill_counts[relative[band][second.partitions[band] as usize] as usize]);
                let fills = |band: usize, third: [u16; 2]| u32::from(counts[band][third[band] as usize]);
                let products = thirds.iter().map(|&third| fills(0, third) * fills(1, third));
                weights.push(products.clone().map(u64::from).sum());
                maximum.push(products.max().expect("56 products"));
            }
        }
        let completions = weights.iter().sum();
        let divisor = weights.iter().copied().fold(0, greatest_common_divisor);
        weights.iter_mut().for_each(|weight| *weight /= divisor);
        let alias = Alias::new(&weights);
        let choose_two = (alias.entries.iter().zip(&maximum))
            .map(|(&(limit, other), &own)| Two {
                limit: limit.try_into().expect("the sum of reduced weights fits"),
                other,
                maximum: own,
                other_maximum: maximum[other as usize],
            })
            .collect();
        (Top { sets, kind, stacks, total: alias.total, choose_two }, completions)
    }

    #[inline]
    fn place(&self, first: u16, second: u16, third: u16) -> Place {
        let relative = &self.relative[first as usize];
        self.bands[relative[second as usize] as usize][relative[third as usize] as usize]
    }

    /// Draws column sets and fills from each of these streams of random numbers. With a random permutation of the
    /// digits, of the stacks and of the columns in each stack, every grid is equally likely.
    ///
    /// Each step is done for all of them before the next one, so that they wait for memory at the same time: the tables
    /// are larger than the nearest caches.
    pub fn draw<const N: usize>(&self, randoms: &mut [Random; N]) -> [[Drawn<'_>; 3]; N] {
        let twos = randoms.each_mut().map(|random| {
            let top = &self.tops[self.choose_top.draw(random)];
            let at = random.below(top.choose_two.len() as u64) as usize;
            prefetch(&top.choose_two, at);
            (top, at, random)
        });
        let stacks = twos.map(|(top, at, random)| {
            let Two { limit, other, maximum, other_maximum } = top.choose_two[at];
            let is_own = random.below(top.total) < limit.into();
            let (two, maximum) = if is_own { (at, maximum) } else { (other as usize, other_maximum) };
            let two = [&top.stacks[0][two / CONTINUATIONS], &top.stacks[1][two % CONTINUATIONS]];
            (top, two, maximum, random)
        });
        let bands = stacks.map(|(top, [first, second], maximum, random)| {
            let ways = [first, second, self.draw_third(top, [first, second], maximum, random)];
            let places = [0, 1].map(|band| {
                let [a, b, c] = ways.map(|way| way.partitions[band]);
                self.place(a, b, c)
            });
            let fills = [top.kind, places[0].kind, places[1].kind].map(|kind| {
                let fills = &self.fills[kind as usize];
                let at = random.below(fills.len() as u64) as usize;
                prefetch(fills, at);
                (fills, at)
            });
            (top, ways, places, fills)
        });
        bands.map(|(top, ways, places, fills)| {
            let [of_top, of_middle, of_bottom] = fills.map(|(fills, at)| fills[at]);
            let lower = |band: usize, fill| {
                let outer = &self.from_standard[ways[0].partitions[band] as usize];
                let inner = &self.keeping_standard[places[band].renaming as usize];
                let digits = inner.map(|digit| outer[digit as usize]);
                Drawn { boxes: ways.map(|way| &way.sets[band]), digits, fill }
            };
            let top = Drawn { boxes: top.sets.each_ref(), digits: IDENTITY, fill: of_top };
            [top, lower(0, of_middle), lower(1, of_bottom)]
        })
    }

    /// Chooses the way for the third stack. `maximum` is that of fills(middle) × fills(bottom).
    #[inline]
    fn draw_third<'a>(
        &self,
        top: &'a Top,
        [first, second]: [&Continuation; 2],
        maximum: u32,
        random: &mut Random,
    ) -> &'a Continuation {
        let [middle, bottom] = [0, 1].map(|band| {
            let relative = &self.relative[first.partitions[band] as usize];
            (relative, &self.fill_counts[relative[second.partitions[band] as usize] as usize])
        });
        loop {
            let n = random.below(CONTINUATIONS as u64 * u64::from(maximum)) as u32;
            let third = &top.stacks[2][(n / maximum) as usize];
            let [in_middle, in_bottom] = third.partitions;
            let fills = u32::from(middle.1[middle.0[in_middle as usize] as usize])
                * u32::from(bottom.1[bottom.0[in_bottom as usize] as usize]);
            if n % maximum < fills {
                return third;
            }
        }
    }
}

/// The orders of three things, the identity first. Grids depend on the order of this list.
const THREE: [[u8; 3]; 6] = [[0, 1, 2], [2, 1, 0], [2, 0, 1], [1, 2, 0], [0, 2, 1], [1, 0, 2]];

/// The permutation that changes nothing.
const IDENTITY: Renaming = [0, 1, 2, 3, 4, 5, 6, 7, 8];

/// The permutations that keep the standard partition, the identity first.
fn keeping_standard() -> Vec<Renaming> {
    let renaming = |number: usize| {
        let [sets, within @ ..] = [216, 36, 6, 1].map(|power| THREE[number / power % 6]);
        std::array::from_fn(|digit| 3 * sets[digit / 3] + within[digit / 3][digit % 3])
    };
    (0..1296).map(renaming).collect()
}
