//! Arguments that choose a solver and limit its search.

use std::num::NonZeroU64;

use clap::ValueHint;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use rapidoku::rating::Rater;
use rapidoku::{Engine, Limits, SimdLevel};
use rapidoku_jobs::historical::Historical;
use rapidoku_jobs::solver::{LimitedSolver, SolverKind};

use super::number::parse_number;

/// The instruction set of a command that solves puzzles.
#[derive(clap::Args)]
pub struct SimdArgs {
    /// Instruction set of the lane engine; 'auto' selects the widest that this machine supports.
    #[arg(long = "simd", value_name = "LEVEL", default_value = "auto", value_parser = level_parser(), hide_short_help = true, help_heading = "Rarely needed")]
    pub level: SimdLevel,
}

impl SimdArgs {
    /// The rater of a worker.
    pub fn rater(&self) -> Rater {
        Rater::new().level(self.level).threads(1)
    }
}

/// The instruction set of a search and the cap on its guesses.
#[derive(clap::Args)]
pub struct SearchArgs {
    /// Give up on a puzzle after N guesses (status 'gave-up').
    #[arg(long, value_name = "N", value_hint = ValueHint::Other, value_parser = parse_number, hide_short_help = true)]
    max_guesses: Option<u64>,

    /// The instruction set.
    #[command(flatten)]
    pub simd: SimdArgs,
}

impl SearchArgs {
    /// The lane engine, which stops at this many solutions of a puzzle.
    pub fn solver(&self, solutions: u64) -> LimitedSolver {
        LimitedSolver { kind: SolverKind::Lanes(self.simd.level), limits: limits(solutions, self.max_guesses) }
    }
}

/// The help of `--er-column`.
pub const ER_COLUMN: &str = "Take ratings (ER) from this column of the input, instead of computing them. A puzzle whose field is not a \
    rating is rated";

/// The limits for arguments whose parser rejects 0 solutions.
pub fn limits(solutions: u64, max_guesses: Option<u64>) -> Limits {
    let solutions = NonZeroU64::new(solutions).unwrap_or(NonZeroU64::MIN);
    Limits::up_to(solutions).max_guesses(max_guesses.unwrap_or(u64::MAX))
}

/// The names of all solvers but the hidden one.
pub fn engine_names() -> impl Iterator<Item = &'static str> + Clone {
    [Engine::Lanes, Engine::Scalar]
        .map(Engine::name)
        .into_iter()
        .chain(Historical::ALL.map(|historical| historical.name))
}

/// Accepts the names of solvers, and other values.
pub fn engine_parser<const N: usize>(others: [PossibleValue; N]) -> PossibleValuesParser {
    let hidden = PossibleValue::new(SolverKind::Noop.name()).hide(true);
    engine_names().map(PossibleValue::new).chain(others).chain([hidden]).into()
}

/// The names of all instruction sets, of which a machine may have some only.
pub const LEVELS: [&str; 4] = ["auto", "avx512", "avx2", "portable"];

fn level_parser() -> impl TypedValueParser<Value = SimdLevel> {
    PossibleValuesParser::new(LEVELS).try_map(|name| parse_level(&name))
}

/// Parses the name of an instruction set that this machine supports.
pub fn parse_level(name: &str) -> Result<SimdLevel, String> {
    let levels = SimdLevel::available();
    let found = levels.iter().find(|level| name == "auto" || level.name() == name);
    found.copied().ok_or_else(|| {
        let names: Vec<_> = levels.iter().map(|level| level.name()).collect();
        format!("this machine has {}", names.join(", "))
    })
}
