//! Canonical forms, compared with all 3,359,232 ways to move the cells.

use std::collections::HashSet;

use rand::seq::IteratorRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rapidoku::canon::{self, Canonical, Canonicalizer};
use rapidoku::grid::Symmetry;
use rapidoku::{Puzzle, PuzzleError, SimdLevel, Solution, SolveError, Solver, verify};

use crate::samples::{parse, puzzles, sample, shared_datasets, without};
use crate::support::{CLASH, NO_SOLUTION, PUZZLE, SOLUTION};

/// The least of all complete grids. It has 648 automorphisms, more than any other.
const MOST_CANONICAL: &str = "123456789456789123789123456231564897564897231897231564312645978645978312978312645";

/// The orders of nine lines that keep chutes together.
fn orders() -> Vec<[usize; 9]> {
    let three = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let order = |k: usize| {
        let [chutes, a, b, c] = [k / 216, k / 36 % 6, k / 6 % 6, k % 6].map(|digit| three[digit]);
        std::array::from_fn(|i| 3 * chutes[i / 3] + [a, b, c][i / 3][i % 3])
    };
    (0..1296).map(order).collect()
}

/// The least image of `cells` under all symmetries, and of `clues` among those that give it, with the number of ways.
fn brute_force(cells: &[u8; 81], clues: Option<&[u8; 81]>) -> (Puzzle, u32) {
    let orders = orders();
    let mut least = [10; 81];
    let mut best: Option<[u8; 81]> = None;
    let mut ways = 0;
    for is_transposed in [false, true] {
        let source = |row: usize, column: usize| if is_transposed { 9 * column + row } else { 9 * row + column };
        for rows in &orders {
            for columns in &orders {
                let mut names = [0; 10];
                let mut image = [0; 81];
                let mut next = 1;
                let mut is_less = false;
                let mut is_greater = false;
                for i in 0..81 {
                    let digit = cells[source(rows[i / 9], columns[i % 9])] as usize;
                    if digit != 0 && names[digit] == 0 {
                        names[digit] = next;
                        next += 1;
                    }
                    image[i] = names[digit];
                    if !is_less && image[i] != least[i] {
                        is_less = image[i] < least[i];
                        is_greater = !is_less;
                        if is_greater {
                            break;
                        }
                    }
                }
                if is_greater {
                    continue;
                }
                if is_less {
                    (least, best, ways) = (image, None, 0);
                }
                let clue_image: [u8; 81] = match clues {
                    Some(clues) => std::array::from_fn(|i| {
                        let digit = clues[source(rows[i / 9], columns[i % 9])];
                        names[digit as usize]
                    }),
                    None => image,
                };
                match best {
                    Some(best) if clue_image > best => {}
                    Some(best) if clue_image == best => ways += 1,
                    _ => (best, ways) = (Some(clue_image), 1),
                }
            }
        }
    }
    (Puzzle::from_cells(best.unwrap()).unwrap(), ways)
}

/// Some clues of a grid.
fn some_clues(random: &mut ChaCha8Rng, grid: &[u8; 81], clues: usize) -> Puzzle {
    let removed: Vec<usize> = (0..81).sample(random, 81 - clues);
    without(&Puzzle::from_cells(*grid).unwrap(), &removed)
}

/// The solutions of the sample.
fn grids() -> Vec<Solution> {
    let outcomes = Solver::new().solve(&sample());
    outcomes.iter().filter_map(|outcome| outcome.solution).collect()
}

/// Grids with automorphisms, among them the least of all.
fn symmetric_grids() -> Vec<Solution> {
    let mut grids: Vec<Solution> = vec![MOST_CANONICAL.parse().unwrap()];
    for shifts in [[0, 3, 6, 1, 4, 7, 2, 5, 8], [0, 3, 6, 1, 4, 7, 2, 8, 5], [0, 6, 3, 1, 4, 7, 2, 5, 8]] {
        let cells = std::array::from_fn(|i| ((i % 9 + shifts[i / 9]) % 9 + 1) as u8);
        let grid = Solution::from_cells(cells).unwrap();
        assert_eq!(verify::check(&Puzzle::EMPTY, &grid), Ok(()));
        grids.push(grid);
    }
    grids
}

/// The properties of every form, whatever the method.
fn check_form(puzzle: &Puzzle, canonical: &Canonical) {
    assert_eq!(canonical.symmetry.puzzle(puzzle), canonical.form, "{puzzle}");
    assert!(canonical.automorphisms > 0);
    // The order of a subgroup divides that of the group.
    assert_eq!(2 * 6u32.pow(8) % canonical.automorphisms, 0);
}

/// The least form of a puzzle is that of brute force.
fn check_minlex(puzzle: &Puzzle) -> Canonical {
    let direct = canon::minlex(puzzle).unwrap();
    check_form(puzzle, &direct);
    assert_eq!((direct.form, direct.automorphisms), brute_force(puzzle.cells(), None), "{puzzle}");
    direct
}

#[test]
fn grids_have_the_form_of_brute_force() {
    for grid in grids().iter().step_by(1900).chain(&symmetric_grids()) {
        let canonical = canon::grid(grid).unwrap();
        check_form(&(*grid).into(), &canonical);
        assert_eq!((canonical.form, canonical.automorphisms), brute_force(grid.cells(), None), "{grid}");
        // A complete grid is a puzzle with one solution, and its form is the same by all methods.
        assert_eq!(canon::puzzle(&(*grid).into()), Ok(canonical));
        let direct = canon::minlex(&(*grid).into()).unwrap();
        assert_eq!((direct.form, direct.automorphisms), (canonical.form, canonical.automorphisms));
    }
}

#[test]
fn puzzles_have_the_forms_of_brute_force() {
    let puzzles = sample();
    let unique: Vec<Puzzle> = puzzles.iter().step_by(2000).copied().collect();
    let symmetric = symmetric_grids().into_iter().map(|grid| {
        // Without one cell, and without a digit: some automorphisms of the grid are left.
        let removed: Vec<usize> = (0..81).filter(|&cell| cell == 40 || grid.cells()[cell] == 9).collect();
        without(&grid.into(), &removed)
    });
    for puzzle in unique.into_iter().chain(symmetric) {
        let canonical = canon::puzzle(&puzzle).unwrap();
        check_form(&puzzle, &canonical);
        let solution = Solver::new().solve_one(&puzzle).solution.unwrap();
        let wanted = brute_force(solution.cells(), Some(puzzle.cells()));
        assert_eq!((canonical.form, canonical.automorphisms), wanted, "{puzzle}");
        assert_eq!(check_minlex(&puzzle).automorphisms, canonical.automorphisms, "{puzzle}");
    }
}

#[test]
fn sparse_and_dense_puzzles_have_the_least_form_of_brute_force() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let grids = grids();
    for clues in [1, 2, 3, 5, 8, 13, 16, 20, 30, 45, 60, 75, 80] {
        let grid = &grids[random.random_range(0..grids.len())];
        let puzzle = some_clues(&mut random, grid.cells(), clues);
        check_minlex(&puzzle);
    }
}

/// Whole boxes, bands, lines and digits: many symmetries, and several blank bands and stacks.
#[test]
fn regular_puzzles_have_the_least_form_of_brute_force() {
    type Kept = fn(usize, usize, u8) -> bool;
    let patterns: [Kept; 9] = [
        |_, _, _| false,
        |row, column, _| row / 3 == column / 3,
        |row, column, _| row == column,
        |row, column, _| row == 4 || column == 4,
        |row, _, _| row < 3,
        |row, column, _| row < 3 && column % 3 == 0,
        |row, column, _| row % 3 == 1 && column % 3 == 1,
        |_, _, digit| digit <= 2,
        |row, column, digit| row / 3 == 1 && column / 3 != 1 && digit != 5,
    ];
    for kept in patterns {
        for grid in [MOST_CANONICAL, SOLUTION] {
            let grid: Solution = grid.parse().unwrap();
            let removed: Vec<usize> = (0..81).filter(|&i| !kept(i / 9, i % 9, grid.cells()[i])).collect();
            check_minlex(&without(&grid.into(), &removed));
        }
    }
}

#[test]
fn forms_do_not_change_under_symmetries() {
    check_images(10);
}

#[test]
#[ignore = "long"]
fn forms_do_not_change_under_300_000_symmetries() {
    check_images(240);
}

/// Compares the forms of 1300 puzzles and 900 grids with those of random images, by all methods.
fn check_images(rounds: u64) {
    let mut random = ChaCha8Rng::seed_from_u64(4);
    let mut puzzles: Vec<Puzzle> = sample().into_iter().step_by(10).collect();
    let grids: Vec<Solution> = grids().into_iter().step_by(10).chain(symmetric_grids()).collect();
    puzzles.extend((0..300).map(|n| some_clues(&mut random, grids[n].cells(), n % 50)));
    let canonicalizer = Canonicalizer::new();
    let (by_solution, direct, complete) =
        (canonicalizer.puzzles(&puzzles), canonicalizer.minlex(&puzzles), canonicalizer.grids(&grids));
    assert!(by_solution.iter().flatten().count() > 900);
    assert!(direct.iter().chain(&complete).all(Option::is_some));
    let forms = |all: &[Option<Canonical>]| all.iter().flatten().map(|form| form.form).collect::<Vec<Puzzle>>();
    let (once, least) = (forms(&by_solution), forms(&direct));
    assert!(forms(&canonicalizer.puzzles(&once)) == once && forms(&canonicalizer.minlex(&least)) == least);
    for round in 0..rounds {
        let symmetries = (0..).map(|k| Symmetry::of_seed(1_000_000 * round + k));
        let images: Vec<Puzzle> =
            puzzles.iter().zip(symmetries.clone()).map(|(puzzle, symmetry)| symmetry.puzzle(puzzle)).collect();
        let image_grids: Vec<Solution> =
            grids.iter().zip(symmetries).map(|(grid, symmetry)| symmetry.solution(grid)).collect();
        let image_puzzles: Vec<Puzzle> = image_grids.iter().map(|&grid| grid.into()).collect();
        for (originals, forms, images) in [
            (&by_solution, canonicalizer.puzzles(&images), &images),
            (&direct, canonicalizer.minlex(&images), &images),
            (&complete, canonicalizer.grids(&image_grids), &image_puzzles),
        ] {
            for ((original, form), image) in originals.iter().zip(&forms).zip(images) {
                let parts = |form: &Option<Canonical>| form.map(|form| (form.form, form.automorphisms));
                assert_eq!(parts(original), parts(form), "{image}");
                form.inspect(|form| check_form(image, form));
            }
        }
    }
}

#[test]
fn the_level_and_the_number_of_threads_do_not_matter() {
    // More than a chunk, with grids that have no form in between.
    let puzzles = sample();
    let mut grids = grids();
    for k in (0..grids.len()).step_by(7) {
        let mut cells = *grids[k].cells();
        cells[k % 81] = cells[k % 81] % 9 + 1;
        grids[k] = Solution::from_cells(cells).unwrap();
    }
    let wanted = Canonicalizer::new().threads(1);
    let wanted = (wanted.grids(&grids), wanted.puzzles(&puzzles), wanted.minlex(&puzzles));
    assert!(wanted.0.iter().step_by(7).all(Option::is_none));
    assert_eq!(wanted.0.iter().flatten().count(), grids.len() - grids.len().div_ceil(7));
    for level in SimdLevel::available() {
        for threads in [0, 1, 2, 3] {
            let other = Canonicalizer::new().level(level).threads(threads);
            let forms = (other.grids(&grids), other.puzzles(&puzzles), other.minlex(&puzzles));
            assert!(forms == wanted, "{level}, {threads} threads");
        }
    }
}

#[test]
fn there_is_no_form_without_a_reason() {
    let clash = parse(CLASH);
    assert!(matches!(canon::minlex(&clash), Err(PuzzleError::Clash { digit: 1, .. })));
    assert!(matches!(canon::puzzle(&clash), Err(SolveError::Invalid(PuzzleError::Clash { digit: 1, .. }))));
    assert_eq!(canon::puzzle(&parse(NO_SOLUTION)), Err(SolveError::NoSolution));
    assert_eq!(canon::puzzle(&Puzzle::EMPTY), Err(SolveError::Multiple));
    assert!(canon::minlex(&parse(NO_SOLUTION)).is_ok());
    assert!(canon::puzzle(&parse(PUZZLE)).is_ok());
    // Every way to break the rules: exchange two cells of a grid.
    let grid: Solution = SOLUTION.parse().unwrap();
    for a in 0..81 {
        for b in 0..a {
            let mut cells = *grid.cells();
            cells.swap(a, b);
            let grid = Solution::from_cells(cells).unwrap();
            assert_eq!(canon::grid(&grid).is_err(), cells != *SOLUTION.parse::<Solution>().unwrap().cells());
        }
    }
    for digit in 1..=9 {
        assert!(canon::grid(&Solution::from_cells([digit; 81]).unwrap()).is_err());
    }
}

#[test]
#[ignore = "needs the shared datasets"]
fn all_shared_puzzles_with_17_clues_are_different() {
    let all = puzzles(&std::fs::read_to_string(shared_datasets().join("17_clue.txt")).unwrap());
    let forms = Canonicalizer::new().puzzles(&all);
    let different: HashSet<Puzzle> = forms.iter().flatten().map(|form| form.form).collect();
    assert_eq!(different.len(), 49_158);
}
