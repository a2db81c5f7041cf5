//! Puzzles whose clues are exactly at given cells, for patterns with few clues: a local search over the digits.
//!
//! With few clues nearly all grids leave several solutions at the cells of the pattern, so [sampling](super::pattern)
//! takes long. Here each number is a walk of its own:
//!
//! 1. Lay the pattern on some random grids in many ways, and take the clues that miss the fewest small unavoidable
//!    sets. Each missed set about doubles the number of solutions.
//! 2. Change the digit of a clue, or exchange the digits of two, without a clash, and count the solutions. Keep the
//!    change if there is a solution and there are not many more than before. The number allowed is drawn before the
//!    count, so that the count stops there. It follows the Metropolis algorithm for the logarithm of the number of
//!    solutions.
//! 3. After many changes without a new minimum, start again. A single solution ends the walk.
//!
//! Counts get cheaper as the walk proceeds. The results are not uniform: a walk ends more often at some puzzles than at
//! others.

use std::ops::Range;

use super::pattern::{Image, PatternSource};
use crate::cancel::{CancelToken, Cancelled};
use crate::generate::grids;
use crate::generate::minimize::side_by_side::{self, PLACES, Probe, Tasks};
use crate::generate::minimize::unavoidable;
use crate::generate::random::Random;
use crate::grid::{CELLS, PEERS, Puzzle, Solution};
use crate::solver::{Engine, Solver};

/// What all walks have in common.
struct Search<'a> {
    source: &'a PatternSource,
    max_tries: u64,
    clues: Vec<Clue>,
}

/// A cell with a clue.
struct Clue {
    cell: usize,
    /// The cells with clues in its houses.
    peers: Vec<u8>,
}

/// Puzzles that a walk tries at most before it is given up.
pub(super) const MAX_TRIES: u64 = 2000;
/// Random grids for each start. The pattern is laid on each in all ways of the table.
const GRIDS: usize = 4;
/// Counts stop here. Typical starts of patterns with 22 clues have this number of solutions.
const MAX_SOLUTIONS: u64 = 3000;
/// Changes without a new minimum before a walk starts again: with fewer solutions than the limit, and at the limit,
/// where counts take longest.
const MAX_FRUITLESS: u32 = 300;
const MAX_FRUITLESS_AT_LIMIT: u32 = 10;
/// The share of exchanges among changes.
const EXCHANGES: f64 = 0.5;
/// Random choices of a change that clash before a walk starts again. There may be no change without a clash.
const MAX_CLASHES: usize = 10_000;

/// The puzzles found with these numbers, at most one for each. The puzzles of two numbers may be the same if few
/// puzzles have the pattern. `max_tries` puzzles are tried for each number at most: their solutions are counted up to a
/// limit. A number that has a puzzle has the same one with more tries. A pattern with 22 to 26 clues takes some hundred
/// tries for a puzzle, one with 20 often more than a thousand. A call with 64 numbers or more keeps the lanes of the
/// engine busy.
pub(super) fn search(
    source: &PatternSource,
    max_tries: u64,
    numbers: Range<u64>,
    cancel: &CancelToken,
) -> Result<Vec<(Puzzle, Solution)>, Cancelled> {
    if source.pattern.impossible().is_some() {
        return Ok(Vec::new());
    }
    let has_clue = |&cell: &u8| source.pattern.has(cell.into());
    let clue = |cell: u8| {
        let peers = PEERS[cell as usize].into_iter().filter(has_clue).collect();
        Clue { cell: cell.into(), peers }
    };
    let clues = (0..CELLS as u8).filter(has_clue).map(clue).collect();
    let search = Search { source, max_tries, clues };
    let mut tasks = Searching { search, numbers, walks: std::array::from_fn(|_| None), found: Vec::new() };
    side_by_side::run(source.level, &mut tasks, cancel)?;
    let mut found = tasks.found;
    found.sort_unstable_by_key(|(number, _)| *number);
    // Probes have no solutions.
    let solver = Solver::new().engine(Engine::Scalar);
    let solve = |(_, puzzle): (u64, Puzzle)| (puzzle, solver.solve_one(&puzzle).solution.expect("it has one solution"));
    Ok(found.into_iter().map(solve).collect())
}

impl Search<'_> {
    /// The clues of a good way to lay the pattern on random grids.
    fn draw(&self, random: &mut Random) -> Puzzle {
        let (mut fewest, mut best, mut sets) = (usize::MAX, Puzzle::EMPTY, Vec::new());
        for _ in 0..GRIDS {
            let grid = grids::draw(random);
            sets.clear();
            unavoidable::add_lines(self.source.level, &grid, &mut sets);
            unavoidable::add_digits(&grid, &mut sets);
            for Image { mask, sources } in &self.source.images {
                let missed = sets.iter().filter(|&set| set & mask == 0).count();
                if missed < fewest {
                    fewest = missed;
                    for &Clue { cell, .. } in &self.clues {
                        best.cells_mut()[cell] = grid[sources[cell] as usize];
                    }
                }
            }
        }
        best
    }

    /// Changes the digit of a clue or exchanges those of two. Returns `None` if the random choice clashes.
    fn change(&self, puzzle: &Puzzle, random: &mut Random) -> Option<Puzzle> {
        let mut changed = *puzzle;
        let mut choose = || &self.clues[random.below(self.clues.len() as u64) as usize];
        let (clue, other) = (choose(), choose());
        if random.unit() < EXCHANGES {
            changed.cells_mut().swap(clue.cell, other.cell);
        } else {
            changed.cells_mut()[clue.cell] = random.below(9) as u8 + 1;
        }
        let is_new = changed.cells()[clue.cell] != puzzle.cells()[clue.cell];
        (is_new && clue.fits(&changed) && other.fits(&changed)).then_some(changed)
    }
}

impl Clue {
    /// Whether the digit is not that of another clue in a house.
    fn fits(&self, puzzle: &Puzzle) -> bool {
        self.peers.iter().all(|&peer| puzzle.cells()[peer as usize] != puzzle.cells()[self.cell])
    }
}

/// Walks side by side.
struct Searching<'a> {
    search: Search<'a>,
    /// Those that have not been started.
    numbers: Range<u64>,
    walks: [Option<Walk>; PLACES],
    found: Vec<(u64, Puzzle)>,
}

struct Walk {
    number: u64,
    random: Random,
    tries: u64,
    /// The present puzzle and the number of its solutions. `None` at a start.
    present: Option<(Puzzle, u64)>,
    /// The fewest solutions since the start, and the tries since then.
    fewest: u64,
    fruitless: u32,
}

impl Walk {
    fn start_again(&mut self) {
        (self.present, self.fewest, self.fruitless) = (None, u64::MAX, 0);
    }

    /// Sets the puzzle that is tried next.
    fn next(&mut self, search: &Search, probe: &mut Probe) {
        if let Some((puzzle, solutions)) = self.present {
            if let Some(changed) = (0..MAX_CLASHES).find_map(|_| search.change(&puzzle, &mut self.random)) {
                // The temperature is 1/8: twice the number of solutions is accepted in one of 2^8 cases. Square roots
                // are the same on all machines, logarithms are not.
                let factor = (1.0 - self.random.unit()).sqrt().sqrt().sqrt();
                let accepted = (solutions as f64 / factor) as u64;
                probe.limit = accepted.min(MAX_SOLUTIONS) + 1;
                probe.puzzle = changed;
                return;
            }
            self.start_again();
        }
        probe.puzzle = search.draw(&mut self.random);
        probe.limit = MAX_SOLUTIONS;
    }
}

impl Tasks for Searching<'_> {
    fn start(&mut self, place: usize, probe: &mut Probe) -> bool {
        let Some(number) = self.numbers.next() else { return false };
        let random = Random::stream(self.search.source.seed, number);
        let walk = Walk { number, random, tries: 0, present: None, fewest: u64::MAX, fruitless: 0 };
        self.walks[place].insert(walk).next(&self.search, probe);
        true
    }

    fn answer(&mut self, place: usize, solutions: u64, probe: &mut Probe) -> bool {
        let walk = self.walks[place].as_mut().expect("it has been started");
        walk.tries += 1;
        if solutions == 1 {
            self.found.push((walk.number, probe.puzzle));
            return false;
        }
        if walk.tries >= self.search.max_tries {
            return false;
        }
        walk.fruitless += 1;
        if walk.present.is_none() || (solutions != 0 && solutions < probe.limit) {
            walk.present = Some((probe.puzzle, solutions));
            if solutions < walk.fewest {
                (walk.fewest, walk.fruitless) = (solutions, 0);
            }
        }
        let is_at_limit = walk.fewest >= MAX_SOLUTIONS;
        if walk.fruitless > if is_at_limit { MAX_FRUITLESS_AT_LIMIT } else { MAX_FRUITLESS } {
            walk.start_again();
        }
        walk.next(&self.search, probe);
        true
    }

    /// Nearly every guess leads to a solution if there are many.
    fn max_guesses(&self) -> u64 {
        16 * MAX_SOLUTIONS
    }
}
