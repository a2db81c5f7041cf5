//! Complete grids: every one has the same probability.

use std::collections::BTreeMap;

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
                    let mut columns = [0, 1, 2].map(|c| rows.map(|row| names[band[row][3 * other + c] as usize]));
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

/// For each of the 416 classes of bands and stacks, the least band, the number of bands in it that start with the box
/// 123456789 and have sorted columns in the others, and the number of ways to complete one.
const BANDS: &str = include_str!("bands.txt");

/// Chi-square of the classes of bands and stacks against the number of grids with a band of each class. The weights are
/// correct: their sum is the number of grids. In each cell, each digit is as likely as the others.
#[test]
fn bands_and_digits_of_grids_have_the_exact_distribution() {
    let weight = |line: &str| {
        let (band, numbers) = line.split_at(27);
        let band: [[u8; 9]; 3] = [0, 9, 18].map(|at| std::array::from_fn(|k| band.as_bytes()[at + k] - b'0'));
        assert_eq!(least_band(&band), band);
        let bands: u128 = numbers.split_whitespace().map(|number| number.parse::<u128>().unwrap()).product();
        // 9! first boxes, 36 orders of columns in the others.
        (band, bands * 362_880 * 36)
    };
    let weights: BTreeMap<_, _> = BANDS.lines().map(weight).collect();
    assert_eq!(weights.len(), 416);
    let all: u128 = weights.values().sum();
    assert_eq!(all, 6_670_903_752_021_072_936_960);

    const GRIDS: u64 = 30_000;
    let generator = Generator::new(11);
    let mut counts = vec![BTreeMap::<_, u64>::new(); 6];
    let mut digit_counts = [[0_u32; 10]; CELLS];
    for grid in generator.grids(0..GRIDS) {
        assert!(verify::check(&Puzzle::EMPTY, &grid).is_ok());
        let cells = grid.cells();
        digit_counts.iter_mut().zip(cells).for_each(|(counts, &digit)| counts[digit as usize] += 1);
        for (chute, counts) in counts.iter_mut().enumerate() {
            let band = [0, 1, 2].map(|line| {
                let line = 3 * (chute % 3) + line;
                std::array::from_fn(|at| if chute < 3 { cells[9 * line + at] } else { cells[9 * at + line] })
            });
            *counts.entry(least_band(&band)).or_default() += 1;
        }
    }
    // 3333 of each digit in each cell, with a standard deviation of 54.
    for counts in digit_counts {
        assert!(counts[1..].iter().all(|count| (3050..3620).contains(count)), "{counts:?}");
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
