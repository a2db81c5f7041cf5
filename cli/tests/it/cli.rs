//! Options, exit codes, and what goes to standard error.

use crate::support::{CLASH, NO_SOLUTION, PUZZLE, SOLUTION, ask, call, commands, finish, program, solve, words};

#[test]
fn wrong_usage_is_exit_code_2() {
    let cases = [
        ("--limit 0", "--limit"),
        ("--limit x", "--limit"),
        ("-j -1", "-1"),
        ("-j 513", "at most 512 threads"),
        ("-j 100000", "at most 512 threads"),
        ("--format xml", "--format"),
        ("--engine gpu", "invalid value"),
        ("--simd sse9", "possible values: auto, avx512, avx2, portable"),
        ("--progress sometimes", "--progress"),
        ("--unheard-of", "--unheard-of"),
    ];
    for (args, names) in cases {
        let run = solve(words(args), b"");
        assert_eq!((run.code, run.stdout()), (Some(2), ""), "{args}");
        assert!(run.stderr.contains(names), "{args}: {}", run.stderr);
    }
    assert_eq!(program().output().unwrap().status.code(), Some(2), "no subcommand");
}

#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_is_an_error() {
    for arg in ["--help", "-h", "--version", "help"] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output = program().arg(arg).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arg}");
        let message = "rapidoku: cannot write '<stdout>': No space left on device\n";
        assert_eq!(String::from_utf8(output.stderr).unwrap(), message);
    }
}

#[test]
fn strict_fails_for_records_without_solution() {
    for (text, code) in [(PUZZLE, 0), (NO_SOLUTION, 1), (CLASH, 1), (&PUZZLE[..80], 1), ("# bad", 0), ("", 0)] {
        let run = |option: &str| solve(["--input-format=lines", option], text.as_bytes()).code;
        assert_eq!((run("--strict"), run("--limit=2")), (Some(code), Some(0)), "{text}");
    }
    let empty = ".".repeat(81);
    for (limit, code) in [("--limit 1", 0), ("--limit 2", 1), ("--unique", 1), ("--limit 3", 0)] {
        assert_eq!(solve(words(limit).chain(["--strict"]), empty.as_bytes()).code, Some(code), "{limit}");
    }
    assert_eq!(call("solve --strict --max-guesses 0", &empty).code, Some(1));
}

#[test]
fn quiet_hides_messages() {
    let run = call("solve -q --input-format=lines", b"bad");
    assert_eq!((run.stdout(), &*run.stderr, run.code), ("\n", "", Some(0)));
    assert_eq!(call("solve -q", CLASH).stderr, "");
    assert_eq!(call("solve --quiet --strict", CLASH).code, Some(1));
}

#[test]
fn statistics_on_request_only() {
    let text = format!("{PUZZLE}\n{NO_SOLUTION}\n");
    assert_eq!(call("solve", &text).stderr, "rapidoku: records: 2, solved 1, none 1\n");
    assert_eq!(call("solve", PUZZLE).stderr, "");
    let run = call("solve -q --stats --limit 2 -j 2", &text);
    for part in ["records  2, ", "unique 1, multiple 0, none 1, invalid 0", "puzzles/s", "threads: 2"] {
        assert!(run.stderr.contains(part), "{part} in {}", run.stderr);
    }
    assert_eq!(run.stdout(), format!("{SOLUTION}\n\n"));
}

#[test]
fn threads_from_the_environment() {
    let all = std::thread::available_parallelism().unwrap().to_string();
    for (value, args, expected) in [
        ("3", "", Some("3")),
        ("3", "-j 2", Some("2")),
        ("many", "-j 2", Some("2")),
        ("0", "", Some(&*all)),
        ("", "", Some(&all)),
        ("many", "", None),
        ("513", "", None),
    ] {
        let variable = ("RAPIDOKU_THREADS", value);
        let solve = finish(program().envs([variable]).args(words("solve --stats")).args(words(args)), b"");
        let threads = solve.stderr.split("threads: ").nth(1).and_then(|rest| rest.split_whitespace().next());
        assert_eq!((threads, solve.code), (expected, Some(if expected.is_some() { 0 } else { 2 })), "{value}");
        let bench = "bench --rounds=1 --engine=lanes -";
        let bench = finish(program().envs([variable]).args(words(bench)).args(words(args)), PUZZLE.as_bytes());
        assert_eq!(bench.code, solve.code, "{value}");
        if value == "many" && expected.is_none() {
            let message = "environment variable RAPIDOKU_THREADS='many': expected a number from 0 to 512";
            assert!([solve, bench].iter().all(|run| run.stderr == format!("rapidoku: {message}\n")));
        }
    }
}

#[test]
fn progress_without_a_terminal_only_if_always() {
    // Standard error is no terminal here.
    let run = call("solve --progress always", format!("{PUZZLE}\n"));
    assert!(run.stderr.contains("Z 1 puzzle, ") && run.stderr.ends_with("/s\n"), "{}", run.stderr);
    for when in ["auto", "never"] {
        let run = solve(["--progress", when], format!("{PUZZLE}\n").as_bytes());
        assert_eq!((run.stdout(), &*run.stderr), (&*format!("{SOLUTION}\n"), ""));
    }
}

#[test]
fn every_command_has_examples_that_it_accepts() {
    for command in commands() {
        let help = command.get_after_help().expect("there are examples").to_string();
        let examples = help.split("Examples:").nth(1).expect("there are examples");
        let calls: Vec<&str> = examples.lines().flat_map(|line| line.split("rapidoku ").skip(1)).collect();
        assert!(!calls.is_empty(), "{help}");
        for call in calls {
            let args = call.split(['>', '|', '&']).next().unwrap().replace('\'', "");
            let parsed = rapidoku_cli::command().try_get_matches_from(words("rapidoku").chain(words(&args)));
            assert!(parsed.is_ok(), "{call}: {}", parsed.unwrap_err());
        }
    }
}

#[test]
fn commands_share_options_and_exit_codes() {
    let folder = tempfile::tempdir().unwrap();
    for command in words("solve check count enumerate verify rate explain") {
        let help = ask(command, ["--help"], b"").stdout().to_owned();
        for option in words("--output --threads --format --no-mmap --progress --stats --quiet") {
            assert!(help.contains(option), "{command} {option}");
        }
        assert!(!help.contains("--batch-bytes"));

        let direct = ask(command, ["-q"], SOLUTION.as_bytes());
        let (out, stats) = (folder.path().join("out"), folder.path().join("stats"));
        let args = format!("-q -j 2 --stats={} -o {} -", stats.display(), out.display());
        assert_eq!(ask(command, words(&args), SOLUTION.as_bytes()).stderr, "", "{command}");
        let args = format!("-q -j 2 --stats -o {} -", out.display());
        let run = ask(command, words(&args), SOLUTION.as_bytes());
        assert_eq!((run.code, run.stdout()), (Some(0), ""), "{command}");
        assert!(run.stderr.starts_with("records  1"), "{command}: {}", run.stderr);
        assert!(std::fs::read(&out).unwrap() == direct.stdout, "{command}");
        let stats: serde_json::Value = serde_json::from_slice(&std::fs::read(stats).unwrap()).unwrap();
        assert_eq!((&stats["records"], &stats["threads"]), (&1.into(), &2.into()), "{command}");

        assert_eq!(ask(command, ["no/such/file"], b"").code, Some(2), "{command}");
        assert_eq!(ask(command, ["--unheard-of"], b"").code, Some(2), "{command}");
        let full = ask(command, ["-o", "/dev/full"], PUZZLE.as_bytes());
        assert!(full.code == Some(2) || cfg!(not(target_os = "linux")), "{command}");
    }
}

#[test]
fn json_lines_of_solutions() {
    let text = format!("{PUZZLE}\n{CLASH}\nbad\n");
    let run = call("solve -q --limit 2 --format jsonl", &text);
    let rows = [
        format!(r#"{{"puzzle":"{PUZZLE}","solution":"{SOLUTION}","status":"unique","solutions":1}}"#),
        format!(r#"{{"puzzle":"{CLASH}","solution":"","status":"invalid","solutions":0}}"#),
        r#"{"puzzle":"bad","solution":"","status":"invalid","solutions":0}"#.to_owned(),
    ];
    assert_eq!(run.stdout().lines().collect::<Vec<_>>(), rows);
}

/// The commands have the order of the definition, and each is below a heading.
#[test]
fn the_help_has_the_commands_in_groups() {
    let help = call("--help", b"");
    let list = help.stdout().split("Options:").next().unwrap();
    let names = |group: &'_ str| -> Vec<String> {
        let lines = group.lines().filter(|line| !line.starts_with("   "));
        lines.map(|line| words(line).next().unwrap_or("").to_owned()).collect()
    };
    let groups: Vec<_> = list.trim_end().split("\n\n").skip(2).map(names).collect();
    assert_eq!(groups.len(), 6, "{list}");
    assert_eq!(groups[0], ["Solve", "solve", "check", "count", "enumerate", "verify"], "{list}");
    assert_eq!(groups[3], ["Find", "canon", "same", "dedup", "overlap"], "{list}");
    assert_eq!(groups[5], ["Other:", "bench", "help"], "{list}");
    assert!(list.lines().all(|line| line.len() <= 80), "{list}");
}

/// Shells divide a list of words at spaces.
#[test]
fn values_can_be_completed() {
    for command in commands() {
        for value in command.get_arguments().flat_map(|arg| arg.get_possible_values()) {
            assert!(!value.get_name().contains(' '), "{}: '{}'", command.get_name(), value.get_name());
        }
    }
}
