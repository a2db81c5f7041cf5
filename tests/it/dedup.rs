//! Duplicates among puzzles in memory. The oracle compares clues in a map, and knows the classes of planted copies.

use std::collections::HashMap;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rapidoku::dedup::{DedupError, Deduplicator, Equivalence};
use rapidoku::grid::Symmetry;
use rapidoku::{CancelToken, Candidates, Puzzle, SimdLevel};

use crate::samples::sample;
use crate::support::{CLASH, PUZZLE, firsts};

/// `n` puzzles: those of the sample and random images of them, in random order, with the number of the original.
fn planted(n: usize) -> Vec<(usize, Puzzle)> {
    let originals = sample();
    let mut random = ChaCha8Rng::seed_from_u64(29);
    let mut image = |original: usize| {
        let puzzle = originals[original];
        match random.random_range(0..3) {
            0 => puzzle,
            _ => Symmetry::of_seed(random.random()).puzzle(&puzzle),
        }
    };
    (0..n).map(|k| k * 7919 % 1500).map(|original| (original, image(original))).collect()
}

#[test]
fn every_planted_duplicate_is_found() {
    let planted = planted(4000);
    let puzzles: Vec<Puzzle> = planted.iter().map(|(_, puzzle)| *puzzle).collect();
    // Clues that clash are compared as they are, and the sample has no two equivalent puzzles.
    let class = |(original, puzzle): &(usize, Puzzle)| match puzzle.clash() {
        Some(_) => Some((None, Some(*puzzle))),
        None => Some((Some(*original), None)),
    };
    let by_symmetry = firsts(planted.iter().map(class));
    let exact = firsts(puzzles.iter().map(|puzzle| Some(*puzzle)));
    assert!(by_symmetry != exact && exact.iter().enumerate().any(|(k, first)| *first != k));
    for (by, expected) in [(Equivalence::Exact, exact), (Equivalence::Symmetry, by_symmetry)] {
        for level in SimdLevel::available() {
            for threads in [1, 3] {
                let dedup = Deduplicator::new(by).level(level).threads(threads);
                assert!(dedup.firsts(&puzzles, &CancelToken::new()).unwrap() == expected, "{by:?} {level} {threads}");
            }
        }
    }
}

#[test]
fn many_keys_are_found_in_several_chunks() {
    let cells = |number: u32| {
        let mut cells = [0; 81];
        (0..6).for_each(|digit| cells[10 * digit] = (number / 9_u32.pow(digit as u32) % 9) as u8 + 1);
        Puzzle::from_cells(cells).unwrap()
    };
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let numbers: Vec<u32> = (0..200_000).map(|_| random.random_range(0..150_000)).collect();
    let puzzles: Vec<Puzzle> = numbers.iter().map(|&number| cells(number)).collect();
    let expected = firsts(numbers.iter().map(Some));
    for threads in [0, 1] {
        let dedup = Deduplicator::new(Equivalence::Exact).threads(threads);
        assert!(dedup.firsts(&puzzles, &CancelToken::new()).unwrap() == expected, "{threads}");
    }
    let (a, b) = puzzles.split_at(120_000);
    let overlap = Deduplicator::new(Equivalence::Exact).overlap(a, b, &CancelToken::new()).unwrap();
    let in_a: HashMap<u32, usize> = numbers[..120_000].iter().rev().copied().zip((0..120_000).rev()).collect();
    let expected: Vec<_> = numbers[120_000..].iter().map(|number| in_a.get(number).copied()).collect();
    assert!(overlap == expected && overlap.contains(&None));
}

#[test]
fn candidates_are_compared_exactly() {
    let puzzle: Puzzle = PUZZLE.parse().unwrap();
    let mut cells = *Candidates::from(&puzzle).cells();
    cells[2] = 0b110;
    let other = Candidates::from_cells(cells).unwrap();
    let clash = Candidates::from(&CLASH.parse::<Puzzle>().unwrap());
    let all = [other, (&puzzle).into(), other, clash, clash];
    let dedup = Deduplicator::new(Equivalence::Exact);
    assert_eq!(dedup.firsts(&all, &CancelToken::new()), Ok(vec![0, 1, 0, 3, 3]));
    assert_eq!(dedup.overlap(&[puzzle], &all[..2], &CancelToken::new()), Ok(vec![None, None]));
}

#[test]
fn a_cancelled_call_ends_with_an_error() {
    let cancel = CancelToken::new();
    cancel.cancel();
    for by in [Equivalence::Exact, Equivalence::Symmetry] {
        let dedup = Deduplicator::new(by);
        assert_eq!(dedup.firsts(&[Puzzle::EMPTY; 10], &cancel), Err(DedupError::Cancelled));
        assert_eq!(dedup.firsts_of_keys(&[None; 10], &cancel), Err(DedupError::Cancelled));
    }
}

/// Files that are compared.
#[cfg(feature = "file")]
mod files {
    use std::fs;
    use std::io::Write;

    use rapidoku::file::{Dedup, Event, Input, OpenFile, Output, Run};

    use super::*;
    use crate::support::NO_SOLUTION;

    #[test]
    fn an_input_that_changes_between_the_passes_leaves_no_output() {
        let before = format!("{PUZZLE}\nbad\n");
        for (after, is_error) in [(before.repeat(2), true), (String::new(), true), (before.clone(), false)] {
            let folder = tempfile::tempdir().unwrap();
            let [input, output] = ["puzzles.txt", "output.txt"].map(|name| folder.path().join(name));
            fs::write(&input, &before).unwrap();
            let output_file = Output::create(&output).unwrap();
            let run = Run { reported: 1, ..Run::default() }.input(&input).output(output_file);
            let result = Dedup::new(Equivalence::Exact).run(run, &mut |event| {
                if let Event::Invalid(_) = event {
                    fs::write(&input, &after).unwrap();
                }
            });
            assert_eq!(output.exists(), !is_error);
            match result {
                Ok(stats) => assert_eq!((stats.run.records, is_error), (2, false)),
                Err(error) => {
                    let message = format!("'{}': changed while it was read", input.display());
                    assert_eq!((error.to_string(), is_error), (message, true));
                }
            }
        }
    }

    #[test]
    fn a_cancelled_run_ends_with_an_error() {
        let text = format!("{PUZZLE}\n").repeat(100);
        let other = Input::Text(NO_SOLUTION.to_owned());
        for by in [Equivalence::Exact, Equivalence::Symmetry] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("output");
            let run = || {
                let output = Output::create(&path).unwrap();
                let run = Run::default().input(Input::Text(text.clone())).output(output);
                run.cancel.cancel();
                run
            };
            let error = Dedup::new(by).run(run(), &mut |_| {}).unwrap_err();
            assert_eq!(error.to_string(), "cancelled");
            let error = Dedup::new(by).overlap(std::slice::from_ref(&other), run(), &mut |_| {}).unwrap_err();
            assert_eq!(error.to_string(), "cancelled");
            assert!(!path.exists());
        }
    }

    #[test]
    fn open_files_are_read_from_their_start_each_time() {
        let mut file = tempfile::tempfile().unwrap();
        write!(file, "{PUZZLE}\n{PUZZLE}\nbad\n").unwrap();
        let open = Input::Open(OpenFile::new(file, "puzzles"));
        // A report of an invalid record is followed by one of the progress.
        let run = Run { reported: 1, ..Run::default() }.input(open.clone()).input(open);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("output");
        let output = Output::create(&path).unwrap();
        let (mut shown, mut total) = (0, None);
        let stats = Dedup::new(Equivalence::Symmetry).run(run.output(output), &mut |event| {
            if let Event::Progress { stats, total_bytes } = event {
                (shown, total) = (stats.input_bytes, total_bytes);
            }
        });
        let stats = stats.unwrap();
        assert_eq!((stats.run.records, stats.duplicates, stats.run.input_bytes), (6, 3, 2 * 168));
        // Progress counts both passes.
        assert!(total == Some(4 * 168) && shown > 0 && shown <= 4 * 168);
        assert_eq!(fs::read_to_string(path).unwrap(), format!("{PUZZLE}\nbad\nbad\n"));
    }
}
