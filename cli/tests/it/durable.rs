//! Outputs that cannot be completed are reported before the run, and complete ones have the attributes of the old file.

use std::fs::{self, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use crate::support::{
    PUZZLE, Run, SOLUTION, call, file, finish, inside, names, program, shell, solve, wait_until_blocked, words,
};

/// The user and the group `nobody`.
const NOBODY: u32 = 65534;

/// Whether this process may become other users.
#[allow(unsafe_code)]
fn is_root() -> bool {
    // SAFETY: `geteuid` has no preconditions.
    unsafe { libc::geteuid() == 0 }
}

/// Runs `rapidoku solve` without the rights of root, as nobody if need be, from a copy that nobody may read.
fn solve_without_root(args: &[&str]) -> Run {
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
    let copy = folder.path().join("rapidoku");
    // By another process: a child that another test starts would inherit the open file, and the copy would be busy.
    assert!(Command::new("cp").arg(env!("CARGO_BIN_EXE_rapidoku")).arg(&copy).status().unwrap().success());
    let mut command = Command::new(copy);
    command.arg("solve").args(args).current_dir("/");
    if is_root() {
        command.uid(NOBODY).gid(NOBODY);
    }
    finish(&mut command, PUZZLE.as_bytes())
}

#[test]
fn two_outputs_with_the_same_name_are_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| inside(&folder, name);
    fs::create_dir(path("sub")).unwrap();
    symlink("out", path("link")).unwrap();
    symlink(folder.path(), path("sub/up")).unwrap();
    let (out, stats) = (path("out"), "--stats");
    for is_old in [false, true] {
        if is_old {
            fs::write(&out, "old").unwrap();
        }
        for other in ["out", "./out", "sub/../out", "link", "sub/up/out"].map(path) {
            for [(option, path), (other_option, other_path)] in [
                [("--output", &out), (stats, &other)],
                [(stats, &other), ("--output", &out)],
                [("--errors", &other), (stats, &out)],
            ] {
                let args = [format!("{option}={path}"), format!("{other_option}={other_path}")];
                let run = solve(&args, PUZZLE.as_bytes());
                assert!(run.stderr.starts_with("rapidoku: cannot create '"), "{args:?}: {}", run.stderr);
                run.fails_with("': another output has the same name\n");
                assert_eq!(fs::read_to_string(&out).ok().as_deref(), is_old.then_some("old"));
            }
        }
    }
    assert_eq!(names(folder.path()), ["link", "out", "sub"]);
    // A relative path and an absolute one.
    shell(&folder, &format!("$0 solve -o out --errors {out}")).fails_with("has the same name\n");
    // Standard output may be redirected to the file.
    for option in ["--errors", stats] {
        let run = shell(&folder, &format!("$0 solve {option}={out} >> out"));
        let message = format!("rapidoku: cannot create '{out}': another output has the same name\n");
        assert_eq!((run.code, run.stderr), (Some(2), message));
        assert_eq!(fs::read_to_string(&out).unwrap(), "old");
    }
    // Devices may be used twice.
    assert_eq!(call("solve -o /dev/null --errors /dev/null", b"").code, Some(0));
}

#[test]
fn a_file_of_another_user_in_a_sticky_folder() {
    if !is_root() {
        return println!("skipped: only root can run a program as another user");
    }
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), Permissions::from_mode(0o1777)).unwrap();
    let out = file(&folder, "out", "old");
    fs::set_permissions(&out, Permissions::from_mode(0o666)).unwrap();
    // The named pipe is never opened for reading, so the run would wait if it did not fail before.
    let input = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&input).status().unwrap().success());
    let run = solve_without_root(&[input.to_str().unwrap(), "-o", &out]);
    let message = format!("rapidoku: cannot create '{out}': file of another user in a sticky directory\n");
    assert_eq!((run.code, run.stderr), (Some(2), message));
    assert_eq!(fs::read_to_string(&out).unwrap(), "old");
    assert_eq!(names(folder.path()), ["out", "pipe"]);
    // The owner may, and others may create files.
    assert_eq!(solve(["-o", &out], PUZZLE.as_bytes()).code, Some(0));
    chown(&out, Some(NOBODY), Some(NOBODY)).unwrap();
    assert_eq!(solve_without_root(&["-o", &out]).code, Some(0));
    assert_eq!(solve_without_root(&["-o", folder.path().join("new").to_str().unwrap()]).code, Some(0));
}

#[test]
fn a_folder_or_a_file_that_cannot_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let out = file(&folder, "out", "old");
    let set_modes = |of_folder, of_file| {
        fs::set_permissions(&out, Permissions::from_mode(of_file)).unwrap();
        fs::set_permissions(folder.path(), Permissions::from_mode(of_folder)).unwrap();
    };
    for (of_folder, of_file) in [(0o555, 0o666), (0o777, 0o444)] {
        set_modes(of_folder, of_file);
        let run = solve_without_root(&["-o", &out]);
        assert_eq!(run.stderr, format!("rapidoku: cannot create '{out}': Permission denied\n"));
        assert_eq!((run.code, fs::read_to_string(&out).unwrap()), (Some(2), "old".to_owned()));
    }
    // A folder that may be written but not read cannot be synchronised, which is no failure.
    set_modes(0o333, 0o666);
    let run = solve_without_root(&["-o", &out]);
    assert_eq!((run.code, &*run.stderr), (Some(0), ""));
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
    assert_eq!(fs::read_to_string(&out).unwrap(), format!("{SOLUTION}\n"));
}

#[test]
fn a_replaced_file_keeps_owner_group_and_mode() {
    let folder = tempfile::tempdir().unwrap();
    let out = file(&folder, "out", "old");
    for (mode, expected) in [(0o600, 0o600), (0o640, 0o640), (0o4755, 0o755), (0o2770, 0o770), (0o1666, 0o666)] {
        fs::set_permissions(&out, Permissions::from_mode(mode)).unwrap();
        assert_eq!(solve(["-o", &out], PUZZLE.as_bytes()).code, Some(0));
        assert_eq!(fs::metadata(&out).unwrap().mode() & 0o7777, expected, "{mode:o}");
    }
    if !is_root() {
        return;
    }
    let attributes = || {
        let metadata = fs::metadata(&out).unwrap();
        (metadata.uid(), metadata.gid(), metadata.mode() & 0o7777)
    };
    chown(&out, Some(1), Some(2)).unwrap();
    fs::set_permissions(&out, Permissions::from_mode(0o6741)).unwrap();
    assert_eq!(solve(["-o", &out], PUZZLE.as_bytes()).code, Some(0));
    assert_eq!(attributes(), (1, 2, 0o741));
    // Nobody may keep neither owner nor group. Another group gets the rights of others.
    fs::set_permissions(folder.path(), Permissions::from_mode(0o777)).unwrap();
    fs::set_permissions(&out, Permissions::from_mode(0o666)).unwrap();
    assert_eq!(solve_without_root(&["-o", &out]).code, Some(0));
    assert_eq!(attributes(), (NOBODY, NOBODY, 0o666));
    chown(&out, Some(NOBODY), Some(2)).unwrap();
    fs::set_permissions(&out, Permissions::from_mode(0o640)).unwrap();
    assert_eq!(solve_without_root(&["-o", &out]).code, Some(0));
    assert_eq!(attributes(), (NOBODY, NOBODY, 0o600));
}

#[test]
fn a_file_that_becomes_too_large_is_an_error() {
    let inputs = tempfile::tempdir().unwrap();
    let input = file(&inputs, "in", format!("{PUZZLE}\n").repeat(50_000));
    for name in ["out", "out.gz"] {
        let folder = tempfile::tempdir().unwrap();
        let out = inside(&folder, name);
        // Compressed, the output is smaller.
        let blocks = if name == "out" { 2000 } else { 4 };
        let run = shell(&folder, &format!("ulimit -f {blocks} && exec $0 solve {input} -o {out}"));
        let message = format!("rapidoku: cannot write '{out}': File too large\n");
        assert_eq!((run.code, run.stderr), (Some(2), message));
        assert_eq!(names(folder.path()), [""; 0]);
    }
}

/// Calls fcntl for a pipe.
#[allow(unsafe_code)]
fn control(pipe: &impl std::os::fd::AsRawFd, command: i32, value: i32) -> i32 {
    // SAFETY: The descriptor is open, and the call takes only integers.
    let result = unsafe { libc::fcntl(pipe.as_raw_fd(), command, value) };
    assert!(result >= 0, "{}", io::Error::last_os_error());
    result
}

#[test]
fn non_blocking_standard_input_and_output() {
    let text = format!("{PUZZLE}\n").repeat(20_000);
    let complete = format!("{SOLUTION}\n").repeat(20_000);
    for args in ["-j1", "-j3", "-j2 -o /dev/stdout"] {
        let (input, mut writer) = io::pipe().unwrap();
        let (mut reader, output) = io::pipe().unwrap();
        control(&input, libc::F_SETFL, libc::O_NONBLOCK);
        control(&output, libc::F_SETFL, libc::O_NONBLOCK);
        // Pipes are enlarged, and never shrunk.
        control(&output, libc::F_SETPIPE_SZ, 512 << 10);
        let mut command = program();
        command.arg("solve").args(words(args)).stdin(input).stdout(output).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // Closes the ends of this process.
        drop(command);
        let mut rows = String::new();
        thread::scope(|scope| {
            let (child, text) = (&child, &text);
            scope.spawn(move || {
                // The program waits for input before there is any, and after a part of it.
                wait_until_blocked(child);
                writer.write_all(&text.as_bytes()[..100_000]).unwrap();
                wait_until_blocked(child);
                assert_eq!(control(&writer, libc::F_GETPIPE_SZ, 0), 256 << 10);
                writer.write_all(&text.as_bytes()[100_000..]).unwrap();
            });
            // It waits for the output too: nothing is read until the input is blocked.
            wait_until_blocked(child);
            reader.read_to_string(&mut rows).unwrap();
            assert_eq!(control(&reader, libc::F_GETPIPE_SZ, 0), 512 << 10);
        });
        let status = child.wait().unwrap();
        let mut stderr = String::new();
        child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        assert_eq!((status.code(), &*stderr), (Some(0), ""), "{args}");
        assert!(rows == complete, "{args}: {} bytes", rows.len());
    }
}

#[test]
fn an_output_with_a_long_path() {
    // Longer than what the standard library keeps on the stack.
    let folder = tempfile::tempdir().unwrap();
    let deep = ["d"; 3].iter().fold(folder.path().to_owned(), |path, name| path.join(name.repeat(200)));
    fs::create_dir_all(&deep).unwrap();
    let out = deep.join("out");
    assert_eq!(solve([Path::new("-o"), &out], PUZZLE.as_bytes()).code, Some(0));
    assert_eq!(names(&deep), ["out"]);
}
