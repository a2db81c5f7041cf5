//! The results of a measurement as plain data.

use rapidoku::file::Counts;
use serde::Serialize;

/// The results of an entry or a rival on one dataset.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// The name of the entry, `lanes avx512 x4`, or of the rival.
    pub name: String,
    /// The outcomes of an entry.
    #[serde(flatten)]
    pub entry: Option<EntryReport>,
    /// The answers of a rival.
    #[serde(flatten)]
    pub rival: Option<RivalReport>,
    /// The rates of the timed rounds. `None` if the entry gave up on every puzzle, or the rival has a problem.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub puzzles_per_second: Option<Rates>,
    /// The rates relative to those of the first entry, or, if the rival is timed as a whole command, to those of this
    /// program as a command. `None` for these themselves, and if one of them has no rate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio_to_first: Option<Ratio>,
}

impl Report {
    /// Why a rival has no time.
    pub fn problem(&self) -> Option<&str> {
        self.rival.as_ref()?.problem.as_deref()
    }

    /// Whether it is a rival that is timed as a whole command.
    pub fn is_command(&self) -> bool {
        self.rival.as_ref().is_some_and(|report| report.rival.is_command())
    }
}

/// The outcomes of an entry.
#[derive(Clone, Debug, Default, Serialize)]
pub struct EntryReport {
    /// The name of the solver.
    pub engine: String,
    /// The instruction set. `None` for solvers without a choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub simd: Option<&'static str>,
    /// The number of threads.
    pub threads: usize,
    /// The cap on guesses per puzzle, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_guesses: Option<u64>,
    /// The number of records with each status.
    pub counts: Counts,
    /// The sum of guesses over all records.
    pub guesses: u64,
    /// The mean.
    pub guesses_per_puzzle: f64,
    /// The FNV-1a hash of all outcomes, in the order of the records: 64 bits in hexadecimal. A record contributes its
    /// status (one byte, the index in [`Status::ALL`](rapidoku::Status::ALL)), its number of solutions and its guesses
    /// (eight bytes each, little-endian), and its row (81 cells and a line feed). If puzzles were rated, ER, EP and ED
    /// in tenths follow (two bytes each, little-endian). The hash does not depend on the machine, the number of threads
    /// or the batch size.
    pub outcomes_hash: String,
}

/// A command that solves or rates a file, and prints a line for each record: a solution, a number of solutions or a
/// rating.
#[derive(Clone, Debug, Serialize)]
pub struct Rival {
    /// The name in the report.
    #[serde(skip)]
    pub name: String,
    /// A command for the shell (`sh -c`, or `cmd /C` on Windows), with `{input}` in place of the input file, and
    /// `{limit}` in place of the limit of solutions. With `{rounds}`, it times itself: for a number in this place, it
    /// solves the file this number of times and prints the puzzles per second of each round; for nothing in this place,
    /// it prints its answers.
    pub command: String,
}

/// A rival and its answers.
#[derive(Clone, Debug, Serialize)]
pub struct RivalReport {
    /// The command.
    #[serde(flatten)]
    pub rival: Rival,
    /// What it printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answers: Option<Answers>,
    /// Why it has no time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// The wall time of the command on an empty file, in milliseconds. `None` if the rival times itself or fails then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub startup_ms: Option<f64>,
}

/// What the lines of a rival are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Answers {
    /// Solutions.
    Solutions,
    /// Numbers of solutions.
    Counts,
    /// Ratings, which may differ from those of the entries: there are several scales.
    Ratings {
        /// The number of records that have another ER.
        different: usize,
    },
}

/// Puzzles per second over the timed rounds. A puzzle at the cap on guesses takes time but is not counted.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rates {
    /// The median.
    pub median: f64,
    /// The slowest round.
    pub min: f64,
    /// The fastest round.
    pub max: f64,
    /// `(max - min) / median`, or 0 if all rates are equal.
    pub spread: f64,
    /// All rounds in chronological order.
    pub rounds: Vec<f64>,
}

impl Rates {
    /// Summarises rounds, if there are any.
    pub fn of(rounds: Vec<f64>) -> Option<Rates> {
        let sorted = sorted(rounds.iter().copied());
        let (min, max) = (*sorted.first()?, *sorted.last()?);
        let [low, high] = middle(&sorted);
        let median = (low + high) / 2.0;
        let spread = if max > min { (max - min) / median } else { 0.0 };
        Some(Rates { median, min, max, spread, rounds })
    }
}

/// The speed relative to another entry. Rounds are compared in pairs that ran one after the other, so that a machine
/// that slows down affects both.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Ratio {
    /// The median of the ratios of all pairs. Between two middle ratios it is their geometric mean, so that A to B is
    /// the reciprocal of B to A.
    pub median: f64,
    /// The lower end of the confidence interval of the median.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The confidence level of the interval, if the pairs are independent: the smallest above 0.95 that the number of
    /// pairs allows. Fewer than six pairs do not reach 0.95.
    pub confidence: f64,
}

impl Ratio {
    /// Compares rates round by round, if there are any. The interval is that of the sign test: from the
    /// k-th lowest to the k-th highest of n ratios. It misses the median if fewer than k ratios fall on one side of
    /// it, and each ratio falls on either side with probability 1/2.
    pub fn of(rates: &[f64], of_first: &[f64]) -> Option<Ratio> {
        let ratios = sorted(rates.iter().zip(of_first).map(|(a, b)| a / b));
        let n = ratios.len();
        if n == 0 {
            return None;
        }
        let (mut k, mut confidence) = (0, 1.0 - 2.0 * 0.5_f64.powi(n as i32));
        let (mut term, mut tail) = (0.5_f64.powi(n as i32), 0.5_f64.powi(n as i32));
        for next in 1..n.div_ceil(2) {
            term *= (n - next + 1) as f64 / next as f64;
            tail += term;
            if 1.0 - 2.0 * tail < 0.95 {
                break;
            }
            (k, confidence) = (next, 1.0 - 2.0 * tail);
        }
        let [low, high] = middle(&ratios);
        Some(Ratio { median: (low * high).sqrt(), low: ratios[k], high: ratios[n - 1 - k], confidence })
    }

    /// Whether the interval excludes 1.
    pub fn is_difference(&self) -> bool {
        self.low > 1.0 || self.high < 1.0
    }

    /// The ratio of the other entry to this one.
    pub fn recip(self) -> Ratio {
        let Ratio { median, low, high, confidence } = self;
        Ratio { median: median.recip(), low: high.recip(), high: low.recip(), confidence }
    }
}

fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut sorted: Vec<_> = values.collect();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// The two values in the middle, which are the same one if their number is odd.
fn middle(sorted: &[f64]) -> [f64; 2] {
    let n = sorted.len();
    [sorted[(n - 1) / 2], sorted[n / 2]]
}
