//! Statistics of a run, as `--stats` prints them and `--stats-json` writes them.

use std::fmt;

use rapidoku::SimdLevel;
use rapidoku::file::{Counts, Error, Output, Stats};
use serde::Serialize;

use crate::solver::LimitedSolver;

/// The statistics of a run and the settings that they depend on.
#[derive(Serialize)]
pub struct StatsReport<'a> {
    /// The version of this program.
    version: &'static str,
    /// The name of the solver.
    engine: &'static str,
    /// Its SIMD level, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    simd: Option<&'static str>,
    /// The search for solutions of a puzzle stops at this many.
    limit: u64,
    #[serde(flatten)]
    stats: &'a Stats,
}

impl<'a> StatsReport<'a> {
    pub fn new(solver: LimitedSolver, stats: &'a Stats) -> StatsReport<'a> {
        StatsReport {
            version: env!("CARGO_PKG_VERSION"),
            engine: solver.kind.name(),
            simd: solver.kind.level().map(SimdLevel::name),
            limit: solver.limits.solutions.get(),
            stats,
        }
    }

    /// Writes the report as one JSON object.
    pub fn write_json(&self, mut output: Output) -> Result<(), Error> {
        let mut json = serde_json::to_vec_pretty(self).expect("the report has string keys only");
        json.push(b'\n');
        output.write(&json)?;
        output.finish()
    }
}

impl fmt::Display for StatsReport<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stats = self.stats;
        let Counts { solved, unique, multiple, none, invalid, limit } = stats.counts;
        let (records, guesses) = (stats.records, stats.guesses);
        writeln!(f, "records  {records}, {guesses} guesses")?;
        write!(f, "status   solved {solved}, unique {unique}, multiple {multiple}, ")?;
        writeln!(f, "none {none}, invalid {invalid}, limit {limit}")?;
        writeln!(f, "bytes    {} in, {} out", stats.input_bytes, stats.output_bytes)?;
        write!(f, "time     {:.3} s, {:.0} puzzles/s, ", stats.wall_seconds, stats.puzzles_per_second)?;
        let simd = self.simd.map_or(String::new(), |level| format!(" ({level})"));
        writeln!(f, "{}{simd} engine, threads: {}", self.engine, stats.threads)?;
        write!(
            f,
            "         reading {:.3} s, solving {:.3} s, ",
            stats.reading_seconds, stats.solving_seconds
        )?;
        writeln!(f, "writing {:.3} s (sums over threads)", stats.writing_seconds)
    }
}
