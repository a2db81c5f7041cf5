use std::collections::{BTreeMap, HashMap};

use super::*;
use crate::grid::CELLS;
use crate::solver::{Engine, Solver};
use crate::{Status, verify};

/// The definition: one clue at a time, with the single-puzzle solver.
fn naive(start: &minimal::Start) -> Puzzle {
    let solver = Solver::new().engine(Engine::Scalar);
    let mut cells = start.grid;
    for cell in start.order {
        let digit = std::mem::take(&mut cells[cell as usize]);
        let less = Puzzle::from_cells(cells).unwrap();
        if solver.solve_one(&less).status != Status::Unique {
            cells[cell as usize] = digit;
        }
    }
    Puzzle::from_cells(cells).unwrap()
}

#[test]
fn shortcuts_give_the_puzzles_of_the_definition_at_every_level() {
    let token = CancelToken::new();
    for level in SimdLevel::available() {
        let made = Generator::new(5).level(level).minimal(100..400, &token).unwrap();
        for (number, (puzzle, solution)) in (100..).zip(made) {
            let start = minimal::Start::of(5, number);
            assert_eq!(*solution.cells(), start.grid);
            assert_eq!(puzzle, naive(&start), "{level} {number}");
        }
    }
}

#[test]
fn puzzles_do_not_depend_on_those_made_with_them() {
    let generator = Generator::new(6);
    let make = |numbers| generator.minimal(numbers, &CancelToken::new()).unwrap();
    let all = make(0..300);
    for n in [0, 1, 7, 63, 64, 65] {
        assert_eq!(make(10..10 + n), all[10..10 + n as usize]);
    }
    assert_eq!(make(u64::MAX - 3..u64::MAX).len(), 3);
    assert_ne!(Generator::new(7).minimal(0..1, &CancelToken::new()).unwrap()[0], all[0]);
}

#[test]
fn a_cancelled_call_ends() {
    let token = CancelToken::new();
    token.cancel();
    assert!(Generator::new(6).minimal(0..100_000, &token).is_err());
}

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
#[derive(Default)]
struct Completions {
    /// By the columns of the second and third box, where those of the first are 123, 456 and 789.
    fills: HashMap<(Columns, Columns), u64>,
}

impl Completions {
    /// The ways to fill a band with these columns, row by row.
    fn fills(&mut self, boxes: [Columns; 3]) -> u64 {
        // The new name of each digit.
        let mut names = [0; 9];
        let mut next = 0;
        for column in boxes[0] {
            for digit in (0..9).filter(|digit| column >> digit & 1 == 1) {
                names[digit] = next;
                next += 1;
            }
        }
        let renamed = [1, 2].map(|b: usize| {
            let mut columns = boxes[b]
                .map(|column| (0..9).filter(|d| column >> d & 1 == 1).map(|d| 1 << names[d]).sum::<u16>());
            columns.sort();
            columns
        });
        let standard = [0o7, 0o70, 0o700];
        *self.fills.entry((renamed[0], renamed[1])).or_insert_with(|| {
            let columns: Vec<u16> = [standard, renamed[0], renamed[1]].concat();
            fill_rows(&columns, &mut vec![0; 9], 0, 0)
        })
    }

    /// The ways to complete a grid of which the first band has these columns in its boxes.
    fn of(&mut self, boxes: [Columns; 3]) -> u64 {
        let ways = boxes.map(|top| {
            let mut ways = Vec::new();
            for a in triples(!top[0] & 0x1FF) {
                for b in triples(!top[1] & 0x1FF & !a) {
                    let c = 0x1FF & !a & !b;
                    if c & top[2] == 0 {
                        let middle = [a, b, c];
                        ways.push([middle, [0, 1, 2].map(|k| 0x1FF & !top[k] & !middle[k])]);
                    }
                }
            }
            assert_eq!(ways.len(), 56);
            ways
        });
        let mut sum = 0;
        for first in &ways[0] {
            for second in &ways[1] {
                for third in &ways[2] {
                    let fills = [0, 1].map(|band| self.fills([first[band], second[band], third[band]]));
                    sum += fills[0] * fills[1];
                }
            }
        }
        sum
    }
}

fn triples(set: u16) -> impl Iterator<Item = u16> {
    (0..512).filter(move |triple: &u16| triple.count_ones() == 3 && triple & !set == 0)
}

/// The ways to place the digits of nine columns in three rows, from cell `at` on. `used` has the digits placed in each column.
fn fill_rows(columns: &[u16], used: &mut Vec<u16>, at: usize, row: u16) -> u64 {
    if at == 27 {
        return 1;
    }
    let (column, row) = (at % 9, if at % 9 == 0 { 0 } else { row });
    let mut open = columns[column] & !used[column] & !row;
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

/// Chi-square of the classes of bands, 416, against the number of grids with a band of each class. The weights are correct:
/// their sum is the number of grids.
#[test]
fn bands_of_grids_have_the_exact_distribution() {
    let mut classes: BTreeMap<[[u8; 9]; 3], u64> = BTreeMap::new();
    for band in bands() {
        *classes.entry(least_band(&band)).or_default() += 1;
    }
    assert_eq!(classes.len(), 416);
    // The completions depend on the columns without order.
    let (mut completions, mut known) = (Completions::default(), HashMap::new());
    let mut weights: BTreeMap<[[u8; 9]; 3], u128> = BTreeMap::new();
    for (band, &size) in &classes {
        let sets = columns_of(band).map(|mut columns| {
            columns.sort();
            columns
        });
        let ways = *known.entry(sets).or_insert_with(|| completions.of(sets));
        // 9! first boxes, 36 orders of columns in the others.
        weights.insert(*band, u128::from(size) * u128::from(ways) * 362_880 * 36);
    }
    let all: u128 = weights.values().sum();
    assert_eq!(all, 6_670_903_752_021_072_936_960);

    const GRIDS: u64 = 60_000;
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
        let chi_square: f64 = weights
            .iter()
            .map(|(band, &weight)| {
                let expected = weight as f64 / all as f64 * GRIDS as f64;
                let found = counts.get(band).copied().unwrap_or(0) as f64;
                (found - expected).powi(2) / expected
            })
            .sum();
        // 415 degrees of freedom: the mean is 415, the standard deviation 28.8.
        assert!((315.0..530.0).contains(&chi_square), "chute {chute}: {chi_square}");
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
