//! Inputs without puzzles, the format of an output by its extension, and messages.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::{
    CLASH, NO_SOLUTION, PUZZLE, Run, SOLUTION, ask, file, names, program, rows, solve, without_commands,
    words,
};

fn rejected(run: &Run, message: &str) {
    assert_eq!((run.code, run.stdout()), (Some(2), ""), "{}", run.stderr);
    assert!(run.stderr.contains(message), "'{message}' in {}", run.stderr);
    assert_eq!(without_commands(&run.stderr).lines().count(), 1, "{}", run.stderr);
}

#[test]
fn an_argument_may_be_a_puzzle() {
    let run = solve([PUZZLE, &PUZZLE.replace('.', "0")], b"");
    assert_eq!((run.code, run.stdout(), &*run.stderr), (Some(0), &*format!("{SOLUTION}\n{SOLUTION}\n"), ""));
    let grid: Vec<_> = rows(PUZZLE).collect();
    assert_eq!(solve([grid.join("\n")], b"").stdout(), format!("{SOLUTION}\n"));
    // A file of that name is a file.
    let folder = tempfile::tempdir().unwrap();
    file(&folder, PUZZLE, NO_SOLUTION);
    let output = program().args(["check", PUZZLE]).current_dir(folder.path()).output().unwrap();
    assert_eq!(output.stdout, b"none\n");
    rejected(&solve(["53..7"], b""), "cannot open '53..7'");
}

#[test]
fn no_output_replaces_an_input_or_mixes_with_another() {
    let folder = tempfile::tempdir().unwrap();
    let input = file(&folder, "in", format!("{PUZZLE}\n{CLASH}\n"));
    let out = folder.path().join("out").into_os_string().into_string().unwrap();
    for option in ["--output", "--errors", "--stats"] {
        rejected(
            &solve([&*format!("{option}={input}"), &input], b""),
            "is an input and an output; --force replaces it",
        );
    }
    let redirected = |script: &str| {
        let script = format!("exec \"$0\" {script}");
        let output = Command::new("sh")
            .args(["-c", &script, env!("CARGO_BIN_EXE_rapidoku")])
            .current_dir(folder.path())
            .output()
            .unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    if cfg!(unix) {
        let refused = "rapidoku: '<stdin>' is an input and an output; --force replaces it\n";
        assert_eq!(redirected("solve -o in < in"), (Some(2), refused.to_owned()));
        let refused = "rapidoku: 'in' is an input and standard output\n";
        assert_eq!(redirected("solve in >> in"), (Some(2), refused.to_owned()));
    }
    assert_eq!(fs::read_to_string(&input).unwrap(), format!("{PUZZLE}\n{CLASH}\n"));

    // `-` is standard output, for one of them.
    for args in ["--errors -", "--stats=-", "-o - --errors -", "-o out --errors - --stats=-"] {
        let run = solve(words(&format!("{args} {input}")), b"");
        rejected(&run, "would both write to standard output");
    }
    let run = solve(["-q", "-o", &out, "--errors", "-", &input], b"");
    assert!(run.stdout().starts_with("{\"input\":") && run.code == Some(0), "{}", run.stderr);
    let run = solve(["-q", "-o", &out, "--stats=-", &input], b"");
    let stats: serde_json::Value = serde_json::from_str(run.stdout()).unwrap();
    assert_eq!(stats["records"], 2);
    assert_eq!(names(folder.path()), ["in", "out"]);
}

#[test]
fn statuses_are_listed_or_excluded() {
    let text = format!("{PUZZLE}\n{}\n{NO_SOLUTION}\n{CLASH}\n", ".".repeat(81));
    let kept = |args: &str| {
        let run = ask("check", words(&format!("-q {args}")), text.as_bytes());
        assert_eq!(run.code, Some(i32::from(run.stdout.is_empty())), "{}", run.stderr);
        let lines: Vec<_> = text.lines().collect();
        run.stdout()
            .lines()
            .map(|line| lines.iter().position(|other| *other == line).unwrap())
            .collect::<Vec<_>>()
    };
    assert_eq!(kept("--only none,invalid"), [2, 3]);
    assert_eq!(kept("--only none --only unique"), [0, 2]);
    for args in ["--only none --format sdk", "--only solved"] {
        assert_eq!(ask("check", words(args), b"").code, Some(2), "{args}");
    }
}

#[test]
fn inputs_from_a_list() {
    let folder = tempfile::tempdir().unwrap();
    let [a, b] = ["a", "b b"].map(|name| file(&folder, name, format!("{PUZZLE}\n")));
    for text in [format!("{a}\n\n{b}\n"), format!("{a}\0{b}\0")] {
        let list = file(&folder, "list", &text);
        assert_eq!(solve(["--files-from", &list], NO_SOLUTION.as_bytes()).stdout().lines().count(), 2);
        assert_eq!(
            solve(["--files-from", "-"], text.as_bytes()).stdout(),
            format!("{SOLUTION}\n{SOLUTION}\n")
        );
        let run = solve([&a, "--files-from", &list], b"");
        assert_eq!(run.stdout(), format!("{SOLUTION}\n").repeat(3));
    }
    let empty = file(&folder, "empty", "");
    let run = solve(["--files-from", &empty], PUZZLE.as_bytes());
    assert_eq!((run.code, run.stdout()), (Some(0), ""));
    rejected(&solve(["--files-from", "/no/list"], b""), "cannot open '/no/list'");
}

#[test]
fn solutions_are_summarised() {
    let wrong = SOLUTION.replace('9', "8");
    let empty = ".".repeat(81);
    let text = format!("{PUZZLE},{SOLUTION}\n{PUZZLE},{wrong}\n{empty},{SOLUTION}\n");
    let run = ask("verify", ["--stats"], text.as_bytes());
    assert!(run.stderr.contains("result   correct 2, wrong 1\n"), "{}", run.stderr);
    assert!(run.stderr.ends_with("rapidoku: solutions verified: 3, correct 2, wrong 1\n"), "{}", run.stderr);
    assert!(!run.stderr.contains("invalid") && !run.stderr.contains("engine"), "{}", run.stderr);
    let run = ask("verify", ["--stats", "--unique"], text.as_bytes());
    assert!(run.stderr.contains("correct 1, wrong 1, not unique 1\n"), "{}", run.stderr);
    assert!(run.stderr.contains("engine"), "{}", run.stderr);
    assert_eq!(ask("verify", ["-q"], text.as_bytes()).stderr, "");
    let folder = tempfile::tempdir().unwrap();
    let (out, input) = (folder.path().join("out"), file(&folder, "in", &text));
    let run = ask("verify", ["-q", "-o", out.to_str().unwrap(), "--stats=-", &input], b"");
    let stats: serde_json::Value = serde_json::from_str(run.stdout()).unwrap();
    assert_eq!((&stats["verified"]["correct"], &stats["verified"]["wrong"]), (&2.into(), &1.into()));
    assert!(stats.get("counts").is_none() && stats.get("engine").is_none(), "{stats}");
}

#[test]
fn statuses_of_a_search_for_one_solution_are_explained() {
    let run = solve(["--stats"], PUZZLE.as_bytes());
    assert!(run.stderr.contains("there may be others (--limit 2 checks that)"), "{}", run.stderr);
    let run = solve(words("--stats --unique --format csv"), PUZZLE.as_bytes());
    assert!(run.stdout().contains(",unique,1\n") && !run.stderr.contains("there may be"), "{}", run.stderr);
    assert_eq!(solve(words("--unique --limit 3"), b"").code, Some(2));
}

#[test]
fn work_while_rows_are_written_counts_as_solving() {
    let seconds = |command: &str, text: &str| {
        // Writing takes next to no time where nothing is stored.
        let run = ask(command, words("-q -j1 -o /dev/null --stats=-"), text.as_bytes());
        let stats: serde_json::Value = serde_json::from_str(run.stdout()).unwrap();
        ["solving_seconds", "writing_seconds"].map(|name| stats[name].as_f64().unwrap())
    };
    let sample = include_str!("../../../datasets/sample_10k.txt");
    let some: String = sample.split_inclusive('\n').take(1000).collect();
    for command in ["rate", "enumerate", "explain"] {
        // Another process may interrupt a write.
        let runs: Vec<_> = (0..5).map(|_| seconds(command, &some)).collect();
        assert!(runs.iter().any(|[solving, writing]| *solving > 3.0 * writing), "{command}: {runs:?}");
    }
    // All rows are written at the end.
    let [_, writing] = seconds("shuffle", sample);
    assert!(writing > 0.0, "{writing}");
}

#[test]
fn an_error_names_the_environment_variable() {
    for command in ["solve", "bench"] {
        let output =
            program().arg(command).env("RAPIDOKU_THREADS", "abc").stdin(Stdio::null()).output().unwrap();
        let message =
            "rapidoku: environment variable RAPIDOKU_THREADS='abc': expected a number from 0 to 512\n";
        assert_eq!((output.status.code(), &*String::from_utf8_lossy(&output.stderr)), (Some(2), message));
    }
    let output = program().args(["solve", "-j1", PUZZLE]).env("RAPIDOKU_THREADS", "abc").output().unwrap();
    assert_eq!(output.status.code(), Some(0), "the option comes first");
}

#[test]
fn a_puzzle_is_not_a_header() {
    let (p, s) = (PUZZLE.replace('.', "x"), SOLUTION);
    let damaged = format!("x{}", &p[2..]);
    let text = format!("{damaged},a\n{p},b\n{p},c\n");
    let run = solve(words("--format csv --columns record,status"), text.as_bytes());
    assert_eq!(run.stdout(), "record,status\n1,invalid\n2,solved\n3,solved\n", "{}", run.stderr);
    let run = solve(["--column", "quiz"], format!("{p},{s}\n{p},{s}\n").as_bytes());
    rejected(&run, "the first line is no header");
}

#[test]
fn the_help_names_documents_that_exist() {
    let help = String::from_utf8(program().arg("--help").output().unwrap().stdout).unwrap();
    let documents: Vec<&str> = help.split_whitespace().filter(|word| word.starts_with("docs/")).collect();
    assert!(documents.len() > 7, "{help}");
    for document in documents {
        let document = document.trim_end_matches([';', ',']);
        assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(document).exists(), "{document}");
    }
}

#[test]
fn arguments_that_are_nearly_puzzles_are_explained() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "in.txt", PUZZLE);
    let ask_program = |args: &[&str]| {
        let output = program().args(args).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let grid = crate::support::grid(PUZZLE);
    for (args, message) in [
        (&["solve", &PUZZLE[..80]][..], "': too short: 80 cells instead of 81, and no such file\n"),
        (
            &["solve", &(PUZZLE[..80].to_owned() + "k")],
            "': bad character 'k' in column 81, and no such file\n",
        ),
        (
            &["solve", "53..7....", "6..195..."],
            "'53..7....': too short: 9 cells instead of 81, and no such file\n",
        ),
        (&["solve", "--nothing"], "unexpected argument '--nothing' found\n\nUsage"),
        (&["sample", &path, "10"], "the number comes first: rapidoku sample 10 FILE"),
        (&[&path], "tip: a command comes first: rapidoku solve "),
        (&[PUZZLE], &format!("tip: a command comes first: rapidoku solve {PUZZLE}")),
        (&["no-command"], "unrecognized subcommand 'no-command'\n\nUsage"),
    ] {
        let (code, stderr) = ask_program(args);
        assert!(code == Some(2) && stderr.contains(message), "{args:?}: {stderr}");
    }
    assert_eq!(
        ask("solve", ["--format", "text", &grid], b"").stdout(),
        format!("{}\n", crate::support::SOLUTION)
    );
}
