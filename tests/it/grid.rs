//! Tables, parsing and printing.

use std::collections::BTreeSet;

use proptest::prelude::*;
use rapidoku::grid::{CELLS, Cell, HOUSE_CELLS, HOUSES, House, PEERS, box_of, column_of, row_of};
use rapidoku::{Candidates, Puzzle, PuzzleError, Solution};

use crate::samples;
use crate::support::{PUZZLE, SOLUTION};

#[test]
fn houses_partition_the_grid_three_ways() {
    for (kind, of) in [row_of, column_of, box_of].into_iter().enumerate() {
        for house in 0..9 {
            let members: Vec<u8> = (0..CELLS as u8).filter(|&cell| of(cell as usize) == house).collect();
            assert_eq!(HOUSE_CELLS[9 * kind + house].to_vec(), members);
        }
    }
    assert_eq!(HOUSE_CELLS[HOUSES - 1], [60, 61, 62, 69, 70, 71, 78, 79, 80]);
}

#[test]
fn peers_are_the_other_cells_of_a_cells_houses() {
    for cell in 0..CELLS as u8 {
        let houses = HOUSE_CELLS.iter().filter(|house| house.contains(&cell));
        let peers: BTreeSet<u8> = houses.flatten().copied().filter(|&other| other != cell).collect();
        assert_eq!(PEERS[cell as usize].to_vec(), Vec::from_iter(peers));
    }
}

#[test]
fn prints_line_and_grid() {
    let puzzle: Puzzle = PUZZLE.parse().unwrap();
    assert_eq!(puzzle.to_string(), PUZZLE);
    let grid = "5 3 . | . 7 . | . . .\n6 . . | 1 9 5 | . . .\n. 9 8 | . . . | . 6 .\n------+-------+------\n";
    assert!(format!("{puzzle:#}").starts_with(grid));
    assert_eq!(format!("{puzzle:#}").lines().count(), 11);
}

#[test]
fn reads_the_classics_in_every_form() {
    let lines = samples::puzzles(include_str!("../../datasets/classics.txt"));
    let nine_lines = include_str!("../../datasets/classics-nine-lines.txt");
    let spaced = include_str!("../../datasets/classics-spaced-grid.txt");
    let grids: Vec<Puzzle> = nine_lines.split("\n\n").chain([spaced]).map(|g| g.parse().unwrap()).collect();
    assert_eq!(grids, lines);
    assert_eq!(spaced.replace('\n', "\r\n").parse(), Ok(lines[3]));
}

#[test]
fn tells_rules_from_rows() {
    let mut cells = [0; CELLS];
    cells[40] = 7;
    let puzzle = Puzzle::from_cells(cells).unwrap();
    let band = "...|...|...\n".repeat(3);
    let middle = "...|...|...\n...|.7.|...\n...|...|...\n";
    for rule in ["---------", "---|---|---", "---+---+---", "-----------", "*---*---*---*", "=====", "*********"] {
        let ruled = format!("{rule}\n{band}{rule}\n{middle}{rule}\n{band}{rule}\n");
        assert_eq!(ruled.parse(), Ok(puzzle), "{rule:?} is a rule");
    }
    let dashes = format!("{}----7----\n{}", "---------\n".repeat(4), "---------\n".repeat(4));
    assert_eq!(dashes.parse::<Puzzle>(), Err(PuzzleError::BrokenRow { line: 5 }));
}

#[test]
fn names_what_is_wrong_with_a_grid() {
    let rows = |row: &str| format!("{}{row}\n{}", ".........\n".repeat(4), ".........\n".repeat(4));
    for row in ["........", "..........", ". . . | a . . | . . .", ""] {
        assert_eq!(rows(row).parse::<Puzzle>(), Err(PuzzleError::BrokenRow { line: 5 }), "{row}");
    }
    assert_eq!(rows(".........\n.........").parse::<Puzzle>(), Err(PuzzleError::RowCount { rows: 10 }));
    assert_eq!(".........\n.........".parse::<Puzzle>(), Err(PuzzleError::RowCount { rows: 2 }));
    assert_eq!(rows("0........").parse::<Puzzle>(), Err(PuzzleError::MixedBlanks));
    assert_eq!("".parse::<Puzzle>(), Err(PuzzleError::CellCount { cells: 0 }));
}

#[test]
fn cells_are_digits_up_to_nine() {
    for cell in [0, 40, 80] {
        let with = |digit: u8| {
            let mut cells = [0; CELLS];
            cells[cell] = digit;
            Puzzle::from_cells(cells)
        };
        assert!(with(9).is_some() && with(10).is_none() && with(b'1').is_none());
    }
}

#[test]
fn a_solution_has_no_blanks() {
    let solution: Solution = SOLUTION.parse().unwrap();
    assert_eq!(solution.to_string(), SOLUTION);
    assert_eq!(format!("{solution:#}").parse(), Ok(solution));
    let blank = SOLUTION.replacen('8', ".", 1);
    assert_eq!(blank.parse::<Solution>(), Err(PuzzleError::Blank(Cell(5))));
    assert_eq!(PuzzleError::Blank(Cell(5)).to_string(), "no digit in r1c6");
}

#[test]
fn names_the_first_clash() {
    let clash = |cells: &[(usize, u8)]| {
        let mut all = [0; CELLS];
        cells.iter().for_each(|&(cell, digit)| all[cell] = digit);
        Puzzle::from_cells(all).unwrap().clash()
    };
    let named = |digit, house, a, b| Some(PuzzleError::Clash { digit, house: House(house), cells: [Cell(a), Cell(b)] });
    assert_eq!(clash(&[(0, 5), (1, 4), (9, 6), (10, 7)]), None);
    assert_eq!(clash(&[(72, 3), (80, 3)]), named(3, 8, 72, 80));
    assert_eq!(clash(&[(4, 3), (76, 3)]), named(3, 13, 4, 76));
    assert_eq!(clash(&[(60, 9), (80, 9)]), named(9, 26, 60, 80));
    assert_eq!(clash(&[(60, 9), (80, 9), (0, 1), (72, 1)]), named(1, 9, 0, 72));
    let shown = clash(&[(0, 1), (1, 1)]).unwrap().to_string();
    assert_eq!(shown, "digit 1 twice in row 1: r1c1 and r1c2");
}

#[test]
fn texts_and_bytes_give_the_same_values() {
    let puzzle: Puzzle = PUZZLE.parse().unwrap();
    assert_eq!(Puzzle::try_from(PUZZLE.as_bytes()), Ok(puzzle));
    assert_eq!(format!(" {PUZZLE}\r\n").parse(), Ok(puzzle));
    assert_eq!(format!("{PUZZLE}1").parse::<Puzzle>(), Err(PuzzleError::CellCount { cells: 82 }));
    let solution = puzzle.solutions().next().unwrap();
    assert_eq!(Solution::try_from(&solution.to_ascii()[..]), Ok(solution));
    assert_eq!(Solution::try_from(Puzzle::from(solution)), Ok(solution));
    assert_eq!(Solution::try_from(puzzle), Err(PuzzleError::Blank(Cell(2))));
    let candidates = Candidates::from(&puzzle);
    assert_eq!(Candidates::try_from(candidates.to_string().as_bytes()), Ok(candidates));
    assert_eq!(candidates.puzzle(), Some(puzzle));
    assert_eq!("1".parse::<Candidates>(), Err(PuzzleError::CellCount { cells: 1 }));
    assert!(Puzzle::EMPTY < puzzle, "grids are ordered like their digits");
}

proptest! {
    #[test]
    fn any_puzzle_survives_line_and_grid(cells in prop::array::uniform32(0..=9_u8), at in 0..CELLS) {
        let cells = std::array::from_fn(|cell| if (cell + at) % 3 == 0 { 0 } else { cells[cell % 32] });
        let puzzle = Puzzle::from_cells(cells).unwrap();
        prop_assert_eq!(puzzle.to_string().parse(), Ok(puzzle));
        prop_assert_eq!(format!("{puzzle:#}").parse(), Ok(puzzle));
        prop_assert_eq!(format!("{puzzle:#}").replace('.', "_").parse(), Ok(puzzle));
    }

    #[test]
    fn any_text_parses_or_is_refused(text in "[-+|*=. 0-9x#\r\n]{0,240}") {
        if let Ok(puzzle) = text.parse::<Puzzle>() {
            prop_assert_eq!(puzzle.to_string().parse(), Ok(puzzle));
        }
    }
}
