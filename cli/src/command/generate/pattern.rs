//! `rapidoku generate --pattern`: puzzles with clues at given cells.

use std::path::Path;

use anyhow::Context;
use rapidoku::generate::{Pattern, Patterned};

use super::Args;
use crate::files::read_whole;

/// Puzzles with a pattern, which may be an argument or a file.
pub fn patterned(argument: &Path, seed: u64, args: &Args) -> anyhow::Result<Patterned> {
    let pattern = read_pattern(argument)?;
    Ok(Patterned::new(seed, pattern, args.unbiased, args.max_tries, args.simd.level))
}

/// The tries after which there are fewer puzzles than requested.
pub fn tries(pattern: &Patterned) -> String {
    let of_search = if pattern.is_search() { " of a search over the digits" } else { "" };
    let tries = pattern.max_tries();
    let tries = if tries == 1 { "1 try".to_owned() } else { format!("{tries} tries") };
    format!("{tries}{of_search} without a puzzle")
}

/// The pattern that an argument is, or that a file of this name has.
fn read_pattern(argument: &Path) -> anyhow::Result<Pattern> {
    let name = argument.display().to_string();
    let pattern = name.parse::<Pattern>().or_else(|error| {
        let bytes = read_whole(argument)
            .with_context(|| format!("--pattern '{name}': {error}, and cannot be read as a file"))?;
        String::from_utf8_lossy(&bytes).parse().with_context(|| format!("--pattern '{name}'"))
    })?;
    match pattern.impossible() {
        Some(reason) => Err(anyhow::anyhow!("--pattern: {reason}")),
        None => Ok(pattern),
    }
}
