//! Complete grids: every one has the same probability.

use std::collections::{BTreeMap, HashMap};

use rapidoku::generate::Generator;
use rapidoku::grid::CELLS;
use rapidoku::{Puzzle, verify};

/// The class of a band under all symmetries: the least band, with 123456789 in its first box.
fn least_band(band: &[[u8; 9]; 3]) -> [[u8; 9]; 3] {
    const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let mut least = [[u8::MAX; 9]; 3];
    for rows in ORDERS {
        for first in 0..3 {
            for columns in ORDERS {
                let mut names = [0; 10];
                for (r, row) in rows.into_iter().enumerate() {
                    for (c, column) in columns.into_iter().enumerate() {
                        names[band[row][3 * first + column] as usize] = (3 * r + c + 1) as u8;
                    }
                }
                // The columns of the other boxes, sorted by their first digit, and the boxes likewise.
                let mut boxes = [(first + 1) % 3, (first + 2) % 3].map(|other| {
                    let mut columns =
                        [0, 1, 2].map(|c| rows.map(|row| names[band[row][3 * other + c] as usize]));
                    columns.sort();
                    columns
                });
                boxes.sort();
                let found = [0, 1, 2].map(|r| {
                    std::array::from_fn(|c| match c {
                        0..3 => (3 * r + c + 1) as u8,
                        _ => boxes[c / 3 - 1][c % 3][r],
                    })
                });
                least = least.min(found);
            }
        }
    }
    least
}

/// All bands that start with the box 123456789, with sorted columns in the other boxes.
fn bands() -> Vec<[[u8; 9]; 3]> {
    fn extend(band: &mut [[u8; 9]; 3], at: usize, all: &mut Vec<[[u8; 9]; 3]>) {
        if at == 18 {
            return all.push(*band);
        }
        let (row, column) = (at / 6, 3 + at % 6);
        let start = column / 3 * 3;
        for digit in 1..=9 {
            let in_row = band[row][..column].contains(&digit);
            let in_box = (0..=row).any(|r| band[r][start..start + 3].contains(&digit));
            let is_sorted = row > 0 || column == start || band[0][column - 1] < digit;
            if !in_row && !in_box && is_sorted {
                band[row][column] = digit;
                extend(band, at + 1, all);
                band[row][column] = 0;
            }
        }
    }
    let mut band = [[1, 2, 3, 0, 0, 0, 0, 0, 0], [4, 5, 6, 0, 0, 0, 0, 0, 0], [7, 8, 9, 0, 0, 0, 0, 0, 0]];
    let mut all = Vec::new();
    extend(&mut band, 0, &mut all);
    all
}

/// Three disjoint sets of digits, sorted.
type Columns = [u16; 3];

/// Counts the ways to complete bands, without the tables of the generator.
struct Completions {
    /// All sorted columns of a box.
    all: Vec<Columns>,
    /// For each pair of these, the index of the second after the digits are renamed such that the first becomes 123,
    /// 456, 789.
    renamed: Vec<Vec<usize>>,
    /// The ways to fill a band of which the first box has the columns 123, 456, 789, and the others have these indices.
    fills: Vec<Vec<u64>>,
}

impl Completions {
    fn new() -> Completions {
        let first = triples(0x1FF).filter(|column| column & 1 == 1);
        let all: Vec<Columns> = first
            .flat_map(|a| {
                let lowest = (!a & 0x1FF_u16).trailing_zeros();
                let second = triples(!a & 0x1FF).filter(move |b| b >> lowest & 1 == 1);
                second.map(move |b| sorted([a, b, !a & !b & 0x1FF]))
            })
            .collect();
        assert_eq!(all.len(), 280);
        let index: HashMap<Columns, usize> = all.iter().copied().zip(0..).collect();
        let renamed = all
            .iter()
            .map(|from| {
                // The new name of each digit.
                let mut names = [0; 9];
                let digits =
                    from.iter().flat_map(|column| (0..9).filter(move |digit| column >> digit & 1 == 1));
                for (name, digit) in digits.enumerate() {
                    names[digit] = name;
                }
                let rename =
                    |column: u16| (0..9).filter(|d| column >> d & 1 == 1).map(|d| 1 << names[d]).sum();
                all.iter().map(|columns| index[&sorted(columns.map(rename))]).collect()
            })
            .collect();
        let fills = |b: &Columns| -> Vec<u64> {
            let columns = |c: &Columns| [[0o7, 0o70, 0o700], *b, *c].concat();
            all.iter().map(|c| 6 * fill_rows(&columns(c), &mut [0; 9], 0, 0)).collect()
        };
        let fills = all.iter().map(fills).collect();
        Completions { all, renamed, fills }
    }

    fn index(&self, columns: Columns) -> usize {
        let columns = sorted(columns);
        self.all.iter().position(|other| *other == columns).unwrap()
    }

    /// The ways to complete a grid of which the first band has these columns in its boxes.
    fn of(&self, boxes: [Columns; 3]) -> u64 {
        let ways = boxes.map(|top| {
            let mut ways = Vec::new();
            for a in triples(!top[0] & 0x1FF) {
                for b in triples(!top[1] & 0x1FF & !a) {
                    let c = 0x1FF & !a & !b;
                    if c & top[2] == 0 {
                        let middle = [a, b, c];
                        let bottom = [0, 1, 2].map(|k| 0x1FF & !top[k] & !middle[k]);
                        ways.push([middle, bottom].map(|columns| self.index(columns)));
                    }
                }
            }
            assert_eq!(ways.len(), 56);
            ways
        });
        let mut sum = 0;
        for first in &ways[0] {
            let renamed = first.map(|index| &self.renamed[index]);
            for second in &ways[1] {
                let fills = [0, 1].map(|band| &self.fills[renamed[band][second[band]]]);
                let count = |third: &[usize; 2], band: usize| fills[band][renamed[band][third[band]]];
                sum += ways[2].iter().map(|third| count(third, 0) * count(third, 1)).sum::<u64>();
            }
        }
        sum
    }
}

fn sorted(mut columns: Columns) -> Columns {
    columns.sort();
    columns
}

fn triples(set: u16) -> impl Iterator<Item = u16> {
    (0..512).filter(move |triple: &u16| triple.count_ones() == 3 && triple & !set == 0)
}

/// A sixth of the ways to place the digits of nine columns in three rows, from cell `at` on. `used` has the digits
/// placed in each column.
fn fill_rows(columns: &[u16], used: &mut [u16; 9], at: usize, row: u16) -> u64 {
    if at == 27 {
        return 1;
    }
    let (column, row) = (at % 9, if at.is_multiple_of(9) { 0 } else { row });
    let mut open = columns[column] & !used[column] & !row;
    if column == 0 {
        // The digits of the first column ascend: the other orders of the rows have as many ways.
        open &= open.wrapping_neg();
    }
    let mut sum = 0;
    while open != 0 {
        let digit = open & open.wrapping_neg();
        open &= !digit;
        used[column] |= digit;
        sum += fill_rows(columns, used, at + 1, row | digit);
        used[column] &= !digit;
    }
    sum
}

fn columns_of(band: &[[u8; 9]; 3]) -> [Columns; 3] {
    [0, 1, 2].map(|b| [0, 1, 2].map(|c| (0..3).map(|r| 1 << (band[r][3 * b + c] - 1)).sum()))
}

/// Chi-square of the 416 classes of bands and stacks against the number of grids with a band of each class. The weights
/// are correct: their sum is the number of grids.
#[test]
fn bands_of_grids_have_the_exact_distribution() {
    let mut classes: BTreeMap<[[u8; 9]; 3], u64> = BTreeMap::new();
    for band in bands() {
        *classes.entry(least_band(&band)).or_default() += 1;
    }
    assert_eq!(classes.len(), 416);
    // The completions depend on the columns without order.
    let (completions, mut known) = (Completions::new(), HashMap::new());
    let mut weights: BTreeMap<[[u8; 9]; 3], u128> = BTreeMap::new();
    for (band, &size) in &classes {
        let sets = columns_of(band).map(sorted);
        let ways = *known.entry(sets).or_insert_with(|| completions.of(sets));
        // 9! first boxes, 36 orders of columns in the others.
        weights.insert(*band, u128::from(size) * u128::from(ways) * 362_880 * 36);
    }
    let all: u128 = weights.values().sum();
    assert_eq!(all, 6_670_903_752_021_072_936_960);

    const GRIDS: u64 = 30_000;
    let generator = Generator::new(11);
    let mut counts = vec![BTreeMap::<_, u64>::new(); 6];
    for number in 0..GRIDS {
        let grid = generator.grid(number);
        assert!(verify::check(&Puzzle::EMPTY, &grid).is_ok());
        let cells = grid.cells();
        for (chute, counts) in counts.iter_mut().enumerate() {
            let band = [0, 1, 2].map(|line| {
                let line = 3 * (chute % 3) + line;
                std::array::from_fn(|at| if chute < 3 { cells[9 * line + at] } else { cells[9 * at + line] })
            });
            *counts.entry(least_band(&band)).or_default() += 1;
        }
    }
    for (chute, counts) in counts.iter().enumerate() {
        // Classes of which fewer than five grids are expected are counted as one.
        let (mut rare, mut chi_square, mut classes) = ([0.0; 2], 0.0, 0);
        for (band, &weight) in &weights {
            let expected = weight as f64 / all as f64 * GRIDS as f64;
            let found = counts.get(band).copied().unwrap_or(0) as f64;
            if expected < 5.0 {
                rare = [rare[0] + expected, rare[1] + found];
            } else {
                chi_square += (found - expected).powi(2) / expected;
                classes += 1;
            }
        }
        chi_square += (rare[1] - rare[0]).powi(2) / rare[0];
        // The mean is the number of degrees of freedom, one for each class but the rare ones, and the variance twice
        // that.
        assert!(classes > 300, "{classes}");
        let deviations = (chi_square - f64::from(classes)) / f64::from(2 * classes).sqrt();
        assert!(deviations.abs() < 4.5, "chute {chute}: {chi_square} of {classes}");
    }
}

#[test]
fn rows_columns_and_digits_are_in_random_order() {
    let generator = Generator::new(12);
    let mut counts = vec![[0_u32; 10]; CELLS];
    const GRIDS: u64 = 45_000;
    for number in 0..GRIDS {
        for (counts, &digit) in counts.iter_mut().zip(generator.grid(number).cells()) {
            counts[digit as usize] += 1;
        }
    }
    // 5000 of each digit in each cell, with a standard deviation of 67.
    for counts in counts {
        assert!(counts[1..].iter().all(|count| (4650..5350).contains(count)), "{counts:?}");
    }
}
