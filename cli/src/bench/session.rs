//! A session: all results of one call of `rapidoku bench`, and where and how they were measured.

use std::env;
use std::fs;

use serde::{Deserialize, Serialize};

use super::Report;
use crate::origin::{command_line, now};
use crate::version;

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Workload {
    /// Puzzles are solved.
    Solving,
    /// Puzzles are rated.
    Rating,
}

/// The results of one call of `rapidoku bench`, as `--format json` writes them.
#[derive(Clone, Debug, Serialize)]
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
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<&'static str>,
    /// The compiler that built the program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compiler: Option<&'static str>,
    /// The load averages over 1, 5 and 15 minutes at the start, on Linux.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub load_at_start: Option<[f64; 3]>,
    /// The same at the end. The benchmark itself contributes to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub load_at_end: Option<[f64; 3]>,
    /// What was measured.
    pub workload: Workload,
    /// The search stopped at this many solutions of a puzzle.
    pub limit: u64,
    /// The number of timed rounds.
    pub rounds: usize,
    /// The datasets with their results.
    pub datasets: Vec<Dataset>,
}

/// The machine.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Machine {
    /// The name of the processor on Linux, its architecture elsewhere.
    pub cpu: String,
    /// The number of threads that can run at the same time.
    pub threads: usize,
    /// The operating system and the architecture: `linux x86_64`.
    pub system: String,
    /// Family, model and stepping of an x86 processor: names of virtual machines are often too general.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_model: Option<String>,
    /// The version of the kernel, on Linux.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kernel: Option<String>,
    /// The frequency governor of the first core, if Linux controls the frequency.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub governor: Option<String>,
}

/// A dataset, and the results of all entries and rivals on it.
#[derive(Clone, Debug, Serialize)]
pub struct Dataset {
    /// The name of the file.
    pub file: String,
    /// The number of records, including invalid ones.
    pub records: usize,
    /// The FNV-1a hash of the unpacked bytes; for tables and grids, that of their puzzles as lines.
    pub hash: String,
    /// The entries. Ratios are relative to the first one.
    pub results: Vec<Report>,
    /// The rivals.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rivals: Vec<Report>,
}

impl Session {
    /// A session without results that starts now on this machine.
    pub fn new(workload: Workload, limit: u64, rounds: usize) -> Session {
        Session {
            workload,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            date: now(),
            command: command_line(),
            machine: Machine::this(),
            revision: version::REVISION,
            compiler: option_env!("RAPIDOKU_COMPILER").filter(|compiler| !compiler.is_empty()),
            load_at_start: load_average(),
            load_at_end: None,
            limit,
            rounds,
            datasets: Vec::new(),
        }
    }
}

impl Machine {
    /// The machine that runs this process.
    pub fn this() -> Machine {
        let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let field = |name: &str| {
            info.lines().find_map(|line| {
                let (key, value) = line.split_once(':')?;
                (key.trim() == name).then(|| value.trim())
            })
        };
        let cpu_model = match ["cpu family", "model", "stepping"].map(field) {
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
}

/// The load averages of the machine over 1, 5 and 15 minutes. `None` except on Linux.
pub fn load_average() -> Option<[f64; 3]> {
    let line = first_line("/proc/loadavg")?;
    let mut loads = line.split(' ').map_while(|word| word.parse().ok());
    Some([loads.next()?, loads.next()?, loads.next()?])
}

fn first_line(path: &str) -> Option<String> {
    fs::read_to_string(path).ok()?.lines().next().map(str::to_owned)
}
