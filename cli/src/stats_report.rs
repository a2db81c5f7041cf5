//! Statistics of a run, as `--stats` prints or writes them.

use std::fmt;
use std::sync::atomic::Ordering;

use rapidoku::file::{Counts, Stats};
use rapidoku_jobs::solver::LimitedSolver;
use rapidoku_jobs::verify::Cells;
use serde_json::{Value, json};

use crate::number::counted;
use crate::progress::{Generating, Work};

use crate::weights::Weights;

/// The number of records with each result of `verify`.
pub struct Verified<'a>(pub &'a Counts, pub &'a Cells);

impl Verified<'_> {
    /// The numbers of records that are correct, wrong, not unique, and not known to be unique.
    fn results(&self) -> [u64; 4] {
        let &Counts { solved, unique, multiple, none, invalid, gave_up } = self.0;
        [solved + unique, invalid + none, multiple, gave_up]
    }
}

/// The results that occur, and always the number of those that are correct or wrong.
impl fmt::Display for Verified<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [correct, wrong, not_unique, unknown] = self.results();
        write!(f, "correct {correct}, wrong {wrong}")?;
        for (count, name) in [(not_unique, "not unique"), (unknown, "not known to be unique")] {
            if count > 0 {
                write!(f, ", {name} {count}")?;
            }
        }
        let [of, wrong] = [&self.1.compared, &self.1.wrong].map(|cells| cells.load(Ordering::Relaxed));
        if wrong > 0 {
            let percent = 100.0 * (of - wrong) as f64 / of as f64;
            write!(f, ", cells correct {} of {of} ({percent:.2} %)", of - wrong)?;
        }
        Ok(())
    }
}

/// The scale of ratings.
const SCALE: &str = "Sudoku Explainer 1.2.1";

/// Whether the counts of a run are those of the statuses of puzzles.
fn has_statuses(work: Work) -> bool {
    match work {
        Work::Comparing { has_statuses, .. } => has_statuses,
        Work::Verifying(_) | Work::Permuting(_) | Work::Copying => false,
        _ => true,
    }
}

/// The statistics of a run, with the settings that they depend on, as one JSON object.
pub fn json(work: Work, solver: Option<LimitedSolver>, stats: &Stats) -> String {
    let mut report = json!(stats);
    report["version"] = json!(env!("CARGO_PKG_VERSION"));
    if let Some(LimitedSolver { kind, limits }) = solver {
        report["engine"] = json!(kind.name());
        report["limit"] = json!(limits.solutions);
        if let Some(level) = kind.level() {
            report["simd"] = json!(level.name());
        }
    }
    if !has_statuses(work) {
        report.as_object_mut().expect("it is an object").remove("counts");
    }
    let mut add = |name: &str, value: Value| report[name] = value;
    match work {
        Work::Solving | Work::Copying => {}
        Work::Enumerating(found) => add("solutions", json!(found)),
        Work::Generating(Generating { seed, weights, .. }) => {
            add("seed", json!(seed));
            if let Some((rows, effective_size)) = weights.as_ref().map(Weights::sample) {
                add("sample", json!({ "rows": rows, "effective_size": effective_size }));
            }
        }
        Work::Rating => add("scale", json!(SCALE)),
        Work::Verifying(cells) => {
            let [correct, wrong, not_unique, unknown] = Verified(&stats.counts, cells).results();
            let Cells { compared, wrong: wrong_cells } = cells;
            let verified = json!({ "correct": correct, "wrong": wrong, "not_unique": not_unique, "unknown": unknown,
                "compared_cells": compared, "wrong_cells": wrong_cells });
            add("verified", verified);
        }
        Work::Comparing { duplicates, .. } => add("duplicates", json!(duplicates)),
        Work::Permuting(copies) => add("rows", json!(copies)),
    }
    if !has_statuses(work) && !matches!(work, Work::Verifying(_)) {
        add("invalid", json!(stats.counts.invalid));
    }
    format!("{report:#}\n")
}

/// The same as lines of text.
pub fn text(work: Work, solver: Option<LimitedSolver>, stats: &Stats) -> String {
    let Counts { solved, unique, multiple, none, invalid, gave_up } = stats.counts;
    let (counter, name) = match work {
        Work::Enumerating(found) => (Some(found), "solutions"),
        Work::Permuting(copies) => (Some(copies), "rows"),
        Work::Comparing { duplicates, .. } => (Some(duplicates), "duplicates"),
        _ => (None, ""),
    };
    let counter = counter.map_or(String::new(), |n| format!(", {name} {}", n.load(Ordering::Relaxed)));
    let guesses = solver.map_or(String::new(), |_| format!(", guesses {}", stats.guesses));
    let mut text = format!("records  {}{counter}{guesses}\n", stats.records);
    text += &match work {
        Work::Verifying(cells) => format!("result   {}\n", Verified(&stats.counts, cells)),
        _ if has_statuses(work) => format!(
            "status   solved {solved}, unique {unique}, multiple {multiple}, none {none}, invalid {invalid}, gave-up {gave_up}\n"
        ),
        _ => format!("status   invalid {invalid}\n"),
    };
    if solved > 0 && has_statuses(work) && solver.is_some_and(|solver| solver.limits.solutions.get() == 1) {
        text += "         solved: a solution was found, there may be others (--limit 2 checks that)\n";
    }
    text += &match work {
        Work::Generating(Generating { seed, weights, .. }) => {
            let sample = |weights: &Weights| {
                let (rows, size) = weights.sample();
                format!("sample   effective size {size:.1} of {} drawn\n", counted(rows, "puzzle"))
            };
            format!("seed     {seed}\n{}", weights.as_ref().map_or(String::new(), sample))
        }
        Work::Rating => format!("scale    {SCALE}\n"),
        _ => String::new(),
    };
    let engine = solver.map_or(String::new(), |solver| {
        let level = solver.kind.level().map_or(String::new(), |level| format!(" ({level})"));
        format!("{}{level} engine, ", solver.kind.name())
    });
    let solving = if matches!(work, Work::Verifying(_)) { "checking" } else { "solving" };
    text + &format!(
        "bytes    {} in, {} out\n\
         time     {:.3} s, {:.0} puzzles/s, {engine}threads: {}\n         \
         reading {:.3} s, {solving} {:.3} s, writing {:.3} s (sums over threads)\n",
        stats.input_bytes,
        stats.output_bytes,
        stats.wall_seconds,
        stats.puzzles_per_second,
        stats.threads,
        stats.reading_seconds,
        stats.solving_seconds,
        stats.writing_seconds
    )
}
