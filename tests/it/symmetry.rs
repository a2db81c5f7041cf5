//! Symmetries: images, composition, text, and those of seeds.

use rapidoku::grid::{CELLS, Symmetry};
use rapidoku::{Candidates, Puzzle};

use crate::support::PUZZLE;

#[test]
fn random_symmetries_are_uniform_and_do_not_change() {
    let mut counts = [[0u32; 10]; 9];
    let (mut transposed, mut lines) = (0, [[0u32; 9]; 9]);
    let n = 36_000;
    for index in 0..n {
        let symmetry = Symmetry::random(5, index);
        let digits = symmetry.digits()[1..].try_into().unwrap();
        let made = Symmetry::new(symmetry.is_transposed(), *symmetry.rows(), *symmetry.columns(), digits);
        assert_eq!(made, Some(symmetry));
        transposed += u32::from(symmetry.is_transposed());
        for k in 0..9 {
            counts[k][symmetry.digits()[k + 1] as usize] += 1;
            lines[k][symmetry.rows()[k] as usize] += 1;
            lines[k][symmetry.columns()[k] as usize] += 1;
        }
    }
    // Each count is binomial; six standard deviations.
    let near = |count: u32, mean: f64| (f64::from(count) - mean).abs() < 6.0 * mean.sqrt();
    assert!(near(transposed, n as f64 / 2.0), "{transposed}");
    assert!(counts.iter().flat_map(|row| &row[1..]).all(|&count| near(count, n as f64 / 9.0)), "{counts:?}");
    assert!(lines.as_flattened().iter().all(|&count| near(count, 2.0 * n as f64 / 9.0)), "{lines:?}");
    let fixed = [(0, 0), (0, 1), (1, 0)].map(|(seed, index)| Symmetry::random(seed, index).to_string());
    assert_eq!(fixed, RANDOM);
}

const RANDOM: [&str; 3] =
    ["tr465987123c987645132d819273564", "r978312465c987654132d852379641", "r231456879c231546978d563287941"];

/// SplitMix64.
fn mixed(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

/// [`Symmetry::random`] with one division for each line and digit.
fn naive(seed: u64, index: u64) -> Symmetry {
    const THREE: [[u8; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let start = mixed(seed).wrapping_add(index);
    let below = |random: u64, n: u64| ((u128::from(random) * u128::from(n)) >> 64) as u64;
    let mut cells = below(mixed(start), 2 * 6u64.pow(8));
    let mut code = below(mixed(start.wrapping_add(0x9E37_79B9_7F4A_7C15)), 362_880);
    let mut order = || {
        let order = THREE[(cells % 6) as usize];
        cells /= 6;
        order
    };
    let mut lines = || -> [u8; 9] {
        let lines = order().map(|chute| order().map(|line| 3 * chute + line));
        lines.as_flattened().try_into().unwrap()
    };
    let [rows, columns] = [lines(), lines()];
    let mut left = vec![1, 2, 3, 4, 5, 6, 7, 8, 9];
    let digits = std::array::from_fn(|_| {
        let at = code % left.len() as u64;
        code /= left.len() as u64;
        left.remove(at as usize)
    });
    Symmetry::new(cells == 1, rows, columns, digits).unwrap()
}

#[test]
fn tables_give_the_symmetries_of_single_divisions() {
    for seed in [0, 1, u64::MAX] {
        for index in (0..3000).chain([u64::MAX]) {
            assert_eq!(Symmetry::random(seed, index), naive(seed, index), "{seed} {index}");
        }
    }
}

#[test]
fn text_moves_like_its_puzzle_and_keeps_blanks() {
    let cells: [u8; CELLS] = PUZZLE.replace('.', "x").into_bytes().try_into().unwrap();
    for index in 0..50 {
        let symmetry = Symmetry::random(1, index);
        let image = symmetry.puzzle(&PUZZLE.parse().unwrap()).to_string().replace('.', "x");
        assert_eq!(symmetry.text(&cells), image.as_bytes());
    }
}

/// Restarts depend on the symmetry of each seed, so it must not change.
#[test]
fn seeds_keep_their_symmetries() {
    let puzzle: Puzzle = PUZZLE.parse().unwrap();
    let images = [1, 2, 3].map(|seed| Symmetry::of_seed(seed).puzzle(&puzzle).to_string());
    assert_eq!(images, SEEDS);
}

const SEEDS: [&str; 3] = [
    "....5.9.3........7782...65.....4.......27...59153.6...5.47.123..9...3.6..7...8.1.",
    ".37.....66..174...1.9.8....8...5.6..3...6.9..2..9.34....6....53...7421......3.7.8",
    "78.635.....9.......21.....3........1...42137...3....5861..9382.8..5..7..4..1..6..",
];

#[test]
fn symmetries_form_a_group() {
    let puzzle: Puzzle = PUZZLE.parse().unwrap();
    for seed in 0..200 {
        let (a, b) = (Symmetry::of_seed(2 * seed), Symmetry::of_seed(2 * seed + 1));
        assert_eq!(a.then(&b).puzzle(&puzzle), b.puzzle(&a.puzzle(&puzzle)), "{a} {b}");
        assert_eq!(a.inverse().puzzle(&a.puzzle(&puzzle)), puzzle, "{a}");
        assert_eq!(a.candidates(&Candidates::from(&puzzle)), Candidates::from(&a.puzzle(&puzzle)));
        assert_eq!(a.then(&a.inverse()), Symmetry::IDENTITY);
        assert_eq!(a.to_string().parse(), Ok(a));
        let digits: [u8; 9] = a.digits()[1..].try_into().unwrap();
        assert_eq!(Symmetry::new(a.is_transposed(), *a.rows(), *a.columns(), digits), Some(a));
    }
}

#[test]
fn other_texts_are_not_symmetries() {
    for text in [
        "",
        "r123456789c123456789d12345678",
        "r123456789c123456789d1234567890",
        "r143256789c123456789d123456789",
        "r123456789c113456789d123456789",
        "r123456789c123456789d023456789",
        "r123456789d123456789c123456789",
        "ttr123456789c123456789d123456789",
        "r12345678:c123456789d123456789",
        "r123456789c123456789d12345678\u{e9}",
    ] {
        assert!(text.parse::<Symmetry>().is_err(), "{text}");
    }
}
