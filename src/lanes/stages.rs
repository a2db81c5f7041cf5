//! The stages of the engine by themselves, for benchmarks.

use std::hint::black_box;

use super::emit::emit;
use super::layout::{ROWS, SOLVED_WORDS, WORDS};
use super::load::load;
use super::sweep;
use crate::grid::Puzzle;
use crate::outcome::{BLANK_ROW, ROW};
use crate::simd::{Kernel, Row, Simd, SimdLevel};

/// A stage of the lane engine. It has no data-dependent branches, so its time is the same for all puzzles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Loads puzzles into lanes: transposes them, expands cells to candidates, and removes clues from their peers.
    Load,
    /// Applies every inference once.
    Sweep,
    /// Emits solved grids: converts candidates to digits, transposes them, and writes rows of text.
    Emit,
}

impl Stage {
    /// All stages, in the order in which the engine runs them.
    pub const ALL: [Stage; 3] = [Stage::Load, Stage::Sweep, Stage::Emit];

    /// The name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Stage::Load => "load",
            Stage::Sweep => "sweep",
            Stage::Emit => "emit",
        }
    }

    /// Runs the stage `times` times on a vector of puzzles, the first [`SimdLevel::lanes`] of `puzzles`, from the L1
    /// cache. Earlier stages run once.
    ///
    /// Returns a value that depends on the result: a mask of the lanes with clashing clues (load) or with solved
    /// puzzles (sweep), or the sum of the first row's digits (emit; the puzzles must be solved).
    ///
    /// # Panics
    /// With fewer puzzles than lanes.
    pub fn run(self, level: SimdLevel, puzzles: &[Puzzle], times: usize) -> u32 {
        level.run(Times { stage: self, puzzles: &puzzles[..level.lanes()], times })
    }
}

struct Times<'a> {
    stage: Stage,
    puzzles: &'a [Puzzle],
    times: usize,
}

impl Kernel for Times<'_> {
    type Output = u32;

    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> u32 {
        let Times { stage, puzzles, times } = self;
        let mut words = [S::Row::ZERO; WORDS];
        let mut clash = load(s, puzzles, &mut words);
        match stage {
            Stage::Load => {
                for _ in 0..times {
                    clash = load(s, black_box(puzzles), black_box(&mut words));
                }
                clash
            }
            Stage::Sweep => sweeps(s, words, times).0,
            Stage::Emit => emits(s, &sweeps(s, words, 1).1, times),
        }
    }
}

#[inline(always)]
fn sweeps<S: Simd>(s: S, words: [S::Row; WORDS], times: usize) -> (u32, [S::Row; SOLVED_WORDS]) {
    let mut vectors = [[S::Row::ZERO; ROWS]];
    vectors[0][..WORDS].copy_from_slice(&words);
    let mut configs = [S::Row::ZERO; 12];
    let mut solved = 0;
    for _ in 0..times {
        solved = sweep::sweep(s, black_box(&mut vectors), 0, 0, black_box(&mut configs)).solved;
    }
    (solved, *vectors[0].last_chunk().expect("8 of 36"))
}

#[inline(always)]
fn emits<S: Simd>(s: S, lines: &[S::Row; SOLVED_WORDS], times: usize) -> u32 {
    let ids: [u32; 16] = std::array::from_fn(|lane| lane as u32);
    let mut rows = [BLANK_ROW; 16];
    for _ in 0..times {
        emit(s, black_box(lines), &ids[..S::LANES], black_box(&mut rows));
    }
    rows[0][..ROW - 1].iter().map(|&byte| u32::from(byte.wrapping_sub(b'0'))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRID: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    #[test]
    fn each_stage_does_its_part_at_every_level() {
        let solved: Puzzle = GRID.parse().unwrap();
        let clashing: Puzzle = GRID.replacen('5', "3", 1).parse().unwrap();
        for level in SimdLevel::available() {
            let n = level.lanes();
            let mut puzzles = vec![solved; n];
            for (stage, expected) in Stage::ALL.into_iter().zip([0, u32::MAX >> (32 - n), 405]) {
                for times in [1, 3] {
                    assert_eq!(stage.run(level, &puzzles, times), expected, "{level}: {}", stage.name());
                }
            }
            puzzles[n - 1] = clashing;
            assert_eq!(Stage::Load.run(level, &puzzles, 1), 1 << (n - 1), "{level}");
            puzzles[n - 1] = Puzzle::EMPTY;
            assert_eq!(Stage::Sweep.run(level, &puzzles, 9), (1 << (n - 1)) - 1, "{level}");
        }
    }
}
