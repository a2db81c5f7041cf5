//! The arguments that several commands share.

pub mod input;
pub mod number;
pub(crate) mod output;
pub mod solver;
pub mod spill;
pub mod table;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use rapidoku::file::internal::MAX_THREADS;

/// A parser of the names of some values.
pub fn named<T: Copy + Send + Sync, V: Into<PossibleValue> + 'static>(
    all: &'static [T],
    name: fn(T) -> V,
) -> impl TypedValueParser<Value = T> {
    let value = move |one: &T| name(*one).into();
    PossibleValuesParser::new(all.iter().map(value)).map(move |chosen| {
        *all.iter().find(|one| value(one).matches(&chosen, false)).expect("the parser knows the names")
    })
}

/// Parses a number of threads. Empty text is the default, 0, because scripts clear an environment variable by setting
/// it to nothing.
pub fn parse_threads(text: &str) -> Result<usize, String> {
    if text.is_empty() {
        return Ok(0);
    }
    match text.parse() {
        Ok(threads) if threads > MAX_THREADS => Err(format!("at most {MAX_THREADS} threads")),
        Ok(threads) => Ok(threads),
        Err(_) => Err(format!("expected a number from 0 to {MAX_THREADS}")),
    }
}

/// The environment variable with the default number of threads.
const THREADS: &str = "RAPIDOKU_THREADS";

/// The numbers of threads in the environment variable `RAPIDOKU_THREADS`, separated by commas; 0 if it is not set.
///
/// # Errors
/// If it has something else. The message names the variable.
pub fn threads_of_environment() -> anyhow::Result<Vec<usize>> {
    let value = std::env::var_os(THREADS).unwrap_or_default();
    let value = value.to_string_lossy();
    let numbers = value.split(',').map(parse_threads).collect::<Result<_, _>>();
    numbers.map_err(|reason| anyhow::anyhow!("environment variable {THREADS}='{value}': {reason}"))
}
