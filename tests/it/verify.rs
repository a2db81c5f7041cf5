//! The checker accepts what is right and names what is wrong.

use rapidoku::grid::{CELLS, Cell, House};
use rapidoku::verify::{Flaw, check};
use rapidoku::{Puzzle, Solution};

use crate::support::SOLUTION;

fn cells() -> [u8; CELLS] {
    *SOLUTION.parse::<Solution>().unwrap().cells()
}

fn flaw(puzzle: &Puzzle, cells: [u8; CELLS]) -> Flaw {
    check(puzzle, &Solution::from_cells(cells).unwrap()).unwrap_err()
}

#[test]
fn accepts_a_solution_with_all_some_and_no_clues() {
    let solution = Solution::from_cells(cells()).unwrap();
    assert_eq!(check(&Puzzle::EMPTY, &solution), Ok(()));
    assert_eq!(check(&Puzzle::from_cells(cells()).unwrap(), &solution), Ok(()));
    for cell in 0..CELLS {
        let mut clues = [0; CELLS];
        clues[cell] = cells()[cell];
        assert_eq!(check(&Puzzle::from_cells(clues).unwrap(), &solution), Ok(()));
    }
}

#[test]
fn names_each_changed_cell() {
    let solution = Solution::from_cells(cells()).unwrap();
    for cell in 0..CELLS {
        let (mut wrong, digit) = (cells(), cells()[cell]);
        wrong[cell] = digit % 9 + 1;
        let clues = Puzzle::from_cells(wrong).unwrap();
        let clue = Flaw::Clue { cell: Cell(cell as u8), clue: wrong[cell], digit };
        assert_eq!(check(&clues, &solution), Err(clue));
        // Without clues, its row is the first house that is wrong.
        assert_eq!(flaw(&Puzzle::EMPTY, wrong), Flaw::House { house: House((cell / 9) as u8), digit });
    }
    let clue = Flaw::Clue { cell: Cell(10), clue: 4, digit: 7 };
    assert_eq!(clue.to_string(), "r2c2 holds 7, but its clue is 4");
}

#[test]
fn names_the_column_where_rows_are_right() {
    for row in 0..9 {
        for column in 0..8 {
            let mut wrong = cells();
            wrong.swap(9 * row + column, 9 * row + column + 1);
            let Flaw::House { house, digit } = flaw(&Puzzle::EMPTY, wrong) else { panic!("not a house") };
            assert_eq!((house, digit), (House(9 + column as u8), cells()[9 * row + column]));
        }
    }
}

#[test]
fn names_the_box_where_rows_and_columns_are_right() {
    // A Latin square: each row is the one above shifted by one, so that boxes repeat digits.
    let latin = std::array::from_fn(|cell| ((cell / 9 + cell % 9) % 9 + 1) as u8);
    let found = flaw(&Puzzle::EMPTY, latin);
    assert_eq!(found, Flaw::House { house: House(18), digit: 6 });
    assert_eq!(found.to_string(), "box 1 lacks 6");
}
