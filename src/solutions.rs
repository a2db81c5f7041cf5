//! The solutions of a puzzle as an iterator.

use std::fmt;

use crate::cancel::{CancelToken, Cancelled};
use crate::grid::{Candidates, Puzzle, Solution};
use crate::lanes;
use crate::outcome::{Limits, Outcome, Status};
use crate::scalar::{FindOne, Grid, Search};
use crate::simd::SimdLevel;

/// The solutions of a puzzle, found one by one. Made by [`Puzzle::solutions`] and [`Candidates::solutions`].
///
/// The order depends on the puzzle only: the search branches at a cell with the fewest candidates and tries the lowest
/// digit first. A puzzle whose clues clash has no solutions.
#[derive(Clone)]
#[must_use = "iterators are lazy"]
pub struct Solutions {
    search: Search,
    is_invalid: bool,
    first: Option<Solution>,
    has_ended: bool,
}

impl Solutions {
    fn new(grid: Option<Grid>) -> Solutions {
        let (mut search, is_invalid) = (Search::for_many(Limits::ALL), grid.is_none());
        if let Some(grid) = grid {
            search.start(grid);
        }
        Solutions { search, is_invalid, first: None, has_ended: false }
    }

    /// Ends the iteration at these limits. The default is [`Limits::ALL`].
    pub fn limits(mut self, limits: Limits) -> Solutions {
        self.search.set_limits(limits);
        self
    }

    /// The next solution. `find_one` examines nodes.
    pub(crate) fn advance(
        &mut self,
        find_one: FindOne,
        cancel: Option<&CancelToken>,
    ) -> Result<Option<Solution>, Cancelled> {
        let solution = self.search.next_solved(find_one, cancel)?.map(|grid| grid.solution());
        self.has_ended |= solution.is_none();
        if self.first.is_none() {
            self.first = solution;
        }
        Ok(solution)
    }

    /// The outcome of the search so far. Its status is final once [`next`](Iterator::next) has returned `None`. Before,
    /// it is [`Status::Limit`] without a solution, [`Status::Solved`] with one and [`Status::Multiple`] with several.
    pub fn outcome(&self) -> Outcome {
        let outcome = self.search.outcome();
        let status = match outcome.solutions {
            _ if self.is_invalid => Status::Invalid,
            _ if self.has_ended => outcome.status,
            0 => Status::Limit,
            1 => Status::Solved,
            _ => Status::Multiple,
        };
        Outcome { status, ..outcome }.with_solution(self.first)
    }
}

impl Iterator for Solutions {
    type Item = Solution;

    fn next(&mut self) -> Option<Solution> {
        let mut find_one = |given: &Candidates, guesses| {
            lanes::find_one(SimdLevel::detect(), given, guesses, &CancelToken::new())
        };
        self.advance(&mut find_one, None).expect("the token is not shared")
    }
}

impl std::iter::FusedIterator for Solutions {}

impl fmt::Debug for Solutions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solutions").field("outcome", &self.outcome()).finish_non_exhaustive()
    }
}

impl Puzzle {
    /// All solutions, one by one.
    ///
    /// ```
    /// use rapidoku::Puzzle;
    ///
    /// let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8....";
    /// let puzzle: Puzzle = line.parse()?;
    /// assert_eq!(puzzle.solutions().count(), 2);
    /// // The empty grid has 6,670,903,752,021,072,936,960 solutions. The iterator finds them as they are asked for.
    /// assert_eq!(Puzzle::EMPTY.solutions().take(1000).count(), 1000);
    /// # Ok::<(), rapidoku::PuzzleError>(())
    /// ```
    pub fn solutions(&self) -> Solutions {
        Solutions::new(Grid::new(self))
    }
}

impl Candidates {
    /// All solutions, one by one, as those of a [puzzle](Puzzle::solutions).
    pub fn solutions(&self) -> Solutions {
        Solutions::new(Grid::of_candidates(self))
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use rand::seq::IndexedRandom;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::grid::CELLS;
    use crate::outcome::Outcomes;
    use crate::solver::{Engine, Solver};

    /// Searches that make thousands of guesses between two solutions, and grids of few clues with many solutions.
    fn records() -> Vec<Candidates> {
        fn lines(text: &str) -> impl Iterator<Item = &str> {
            text.lines()
                .filter(|line| !line.starts_with('#'))
                .map(|line| line.split(',').next().expect("a record"))
        }
        let clues = lines(include_str!("../datasets/worst_cases.txt"));
        let mut all: Vec<Candidates> =
            clues.map(|line| Candidates::from(&line.parse::<Puzzle>().unwrap())).collect();
        let marks = lines(include_str!("../datasets/worst_cases_pencilmarks.txt"));
        all.extend(marks.step_by(3).map(|line| line.parse::<Candidates>().unwrap()));
        let sample: Vec<Puzzle> =
            lines(include_str!("../datasets/sample_10k.txt")).map(|line| line.parse().unwrap()).collect();
        let mut random = ChaCha8Rng::seed_from_u64(5);
        all.extend((0..30).map(|_| {
            let mut cells = *sample.choose(&mut random).expect("lines").cells();
            cells.iter_mut().for_each(|clue| *clue *= u8::from(random.random_bool(0.7)));
            Candidates::from(&Puzzle::from_cells(cells).unwrap())
        }));
        all
    }

    /// All solutions of a search, and its outcome.
    fn all(mut search: Search, given: &Candidates, find_one: FindOne) -> (Vec<Solution>, Outcome) {
        search.start(Grid::of_candidates(given).expect("no clues clash"));
        let mut solutions = Vec::new();
        while let Some(grid) = search.next_solved(find_one, None).unwrap() {
            solutions.push(grid.solution());
        }
        (solutions, search.outcome())
    }

    /// The order is the same even if nodes are examined after a few guesses.
    #[test]
    fn the_order_is_that_of_a_search_that_examines_no_nodes() {
        let limits = Limits::up_to(1000.try_into().unwrap());
        let mut examined = 0;
        for given in records() {
            let never = &mut |_: &_, _| unreachable!("a plain search examines no nodes");
            let (plain, outcome) = all(Search::plain(limits.max_guesses(200_000)), &given, never);
            let expected: Vec<Solution> = given.solutions().take(1000).collect();
            assert!(expected.starts_with(&plain), "{given}");
            // Otherwise the plain search has been given up.
            if outcome.status != Status::Limit {
                assert_eq!(expected.len(), plain.len(), "{given}");
            }
            for level in SimdLevel::available() {
                for patience in [16, 1024] {
                    let mut is_examined = false;
                    let mut find_one = |given: &Candidates, guesses| {
                        is_examined = true;
                        lanes::find_one(level, given, guesses, &CancelToken::new())
                    };
                    let search = Search::for_many(limits).patience(patience);
                    let (solutions, _) = all(search, &given, &mut find_one);
                    assert_eq!(solutions, expected, "{given}, {level}, after {patience} guesses");
                    examined += u32::from(is_examined && !plain.is_empty());
                }
                assert_eq!(enumerate(&given, limits, level), expected, "{given}, {level}");
            }
        }
        assert!(examined > 30, "{examined}");
    }

    /// The solutions of a record that [`Solver::enumerate`] finds on three threads.
    fn enumerate(given: &Candidates, limits: Limits, level: SimdLevel) -> Vec<Solution> {
        let solver = Solver::new().engine(Engine::Scalar).limits(limits).level(level).threads(3);
        let (given, mut outcomes, mut solutions) = (std::slice::from_ref(given), Outcomes::new(), Vec::new());
        let result = solver.enumerate(given, &mut outcomes, &CancelToken::new(), |_, row| {
            solutions.push(str::from_utf8(&row[..CELLS]).unwrap().parse().unwrap());
            ControlFlow::Continue(())
        });
        assert_eq!(result, Ok(ControlFlow::Continue(())));
        solutions
    }
}
