//! A run of the benchmark: what was measured, where and how, to be printed, kept, and compared with another.

use std::env;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use super::page;
use super::{Difficulty, Report, RivalReport};

/// Everything that a run of the benchmark has to say.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Session {
    /// Version of this program.
    pub version: String,
    /// When it was started, in UTC: `2026-01-31T12:00:00Z`.
    pub date: String,
    /// The command line.
    pub command: String,
    /// Where it ran.
    pub machine: Machine,
    /// Solutions to search for.
    pub limit: u64,
    /// Rounds before the timed ones.
    pub warmup: usize,
    /// Timed rounds.
    pub rounds: usize,
    /// One for each dataset and contestant; those of a dataset together.
    pub results: Vec<Row>,
    /// Besides, about each dataset.
    pub datasets: Vec<Dataset>,
}

/// The machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// Name of the processor where the system tells it (Linux), else its architecture.
    pub cpu: String,
    /// Threads that can run at the same time.
    pub threads: usize,
    /// Operating system and architecture: `linux x86_64`.
    pub system: String,
}

/// A contestant on a dataset.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    /// The dataset.
    pub file: String,
    /// The contestant, short: `lanes avx512 x4`.
    pub name: String,
    /// Name of the engine.
    pub engine: String,
    /// Instruction set, of an engine that has a choice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub simd: Option<String>,
    /// Threads that shared the work.
    pub threads: usize,
    /// Absent without a cap.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_guesses: Option<u64>,
    /// What it came to.
    #[serde(flatten)]
    pub report: Report,
}

/// What belongs to a dataset as a whole.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Dataset {
    /// The dataset.
    pub file: String,
    /// Records in it.
    pub records: usize,
    /// FNV-1a of its bytes, unpacked; of tables and grids that of their puzzles as lines.
    pub hash: String,
    /// Commands that took part.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rivals: Vec<RivalReport>,
    /// Where it was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difficulty: Option<Difficulty>,
}

impl Session {
    /// Without results yet.
    pub fn new(limit: u64, warmup: usize, rounds: usize) -> Session {
        Session {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            date: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
            command: command_line(),
            machine: Machine::this(),
            limit,
            warmup,
            rounds,
            results: Vec::new(),
            datasets: Vec::new(),
        }
    }

    /// The results on a dataset.
    pub fn rows<'s>(&'s self, file: &'s str) -> impl Iterator<Item = &'s Row> {
        self.results.iter().filter(move |row| row.file == file)
    }

    /// The datasets, each with its results.
    pub fn by_dataset(&self) -> impl Iterator<Item = (&Dataset, &[Row])> {
        // Only the first on a dataset has no ratio. The same file may be there twice.
        let results = self.results.chunk_by(|_, next| next.report.ratio_to_first.is_some());
        self.datasets.iter().zip(results)
    }

    /// A page of HTML that needs no other file and no network: figures, plots, and how to redo them.
    pub fn page(&self) -> String {
        page::write(self)
    }
}

impl Machine {
    /// The machine that this runs on.
    pub fn this() -> Machine {
        let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
        Machine {
            cpu: model.map_or(env::consts::ARCH, |(_, name)| name).to_owned(),
            threads: rapidoku::file::internal::thread_count(0),
            system: format!("{} {}", env::consts::OS, env::consts::ARCH),
        }
    }
}

/// The arguments of this process, quoted where a shell wants it, after the program's bare name.
fn command_line() -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./,=:@+".contains(c);
    let quoted = |word: String| match word.chars().all(plain) && !word.is_empty() {
        true => word,
        false => format!("'{}'", word.replace('\'', r"'\''")),
    };
    let words = env::args_os().skip(1).map(|word| quoted(word.to_string_lossy().into_owned()));
    ["rapidoku".to_owned()].into_iter().chain(words).collect::<Vec<_>>().join(" ")
}
