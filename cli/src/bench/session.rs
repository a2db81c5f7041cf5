//! A session: all results of one call of `rapidoku bench`, and where and how they were measured.

use std::env;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use super::{Difficulty, Report, RivalReport};

/// What is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Workload {
    /// Puzzles are solved.
    #[default]
    Solving,
    /// Puzzles are rated.
    Rating,
}

impl Workload {
    /// Whether puzzles are rated.
    pub fn is_rating(self) -> bool {
        self == Workload::Rating
    }

    /// What an entry does with puzzles.
    pub fn verb(self) -> &'static str {
        if self.is_rating() { "rates" } else { "solves" }
    }

    /// The problem, for a limit of solutions.
    pub fn problem(self, limit: u64) -> String {
        if self.is_rating() {
            "rating on the scale of Sudoku Explainer 1.2.1".to_owned()
        } else {
            format!("limit {limit}")
        }
    }
}

/// The results of one call of `rapidoku bench`. `--json` writes it and `--compare` reads it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Session {
    /// The version of this program.
    pub version: String,
    /// The start in UTC: `2026-01-31T12:00:00Z`.
    pub date: String,
    /// The command line.
    pub command: String,
    /// The machine.
    pub machine: Machine,
    /// The revision of the source code, if it was known when the program was built.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
    /// The compiler that built the program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compiler: Option<String>,
    /// The load averages over 1, 5 and 15 minutes at the start, on Linux.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load_at_start: Option<[f64; 3]>,
    /// The same at the end. The benchmark itself contributes to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load_at_end: Option<[f64; 3]>,
    /// What was measured.
    #[serde(default)]
    pub workload: Workload,
    /// The search stopped at this many solutions of a puzzle.
    pub limit: u64,
    /// The number of untimed rounds at the start.
    pub warmup: usize,
    /// The number of timed rounds.
    pub rounds: usize,
    /// One result for each dataset and entry; those of a dataset are adjacent.
    pub results: Vec<ResultRow>,
    /// The datasets.
    pub datasets: Vec<Dataset>,
}

/// The machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// The name of the processor on Linux, its architecture elsewhere.
    pub cpu: String,
    /// The number of threads that can run at the same time.
    pub threads: usize,
    /// The operating system and the architecture: `linux x86_64`.
    pub system: String,
    /// Family, model and stepping of an x86 processor: names of virtual machines are often too general.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_model: Option<String>,
    /// The version of the kernel, on Linux.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kernel: Option<String>,
    /// The frequency governor of the first core, if Linux controls the frequency.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub governor: Option<String>,
}

/// The result of an entry on a dataset.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ResultRow {
    /// The dataset.
    pub file: String,
    /// The name of the entry: `lanes avx512 x4`.
    pub name: String,
    /// The name of the solver.
    pub engine: String,
    /// The instruction set. `None` for solvers without a choice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub simd: Option<String>,
    /// The number of threads.
    pub threads: usize,
    /// The cap on guesses per puzzle, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_guesses: Option<u64>,
    /// Outcomes and speed.
    #[serde(flatten)]
    pub report: Report,
}

/// A dataset, and the results that do not belong to an entry.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Dataset {
    /// The name of the file.
    pub file: String,
    /// The number of records.
    pub records: usize,
    /// The number of results.
    #[serde(default)]
    pub entries: usize,
    /// The FNV-1a hash of the unpacked bytes; for tables and grids, that of their puzzles as lines.
    pub hash: String,
    /// The rivals.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rivals: Vec<RivalReport>,
    /// Speed by difficulty, if it was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difficulty: Option<Difficulty>,
}

impl Session {
    /// A session without results that starts now on this machine.
    pub fn new(workload: Workload, limit: u64, warmup: usize, rounds: usize) -> Session {
        Session {
            workload,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            date: now(),
            command: command_line(),
            machine: Machine::this(),
            revision: option_env!("RAPIDOKU_REVISION").filter(|text| !text.is_empty()).map(str::to_owned),
            compiler: option_env!("RAPIDOKU_COMPILER").filter(|text| !text.is_empty()).map(str::to_owned),
            load_at_start: load_average(),
            load_at_end: None,
            limit,
            warmup,
            rounds,
            results: Vec::new(),
            datasets: Vec::new(),
        }
    }

    /// The results on a dataset.
    pub fn rows<'s>(&'s self, file: &'s str) -> impl Iterator<Item = &'s ResultRow> {
        self.results.iter().filter(move |row| row.file == file)
    }

    /// The datasets, each with its results.
    pub fn by_dataset(&self) -> impl Iterator<Item = (&Dataset, &[ResultRow])> {
        // Not by file name, because the same file may be given twice.
        let mut rest = &self.results[..];
        self.datasets.iter().map(move |dataset| {
            let (rows, others) = rest.split_at(dataset.entries);
            rest = others;
            (dataset, rows)
        })
    }
}

impl Machine {
    /// The machine that runs this process.
    pub fn this() -> Machine {
        let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let field = |name: &str| {
            info.lines().find_map(|line| {
                let (key, value) = line.split_once(':')?;
                (key.trim() == name).then(|| value.trim())
            })
        };
        let numbers = ["cpu family", "model", "stepping"].map(field);
        let cpu_model = match numbers {
            [Some(family), Some(model), Some(stepping)] => {
                Some(format!("family {family}, model {model}, stepping {stepping}"))
            }
            _ => None,
        };
        Machine {
            cpu: field("model name").unwrap_or(env::consts::ARCH).to_owned(),
            threads: rapidoku::file::internal::thread_count(0),
            system: format!("{} {}", env::consts::OS, env::consts::ARCH),
            cpu_model,
            kernel: first_line("/proc/sys/kernel/osrelease"),
            governor: first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
        }
    }

    /// Whether both have the same processors and system. An upgrade of the kernel makes no other machine.
    pub fn is_same(&self, other: &Machine) -> bool {
        (&self.cpu, self.threads, &self.system) == (&other.cpu, other.threads, &other.system)
    }
}

/// The load averages of the machine over 1, 5 and 15 minutes. `None` except on Linux.
pub fn load_average() -> Option<[f64; 3]> {
    let line = first_line("/proc/loadavg")?;
    let mut loads = line.split(' ').map_while(|word| word.parse().ok());
    Some([loads.next()?, loads.next()?, loads.next()?])
}

fn first_line(path: &str) -> Option<String> {
    std::fs::read_to_string(path).ok()?.lines().next().map(str::to_owned)
}

/// The time in UTC, such as `2026-01-31T12:00:00Z`.
pub fn now() -> String {
    humantime::format_rfc3339_seconds(SystemTime::now()).to_string()
}

/// The command line of this process, quoted for a shell, with the bare name of the program.
pub fn command_line() -> String {
    let arguments = env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned());
    shell_words::join(["rapidoku".to_owned()].into_iter().chain(arguments))
}
