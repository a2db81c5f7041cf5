//! Whatever goes wrong outside: a clear message, the right code, nothing lost and nothing half-written.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::support::{
    CLASH, PUZZLE, Run, SOLUTION, call, file, inside, names, program, send, shell, solve, start, words,
};

fn fails(run: &Run, message: &str) {
    assert_eq!(run.stderr, format!("rapidoku: {message}\n"));
    assert_eq!(run.code, Some(2));
}

#[test]
fn inputs_that_cannot_be_opened() {
    let folder = tempfile::tempdir().unwrap();
    let (good, old) = (file(&folder, "good", PUZZLE), file(&folder, "old", "old"));
    for source in ["--no-mmap", "-j4"] {
        for (name, reason) in [("missing", "No such file or directory"), ("", "is a directory")] {
            let path = inside(&folder, name);
            let run = solve([source, &good, &path, "-o", &old], b"");
            fails(&run, &format!("cannot open '{path}': {reason}"));
        }
    }
    assert_eq!(fs::read(&old).unwrap(), b"old");
    assert_eq!(names(folder.path()), ["good", "old"]);
}

#[test]
fn an_input_that_fails_midway() {
    // The memory of a process is a regular file whose first page cannot be read.
    let failing = "/proc/self/mem";
    if File::open(failing).and_then(|mut file| file.read(&mut [0])).is_ok() || !Path::new(failing).exists() {
        return println!("skipped: no file that fails");
    }
    let folder = tempfile::tempdir().unwrap();
    let (good, old) = (file(&folder, "good", PUZZLE), file(&folder, "old", "old"));
    let run = solve([&good, failing, &good], b"");
    fails(&run, "cannot read '/proc/self/mem': Input/output error");
    assert_eq!(run.stdout(), format!("{SOLUTION}\n"));
    fails(&solve([&good, failing, "-o", &old], b""), "cannot read '/proc/self/mem': Input/output error");
    assert_eq!(fs::read(&old).unwrap(), b"old");
    assert_eq!(names(folder.path()), ["good", "old"]);
}

#[test]
fn outputs_that_cannot_be_created() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| inside(&folder, name);
    let plain = file(&folder, "plain", "old");
    let cases = [
        (path("no/out"), &*format!("create the folder '{}' first", path("no"))),
        (path("plain/out"), "Not a directory"),
        (path(""), "Is a directory"),
        (path("new/"), "is a directory"),
        ("/proc/new".to_owned(), "No such file or directory"),
    ];
    for (out, reason) in cases {
        for option in ["--output", "--stats"] {
            let run = call(&format!("solve {option}={out}"), PUZZLE);
            fails(&run, &format!("cannot create '{out}': {reason}"));
        }
    }
    assert_eq!(fs::read(plain).unwrap(), b"old");
    assert_eq!(names(folder.path()), ["plain"]);
}

#[test]
fn a_full_disk() {
    let folder = tempfile::tempdir().unwrap();
    file(&folder, "in", format!("{PUZZLE}\n").repeat(20_000));
    file(&folder, "bad", CLASH);
    for (line, name) in [
        ("$0 solve in -o /dev/full", "/dev/full"),
        ("$0 solve in > /dev/full", "<stdout>"),
        ("$0 solve in -q -o out --stats=/dev/full", "/dev/full"),
        ("$0 solve bad -q --errors=/dev/full", "/dev/full"),
    ] {
        fails(&shell(&folder, line), &format!("cannot write '{name}': No space left on device"));
    }
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let text = format!("{PUZZLE}\n").repeat(100_000);
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "in", text);
    for threads in ["-j1", "-j4"] {
        let mut child = start(program().args(["solve", "--format=csv", threads, &path]));
        let mut stdout = child.stdout.take().unwrap();
        stdout.read_exact(&mut [0; 100]).unwrap();
        drop(stdout);
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()));
    }
}

#[test]
fn a_run_succeeds_if_the_reader_of_standard_error_is_gone() {
    let mut child = start(program().args(["solve", "--stats"]));
    drop(child.stderr.take());
    child.stdin.take().unwrap().write_all(CLASH.as_bytes()).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// A run that has written some of its output and waits for more input.
fn half_way(folder: &Path, out: &Path) -> (Child, ChildStdin) {
    let mut command = program();
    command.args(["solve", "--batch-bytes", "8200", "-o"]).arg(out);
    start_half_way(command, folder)
}

fn start_half_way(mut command: Command, folder: &Path) -> (Child, ChildStdin) {
    let mut child = start(&mut command);
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(format!("{PUZZLE}\n").repeat(15_000).as_bytes()).unwrap();
    wait_until_written(folder, 82 * 300);
    (child, stdin)
}

/// Waits until the unfinished output in a folder has `bytes` bytes.
fn wait_until_written(folder: &Path, bytes: u64) {
    let deadline = Instant::now() + Duration::from_secs(60);
    let size = |name: String| fs::metadata(folder.join(name)).map_or(0, |metadata| metadata.len());
    let is_hidden = |name: &String| name.starts_with(".rapidoku-");
    while !names(folder).into_iter().filter(is_hidden).any(|name| size(name) >= bytes) {
        assert!(Instant::now() < deadline, "too little is written: {:?}", names(folder));
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn an_interrupted_run_leaves_everything_as_it_was() {
    for old in [Some("old"), None] {
        for (signal, code) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
            if signal == "-HUP" && ignores_hangup() {
                println!("skipped: hanging up is ignored here");
                continue;
            }
            let folder = tempfile::tempdir().unwrap();
            let out = folder.path().join("out");
            if let Some(old) = old {
                fs::write(&out, old).unwrap();
            }
            let (mut child, stdin) = half_way(folder.path(), &out);
            assert!(send(signal, child.id()));
            let stderr = child.stderr.take().unwrap();
            assert_eq!(child.wait().unwrap().code(), Some(code));
            let message = std::io::read_to_string(stderr).unwrap();
            assert!(message.starts_with("rapidoku: interrupted, nothing was written to '"), "{message}");
            drop(stdin);
            assert_eq!(names(folder.path()), old.map(|_| "out").into_iter().collect::<Vec<_>>());
            assert_eq!(fs::read_to_string(&out).ok().as_deref(), old);
        }
    }
}

/// Whether this process and its children ignore SIGHUP, as under `nohup`.
fn ignores_hangup() -> bool {
    is_hangup_ignored("self").unwrap_or(false)
}

/// Whether a process ignores SIGHUP, where the system tells.
fn is_hangup_ignored(process: &str) -> Option<bool> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
    u64::from_str_radix(mask.trim(), 16).ok().map(|mask| mask & 1 == 1)
}

#[test]
fn a_run_under_nohup_ignores_sighup() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let mut command = Command::new("nohup");
    command.arg(env!("CARGO_BIN_EXE_rapidoku")).args(["solve", "--batch-bytes", "8200", "-o"]).arg(&out);
    let (mut child, mut stdin) = start_half_way(command, folder.path());
    assert_ne!(is_hangup_ignored(&child.id().to_string()), Some(false));
    assert!(send("-HUP", child.id()));
    // It goes on with what comes after the signal.
    stdin.write_all(format!("{PUZZLE}\n").repeat(15_000).as_bytes()).unwrap();
    wait_until_written(folder.path(), 82 * 20_000);
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(fs::read_to_string(&out).unwrap(), format!("{SOLUTION}\n").repeat(30_000));
}

#[test]
fn ended_at_any_time() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let text = format!("{PUZZLE}\n").repeat(20_000).into_bytes();
    let plain = file(&folder, "in", &text);
    let packed = file(&folder, "in.zst", zstd::encode_all(&text[..], 1).unwrap());
    let complete = format!("{SOLUTION}\n").repeat(20_000);
    fs::write(&out, "old").unwrap();
    let mut known = names(folder.path());
    for run in 0..100 {
        let input = [&plain, &packed][run % 2];
        let signal = ["-INT", "-TERM", "-KILL"][run % 3];
        let mut child = program().args(["solve", "-j2", input, "-o"]).arg(&out).stderr(Stdio::null()).spawn().unwrap();
        // Any moment will do: what is asserted holds at all of them.
        thread::sleep(Duration::from_micros(500 + 250 * run as u64));
        // The child may have ended, which is as good.
        send(signal, child.id());
        let status = child.wait().unwrap();
        let now = fs::read_to_string(&out).unwrap();
        assert!(now == "old" || now == complete, "{} bytes", now.len());
        // Before the handler is in place the signal has its usual effect.
        assert!(matches!(status.code(), Some(0 | 130 | 143) | None), "{status:?}");
        assert!(status.code() != Some(0) || now == complete);
        // Who is killed cannot clean up. What it leaves has another name, and does not disturb later runs.
        let found = names(folder.path());
        assert!(known.iter().all(|name| found.contains(name)));
        let mut new = found.iter().filter(|name| !known.contains(name));
        assert!(new.all(|name| signal == "-KILL" && name.starts_with('.')), "{found:?}");
        known = found;
        fs::write(&out, "old").unwrap();
    }
}

/// Truncates the input of a run that is blocked because nobody takes its output, then takes all of that. The file is
/// mapped once there is output, and most of it is unread while the run is blocked.
fn fails_when_truncated(mut child: Child, mut output: impl Read, path: &str, left: u64) {
    output.read_exact(&mut [0; 82]).unwrap();
    File::options().write(true).open(path).unwrap().set_len(left).unwrap();
    io::copy(&mut output, &mut io::sink()).unwrap();
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(2), "{stderr}");
    // From SIGBUS, or from the length of the file at the end of the map.
    let causes = ["truncated by another program while mapped (see --no-mmap)", "file truncated while it was read"];
    let is_expected = |cause| stderr.ends_with(&format!("rapidoku: cannot read '{path}': {cause}\n"));
    assert!(causes.into_iter().any(is_expected), "{stderr}");
}

/// Nothing is left, a part of a page, and another.
const LEFT: [u64; 3] = [0, 500_000, 500_001];

#[allow(unsafe_code)]
fn block_all_signals(command: &mut Command) {
    // SAFETY: The functions are async-signal-safe, and the set is initialised before it is used.
    unsafe {
        command.pre_exec(|| {
            let mut set = std::mem::zeroed();
            libc::sigfillset(&mut set);
            match libc::sigprocmask(libc::SIG_SETMASK, &set, std::ptr::null_mut()) {
                0 => Ok(()),
                _ => Err(io::Error::last_os_error()),
            }
        });
    }
}

#[test]
fn a_mapped_file_that_shrinks() {
    let text = format!("{PUZZLE}\n").repeat(100_000);
    let folder = tempfile::tempdir().unwrap();
    for (left, are_signals_blocked) in LEFT.into_iter().flat_map(|left| [(left, false), (left, true)]) {
        let path = file(&folder, "in", &text);
        let mut command = program();
        command.args(["solve", "--engine=noop", "-j2", "--batch-bytes=8200", &path]);
        if are_signals_blocked {
            block_all_signals(&mut command);
        }
        let mut child = start(&mut command);
        let stdout = child.stdout.take().unwrap();
        fails_when_truncated(child, stdout, &path, left);
    }
}

#[test]
fn a_file_that_shrinks_leaves_no_output() {
    // The run waits for the reader of its errors, of which there is one for each line.
    let text = "..!\n".repeat(200_000);
    let folder = tempfile::tempdir().unwrap();
    let [out, errors] = ["out", "errors"].map(|name| folder.path().join(name));
    assert!(Command::new("mkfifo").arg(&errors).status().unwrap().success());
    for old in [Some("old"), None] {
        for left in LEFT {
            let path = file(&folder, "in", &text);
            match old {
                Some(old) => fs::write(&out, old).unwrap(),
                None => drop(fs::remove_file(&out)),
            }
            let options = "-q -j2 --batch-bytes=8200 --input-format=lines --errors";
            let mut command = program();
            let child = start(command.arg("solve").args(words(options)).arg(&errors).args([&path, "-o"]).arg(&out));
            let errors = File::open(&errors).unwrap();
            fails_when_truncated(child, errors, &path, left);
            assert_eq!(fs::read_to_string(&out).ok().as_deref(), old);
            let all = ["errors", "in"].into_iter().chain(old.map(|_| "out"));
            assert_eq!(names(folder.path()), all.collect::<Vec<_>>());
        }
    }
}

#[test]
fn every_invalid_record_in_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let errors = folder.path().join("errors").into_os_string().into_string().unwrap();
    let table = format!("\u{FEFF}id,puzzle\n1,{PUZZLE}\n2,12\n# none\n3\n4,{}\n", CLASH);
    let table = file(&folder, "table.csv", table);
    let bad = file(&folder, "bad", format!("{PUZZLE}\n") + &"..!\n".repeat(30_000));
    for more in [&["--no-mmap"][..], &["-j3", "--batch-bytes=1000"], &["-q"]] {
        let run = solve([more, &["--errors", &errors, &table, &bad]].concat(), b"");
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert!(more == ["-q"] || run.stderr.lines().count() == 11, "{}", run.stderr);
        let text = fs::read_to_string(&errors).unwrap();
        let rows: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(rows.len(), 30_004);
        let row = |k: usize| {
            let number = |name: &str| rows[k][name].as_u64();
            let reason = rows[k]["reason"].as_str().unwrap();
            (number("record"), number("line"), number("byte_offset"), number("column"), reason)
        };
        let start = 3 + 10 + 84;
        assert_eq!(row(0), (Some(2), Some(3), Some(start), None, "too short: 2 cells instead of 81"));
        assert_eq!(row(1), (Some(3), Some(4), Some(start + 5), None, "1 field instead of 2"));
        assert_eq!(row(2), (Some(4), Some(5), Some(start + 12), None, "1 field instead of 2"));
        assert_eq!((row(3).0, row(3).4), (Some(5), "digit 1 twice in row 1: r1c1 and r1c9"));
        let reason = "bad character '!' in column 3";
        assert_eq!(row(30_003), (Some(30_006), Some(30_001), Some(82 + 4 * 29_999), Some(3), reason));
        assert_eq!((&rows[0]["input"], &rows[4]["input"]), (&table.clone().into(), &bad.clone().into()));
    }
}
