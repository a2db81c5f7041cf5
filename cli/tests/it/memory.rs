//! Memory: the documented bound holds for every command and all kinds of bad input, and a failed allocation is an
//! error.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::support::{PUZZLE, SOLUTION, call, file, inside, names, solve};

/// A limit of the memory of a process.
enum Limit {
    /// A memory cgroup: its folder.
    Cgroup(PathBuf),
    /// `ulimit -v`, which also counts memory that is reserved but not used.
    AddressSpace,
}

impl Limit {
    /// Makes a cgroup with this limit, if the system lets us.
    fn new(megabytes: u64) -> Limit {
        // Tests run in parallel, each in its own cgroup.
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("rapidoku-test-{}-{number}", std::process::id());
        for (parent, file) in [("/sys/fs/cgroup", "memory.max"), ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")] {
            let folder = Path::new(parent).join(&name);
            if fs::create_dir(&folder).is_err() {
                continue;
            }
            // The file is not created: it is missing if the folder is not a cgroup.
            let set = |file: &str, value: String| {
                OpenOptions::new().write(true).open(folder.join(file))?.write_all(value.as_bytes())
            };
            if set(file, (megabytes << 20).to_string()).is_ok() {
                // Otherwise memory could be swapped out. The file is missing where swapping is not counted.
                let _ = set("memory.swap.max", "0".to_owned());
                return Limit::Cgroup(folder);
            }
            let _ = fs::remove_dir(&folder);
        }
        println!("no memory cgroup can be made: the address space is limited instead");
        Limit::AddressSpace
    }

    /// The program under this limit.
    fn program(&self) -> Command {
        let mut command = Command::new("sh");
        command.env_remove("RAPIDOKU_THREADS");
        match self {
            Limit::Cgroup(folder) => {
                let script = "echo $$ > \"$0\" && exec \"$@\"";
                command.args(["-c", script]).arg(folder.join("cgroup.procs"));
            }
            // Thread stacks and the arenas of the C library reserve more than they use.
            Limit::AddressSpace => {
                command.args(["-c", "ulimit -v 600000 && exec \"$@\"", "sh"]);
            }
        }
        command.arg(env!("CARGO_BIN_EXE_rapidoku"));
        command
    }
}

impl Drop for Limit {
    fn drop(&mut self) {
        if let Limit::Cgroup(folder) = self {
            let _ = fs::remove_dir(folder);
        }
    }
}

/// Runs a command on `count` copies of `piece` from a pipe.
fn run(mut command: Command, args: &str, piece: &[u8], count: usize) -> Output {
    command.args(args.split_whitespace());
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let block = piece.repeat((1 << 20) / piece.len() + 1);
    let mut rest = piece.len() * count;
    std::thread::scope(|scope| {
        scope.spawn(move || {
            while rest > 0 {
                let n = rest.min(block.len());
                if stdin.write_all(&block[..n]).is_err() {
                    break;
                }
                rest -= n;
            }
        });
        child.wait_with_output().unwrap()
    })
}

/// The bound for two threads: 48 MB and another 24 MB per thread, see docs/guide.md.
const MEGABYTES: u64 = 48 + 2 * 24;

const COMMANDS: [&str; 17] = [
    "solve",
    "solve --no-mmap --errors /dev/null",
    "solve --format csv --errors /dev/null",
    "solve --format csv --passthrough --columns record,solution",
    "solve --format jsonl",
    "solve --format grid",
    "solve --format frame",
    "solve --input-format csv --no-header --column 1",
    "check",
    "check --only invalid",
    "check --format jsonl --errors /dev/null",
    "count",
    "enumerate --format csv",
    "verify --errors /dev/null",
    "verify --format jsonl",
    "rate",
    "explain --format json",
];

/// Kinds of bad input: a record, and its share of the number of records.
const PIECES: [(&[u8], usize); 6] = [
    (b"x\n", 1),
    (b"1 1\n", 1),
    (b"#\n", 1),
    (b"\n", 1),
    (b"..!..............................................................................\n", 8),
    // Grids that end too early.
    (b"12345678.\n\n", 4),
];

/// Runs each command on every `step`-th kind of input.
fn check_commands(records: usize, step: usize) {
    let limit = Limit::new(MEGABYTES);
    for (k, args) in COMMANDS.into_iter().enumerate() {
        for (piece, share) in PIECES.into_iter().skip(k % step).step_by(step) {
            // Otherwise the input is not recognised, because no record resembles a puzzle.
            let form = if args.contains("--input-format") { "" } else { "--input-format lines" };
            let output = run(limit.program(), &format!("{args} {form} -q -j2"), piece, records / share);
            let stderr = String::from_utf8_lossy(&output.stderr);
            let what = format!("{args}: {}", piece.escape_ascii());
            // Some layouts are rejected by some commands.
            let is_rejected = stderr.starts_with("rapidoku: '<stdin>'") || stderr.contains("--passthrough");
            let is_right = matches!(output.status.code(), Some(0 | 1)) || is_rejected;
            assert!(is_right, "{what}: {stderr} {:?}", output.status);
        }
    }
}

#[test]
fn bad_records_take_bounded_memory() {
    // Twice as much as would fit. What is kept of a record depends on the command or on its kind, so not all pairs
    // are tried.
    check_commands(400_000, 3);
}

#[test]
#[ignore = "takes minutes"]
fn twenty_million_bad_records_take_bounded_memory() {
    check_commands(20_000_000, 1);
}

#[test]
fn long_records_take_bounded_memory() {
    let limit = Limit::new(MEGABYTES);
    let megabytes = 300;
    let piece = [b'1'; 1 << 20];
    for args in [
        "solve --input-format csv --no-header --column 1",
        "check --only invalid --input-format lines",
        "solve --input-format grid",
    ] {
        let output = run(limit.program(), &format!("{args} -j2"), &piece, megabytes);
        let message = "rapidoku: cannot read '<stdin>': record longer than 1 MiB\n";
        assert_eq!(String::from_utf8_lossy(&output.stderr), message, "{args}");
        assert_eq!(output.status.code(), Some(2), "{args}");
    }
}

#[test]
fn a_record_has_at_most_a_mebibyte() {
    let folder = tempfile::tempdir().unwrap();
    for (length, is_accepted) in [((1 << 20) - 1, true), (1 << 20, true), ((1 << 20) + 1, false)] {
        for (header, end) in
            [("", ""), ("", "\n"), ("", "\nbad\n"), ("puzzle,note\n", ""), ("puzzle,note\n", "\nbad\n")]
        {
            let row = format!("{PUZZLE},{}", "n".repeat(length - PUZZLE.len() - 1));
            let text = format!("{header}{PUZZLE},\n{row}{end}");
            let path = file(&folder, "in", &text);
            for args in [&[&*path][..], &["--no-mmap", &path], &["--batch-bytes=3000000", "-"]] {
                let run = solve([&["-q", "-j2", "--format=text"], args].concat(), text.as_bytes());
                let what = format!("{length} {header:?} {end:?} {args:?}: {}", run.stderr);
                let end = if end.contains("bad") { "\n" } else { "" };
                if is_accepted {
                    let rows = format!("{SOLUTION}\n{SOLUTION}\n{end}");
                    assert_eq!((run.code, run.stdout()), (Some(0), &*rows), "{what}");
                } else {
                    run.fails_with("record longer than 1 MiB\n");
                }
            }
        }
    }
}

#[test]
fn a_dense_batch_keeps_numbers_of_records_and_lines() {
    let folder = tempfile::tempdir().unwrap();
    // Batches that are processed in several parts.
    let text = format!("id,puzzle\n0,{PUZZLE}\n{}", "1,x\n\n2\n".repeat(20_000));
    let path = file(&folder, "in", &text);
    let errors = inside(&folder, "errors");
    for command in ["solve", "verify --solution-column 1", "explain --format json"] {
        for args in ["--batch-bytes 10000000", "--batch-bytes 500", "-j1"] {
            let run = call(&format!("{command} -q {args} --errors {errors} {path}"), b"");
            assert!(matches!(run.code, Some(0 | 1)), "{}", run.stderr);
            let lines = fs::read_to_string(&errors).unwrap();
            assert_eq!(lines.lines().count(), 40_000, "{command} {args}");
            for (k, line) in lines.lines().enumerate() {
                let row: serde_json::Value = serde_json::from_str(line).unwrap();
                let (line, offset) = (k / 2 * 3 + k % 2 * 2, k / 2 * 7 + k % 2 * 5);
                let expected = [k + 2, line + 3, offset + 94].map(serde_json::Value::from);
                assert_eq!([&row["record"], &row["line"], &row["byte_offset"]], expected.each_ref());
            }
            if command.starts_with("explain") {
                for (k, row) in run.json_lines()[1..].iter().enumerate() {
                    let expected = [k + 2, k / 2 * 3 + k % 2 * 2 + 3].map(serde_json::Value::from);
                    assert_eq!([&row["record"], &row["line"]], expected.each_ref());
                }
            }
        }
    }
}

#[test]
fn a_failed_allocation_is_an_error_and_leaves_no_file() {
    let text = format!("{PUZZLE}\nbad\n").repeat(50_000);
    let folder = tempfile::tempdir().unwrap();
    let input = file(&folder, "in", &text);
    let packed = file(&folder, "in.zst", zstd::encode_all(text.as_bytes(), 1).unwrap());
    let complete = format!("{SOLUTION}\n\n").repeat(50_000);
    let (mut failed, mut succeeded) = (0, 0);
    for kilobytes in (4_000..300_000).step_by(8_000) {
        let input = [&input, &packed][kilobytes / 8_000 % 2];
        let outputs = tempfile::tempdir().unwrap();
        let out = file(&outputs, "out", "old");
        let script = format!("ulimit -v {kilobytes} && exec $0 solve -q -j3 {input} -o out --errors errors");
        let mut shell = Command::new("sh");
        shell.args(["-c", &script, env!("CARGO_BIN_EXE_rapidoku")]).current_dir(&outputs);
        let output = shell.output().unwrap();
        let (code, stderr) = (output.status.code(), String::from_utf8_lossy(&output.stderr));
        let what = format!("{kilobytes} KB: {code:?}, {stderr}");
        let content = fs::read_to_string(&out).unwrap();
        match code {
            Some(0) => {
                succeeded += 1;
                assert!(content == complete, "{what}");
                assert_eq!(names(outputs.path()), ["errors", "out"], "{what}");
            }
            // The loader, or the standard library before `main`, lacks memory.
            Some(127) | None if !stderr.starts_with("rapidoku: ") && kilobytes < 20_000 => {}
            code => {
                failed += 1;
                // glibc aborts the process if it lacks memory for thread-local data, perhaps while another thread
                // reports that memory is exhausted.
                let is_glibc = code.is_none() && stderr.contains("Fatal glibc error: ");
                assert!(code == Some(2) || is_glibc, "{what}");
                assert!(is_glibc || stderr.lines().any(|line| line.starts_with("rapidoku: ")), "{what}");
                assert_eq!(content, "old", "{what}");
                assert_eq!(names(outputs.path()), ["out"], "{what}");
            }
        }
    }
    println!("{failed} runs failed, {succeeded} succeeded");
    assert!(failed > 3 && succeeded > 3, "{failed} runs failed, {succeeded} succeeded");
}
