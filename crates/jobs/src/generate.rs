//! The rows of generated puzzles and grids.

use rapidoku::file::internal::{Row, push_grid, push_npy_row};
use rapidoku::file::{Format, GeneratedRows};
use rapidoku::rating::{Rating, Technique};
use rapidoku::{Puzzle, Solution};

/// A generated puzzle. The numbers are unknown unless they have been computed.
pub struct Made {
    /// The puzzle.
    pub puzzle: Puzzle,
    /// Its solution.
    pub solution: Solution,
    /// How many puzzles it stands for.
    pub weight: Option<f64>,
    /// The guesses of the solver.
    pub guesses: Option<u64>,
    /// The rating.
    pub rating: Option<Rating>,
}

impl Made {
    /// A puzzle without numbers.
    pub fn new(puzzle: Puzzle, solution: Solution) -> Made {
        Made { puzzle, solution, weight: None, guesses: None, rating: None }
    }
}

/// The form of rows.
pub struct Form<'a> {
    /// The format.
    pub format: Format,
    /// Whether text is a grid.
    pub is_grid: bool,
    /// Whether text has the solution after the puzzle.
    pub has_solution: bool,
    /// The names of the columns.
    pub columns: Vec<&'a str>,
}

impl Form<'_> {
    /// Writes a row for each puzzle.
    pub fn write(&self, made: &[Made], rows: &mut GeneratedRows) {
        made.iter().for_each(|made| rows.push(|text| self.push(made, text)));
    }

    /// Writes a row for each complete grid.
    pub fn write_grids(&self, grids: &[Solution], rows: &mut GeneratedRows) {
        grids.iter().for_each(|grid| rows.push(|text| self.push(&Made::new((*grid).into(), *grid), text)));
    }

    #[inline]
    fn push(&self, made: &Made, text: &mut Vec<u8>) {
        let cells = made.puzzle.to_ascii();
        match self.format {
            Format::Text if self.is_grid => push_grid(text, &cells),
            Format::Text => {
                text.extend_from_slice(&cells);
                if self.has_solution {
                    text.push(b',');
                    text.extend_from_slice(&made.solution.to_ascii());
                }
                text.push(b'\n');
            }
            Format::Npy => push_npy_row(text, &cells),
            format => {
                let mut row = Row::start(text, format);
                for &column in &self.columns {
                    match column {
                        "puzzle" => row.word(column, &cells),
                        "solution" => row.word(column, &made.solution.to_ascii()),
                        "clues" => row.number(column, made.puzzle.clue_count() as u64),
                        "guesses" => row.maybe_number(column, made.guesses),
                        "er" => {
                            let er = made.rating.map_or(String::new(), |rating| rating.er.to_string());
                            row.json(column, er.as_bytes())
                        }
                        "hardest" => {
                            let hardest = made.rating.and_then(|rating| rating.hardest());
                            row.word(column, hardest.map_or("", Technique::name).as_bytes())
                        }
                        _ => {
                            let weight = made.weight.map_or(String::new(), |weight| format!("{weight:e}"));
                            row.json(column, weight.as_bytes())
                        }
                    };
                }
                row.end();
            }
        }
    }
}
