//! Standard streams that are terminals.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::OpenOptionsExt;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::support::{NO_SOLUTION, PUZZLE, SOLUTION, call, file, program, wait, words};

/// A new terminal: the side of the user, and that of the program.
fn terminal() -> (File, File) {
    let open = |name: &str| File::options().read(true).write(true).custom_flags(libc::O_NOCTTY).open(name).unwrap();
    let user = open("/dev/ptmx");
    let mut name = [0; 64];
    // SAFETY: the descriptor is open, and the buffer has the length that is given.
    let result =
        unsafe { libc::unlockpt(user.as_raw_fd()) | libc::ptsname_r(user.as_raw_fd(), name.as_mut_ptr(), name.len()) };
    assert_eq!(result, 0);
    let name: Vec<u8> = name.iter().take_while(|byte| **byte != 0).map(|byte| *byte as u8).collect();
    let program = open(str::from_utf8(&name).unwrap());
    (user, program)
}

fn spawn(mut command: Command, stdin: File) -> Child {
    command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// All that a program shows. A terminal that nobody reads would block it.
fn shown(mut user: File) -> String {
    let (mut shown, mut chunk) = (Vec::new(), [0; 4096]);
    // Reading fails when the program, which has the other side, ends.
    while let Ok(length @ 1..) = user.read(&mut chunk) {
        shown.extend(&chunk[..length]);
    }
    String::from_utf8(shown).unwrap()
}

/// Waits for the end of a program, but not forever.
fn finish(mut child: Child) -> (Option<i32>, String, String) {
    wait(&mut child, Duration::from_secs(60)).expect("the program does not wait for more input");
    let output = child.wait_with_output().unwrap();
    let [stdout, stderr] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    (output.status.code(), stdout, stderr)
}

#[test]
fn one_end_of_file_is_enough() {
    const END: &[u8] = b"\x04";
    let hint = "rapidoku: reading puzzles from the terminal; Ctrl-D on an empty line ends them\n";
    for (args, expected) in [(&["solve"][..], hint), (&["solve", "-q"], ""), (&["solve", "-"], hint)] {
        for text in [String::new(), format!("{PUZZLE}\n"), format!("{PUZZLE}\n{PUZZLE}\n")] {
            let (mut user, stdin) = terminal();
            let mut command = program();
            command.args(args);
            let child = spawn(command, stdin);
            user.write_all(text.as_bytes()).unwrap();
            user.write_all(END).unwrap();
            let (code, stdout, stderr) = finish(child);
            let rows = format!("{SOLUTION}\n").repeat(text.lines().count());
            assert_eq!((code, stdout, &*stderr), (Some(0), rows, expected), "{args:?}");
        }
    }
}

#[test]
fn a_missing_solution_is_a_word_on_a_terminal() {
    let (user, stdout) = terminal();
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "in", format!("{PUZZLE}\n{NO_SOLUTION}\nbad\n"));
    let mut command = program();
    command.args(["solve", "-q", &path]).stdout(stdout);
    let mut child = command.spawn().unwrap();
    drop(command);
    assert_eq!(shown(user).replace('\r', ""), format!("{SOLUTION}\nnone\ninvalid\n"));
    assert!(child.wait().unwrap().success());
    assert_eq!(call(&format!("solve -q {path}"), b"").stdout(), format!("{SOLUTION}\n\n\n"));
}

#[test]
fn no_hint_without_a_terminal_or_with_an_input() {
    let (_user, stdin) = terminal();
    let mut command = program();
    command.args(["solve", PUZZLE]);
    assert_eq!(finish(spawn(command, stdin)), (Some(0), format!("{SOLUTION}\n"), String::new()));
}

#[test]
fn a_bar_counts_solutions_and_shows_no_wrong_estimate() {
    let (user, stderr) = terminal();
    // Millions of solutions, of which the reader takes some at a time.
    let mut child = program()
        .args(["enumerate", "-j1", "--limit", "3000000", &".".repeat(81), PUZZLE])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(stderr)
        .spawn()
        .unwrap();
    let shown = thread::spawn(|| shown(user));
    let mut stdout = child.stdout.take().unwrap();
    let mut chunk = vec![0; 1 << 20];
    let start = Instant::now();
    while stdout.read(&mut chunk).unwrap() > 0 {
        if start.elapsed() < Duration::from_secs(2) {
            thread::sleep(Duration::from_millis(5));
        }
    }
    assert!(child.wait().unwrap().success());
    let shown = shown.join().unwrap();
    assert!(shown.contains(" solutions, ") && !shown.contains(", 0 solutions"), "{shown:?}");
    assert!(!shown.contains("year"), "{shown:?}");
}

#[test]
fn explanations_are_coloured_unless_no_color_is_set() {
    for (no_color, args, is_coloured) in
        [(None, "", true), (Some(""), "", true), (Some("1"), "", false), (None, "--format json", false)]
    {
        let (user, stdout) = terminal();
        let mut command = program();
        command.arg("explain").args(words(args)).arg(PUZZLE).env_remove("NO_COLOR").stdout(stdout);
        let mut child = command.envs(no_color.map(|value| ("NO_COLOR", value))).spawn().unwrap();
        // Closes the side of this process.
        drop(command);
        let shown = shown(user);
        assert!(child.wait().unwrap().success() && shown.len() > 1000, "{shown}");
        assert_eq!(shown.contains("\x1b["), is_coloured, "{no_color:?} {args}");
    }
}
