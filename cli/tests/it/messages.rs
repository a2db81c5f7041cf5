//! Inputs without puzzles, the format of an output by its extension, and messages.

use std::fs;

use crate::samples::{SAMPLE, head};
use crate::support::{
    CLASH, NO_SOLUTION, PUZZLE, Run, SOLUTION, call, file, finish, inside, names, program, root, rows, shell, solve,
    without_commands, words,
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
    let run = finish(program().args(["check", PUZZLE]).current_dir(&folder), b"");
    assert_eq!(run.stdout(), "none\n");
    rejected(&call("solve 53..7", b""), "cannot open '53..7'");
}

#[test]
fn a_grid_may_be_nine_arguments_or_have_spaces_or_line_breaks() {
    let rows: Vec<&str> = (0..9).map(|row| &PUZZLE[9 * row..][..9]).collect();
    for arguments in [rows.clone(), vec![&*rows.join(" ")], vec![&*rows.join("\n")]] {
        let run = finish(program().arg("solve").args(&arguments), b"");
        assert_eq!((run.stdout(), &*run.stderr), (&*format!("{SOLUTION}\n"), ""));
        let tip = format!("rapidoku solve {}{}", if arguments.len() == 1 { "'" } else { "" }, rows.join(" "));
        finish(program().args(&arguments), b"").fails_with(&tip);
    }
    let typo = PUZZLE.replacen('3', "E", 1);
    call(&format!("solve {typo}"), b"").fails_with("bad character 'E' in column 2, and no such file");
}

#[test]
fn no_output_replaces_an_input_or_mixes_with_another() {
    let folder = tempfile::tempdir().unwrap();
    let input = file(&folder, "in", format!("{PUZZLE}\n{CLASH}\n"));
    let out = inside(&folder, "out");
    for option in ["--output", "--errors", "--stats"] {
        let run = call(&format!("solve {option}={input} {input}"), b"");
        rejected(&run, "is an input and an output; write to another file");
    }
    if cfg!(unix) {
        let run = shell(&folder, "$0 solve -o in < in");
        rejected(&run, "rapidoku: '<stdin>' is an input and an output; write to another file\n");
        let run = shell(&folder, "$0 solve in >> in");
        rejected(&run, "rapidoku: 'in' is an input and standard output\n");
    }
    assert_eq!(fs::read_to_string(&input).unwrap(), format!("{PUZZLE}\n{CLASH}\n"));

    // `-` is standard output, for one of them.
    for args in ["--errors -", "--stats=-", "-o - --errors -", "-o out --errors - --stats=-"] {
        let run = call(&format!("solve {args} {input}"), b"");
        rejected(&run, "would both write to standard output");
    }
    let run = solve(["-q", "-o", &out, "--errors", "-", &input], b"");
    assert!(run.stdout().starts_with("{\"input\":") && run.code == Some(0), "{}", run.stderr);
    let run = solve(["-q", "-o", &out, "--stats=-", &input], b"");
    assert_eq!(run.json()["records"], 2);
    assert_eq!(names(folder.path()), ["in", "out"]);
}

#[test]
fn inputs_from_a_list() {
    let folder = tempfile::tempdir().unwrap();
    let [a, b] = ["a", "b b"].map(|name| file(&folder, name, format!("{PUZZLE}\n")));
    for text in [format!("{a}\n\n{b}\n"), format!("{a}\0{b}\0")] {
        let list = file(&folder, "list", &text);
        assert_eq!(solve(["--files-from", &list], NO_SOLUTION.as_bytes()).stdout().lines().count(), 2);
        assert_eq!(call("solve --files-from -", &text).stdout(), format!("{SOLUTION}\n{SOLUTION}\n"));
        let run = solve([&a, "--files-from", &list], b"");
        assert_eq!(run.stdout(), format!("{SOLUTION}\n").repeat(3));
    }
    let empty = file(&folder, "empty", "");
    let run = solve(["--files-from", &empty], PUZZLE.as_bytes());
    assert_eq!((run.code, run.stdout()), (Some(0), ""));
    rejected(&call("solve --files-from /no/list", b""), "cannot open '/no/list'");
}

#[test]
fn solutions_are_summarised() {
    let wrong = SOLUTION.replace('9', "8");
    let empty = ".".repeat(81);
    let text = format!("{PUZZLE},{SOLUTION}\n{PUZZLE},{wrong}\n{empty},{SOLUTION}\n");
    let run = call("verify --stats", &text);
    let cells = "cells correct 234 of 243 (96.30 %)\n";
    assert!(run.stderr.contains(&format!("result   correct 2, wrong 1, {cells}")), "{}", run.stderr);
    let last = format!("rapidoku: solutions verified: 3, correct 2, wrong 1, {cells}");
    assert!(run.stderr.ends_with(&last), "{}", run.stderr);
    assert!(!run.stderr.contains("invalid") && !run.stderr.contains("engine"), "{}", run.stderr);
    let run = call("verify --stats --unique", &text);
    assert!(run.stderr.contains(&format!("correct 1, wrong 1, not unique 1, {cells}")), "{}", run.stderr);
    assert!(run.stderr.contains("engine"), "{}", run.stderr);
    assert_eq!(call("verify -q", &text).stderr, "");
    let folder = tempfile::tempdir().unwrap();
    let (out, input) = (inside(&folder, "out"), file(&folder, "in", &text));
    let stats = call(&format!("verify -q -o {out} --stats=- {input}"), b"").json();
    assert_eq!((&stats["verified"]["correct"], &stats["verified"]["wrong"]), (&2.into(), &1.into()));
    assert!(stats.get("counts").is_none() && stats.get("engine").is_none(), "{stats}");
}

#[test]
fn statuses_of_a_search_for_one_solution_are_explained() {
    let run = call("solve --stats", PUZZLE);
    assert!(run.stderr.contains("there may be others (--limit 2 checks that)"), "{}", run.stderr);
    let run = call("solve --stats --unique --format csv", PUZZLE);
    assert!(run.stdout().contains(",unique,1\n") && !run.stderr.contains("there may be"), "{}", run.stderr);
    assert_eq!(call("solve --unique --limit 3", b"").code, Some(2));
}

#[test]
fn work_while_rows_are_written_counts_as_solving() {
    let seconds = |command: &str, text: &str| {
        // Writing takes next to no time where nothing is stored.
        let stats = call(&format!("{command} -q -j1 -o /dev/null --stats=-"), text).json();
        ["solving_seconds", "writing_seconds"].map(|name| stats[name].as_f64().unwrap())
    };
    let some = head(1000);
    for command in ["rate", "enumerate", "explain"] {
        // Another process may interrupt a write.
        let runs: Vec<_> = (0..5).map(|_| seconds(command, &some)).collect();
        assert!(runs.iter().any(|[solving, writing]| *solving > 3.0 * writing), "{command}: {runs:?}");
    }
    // All rows are written at the end.
    let [_, writing] = seconds("shuffle", SAMPLE);
    assert!(writing > 0.0, "{writing}");
}

#[test]
fn a_puzzle_is_not_a_header() {
    let (p, s) = (PUZZLE.replace('.', "x"), SOLUTION);
    let damaged = format!("x{}", &p[2..]);
    let text = format!("{damaged},a\n{p},b\n{p},c\n");
    let run = call("solve --format csv --columns record,status", &text);
    assert_eq!(run.stdout(), "record,status\n1,invalid\n2,solved\n3,solved\n", "{}", run.stderr);
    let run = call("solve --column quiz", format!("{p},{s}\n{p},{s}\n"));
    rejected(&run, "the first line is no header");
}

#[test]
fn the_help_names_documents_that_exist() {
    let help = call("--help", b"");
    let documents: Vec<&str> = words(help.stdout()).filter(|word| word.starts_with("docs/")).collect();
    assert!(documents.len() > 7, "{documents:?}");
    for document in documents {
        assert!(root().join(document.trim_end_matches([';', ','])).exists(), "{document}");
    }
}

#[test]
fn arguments_that_are_nearly_puzzles_are_explained() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "in.txt", PUZZLE);
    for (args, message) in [
        (&["solve", &PUZZLE[..80]][..], "': too short: 80 cells instead of 81, and no such file\n"),
        (&["solve", &format!("{}k", &PUZZLE[..80])], "': bad character 'k' in column 81, and no such file\n"),
        (&["solve", "53..7....", "6..195..."], "'53..7....': too short: 9 cells instead of 81, and no such file\n"),
        (&["solve", "--nothing"], "unexpected argument '--nothing' found\n\nUsage"),
        (&["sample", &path, "10"], "the number comes first: rapidoku sample 10 FILE"),
        (&[&path], "tip: a command comes first: rapidoku solve "),
        (&[PUZZLE], &format!("tip: a command comes first: rapidoku solve {PUZZLE}")),
        (&[&format!("{PUZZLE}\n{PUZZLE}")], &format!("rapidoku solve {PUZZLE} {PUZZLE}\n")),
        (&["no-command"], "unrecognized subcommand 'no-command'\n\nUsage"),
    ] {
        finish(program().args(args), b"").fails_with(message);
    }
}
