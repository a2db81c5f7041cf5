//! Symmetries: images, composition, and the random ones.

use rapidoku::grid::Symmetry;
use rapidoku::{Candidates, Puzzle};

use crate::support::{PUZZLE, mixed};

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
