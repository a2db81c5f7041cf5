//! The steps of the human-like solver.

use std::collections::BTreeMap;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rapidoku::grid::{CELLS, HOUSE_CELLS, PEERS};
use rapidoku::technique::{self, Step, Technique};
use rapidoku::verify::check_candidates;
use rapidoku::{Candidates, Status};

use crate::samples::{random_candidates, sample, sample_status, up_to};

/// Candidates (bit `digit - 1`), of placed cells too, kept by the rules alone.
#[derive(Clone)]
struct Pencil([u16; CELLS], [u8; CELLS]);

impl Pencil {
    fn new(start: &Candidates) -> Pencil {
        let mut pencil = Pencil(*start.cells(), [0; CELLS]);
        for (cell, &set) in start.cells().iter().enumerate().filter(|(_, set)| set.count_ones() == 1) {
            pencil.place(cell, 1 + set.trailing_zeros() as u8);
        }
        pencil
    }

    fn place(&mut self, cell: usize, digit: u8) {
        self.0[cell] = 0;
        self.1[cell] = digit;
        for peer in PEERS[cell] {
            self.0[peer as usize] &= !(1 << (digit - 1));
        }
    }

    fn places(&self, house: usize, digit: u8) -> Vec<u8> {
        let may = |cell: &&u8| self.0[**cell as usize] >> (digit - 1) & 1 == 1;
        HOUSE_CELLS[house].iter().filter(may).copied().collect()
    }

    /// Whether the step is what its name says.
    fn justifies(&self, step: &Step) -> bool {
        use Technique::*;
        let cells: Vec<u8> = step.cells.iter().map(|cell| cell.0).collect();
        let digits: Vec<u8> = step.digits.iter().collect();
        let house = step.house.map_or(0, |house| house.0 as usize);
        let size = match step.technique {
            NakedPair | HiddenPair => 2,
            NakedTriple | HiddenTriple => 3,
            NakedQuad | HiddenQuad => 4,
            _ => 1,
        };
        let there = step.removed.iter().all(|removed| {
            let candidates = self.0[removed.cell.0 as usize];
            removed.digits.0 != 0 && candidates & removed.digits.0 == removed.digits.0
        });
        let targets = || step.removed.iter().map(|removed| (removed.cell.0, removed.digits.0));
        let pattern = match step.technique {
            NakedSingle => self.0[cells[0] as usize] == step.digits.0,
            HiddenSingle => self.places(house, digits[0]) == cells,
            Guess => self.0[cells[0] as usize] & step.digits.0 != 0,
            Pointing | Claiming => {
                (house >= 18) == (step.technique == Pointing)
                    && self.places(house, digits[0]) == cells
                    && targets()
                        .all(|(target, _)| cells.iter().all(|&cell| PEERS[cell as usize].contains(&target)))
            }
            NakedPair | NakedTriple | NakedQuad => {
                let union = cells.iter().fold(0, |union, &cell| union | self.0[cell as usize]);
                union == step.digits.0
                    && cells.len() == size
                    && targets().all(|(cell, _)| HOUSE_CELLS[house].contains(&cell) && !cells.contains(&cell))
            }
            HiddenPair | HiddenTriple | HiddenQuad => {
                let within = |&digit: &u8| self.places(house, digit).iter().all(|cell| cells.contains(cell));
                digits.iter().all(within)
                    && cells.len() == size
                    && targets().all(|(cell, set)| cells.contains(&cell) && set & step.digits.0 == 0)
            }
        };
        let count = if step.house.is_some() { size } else { 1 };
        there && pattern && digits.len() == count
    }

    fn apply(&mut self, step: &Step) {
        match step.placement() {
            Some((cell, digit)) => self.place(cell.0 as usize, digit),
            None => {
                step.removed.iter().for_each(|removed| self.0[removed.cell.0 as usize] &= !removed.digits.0)
            }
        }
    }
}

#[test]
fn steps_are_what_their_names_say_and_lead_to_the_solution() {
    let mut seen = BTreeMap::new();
    let all = sample();
    let clues = (0..all.len()).filter(|line| sample_status(*line) == Status::Unique);
    let clues = clues.map(|line| Candidates::from(&all[line]));
    let mut random = ChaCha8Rng::seed_from_u64(4);
    let pencilmarks = (0..1000).map(|_| random_candidates(&mut random));
    let pencilmarks = pencilmarks.filter(|candidates| candidates.solutions().limits(up_to(2)).count() == 1);
    for puzzle in clues.chain(pencilmarks) {
        let mut stack = vec![Pencil::new(&puzzle)];
        let (mut guesses, mut backtracks, mut hardest) = (0, 0, None);
        let rating = technique::solve(puzzle, &mut |step| {
            *seen.entry(step.technique).or_insert(0) += 1;
            hardest = hardest.max(Some(step.technique));
            if step.technique == Technique::Guess {
                if step.placement().is_some() {
                    stack.push(stack.last().unwrap().clone());
                    guesses += 1;
                } else {
                    stack.pop();
                    backtracks += 1;
                }
            }
            let pencil = stack.last_mut().unwrap();
            assert!(pencil.justifies(step), "{puzzle}: {step}");
            pencil.apply(step);
        });
        assert_eq!((rating.guesses, rating.backtracks, rating.hardest), (guesses, backtracks, hardest));
        let solution = rating.solution.expect("it has one");
        check_candidates(&puzzle, &solution).unwrap();
        assert_eq!(stack.last().unwrap().1, *solution.cells());
    }
    for technique in Technique::ALL.into_iter().filter(|technique| *technique != Technique::HiddenQuad) {
        assert!(seen.contains_key(&technique), "{technique} is never used: {seen:?}");
    }
}

#[test]
fn puzzles_without_solution_are_refuted() {
    for (_, puzzle) in
        sample().iter().enumerate().filter(|(line, _)| sample_status(*line) == Status::NoSolution)
    {
        let rating = technique::solve(puzzle, &mut |_| ());
        assert_eq!((rating.solution, rating.guesses), (None, rating.backtracks));
    }
}
