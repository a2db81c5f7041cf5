//! System calls that fail: never a wrong or truncated file, never a temporary one, and never success without all rows.
//!
//! A library in C (`faults/shim.c`) is loaded into the program and makes one function of the C library fail at a chosen
//! call, once or from then on. Each scenario runs once to count the calls and to get the expected files, and then once
//! for each function, call and error.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use tempfile::TempDir;

use crate::support::{PUZZLE, Run, file, finish, gzip, names, program, words};

/// How often a call fails.
#[derive(Clone, Copy, Debug)]
enum Step {
    Once,
    FromThenOn,
    EveryOther,
}

/// What a run does: its arguments, and whether the input comes through a pipe.
struct Scenario {
    args: &'static str,
    input: Vec<u8>,
    is_piped: bool,
}

struct Outcome {
    code: Option<i32>,
    stdout: Vec<u8>,
    stderr: String,
    /// The names in the folder of the outputs, and their contents.
    files: BTreeMap<String, Vec<u8>>,
}

const OLD: &[u8] = b"old";

/// So many calls are tried, the first and the last ones, unless `RAPIDOKU_FAULTS` has another number.
const TRIED: u64 = 6;

/// Builds the library once. `None` if there is no C compiler.
fn shim() -> Option<&'static Path> {
    static SHIM: OnceLock<Option<(TempDir, PathBuf)>> = OnceLock::new();
    let built = SHIM.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("shim.so");
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/faults/shim.c");
        let mut compiler = Command::new(std::env::var_os("CC").unwrap_or("cc".into()));
        compiler.args(["-shared", "-fPIC", "-O1", "-Wno-builtin-declaration-mismatch", "-o"]);
        match compiler.arg(&path).arg(source).arg("-ldl").status() {
            Err(error) => {
                println!("skipped: no C compiler: {error}");
                None
            }
            Ok(status) => {
                assert!(status.success(), "the C compiler failed");
                Some((folder, path))
            }
        }
    });
    built.as_ref().map(|(_, path)| &**path)
}

impl Scenario {
    fn run(&self, shim: &Path, variables: &[(&str, String)]) -> Outcome {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("out"), OLD).unwrap();
        let mut command = program();
        // Relative paths, because the rows of errors contain the path of the input.
        command.args(words(self.args)).current_dir(folder.path()).env("LD_PRELOAD", shim);
        command.envs(variables.iter().map(|(name, value)| (name, value)));
        let stdin = if self.is_piped { &self.input[..] } else { b"" };
        if !self.is_piped {
            file(&folder, "in", &self.input);
            command.arg("in");
        }
        let Run { code, stdout, stderr } = finish(&mut command, stdin);
        let files = names(folder.path()).into_iter().map(|name| {
            let content = fs::read(folder.path().join(&name)).unwrap();
            (name, content)
        });
        Outcome { code, stdout, stderr, files: files.collect() }
    }

    /// Runs without faults. Returns the outcome and the number of calls of each function.
    fn count(&self, shim: &Path) -> (Outcome, BTreeMap<String, u64>) {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        let outcome = self.run(shim, &[("FAULT_LOG", log.to_str().unwrap().to_owned())]);
        assert_eq!((outcome.code, &*outcome.stderr), (Some(0), ""));
        let log = fs::read_to_string(log).expect("the library was loaded");
        let counts = log.lines().map(|line| line.split_once(' ').unwrap());
        (outcome, counts.map(|(name, count)| (name.to_owned(), count.parse().unwrap())).collect())
    }

    fn run_with(&self, shim: &Path, call: &str, first: u64, step: Step, error: i32) -> Outcome {
        self.run(shim, &fault(call, first, step, error))
    }
}

/// The variables that make a call fail.
fn fault(call: &str, first: u64, step: Step, error: i32) -> [(&'static str, String); 4] {
    [
        ("FAULT_CALL", call.to_owned()),
        ("FAULT_FIRST", first.to_string()),
        ("FAULT_STEP", (step as u8).to_string()),
        ("FAULT_ERROR", error.to_string()),
    ]
}

/// Scenarios that use all kinds of inputs and outputs.
fn scenarios() -> Vec<Scenario> {
    // More than one write, and enough for disk blocks to be allocated ahead.
    let text = format!("{PUZZLE}\n{PUZZLE}\nbad\n").repeat(8000).into_bytes();
    let short = format!("{PUZZLE}\n{PUZZLE}\nbad\n").repeat(1000).into_bytes();
    let packed = zstd::encode_all(&*short, 1).unwrap();
    let scenario = |args, input: &[u8], is_piped| Scenario { args, input: input.to_vec(), is_piped };
    vec![
        scenario("solve -q -j2 -o out --errors errors", &text, false),
        scenario("count -q -j1 --no-mmap -o out --format csv", &short, false),
        scenario("solve -q -j2 --batch-bytes 100000 -o out.gz", &short, true),
        scenario("solve -q -j2 -o out.zst", &packed, false),
        scenario("solve -q -j2 --batch-bytes 100000", &gzip(&short), true),
    ]
}

/// The numbers of the calls to fail.
fn tried(count: u64) -> impl Iterator<Item = u64> {
    let most = std::env::var("RAPIDOKU_FAULTS").map_or(TRIED, |most| most.parse().unwrap());
    (1..=count).filter(move |n| *n <= most / 2 || *n > count.saturating_sub(most / 2))
}

/// Whether the files are those of a complete run, or partly those of before.
fn check_files(what: &str, run: &Outcome, complete: &Outcome) {
    for (name, content) in &run.files {
        let is_old = name == "out" && content == OLD;
        assert!(complete.files.contains_key(name), "{what} left {name}");
        assert!(is_old || complete.files.get(name) == Some(content), "{what}: {name} is damaged");
    }
    assert!(run.files.contains_key("out"), "{what}: the old file is gone");
}

#[test]
fn failed_calls_leave_complete_files_or_none() {
    let Some(shim) = shim() else { return };
    let (mut runs, mut reported) = (0, BTreeSet::new());
    for scenario in scenarios() {
        let (complete, counts) = scenario.count(shim);
        for (call, &count) in &counts {
            let errors: &[i32] = match &**call {
                // The Rust runtime aborts the process if it cannot look at its standard streams.
                "poll" => continue,
                "pthread_create" => &[libc::EAGAIN],
                // A call that is ready and never succeeds ends.
                "read" => &[libc::EIO, libc::EAGAIN],
                "write" => &[libc::EIO, libc::ENOSPC, libc::EDQUOT, libc::EAGAIN],
                "fsync" | "close" | "fallocate64" => &[libc::EIO, libc::ENOSPC, libc::EDQUOT],
                _ => &[libc::EIO],
            };
            for first in tried(count) {
                for step in [Step::Once, Step::FromThenOn] {
                    let error = errors[first as usize % errors.len()];
                    let what = format!("{}: {call} {first} of {count}, {step:?}, error {error}", scenario.args);
                    let run = scenario.run_with(shim, call, first, step, error);
                    runs += 1;
                    check_files(&what, &run, &complete);
                    // Otherwise a file might take the place of a link.
                    assert!(call != "readlink" || run.code != Some(0), "{what}: success");
                    if run.code == Some(0) {
                        assert!(run.files == complete.files, "{what}: success without all files");
                        assert!(run.stdout == complete.stdout, "{what}: success without all rows");
                    } else {
                        assert_eq!(run.code, Some(2), "{what}: {}", run.stderr);
                        assert!(run.stderr.starts_with("rapidoku: "), "{what}: '{}'", run.stderr);
                        reported.insert(call.clone());
                    }
                }
            }
        }
    }
    println!("{runs} runs");
    let required = ["close", "fchmod", "fsync", "open64", "pthread_create", "read", "rename", "write"];
    assert!(required.iter().all(|call| reported.contains(*call)), "not reported: {reported:?}");
}

#[test]
fn interrupted_and_partial_calls_are_repeated() {
    let Some(shim) = shim() else { return };
    let mut runs = 0;
    for scenario in scenarios() {
        let (complete, counts) = scenario.count(shim);
        for (call, &count) in &counts {
            // 0 is a call that transfers half of its bytes.
            let errors: &[i32] = match &**call {
                "read" | "write" => &[0, libc::EINTR, libc::EAGAIN],
                "open64" | "fsync" | "fchmod" | "close" | "poll" => &[libc::EINTR],
                "preadv64v2" | "fallocate64" | "madvise" => &[libc::EINTR, libc::EAGAIN],
                _ => continue,
            };
            for &error in errors {
                let steps = tried(count).map(|first| (first, Step::Once)).chain([(1, Step::EveryOther)]);
                let lasting = (error == 0).then_some((1, Step::FromThenOn));
                for (first, step) in steps.chain(lasting) {
                    let what = format!("{}: {call} {first} of {count}, {step:?}, error {error}", scenario.args);
                    let run = scenario.run_with(shim, call, first, step, error);
                    runs += 1;
                    assert_eq!((run.code, &*run.stderr), (Some(0), ""), "{what}");
                    assert!(run.files == complete.files && run.stdout == complete.stdout, "{what}");
                }
            }
        }
    }
    println!("{runs} runs");
}

/// Also those of standard output, as a pipe and as a file.
#[test]
fn failed_closes_of_outputs_are_reported() {
    let Some(shim) = shim() else { return };
    let folder = tempfile::tempdir().unwrap();
    file(&folder, "in", format!("{PUZZLE}\n"));
    for to in ["", "-o out", "-o out.gz", "> out"] {
        for is_faulty in [false, true] {
            let mut command = program();
            command.args(["solve", "-q", "in"]).current_dir(folder.path()).env("LD_PRELOAD", shim);
            if is_faulty {
                command.envs(fault("close", 1, Step::FromThenOn, libc::EIO));
            }
            match to.strip_prefix("> ") {
                Some(name) => command.stdout(fs::File::create(folder.path().join(name)).unwrap()),
                None => command.args(words(to)),
            };
            let run = command.output().unwrap();
            let message = String::from_utf8_lossy(&run.stderr);
            assert_eq!(run.status.code(), Some(if is_faulty { 2 } else { 0 }), "{to}: {message}");
            assert_eq!(message.contains("Input/output error"), is_faulty, "{to}: {message}");
        }
    }
}

/// Each file before it gets its name, and then its folder.
#[test]
fn files_and_folders_are_synchronised() {
    let Some(shim) = shim() else { return };
    let input = format!("{PUZZLE}\nbad\n").into_bytes();
    for (args, syncs) in [("solve -q -o out", 2), ("solve -q -o out.gz --errors errors", 4), ("solve -q", 0)] {
        let (_, counts) = Scenario { args, input: input.clone(), is_piped: false }.count(shim);
        assert_eq!(counts.get("fsync").copied().unwrap_or_default(), syncs, "{args}: {counts:?}");
    }
}

/// A folder that may be written but not read cannot be synchronised. Any other failure to open it is reported, before
/// the output gets its name.
#[test]
fn a_folder_without_permission_to_read_is_not_synchronised() {
    let Some(shim) = shim() else { return };
    let input = format!("{PUZZLE}\n").into_bytes();
    let scenario = Scenario { args: "solve -q -o out", input, is_piped: false };
    let (complete, counts) = scenario.count(shim);
    let ends_well = |call: u64, error: i32| {
        let run = scenario.run_with(shim, "open64", call, Step::Once, error);
        match run.code {
            Some(0) => assert!(run.files == complete.files, "{}", run.stderr),
            code => assert_eq!((code, &*run.files["out"]), (Some(2), OLD), "{}", run.stderr),
        }
        run.code == Some(0)
    };
    // One of the files that are opened is the folder.
    let calls = 1..=counts["open64"];
    let folders = calls.filter(|&call| !ends_well(call, libc::EIO) && ends_well(call, libc::EACCES));
    assert_eq!(folders.count(), 1);
}

#[test]
fn no_command_uses_the_network() {
    let Some(shim) = shim() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (input, log) = (file(&folder, "in", format!("{PUZZLE}\n")), folder.path().join("log"));
    let bench = format!("bench --rounds 1 -o report.html {input}");
    let others = ["solve", "check", "count", "enumerate", "verify", "rate", "explain"];
    let others = others.map(|command| format!("{command} -o out --stats {input}"));
    for args in others.into_iter().chain([bench, "--help".to_owned()]) {
        let _ = fs::remove_file(&log);
        let mut command = program();
        command.args(words(&args)).current_dir(folder.path()).env("LD_PRELOAD", shim).env("FAULT_LOG", &log);
        let output = command.output().unwrap();
        assert!(matches!(output.status.code(), Some(0 | 1)), "{args}: {output:?}");
        let calls = fs::read_to_string(&log).expect("the library was loaded");
        assert!(calls.contains("write"), "{args}: calls are counted: {calls}");
        for call in ["socket ", "connect ", "bind ", "getaddrinfo "] {
            assert!(!calls.lines().any(|line| line.starts_with(call)), "{args}: {calls}");
        }
    }
}
