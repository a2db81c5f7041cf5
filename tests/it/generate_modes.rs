//! Symmetric puzzles, puzzles with a pattern, and minimal puzzles with weights. The oracle is the scalar engine.

use rapidoku::generate::{ClueSymmetry, Generator, Pattern, Patterned, SAMPLE_WEIGHT, Weighted};
use rapidoku::{CancelToken, Puzzle, SimdLevel, verify};

use crate::samples::{is_unique, redundant, without};

/// The images of a cell under all maps of a symmetry.
fn images(symmetry: ClueSymmetry, cell: usize) -> Vec<usize> {
    let (r, c) = (cell / 9, cell % 9);
    let [own, half, quarter, third] = [(r, c), (8 - r, 8 - c), (c, 8 - r), (8 - c, r)];
    let [rows, columns, main, other] = [(8 - r, c), (r, 8 - c), (c, r), (8 - c, 8 - r)];
    let images = match symmetry {
        ClueSymmetry::Any => vec![own],
        ClueSymmetry::HalfTurn => vec![own, half],
        ClueSymmetry::QuarterTurn => vec![own, half, quarter, third],
        ClueSymmetry::Horizontal => vec![own, rows],
        ClueSymmetry::Vertical => vec![own, columns],
        ClueSymmetry::Diagonal => vec![own, main],
        ClueSymmetry::BothDiagonals => vec![own, half, main, other],
        ClueSymmetry::Full => vec![own, half, quarter, third, rows, columns, main, other],
        _ => unreachable!(),
    };
    images.into_iter().map(|(r, c)| 9 * r + c).collect()
}

#[test]
fn symmetric_puzzles_are_unique_symmetric_and_lose_that_without_any_orbit() {
    let token = CancelToken::new();
    for symmetry in ClueSymmetry::ALL {
        let make = |level, numbers| Generator::new(8).level(level).symmetric(symmetry, numbers, &token).unwrap();
        let made = make(SimdLevel::detect(), 50..110);
        for (number, (puzzle, solution)) in (50..).zip(&made) {
            assert_eq!(*solution, Generator::new(8).grids(number..number + 1)[0]);
            verify::check(puzzle, solution).unwrap();
            assert!(is_unique(puzzle), "{symmetry} {puzzle}");
            let is_clue = |cell: &usize| puzzle.cells()[*cell] != 0;
            let clues: Vec<usize> = (0..81).filter(is_clue).collect();
            let has = |symmetry| clues.iter().all(|&cell| images(symmetry, cell).iter().all(is_clue));
            assert!(has(symmetry), "{symmetry} {puzzle}");
            assert!(ClueSymmetry::ALL.into_iter().all(|other| other.holds(puzzle) == has(other)), "{puzzle}");
            for &cell in &clues {
                assert!(!is_unique(&without(puzzle, &images(symmetry, cell))), "{symmetry} {puzzle}");
            }
        }
        for level in SimdLevel::available() {
            assert_eq!(make(level, 50..110), made, "{symmetry} {level}");
        }
        for n in [0, 1, 33] {
            assert_eq!(make(SimdLevel::detect(), 60..60 + n), made[10..10 + n as usize]);
        }
    }
}

#[test]
fn weighted_puzzles_are_the_minimal_ones_and_the_sample_is_a_part_of_them() {
    let token = CancelToken::new();
    let generator = Generator::new(2);
    let weighted = generator.weighted(0..20_000, &token).unwrap();
    let minimal = generator.minimal(0..20_000, &token).unwrap();
    let parts: Vec<_> = weighted.iter().map(|w| (w.puzzle, w.solution)).collect();
    assert_eq!(parts, minimal);
    for level in SimdLevel::available() {
        assert_eq!(generator.level(level).weighted(100..500, &token).unwrap(), weighted[100..500]);
    }

    let accepted = generator.unbiased(0..20_000, &token).unwrap();
    let find = |puzzle: &Puzzle| weighted.iter().find(|weighted| weighted.puzzle == *puzzle);
    assert!(accepted.iter().all(|accepted| find(&accepted.puzzle) == Some(accepted)));
    let expected: f64 = weighted.iter().map(|w| w.weight / SAMPLE_WEIGHT).sum();
    assert!(accepted.len() as f64 > expected - 5.0 * expected.sqrt() - 1.0, "{expected}");
    assert!((accepted.len() as f64) < expected + 5.0 * expected.sqrt() + 1.0, "{expected}");
    for level in SimdLevel::available() {
        assert_eq!(generator.level(level).unbiased(0..20_000, &token).unwrap(), accepted);
    }
}

/// The mean weight is the number of minimal puzzles per grid, 3.1055 × 10³⁷ / 6.671 × 10²¹ (an estimate of Denis
/// Berthier), and the weighted mean of the number of clues is 26.577. The limits are five standard deviations.
/// The definition: all redundant clues are counted before each removal.
#[test]
fn weights_are_those_of_the_definition() {
    let generator = Generator::new(3);
    for (number, made) in (7..).zip(generator.weighted(7..27, &CancelToken::new()).unwrap()) {
        let (grid, order) = generator.start(number);
        let (mut left, mut weight, mut removals) = (Puzzle::from_cells(grid).unwrap(), 1.0, 0.0);
        for cell in order.map(usize::from).into_iter().filter(|&cell| made.puzzle.cells()[cell] == 0) {
            removals += 1.0;
            weight *= redundant(&left).len() as f64 / removals;
            left = without(&left, &[cell]);
        }
        assert_eq!(left, made.puzzle);
        assert!((made.weight / weight - 1.0).abs() < 1e-12, "{number}");
    }
}

#[test]
fn weights_have_the_published_means() {
    let generator = Generator::new(4);
    let weighted = generator.weighted(0..60_000, &CancelToken::new()).unwrap();
    let sum = |f: &dyn Fn(&Weighted) -> f64| weighted.iter().map(f).sum::<f64>();
    let all = sum(&|w| w.weight);
    let effective = all * all / sum(&|w| w.weight * w.weight);
    assert!((50.0..600.0).contains(&effective), "{effective}");
    let mean = all / weighted.len() as f64;
    assert!((mean / 4.655e15 - 1.0).abs() < 5.0 / effective.sqrt(), "{mean:e}");
    let clues = sum(&|w| w.weight * w.puzzle.clue_count() as f64) / all;
    assert!((clues - 26.577).abs() < 5.0 * 1.1 / effective.sqrt(), "{clues}");
}

/// 22 clues with half-turn symmetry.
const SPARSE: &str = "..............X.XXXXX.X......X...XX....X.X....XX...X......X.XXXXX.X..............";

#[test]
fn puzzles_of_a_pattern_are_unique_and_depend_on_the_number_only() {
    let (pattern, token, detected): (Pattern, _, _) =
        (SPARSE.parse().unwrap(), CancelToken::new(), SimdLevel::detect());
    let make = |seed, numbers, tries, level| {
        Patterned::new(seed, pattern, false, tries, level).puzzles(numbers, &token).unwrap()
    };
    let all = make(3, 0..24, None, detected);
    assert!(all.len() > 12, "{}", all.len());
    for (puzzle, solution) in &all {
        assert_eq!(Pattern::from(puzzle), pattern);
        assert!(is_unique(puzzle));
        verify::check(puzzle, solution).unwrap();
    }
    for level in SimdLevel::available() {
        let split = [0..1, 1..10, 10..10, 10..24].map(|numbers| make(3, numbers, None, level)).concat();
        assert_eq!(split, all, "{level}");
    }
    assert_ne!(make(4, 0..24, None, detected), all);
    // Each grid is tried with one image of a pattern with many clues, with hundreds of one with few.
    for clues in 26..37 {
        let mask: String = (0..81).map(|cell| if cell * 32 % 81 < clues { 'X' } else { '.' }).collect();
        let pattern: Pattern = mask.parse().unwrap();
        let made = Patterned::new(1, pattern, true, None, detected).puzzles(0..64, &token).unwrap();
        assert!(!made.is_empty() && pattern.to_string() == mask);
        assert!(made.iter().all(|(puzzle, _)| Pattern::from(puzzle) == pattern && is_unique(puzzle)));
    }
    // With fewer tries, only the walks that take more are missing.
    let fewer = make(3, 0..24, Some(100), detected);
    assert!(fewer.len() < all.len() && fewer.iter().all(|made| all.contains(made)));
}

#[test]
fn a_pattern_without_puzzles_ends() {
    let token = CancelToken::new();
    let blank_rows = format!("{}{}", ".".repeat(18), "X".repeat(63));
    for (text, tries, expected) in [(".".repeat(81), 2000, 0), (blank_rows, 2000, 0), ("X".repeat(81), 10, 3)] {
        let pattern = text.parse().unwrap();
        let made = Patterned::new(1, pattern, false, Some(tries), SimdLevel::detect()).puzzles(0..3, &token);
        assert_eq!(made.unwrap().len(), expected, "{text}");
    }
    token.cancel();
    let pattern = SPARSE.parse().unwrap();
    assert!(Patterned::new(1, pattern, false, None, SimdLevel::detect()).puzzles(0..3, &token).is_err());
}
