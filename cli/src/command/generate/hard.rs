//! `rapidoku generate --hard`: a search for puzzles with many guesses.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use anyhow::{Context, bail};
use rapidoku::file::internal::{escape, thread_count, thread_pool};
use rapidoku::generate::{HardSearch, HardSet};
use rapidoku::{CancelToken, Puzzle};

use super::Args;

/// Runs the search. Returns the best puzzles.
pub fn search(args: &Args, keep: u64) -> anyhow::Result<HardSet> {
    let starts = args.from.as_deref().map_or(Ok(Vec::new()), read_puzzles)?;
    let search = HardSearch::new(args.seed, usize::try_from(keep)?).rounds(args.rounds).level(args.simd);
    let pool = thread_pool(thread_count(args.output.threads()?))?;
    Ok(pool.install(|| search.run(&starts, &CancelToken::new())).expect("the token is not shared"))
}

/// The puzzles in a file, one at the start of each line.
fn read_puzzles(path: &Path) -> anyhow::Result<Vec<Puzzle>> {
    let name = escape(&path.display().to_string()).into_owned();
    let mut text = String::new();
    if path == Path::new("-") {
        io::stdin().read_to_string(&mut text).context("--from: cannot read standard input")?;
    } else {
        text = fs::read_to_string(path).with_context(|| format!("--from '{name}'"))?;
    }
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    let puzzles = lines.map(|(number, line)| {
        line.parse().with_context(|| format!("--from '{name}': line {number} is not a puzzle"))
    });
    let puzzles: Vec<Puzzle> = puzzles.collect::<Result<_, _>>()?;
    if puzzles.is_empty() {
        bail!("--from '{name}': no puzzles");
    }
    Ok(puzzles)
}
