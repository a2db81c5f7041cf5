//! `rapidoku generate --most-guesses`: a search for puzzles with many guesses.

use std::path::Path;

use anyhow::{Context, ensure};
use rapidoku::file::internal::{thread_count, thread_pool};
use rapidoku::generate::{HardSearch, HardSet};
use rapidoku::{CancelToken, Puzzle};

use super::Args;
use crate::files::read_whole;

/// The maximal number of puzzles: 300 MB.
const MAX_KEEP: u64 = 1_000_000;

/// Reads the puzzles of the start, and starts threads. The search begins when the result is called.
pub fn prepare(args: &Args, seed: u64, starts: Option<&Path>) -> anyhow::Result<impl FnOnce() -> HardSet + use<>> {
    let keep = args.n.unwrap_or(0);
    ensure!(keep <= MAX_KEEP, "--most-guesses: N is at most {MAX_KEEP}, because the puzzles are in memory");
    let starts = starts.map_or(Ok(Vec::new()), |path| {
        read_puzzles(path).with_context(|| format!("--most-guesses={}", path.display()))
    })?;
    let search = HardSearch::new(seed, keep as usize).rounds(args.rounds).level(args.simd.level);
    let pool = thread_pool(thread_count(args.output.threads()?))?;
    let run = move || search.run(&starts, &CancelToken::new());
    Ok(move || pool.install(run).expect("the token is not shared"))
}

/// The puzzles in a file, one at the start of each line.
fn read_puzzles(path: &Path) -> anyhow::Result<Vec<Puzzle>> {
    let text = String::from_utf8(read_whole(path)?)?;
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    let puzzles = lines.map(|(number, line)| {
        let puzzle = line.trim_start().split(|c| " \t,;:|#".contains(c)).next().unwrap_or_default();
        puzzle.parse().with_context(|| format!("line {number} is not a puzzle"))
    });
    let puzzles: Vec<Puzzle> = puzzles.collect::<Result<_, _>>()?;
    ensure!(!puzzles.is_empty(), "no puzzles");
    Ok(puzzles)
}
