//! Many texts at once, compared with an independent reading of what a puzzle is.

use rapidoku::generate::ClueSymmetry;
use rapidoku::grid::Symmetry;
use rapidoku::rating::Techniques;
use rapidoku::{Puzzle, SimdLevel, parse_texts};

use crate::page;
use crate::support::{self, PUZZLE};

fn parse(level: SimdLevel, texts: &[Vec<u8>]) -> Vec<Option<Puzzle>> {
    let mut puzzles = vec![Puzzle::EMPTY; texts.len()];
    let not_puzzles = parse_texts(level, texts, &mut puzzles);
    assert!(not_puzzles.iter().all(|&k| puzzles[k].clash().is_some()), "their status is invalid");
    puzzles.into_iter().enumerate().map(|(k, puzzle)| (!not_puzzles.contains(&k)).then_some(puzzle)).collect()
}

#[test]
fn each_text_becomes_its_puzzle_at_every_level() {
    let mut texts: Vec<Vec<u8>> = support::records(&support::messy_text()).into_iter().map(|(_, text)| text).collect();
    // Each byte at the first, a middle and the last cell.
    for byte in 0..=255 {
        for cell in [0, 40, 80] {
            let mut text = PUZZLE.as_bytes().to_vec();
            text[cell] = byte;
            // White space around a puzzle is ignored, and makes this one too short; it has its own test.
            if !byte.is_ascii_whitespace() {
                texts.push(text);
            }
        }
    }
    // Other than a line, a text has no notes.
    let expected: Vec<Option<String>> = texts.iter().map(|text| page::puzzle_text(text, false)).collect();
    let valid = expected.iter().flatten().count();
    assert!(valid > 200 && expected.len() - valid > 300, "{valid} of {}", expected.len());
    for level in SimdLevel::available() {
        for (k, puzzle) in parse(level, &texts).iter().enumerate() {
            let text = puzzle.map(|puzzle| puzzle.to_string());
            assert_eq!(text, expected[k], "{level}: {}", texts[k].escape_ascii());
        }
    }
}

#[test]
fn a_text_may_be_a_grid_or_have_white_space_around_it() {
    let puzzle: Puzzle = PUZZLE.parse().unwrap();
    let texts = [format!("{puzzle:#}"), format!("  {PUZZLE}\r\n"), PUZZLE[1..].to_owned(), String::new()];
    let texts = texts.map(String::into_bytes);
    for level in SimdLevel::available() {
        assert_eq!(parse(level, &texts), [Some(puzzle), Some(puzzle), None, None], "{level}");
    }
}

#[test]
#[should_panic(expected = "as many texts as puzzles")]
fn a_missing_text_is_a_mistake() {
    parse_texts(SimdLevel::detect(), [PUZZLE], &mut [Puzzle::EMPTY; 2]);
}

#[test]
#[should_panic(expected = "as many puzzles as texts")]
fn a_surplus_text_is_a_mistake() {
    parse_texts(SimdLevel::detect(), [PUZZLE, PUZZLE], &mut [Puzzle::EMPTY]);
}

#[test]
fn types_have_texts_and_defaults() {
    let puzzle: Puzzle = PUZZLE.parse().unwrap();
    assert_eq!(format!("{puzzle:?}"), format!("Puzzle({PUZZLE})"));
    assert!(format!("{:?}", puzzle.solutions()).contains("GaveUp"));
    assert_eq!(format!("{:>10}", ClueSymmetry::HalfTurn), " half-turn");
    assert_eq!(Symmetry::default().puzzle(&puzzle), puzzle);
    assert_eq!(Techniques::default(), Techniques::ALL);
}
