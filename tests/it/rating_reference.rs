//! The ratings of the library compared with those of their definition alone, step by step.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rapidoku::generate::Minimizer;
use rapidoku::grid::{CELLS, Symmetry};
use rapidoku::rating::{Difficulty, Rater, Rating, Technique, Techniques, Verdict};
use rapidoku::{CancelToken, Candidates, Limits, Puzzle, Solver, Status};

use crate::reference::{Step, rate};
use crate::samples::{rated_puzzles, sample_of};
use crate::support::{SOLUTION, setting};

/// The steps and the rating of the library.
fn steps(rater: &mut Rater, puzzle: &Candidates) -> (Vec<Step>, Rating) {
    let mut steps = Vec::new();
    let rating = rater.explain(*puzzle, &mut |step| {
        let mut removed: Vec<_> = step.removed.iter().map(|removed| (removed.cell.0, removed.digits.0)).collect();
        removed.sort();
        steps.push(Step {
            technique: step.technique as usize,
            difficulty: step.difficulty.0,
            placed: step.placed.map(|(cell, digit)| (cell.0, digit)),
            removed,
            complexity: step.chain.as_ref().map_or(0, |chain| chain.complexity),
        });
        ControlFlow::Continue(())
    });
    (steps, rating)
}

/// Compares a puzzle with its definition. Returns its ER in tenths.
fn compare(puzzle: &Puzzle) -> u16 {
    let candidates = Candidates::from(puzzle);
    let expected = rate(&candidates, &Vec::from_iter(0..Technique::ALL.len()));
    let (steps, rating) = steps(&mut Rater::new(), &candidates);
    for (number, (step, expected)) in steps.iter().zip(&expected.steps).enumerate() {
        assert_eq!(step, expected, "{puzzle}: step {number}");
    }
    assert_eq!(steps.len(), expected.steps.len(), "{puzzle}");
    assert_eq!([rating.er.0, rating.ep.0, rating.ed.0], [expected.er, expected.ep, expected.ed], "{puzzle}");
    assert_eq!(rating, Rater::new().rate(puzzle), "{puzzle}: the same without steps");
    expected.er
}

/// Puzzles seldom need aligned pairs and triplets, because other techniques come first. Here nothing else is allowed.
#[test]
fn aligned_sets_of_pencilmarks_are_those_of_the_definition() {
    let mut random = ChaCha8Rng::seed_from_u64(22);
    for technique in [Technique::AlignedPair, Technique::AlignedTriplet] {
        let mut rater = Rater::new().techniques(Techniques::NONE.with(technique));
        let mut found = 0;
        for _ in 0..150 {
            // The right digit of each cell, and one to four others.
            let candidates = Candidates::from_cells(std::array::from_fn(|cell| {
                let others = (0..random.random_range(1..5)).map(|_| 1 << random.random_range(0..9));
                others.fold(1 << (SOLUTION.as_bytes()[cell] - b'1'), |set, digit: u16| set | digit)
            }));
            let candidates = candidates.expect("sets of nine digits");
            let (steps, rating) = steps(&mut rater, &candidates);
            if rating.verdict != Verdict::Multiple {
                found += steps.len();
                assert_eq!(steps, rate(&candidates, &[technique as usize]).steps, "{candidates:?}");
            }
        }
        assert!(found > 20, "{technique:?}: {found}");
    }
}

/// Compares puzzles on all cores. Returns the ER of each in tenths.
fn compare_all(puzzles: &[Puzzle]) -> Vec<u16> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut ratings = Vec::new();
        while let Some(puzzle) = puzzles.get(next.fetch_add(1, Ordering::Relaxed)) {
            ratings.push(compare(puzzle));
        }
        ratings
    };
    std::thread::scope(|scope| {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("no comparison failed")).collect()
    })
}

/// Whether the definition takes only milliseconds.
fn is_quick(er: Difficulty) -> bool {
    er < Difficulty(80)
}

/// The rated puzzles of the project and some of the sample. Only every nth of those from 8.0 on, which take 0.1 seconds
/// each, and of those with nested chains, which take seconds.
fn compare_rated(nth_above_8: usize, nth_nested: usize) {
    let (quick, slow): (Vec<_>, Vec<_>) = rated_puzzles().into_iter().partition(|(_, rating)| is_quick(rating[0]));
    let (slow, nested): (Vec<_>, Vec<_>) =
        slow.into_iter().partition(|(_, rating)| rating[0] < Technique::Nested2.least());
    assert!(nested.len() >= 50, "{}", nested.len());
    let rated = quick.iter().chain(slow.iter().step_by(nth_above_8)).chain(nested.iter().step_by(nth_nested));
    let sample: Vec<Puzzle> = sample_of(Status::Unique).take(1000).collect();
    let of_sample = Rater::new().max_work(100_000).rate_all(&sample, &CancelToken::new()).unwrap();
    let is_chosen = |rating: &Rating| rating.verdict == Verdict::Rated && is_quick(rating.er);
    let sample = sample.iter().zip(&of_sample).filter(|(_, rating)| is_chosen(rating)).map(|(puzzle, _)| puzzle);
    let chosen: Vec<Puzzle> = rated.map(|(puzzle, _)| puzzle).chain(sample).copied().collect();
    assert!(chosen.len() >= 2000, "{}", chosen.len());
    assert_eq!(compare_all(&chosen).len(), chosen.len());
    // Each technique below nested chains has a step.
    let mut used = [0; 30];
    for rating in Rater::new().rate_all(&chosen, &CancelToken::new()).unwrap() {
        used.iter_mut().zip(rating.counts).for_each(|(sum, count)| *sum += u32::from(count));
    }
    assert!(used[..Technique::Nested2 as usize].iter().all(|&steps| steps > 0), "{used:?}");
}

#[test]
#[ignore = "slow: .ci/run slow-tests"]
fn every_step_is_that_of_the_definition() {
    compare_rated(12, 42);
}

#[test]
#[ignore = "takes minutes"]
fn every_step_of_all_rated_puzzles_is_that_of_the_definition() {
    compare_rated(1, 1);
}

/// A puzzle with another presentation and two other clues, often one nearly as hard.
fn neighbour(random: &mut ChaCha8Rng, puzzle: &Puzzle) -> Option<Puzzle> {
    let mut cells = *puzzle.cells();
    for _ in 0..2 {
        let clues: Vec<usize> = (0..CELLS).filter(|&cell| cells[cell] != 0).collect();
        cells[clues[random.random_range(0..clues.len())]] = 0;
    }
    let solutions = Puzzle::from_cells(cells)?.solutions().take(1000);
    let mut left: Vec<[u8; CELLS]> = solutions.map(|solution| *solution.cells()).collect();
    // One clue of any solution, then one that only one of those left has.
    for is_last in [false, true] {
        let mut counts = [[0; 10]; CELLS];
        left.iter().for_each(|solution| (0..CELLS).for_each(|cell| counts[cell][solution[cell] as usize] += 1));
        let clues =
            (0..CELLS).filter(|&cell| cells[cell] == 0).flat_map(|cell| (1..10).map(move |digit| (cell, digit)));
        let fits = |&(cell, digit): &(usize, usize)| {
            if is_last { counts[cell][digit] == 1 } else { counts[cell][digit] > 0 }
        };
        let clues: Vec<_> = clues.filter(fits).collect();
        let &(cell, digit) = clues.get(random.random_range(0..clues.len().max(1)))?;
        cells[cell] = digit as u8;
        left.retain(|solution| solution[cell] == digit as u8);
    }
    Some(Symmetry::random(random.random(), 0).puzzle(&Puzzle::from_cells(cells)?))
}

/// So many minimal puzzles from this difficulty on, from neighbours of some.
fn harder(seed: u64, starts: &[Puzzle], least: Difficulty, count: usize) -> Vec<Puzzle> {
    let (mut random, cancel, mut found) = (ChaCha8Rng::seed_from_u64(seed), CancelToken::new(), Vec::new());
    while found.len() < count {
        let made: Vec<Puzzle> = (0..2 * (count - found.len()).clamp(100, 10_000))
            .filter_map(|_| {
                let start = random.random_range(0..starts.len());
                neighbour(&mut random, &starts[start])
            })
            .collect();
        let outcomes = Solver::new().limits(Limits::UNIQUE).solve(&made);
        let made = Minimizer::new(random.random()).minimize(&made, &outcomes, &cancel).unwrap();
        let made: Vec<Puzzle> = made.into_iter().flatten().collect();
        let ratings = Rater::new().max_work(1_000_000).rate_all(&made, &cancel).unwrap();
        let rated = made.into_iter().zip(ratings).filter(|(_, rating)| rating.verdict == Verdict::Rated);
        found.extend(rated.filter(|(_, rating)| rating.er >= least).map(|(puzzle, _)| puzzle));
    }
    found.truncate(count);
    found
}

/// Neighbours of the rated puzzles: a third of them above 8.0, with some from 9.5 on.
fn fresh(seed: u64, count: usize, nested: usize) -> Vec<Puzzle> {
    let above = |least: u16, count: usize| {
        let known = rated_puzzles().into_iter().filter(|(_, rating)| rating[0].0 >= least);
        harder(seed, &known.map(|(puzzle, _)| puzzle).collect::<Vec<_>>(), Difficulty(least), count)
    };
    [above(81, count / 3), above(95, nested), above(0, count - count / 3 - nested)].concat()
}

/// Fresh puzzles. `RAPIDOKU_RATED` has their number and the seed, as in `100000 1`.
#[test]
#[ignore = "takes an hour for 100,000"]
fn fresh_puzzles_have_the_steps_of_the_definition() {
    let [count, seed] = setting("RAPIDOKU_RATED", [3000, 1]);
    let count = count as usize;
    let chosen = fresh(seed, count, (count / 100).clamp(20, 250));
    let ratings = compare_all(&chosen);
    let from = |least: u16| ratings.iter().filter(|&&er| er >= least).count();
    println!("{} puzzles with the seed {seed}, {} above 8.0, {} above 9.5", chosen.len(), from(81), from(96));
    assert!(chosen.len() >= count && from(81) >= count / 3);
}
