//! Runs tests: once without a change, and then for each change those that reach it.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};
use std::{io, thread};

use anyhow::ensure;

use crate::points::Mutant;

/// Tests that need more processor time are left out: they would run for each mutant that they reach and that nothing else
/// notices.
const LONGEST: Duration = Duration::from_secs(20);
/// A test that waits for ever is ended after this time and a multiple of its usual one.
const PATIENCE: Duration = Duration::from_secs(60);
/// The signals that end a process at its limit of processor time.
const SIGXCPU: i32 = 24;
const SIGKILL: i32 = 9;
/// A process of a test may have this much memory in KiB, because a change may allocate without end.
const MEMORY: &str = "8000000";
/// No file may have more blocks of 512 bytes.
const FILE_SIZE: &str = "4000000";

/// A test, with the changes that it reaches.
pub struct Test {
    program: PathBuf,
    folder: PathBuf,
    name: String,
    time: Duration,
    reached: HashSet<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Caught,
    /// A test did not end in time.
    Endless,
    Missed,
    /// No test reaches it.
    Unreached,
}

enum End {
    Passed,
    Failed,
    Late,
}

/// Whether tests can have mounts of their own, because this is a privileged process.
fn has_own_mounts() -> bool {
    static OWN: OnceLock<bool> = OnceLock::new();
    *OWN.get_or_init(|| {
        let bind = ["-m", "mount", "--bind", "/dev/null", "/dev/null"];
        Command::new("unshare").args(bind).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
    })
}

/// Runs a test alone, with a limit of its processor time: the machine may be busy.
fn run_test(test: &Test, variables: &[(&str, &str)], limit: Duration) -> io::Result<End> {
    let seconds = limit.as_secs();
    // A changed program could replace a device by a file, but not where something is mounted.
    let (shell, mount): (&[&str], _) = match has_own_mounts() {
        true => (&["unshare", "-m", "bash"], "mount --bind /dev/null /dev/null && "),
        false => (&["bash"], ""),
    };
    let limits = format!("ulimit -t {seconds} -v {MEMORY} -f {FILE_SIZE} -c 0");
    let script = format!("{mount}{limits}; exec \"$0\" \"$@\"");
    let mut command = Command::new(shell[0]);
    command.args(&shell[1..]).args(["-c", &script]);
    command.arg(&test.program).args(["--exact", &test.name, "--test-threads", "1"]);
    command.current_dir(&test.folder).envs(variables.iter().copied());
    // The test may start processes of its own.
    command.process_group(0);
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(match status.signal() {
                _ if status.success() => End::Passed,
                Some(SIGXCPU | SIGKILL) => End::Late,
                _ => End::Failed,
            });
        }
        if start.elapsed() > PATIENCE + 10 * limit {
            let group = format!("-{}", child.id());
            Command::new("kill").args(["-KILL", "--", &group]).stderr(Stdio::null()).status()?;
            child.wait()?;
            return Ok(End::Late);
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}

/// Calls `task` for each index below `n`, on all cores.
fn on_all_cores(n: usize, task: impl Fn(usize) -> anyhow::Result<bool> + Sync) -> anyhow::Result<()> {
    let next = AtomicUsize::new(0);
    let threads = thread::available_parallelism().map_or(1, |n| n.get());
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|_| {
                scope.spawn(|| -> anyhow::Result<()> {
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        if index >= n || !task(index)? {
                            return Ok(());
                        }
                    }
                })
            })
            .collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("no worker panics"))
    })
}

/// Runs every test without a change. Tests that fail or take too long are left out, with a message.
pub fn baseline(
    root: &Path,
    folder: &Path,
    programs: &[PathBuf],
    mutants: usize,
) -> anyhow::Result<Vec<Test>> {
    let tree = folder.join("tree");
    let mut tests = Vec::new();
    for program in programs {
        let list = Command::new(program).args(["--list", "--format", "terse"]).output()?;
        let is_of_program =
            program.file_name().is_some_and(|name| name.to_string_lossy().starts_with("rapidoku_cli"));
        for line in String::from_utf8_lossy(&list.stdout).lines() {
            let Some(name) = line.strip_suffix(": test") else { continue };
            tests.push(Test {
                program: program.clone(),
                folder: if is_of_program || is_in_cli(program, &list.stdout) {
                    tree.join("cli")
                } else {
                    tree.clone()
                },
                name: name.to_owned(),
                time: Duration::ZERO,
                reached: HashSet::new(),
            });
        }
    }
    ensure!(!tests.is_empty(), "there are no tests in {}", root.display());
    let ran: Mutex<Vec<Test>> = Mutex::new(Vec::new());
    let records = folder.join("records");
    fs::create_dir_all(&records)?;
    on_all_cores(tests.len(), |index| {
        let test = &tests[index];
        let record = records.join(index.to_string());
        let _ = fs::remove_file(&record);
        let start = Instant::now();
        let path = record.to_string_lossy();
        let end = run_test(test, &[("MUTANT", "record"), ("MUTANT_RECORD", &path)], LONGEST)?;
        if !matches!(end, End::Passed) {
            eprintln!(
                "left out: {} ({})",
                test.name,
                if matches!(end, End::Failed) { "fails" } else { "too long" }
            );
            return Ok(true);
        }
        let time = start.elapsed();
        let text = fs::read_to_string(&record).unwrap_or_default();
        // Tests of failing system calls leave parts of numbers.
        let numbers = text.lines().filter_map(|line| line.parse().ok());
        let reached = numbers.filter(|&number| number < mutants).collect();
        let Test { program, folder, name, .. } = test;
        ran.lock().expect("no panic").push(Test {
            program: program.clone(),
            folder: folder.clone(),
            name: name.clone(),
            time,
            reached,
        });
        Ok(true)
    })?;
    let mut tests = ran.into_inner().expect("no panic");
    tests.sort_by_key(|test| test.time);
    let reached: HashSet<usize> = tests.iter().flat_map(|test| test.reached.iter().copied()).collect();
    eprintln!("{} tests reach {} of {mutants} mutants", tests.len(), reached.len());
    Ok(tests)
}

/// Whether this is the program with the tests of the command line program. Both packages have one named `it`.
fn is_in_cli(program: &Path, list: &[u8]) -> bool {
    let is_it = program.file_name().is_some_and(|name| name.to_string_lossy().starts_with("it-"));
    is_it && String::from_utf8_lossy(list).contains("documents::")
}

/// Tests all mutants until `end`, in an order that depends on `seed`, except those with an outcome in the file at `path`. The
/// outcomes are in the order of the mutants.
pub fn run(
    path: &Path,
    mutants: &[Mutant],
    tests: &[Test],
    seed: u64,
    end: Option<Instant>,
) -> anyhow::Result<Vec<Option<Outcome>>> {
    let known = known(path, mutants);
    let mut order: Vec<usize> = (0..mutants.len()).filter(|&number| !known.contains_key(&number)).collect();
    order.sort_by_cached_key(|&number| {
        let mut hasher = DefaultHasher::new();
        (seed, mutants[number].name()).hash(&mut hasher);
        hasher.finish()
    });
    let file = Mutex::new(File::options().append(true).create(true).open(path)?);
    on_all_cores(order.len(), |index| {
        if end.is_some_and(|end| Instant::now() >= end) {
            return Ok(false);
        }
        let number = order[index];
        let outcome = test_mutant(number, tests)?;
        let word = match outcome {
            Outcome::Caught => "caught",
            Outcome::Endless => "endless",
            Outcome::Missed => "missed",
            Outcome::Unreached => "unreached",
        };
        writeln!(file.lock().expect("no panic"), "{word} {}", mutants[number].name())?;
        if index % 100 == 99 {
            eprintln!("{} of {}", index + 1, order.len());
        }
        Ok(true)
    })?;
    let known = self::known(path, mutants);
    Ok((0..mutants.len()).map(|number| known.get(&number).copied()).collect())
}

/// The outcomes in a file.
fn known(path: &Path, mutants: &[Mutant]) -> HashMap<usize, Outcome> {
    let numbers: HashMap<_, _> =
        mutants.iter().enumerate().map(|(number, mutant)| (mutant.name(), number)).collect();
    let text = fs::read_to_string(path).unwrap_or_default();
    let outcome = |line: &str| {
        let (word, name) = line.split_once(' ')?;
        let outcome = match word {
            "caught" => Outcome::Caught,
            "endless" => Outcome::Endless,
            "missed" => Outcome::Missed,
            "unreached" => Outcome::Unreached,
            _ => return None,
        };
        Some((*numbers.get(name)?, outcome))
    };
    text.lines().filter_map(outcome).collect()
}

fn test_mutant(number: usize, tests: &[Test]) -> anyhow::Result<Outcome> {
    let active = number.to_string();
    let mut outcome = Outcome::Unreached;
    for test in tests.iter().filter(|test| test.reached.contains(&number)) {
        outcome = Outcome::Missed;
        let limit = (Duration::from_secs(5) + test.time * 8).min(3 * LONGEST);
        match run_test(test, &[("MUTANT", &active)], limit)? {
            End::Passed => {}
            End::Failed => return Ok(Outcome::Caught),
            End::Late => return Ok(Outcome::Endless),
        }
    }
    Ok(outcome)
}
