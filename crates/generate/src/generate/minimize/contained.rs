//! All minimal puzzles contained in a puzzle: a search over sets of clues.
//!
//! A node of the search is a puzzle with one solution, some of whose clues are to be kept. Its redundant clues that are
//! not to be kept are `r1, r2, ...` in the order of removal. Child `i` removes `ri` and keeps those before it, so the
//! children have no puzzle in common. A node without such clues is a minimal puzzle if no kept clue is redundant.
//!
//! Two facts limit the search. A clue that is needed in a puzzle is needed in all puzzles within it, so it is not
//! tested again. And if a kept clue is still redundant when all of `r1, r2, ...` are removed, then it is redundant in
//! every puzzle of the node, and none of them is minimal.
//!
//! The first child keeps nothing, so the first minimal puzzle is that of removals in order.

use super::minimal::Start;
use super::side_by_side::{Probe, ask, is_needed};
use crate::cancel::{CancelToken, Cancelled};
use crate::grid::{CELLS, Puzzle, bits};
use crate::simd::SimdLevel;

/// The minimal puzzles contained in a puzzle, from [`Minimizer::all`](crate::generate::Minimizer::all).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Contained {
    /// The puzzles, all different. The first one is that of
    /// [`Minimizer::minimize`](crate::generate::Minimizer::minimize).
    pub puzzles: Vec<Puzzle>,
    /// Whether these are all.
    pub is_complete: bool,
}

/// Searches made side by side, each with some questions at a time.
const SIDE_BY_SIDE: usize = 32;

/// The minimal puzzles in each start, at most `max`.
pub fn all(
    level: SimdLevel,
    starts: Vec<Start>,
    max: usize,
    cancel: &CancelToken,
) -> Result<Vec<Contained>, Cancelled> {
    let mut searches: Vec<Search> = starts.into_iter().map(|start| Search::new(start, max)).collect();
    let mut first = 0;
    while first < searches.len() {
        let active: Vec<usize> =
            (first..searches.len()).filter(|&k| !searches[k].is_done()).take(SIDE_BY_SIDE).collect();
        let questions: Vec<_> = active.iter().map(|&k| searches[k].questions()).collect();
        for (&k, answers) in active.iter().zip(ask(level, &questions, cancel)?) {
            searches[k].answer(&answers);
        }
        first = active.first().copied().unwrap_or(searches.len());
    }
    Ok(searches.into_iter().map(|search| search.contained).collect())
}

/// A search in one puzzle. Sets of clues have a bit for each index in the order of removal.
struct Search {
    start: Start,
    max: usize,
    stack: Vec<Node>,
    contained: Contained,
}

/// A puzzle and what is known about its clues. Clues in neither set are needed.
#[derive(Clone, Copy)]
struct Node {
    clues: u128,
    /// Clues that may be removed if they are redundant.
    free: u128,
    /// Clues to be kept that were redundant in the parent.
    kept: u128,
    /// Whether all clues of both sets are known to be redundant.
    is_tested: bool,
}

impl Search {
    fn new(start: Start, max: usize) -> Search {
        let clues = (1 << start.len) - 1;
        let root = Node { clues, free: clues, kept: 0, is_tested: false };
        let contained = Contained { puzzles: Vec::new(), is_complete: false };
        Search { start, max, stack: vec![root], contained }
    }

    fn is_done(&self) -> bool {
        self.stack.is_empty() || self.contained.puzzles.len() >= self.max
    }

    fn puzzle(&self, clues: u128) -> Puzzle {
        let mut cells = [0; CELLS];
        for at in bits(clues) {
            let cell = self.start.order[at] as usize;
            cells[cell] = self.start.grid[cell];
        }
        Puzzle::of_cells(cells)
    }

    /// Questions about the node on top of the stack.
    fn questions(&self) -> Vec<Probe> {
        let node = self.stack.last().expect("the search is not done");
        let (clues, about) =
            if node.is_tested { (node.clues & !node.free, node.kept) } else { (node.clues, node.free | node.kept) };
        let puzzle = self.puzzle(clues);
        bits(about).map(|at| is_needed(&puzzle, self.start.order[at] as usize)).collect()
    }

    /// Takes the answers, whether clues are needed.
    fn answer(&mut self, answers: &[bool]) {
        let mut node = self.stack.pop().expect("the search is not done");
        if node.is_tested {
            if answers.iter().all(|is_needed| *is_needed) {
                self.push_children(&node);
            }
        } else {
            for (at, _) in bits(node.free | node.kept).zip(answers).filter(|(_, is_needed)| **is_needed) {
                node.free &= !(1 << at);
                node.kept &= !(1 << at);
            }
            node.is_tested = true;
            match (node.free, node.kept) {
                (0, 0) => self.contained.puzzles.push(self.puzzle(node.clues)),
                (0, _) => {}
                (_, 0) => self.push_children(&node),
                _ => self.stack.push(node),
            }
        }
        self.contained.is_complete = self.stack.is_empty();
    }

    fn push_children(&mut self, node: &Node) {
        let first = self.stack.len();
        let (mut free, mut kept) = (node.free, node.kept);
        for at in bits(node.free) {
            free &= !(1 << at);
            self.stack.push(Node { clues: node.clues & !(1 << at), free, kept, is_tested: false });
            kept |= 1 << at;
        }
        // The first child is on top.
        self.stack[first..].reverse();
    }
}
