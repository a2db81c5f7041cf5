//! Statistics of a run, as `--stats` prints or writes them.

use std::fmt;
use std::sync::atomic::Ordering;

use rapidoku::SimdLevel;
use rapidoku::file::{Counts, Error, Output, Stats};
use serde::Serialize;

use crate::progress::{Cells, Generating, Work};
use crate::solver::LimitedSolver;
use crate::weights::{Sample, Weights};

/// The statistics of a run and the settings that they depend on.
#[derive(Default, Serialize)]
pub struct StatsReport {
    /// The version of this program.
    version: &'static str,
    /// The name of the solver, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    engine: Option<&'static str>,
    /// Its SIMD level, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    simd: Option<&'static str>,
    /// The search for solutions of a puzzle stops at this many.
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<u64>,
    /// The number of solutions that `enumerate` or `count` found.
    #[serde(skip_serializing_if = "Option::is_none")]
    solutions: Option<u64>,
    /// The seed of `generate`.
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    /// The sample of `generate --unbiased`.
    #[serde(skip_serializing_if = "Option::is_none")]
    sample: Option<Sample>,
    /// The scale of the ratings of `rate`.
    #[serde(skip_serializing_if = "Option::is_none")]
    scale: Option<&'static str>,
    /// The number of duplicates that `dedup` or `overlap` found.
    #[serde(skip_serializing_if = "Option::is_none")]
    duplicates: Option<u64>,
    /// The number of copies that `permute` wrote.
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<u64>,
    /// The number of records with each result of `verify`.
    #[serde(skip_serializing_if = "Option::is_none")]
    verified: Option<Verified>,
    /// The number of records that are not puzzles, if the others have no status.
    #[serde(skip_serializing_if = "Option::is_none")]
    invalid: Option<u64>,
    #[serde(flatten)]
    stats: Stats,
}

/// The number of records with each result of `verify`.
#[derive(Clone, Copy, Serialize)]
pub struct Verified {
    correct: u64,
    wrong: u64,
    /// Correct, but not the only solution.
    not_unique: u64,
    /// Correct, but the search for another solution was given up.
    unknown: u64,
    /// The cells of answers that were compared with the solution.
    compared_cells: u64,
    wrong_cells: u64,
}

impl Verified {
    pub fn new(counts: &Counts, cells: &Cells) -> Verified {
        Verified {
            correct: counts.solved + counts.unique,
            wrong: counts.invalid + counts.none,
            not_unique: counts.multiple,
            unknown: counts.gave_up,
            compared_cells: cells.compared.load(Ordering::Relaxed),
            wrong_cells: cells.wrong.load(Ordering::Relaxed),
        }
    }
}

/// The results that occur, and always the number of those that are correct or wrong.
impl fmt::Display for Verified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "correct {}, wrong {}", self.correct, self.wrong)?;
        for (count, name) in [(self.not_unique, "not unique"), (self.unknown, "not known to be unique")] {
            if count > 0 {
                write!(f, ", {name} {count}")?;
            }
        }
        if self.wrong_cells > 0 {
            let (wrong, of) = (self.wrong_cells, self.compared_cells);
            let percent = 100.0 * (of - wrong) as f64 / of as f64;
            write!(f, ", cells correct {} of {of} ({percent:.2} %)", of - wrong)?;
        }
        Ok(())
    }
}

impl StatsReport {
    pub fn new(work: Work, solver: Option<LimitedSolver>, stats: &Stats) -> StatsReport {
        let mut report = StatsReport {
            version: env!("CARGO_PKG_VERSION"),
            engine: solver.map(|solver| solver.kind.name()),
            simd: solver.and_then(|solver| solver.kind.level()).map(SimdLevel::name),
            limit: solver.map(|solver| solver.limits.solutions.get()),
            stats: stats.clone(),
            ..StatsReport::default()
        };
        let invalid = Some(stats.counts.invalid);
        match work {
            Work::Solving => {}
            Work::Enumerating(found) => report.solutions = Some(found.load(Ordering::Relaxed)),
            Work::Generating(Generating { seed, weights, .. }) => {
                (report.seed, report.sample) = (Some(*seed), weights.as_ref().map(Weights::sample));
            }
            Work::Rating => report.scale = Some("Sudoku Explainer 1.2.1"),
            Work::Verifying(cells) => report.verified = Some(Verified::new(&stats.counts, cells)),
            Work::Comparing { duplicates, has_statuses } => {
                report.duplicates = Some(duplicates.load(Ordering::Relaxed));
                report.invalid = invalid.filter(|_| !has_statuses);
            }
            Work::Permuting(copies) => {
                (report.invalid, report.rows) = (invalid, Some(copies.load(Ordering::Relaxed)));
            }
            Work::Copying => report.invalid = invalid,
        }
        report
    }

    /// Writes the report as one JSON object.
    pub fn write_json(&self, mut output: Output) -> Result<(), Error> {
        let mut json = if self.verified.is_some() || self.invalid.is_some() {
            serde_json::to_value(self).and_then(|mut report| {
                // The statuses of solutions that were checked have other meanings.
                report.as_object_mut().expect("it is an object").remove("counts");
                serde_json::to_vec_pretty(&report)
            })
        } else {
            serde_json::to_vec_pretty(self)
        }
        .expect("the report has string keys only");
        json.push(b'\n');
        output.write(&json)?;
        output.finish()
    }
}

impl fmt::Display for StatsReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stats = &self.stats;
        let Counts { solved, unique, multiple, none, invalid, gave_up } = stats.counts;
        write!(f, "records  {}", stats.records)?;
        if let Some(solutions) = self.solutions {
            write!(f, ", solutions {solutions}")?;
        }
        if let Some(rows) = self.rows {
            write!(f, ", rows {rows}")?;
        }
        if let Some(duplicates) = self.duplicates {
            write!(f, ", duplicates {duplicates}")?;
        }
        if self.engine.is_some() {
            write!(f, ", guesses {}", stats.guesses)?;
        }
        writeln!(f)?;
        if let Some(verified) = self.verified {
            writeln!(f, "result   {verified}")?;
        } else if let Some(invalid) = self.invalid {
            writeln!(f, "status   invalid {invalid}")?;
        } else {
            write!(f, "status   solved {solved}, unique {unique}, multiple {multiple}, ")?;
            writeln!(f, "none {none}, invalid {invalid}, gave-up {gave_up}")?;
            if solved > 0 && self.limit == Some(1) {
                writeln!(
                    f,
                    "         solved: a solution was found, there may be others (--limit 2 checks that)"
                )?;
            }
        }
        if let Some(seed) = self.seed {
            writeln!(f, "seed     {seed}")?;
        }
        if let Some(sample) = self.sample {
            writeln!(f, "sample   {sample}")?;
        }
        if let Some(scale) = self.scale {
            writeln!(f, "scale    {scale}")?;
        }
        writeln!(f, "bytes    {} in, {} out", stats.input_bytes, stats.output_bytes)?;
        write!(f, "time     {:.3} s, {:.0} puzzles/s, ", stats.wall_seconds, stats.puzzles_per_second)?;
        if let Some(engine) = self.engine {
            let simd = self.simd.map_or(String::new(), |level| format!(" ({level})"));
            write!(f, "{engine}{simd} engine, ")?;
        }
        writeln!(f, "threads: {}", stats.threads)?;
        let solving = if self.verified.is_some() { "checking" } else { "solving" };
        write!(
            f,
            "         reading {:.3} s, {solving} {:.3} s, ",
            stats.reading_seconds, stats.solving_seconds
        )?;
        writeln!(f, "writing {:.3} s (sums over threads)", stats.writing_seconds)
    }
}
