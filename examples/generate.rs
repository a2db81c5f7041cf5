//! Makes `datasets/sample_10k.txt`, byte for byte the same each time:
//!
//! ```text
//! cargo run --release --example generate > datasets/sample_10k.txt
//! ```
//!
//! Of every twenty lines, 12 are minimal puzzles (no clue can go), 6 have extra clues, the 19th has several
//! solutions (minimal less a clue or two) and the 20th none (one clue changed, without a clash). Clues go
//! in random order, with no symmetry. Another number of lines and another seed can be given as operands.

use std::io::{self, BufWriter, Write};

use rand::{RngExt, SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use rapidoku::grid::CELLS;
use rapidoku::{Engine, Limits, Puzzle, Solution, Solver, Status};

/// Its stream is the same on every machine, which `StdRng` does not promise.
type Rng = ChaCha8Rng;
type Cells = [u8; CELLS];

/// One puzzle at a time.
fn solver() -> Solver {
    Solver::new().engine(Engine::Scalar)
}

fn status(cells: &Cells) -> Status {
    let puzzle = Puzzle::from_cells(*cells).expect("cells are 0 to 9");
    solver().solve_one(&puzzle).status
}

/// The cells for which `pick` holds, in random order.
fn shuffled(rng: &mut Rng, pick: impl Fn(usize) -> bool) -> Vec<usize> {
    let mut order: Vec<usize> = (0..CELLS).filter(|&cell| pick(cell)).collect();
    order.shuffle(rng);
    order
}

/// A solved grid: random digits go to random cells, as long as a solution is left, until it is the only one.
fn solved_grid(rng: &mut Rng) -> Solution {
    let mut cells = [0; CELLS];
    for cell in shuffled(rng, |_| true) {
        let mut digits = [1, 2, 3, 4, 5, 6, 7, 8, 9];
        digits.shuffle(rng);
        for digit in digits {
            cells[cell] = digit;
            match status(&cells) {
                Status::Multiple => break,
                Status::Unique => {
                    let puzzle = Puzzle::from_cells(cells).expect("cells are 0 to 9");
                    let answer = solver().limits(Limits::FIRST).solve_one(&puzzle);
                    return answer.solution.expect("a unique puzzle has a solution");
                }
                _ => {}
            }
        }
    }
    unreachable!("a full grid is unique")
}

/// Clues that give this grid alone, none of which can go.
fn minimal(grid: &Solution, rng: &mut Rng) -> Cells {
    let mut cells = *grid.cells();
    for cell in shuffled(rng, |_| true) {
        let clue = std::mem::take(&mut cells[cell]);
        if status(&cells) != Status::Unique {
            cells[cell] = clue;
        }
    }
    cells
}

/// Adds 4 to 12 clues.
fn eased(mut cells: Cells, grid: &Solution, rng: &mut Rng) -> Cells {
    let extra = rng.random_range(4..=12);
    for cell in shuffled(rng, |cell| cells[cell] == 0).into_iter().take(extra) {
        cells[cell] = grid.cells()[cell];
    }
    cells
}

/// Takes a clue or two from a minimal puzzle, which leaves it with several solutions.
fn loosened(mut cells: Cells, rng: &mut Rng) -> Cells {
    let fewer = rng.random_range(1..=2);
    for cell in shuffled(rng, |cell| cells[cell] != 0).into_iter().take(fewer) {
        cells[cell] = 0;
    }
    cells
}

/// Changes one clue such that no two clash and still no solution is left.
fn contradicted(cells: Cells, rng: &mut Rng) -> Cells {
    loop {
        let mut changed = cells;
        let clues = shuffled(rng, |cell| cells[cell] != 0);
        changed[clues[0]] = rng.random_range(1..=9);
        if status(&changed) == Status::NoSolution {
            return changed;
        }
    }
}

fn main() -> io::Result<()> {
    let mut operands = std::env::args().skip(1).map(|n| n.parse::<u64>().expect("operands are numbers"));
    let lines = operands.next().unwrap_or(10_000);
    let mut rng = Rng::seed_from_u64(operands.next().unwrap_or(2026));
    let mut out = BufWriter::new(io::stdout().lock());
    for line in 0..lines {
        let grid = solved_grid(&mut rng);
        let cells = minimal(&grid, &mut rng);
        let cells = match line % 20 {
            0..12 => cells,
            12..18 => eased(cells, &grid, &mut rng),
            18 => loosened(cells, &mut rng),
            _ => contradicted(cells, &mut rng),
        };
        writeln!(out, "{}", Puzzle::from_cells(cells).expect("cells are 0 to 9"))?;
    }
    out.flush()
}
