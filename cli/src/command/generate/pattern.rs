//! `rapidoku generate --pattern`: puzzles with clues at given cells.

use std::ops::Range;
use std::path::Path;

use anyhow::Context;
use rapidoku::file::internal::escape;
use rapidoku::generate::{Pattern, PatternGenerator, PatternSearch};
use rapidoku::{CancelToken, Cancelled, Puzzle, Solution};

use super::Args;
use crate::files::read_whole;

/// Patterns with fewer clues are searched for, unless --uniform is given.
const SAMPLED_CLUES: u32 = 27;
/// Tries of a pattern that a worker makes at a time, when it samples.
const TRIES_PER_BATCH: u64 = 1 << 16;
/// Numbers that a worker searches at a time: enough to fill the lanes, but each may take some 100 milliseconds.
const WALKS_PER_BATCH: u64 = 64;

/// Makes puzzles with a pattern.
pub struct Patterned {
    method: Method,
    pub max_tries: u64,
}

enum Method {
    Sample(PatternGenerator),
    Search(PatternSearch),
}

impl Patterned {
    /// The pattern may be an argument or a file.
    pub fn new(argument: &Path, args: &Args) -> anyhow::Result<Patterned> {
        let pattern = read_pattern(argument)?;
        if args.uniform || pattern.clue_count() >= SAMPLED_CLUES {
            let generator = PatternGenerator::new(args.seed, pattern).level(args.simd);
            let max_tries = args.max_tries.unwrap_or(1_000_000_000);
            return Ok(Patterned { method: Method::Sample(generator), max_tries });
        }
        let search = PatternSearch::new(args.seed, pattern).level(args.simd);
        let max_tries = args.max_tries.unwrap_or(1_000_000);
        let per_number = search.tries_per_number().min(max_tries.max(1));
        Ok(Patterned { method: Method::Search(search.max_tries(per_number)), max_tries })
    }

    fn tries_per_number(&self) -> u64 {
        match &self.method {
            Method::Sample(generator) => generator.tries_per_number(),
            Method::Search(search) => search.tries_per_number(),
        }
    }

    /// The numbers without a puzzle before it gives up.
    pub fn max_fruitless(&self) -> u64 {
        self.max_tries.div_ceil(self.tries_per_number())
    }

    pub fn per_batch(&self, rows: u64) -> u64 {
        match &self.method {
            Method::Sample(_) => (TRIES_PER_BATCH / self.tries_per_number()).clamp(1, super::PER_BATCH),
            // Some more than rows, so that lanes are not idle while the last numbers are searched.
            Method::Search(_) => rows.clamp(16, WALKS_PER_BATCH).min(self.max_fruitless()).max(1),
        }
    }

    pub fn puzzles(
        &self,
        numbers: Range<u64>,
        cancel: &CancelToken,
    ) -> Result<Vec<(Puzzle, Solution)>, Cancelled> {
        match &self.method {
            Method::Sample(generator) => generator.puzzles(numbers, cancel),
            Method::Search(search) => search.puzzles(numbers, cancel),
        }
    }

    /// Why there are fewer puzzles than requested.
    pub fn failure(&self, written: u64) -> String {
        let tries = match self.method {
            Method::Sample(_) => "tries",
            Method::Search(_) => "tries of a search over the digits",
        };
        let max_tries = self.max_tries;
        format!(
            "gave up after {max_tries} {tries} without a puzzle; puzzles written: {written} (--max-tries)"
        )
    }
}

/// The pattern that an argument is, or that a file of this name has.
fn read_pattern(argument: &Path) -> anyhow::Result<Pattern> {
    let name = argument.display().to_string();
    let pattern: Pattern = match name.parse() {
        Ok(pattern) => pattern,
        Err(error) => {
            let bytes = read_whole(argument).with_context(|| {
                format!("--pattern '{}': {error}, and cannot be read as a file", escape(&name))
            })?;
            String::from_utf8_lossy(&bytes)
                .parse()
                .with_context(|| format!("--pattern '{}'", escape(&name)))?
        }
    };
    match pattern.impossible() {
        Some(reason) => Err(anyhow::anyhow!("--pattern: {reason}")),
        None => Ok(pattern),
    }
}
