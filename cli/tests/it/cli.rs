//! Options, exit codes, and what goes to standard error.

use std::process::Stdio;

use crate::support::{CLASH, NO_SOLUTION, PUZZLE, SOLUTION, ask, program, solve, words};

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

#[test]
fn an_empty_thread_variable_counts_as_unset() {
    for (value, code) in [("", 0), ("1", 0), ("x", 2), ("513", 2)] {
        for args in [&["solve"][..], &["bench", "--rounds=1", "--engine=lanes"]] {
            let mut command = program();
            command.args(args).env("RAPIDOKU_THREADS", value).stdin(Stdio::null());
            assert_eq!(command.output().unwrap().status.code(), Some(code), "{args:?} '{value}'");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_is_an_error() {
    for arg in ["--help", "-h", "--version", "help"] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output = program().arg(arg).stdout(full).stderr(Stdio::piped()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arg}");
        let message = "rapidoku: cannot write '<stdout>': No space left on device\n";
        assert_eq!(String::from_utf8(output.stderr).unwrap(), message);
    }
}

#[test]
fn strict_fails_for_records_without_solution() {
    for (text, code) in [(PUZZLE, 0), (NO_SOLUTION, 1), (CLASH, 1), (&PUZZLE[..80], 1), ("# bad", 0), ("", 0)]
    {
        let run = |option: &str| solve(["--input-format=lines", option], text.as_bytes()).code;
        assert_eq!((run("--strict"), run("--limit=2")), (Some(code), Some(0)), "{text}");
    }
    let empty = ".".repeat(81);
    for (limit, code) in [("--limit 1", 0), ("--limit 2", 1), ("--unique", 1), ("--limit 3", 0)] {
        assert_eq!(solve(words(limit).chain(["--strict"]), empty.as_bytes()).code, Some(code), "{limit}");
    }
    assert_eq!(solve(words("--strict --max-guesses 0"), empty.as_bytes()).code, Some(1));
}

#[test]
fn quiet_hides_messages() {
    let run = solve(["-q", "--input-format=lines"], b"bad");
    assert_eq!((run.stdout(), &*run.stderr, run.code), ("\n", "", Some(0)));
    assert_eq!(solve(["-q"], CLASH.as_bytes()).stderr, "");
    assert_eq!(solve(["--quiet", "--strict"], CLASH.as_bytes()).code, Some(1));
}

#[test]
fn statistics_on_request_only() {
    let text = format!("{PUZZLE}\n{NO_SOLUTION}\n");
    assert_eq!(solve([""; 0], text.as_bytes()).stderr, "rapidoku: records: 2, solved 1, none 1\n");
    assert_eq!(solve([""; 0], PUZZLE.as_bytes()).stderr, "");
    let run = solve(words("-q --stats --limit 2 -j 2"), text.as_bytes());
    for part in ["records  2, ", "unique 1, multiple 0, none 1, invalid 0", "puzzles/s", "threads: 2"] {
        assert!(run.stderr.contains(part), "{part} in {}", run.stderr);
    }
    assert_eq!(run.stdout(), format!("{SOLUTION}\n\n"));
}

#[test]
fn threads_from_the_environment() {
    let threads = |variable: &str, args: &str| {
        let mut command = program();
        command.env("RAPIDOKU_THREADS", variable).args(words("solve --stats")).args(words(args));
        let output = command.output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        let threads = stderr.split("threads: ").nth(1).map(|rest| rest.split_whitespace().next().unwrap());
        (output.status.code(), threads.map(str::to_owned))
    };
    let all = std::thread::available_parallelism().unwrap().to_string();
    assert_eq!(threads("3", ""), (Some(0), Some("3".to_owned())));
    assert_eq!(threads("3", "-j 2"), (Some(0), Some("2".to_owned())));
    assert_eq!(threads("0", ""), (Some(0), Some(all)));
    assert_eq!(threads("many", ""), (Some(2), None));
}

#[test]
fn a_device_is_an_output() {
    let null = if cfg!(windows) { "NUL" } else { "/dev/null" };
    let run = solve(["-o", null], format!("{PUZZLE}\n").as_bytes());
    assert_eq!((run.code, run.stdout(), &*run.stderr), (Some(0), "", ""));
}

#[test]
fn progress_without_a_terminal_only_if_always() {
    // Standard error is no terminal here.
    let run = solve(["--progress", "always"], format!("{PUZZLE}\n").as_bytes());
    assert!(run.stderr.starts_with("rapidoku: 1 puzzle, ") && run.stderr.ends_with("/s\n"), "{}", run.stderr);
    for when in ["auto", "never"] {
        let run = solve(["--progress", when], format!("{PUZZLE}\n").as_bytes());
        assert_eq!((run.stdout(), &*run.stderr), (&*format!("{SOLUTION}\n"), ""));
    }
}

#[test]
fn every_command_has_examples_that_it_accepts() {
    let help = program().arg("--help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let commands = help.lines().take_while(|line| *line != "Options:");
    // Not the lines that go on from the one before.
    let is_start = |line: &&str| line.starts_with("  ") && !line.starts_with("   ");
    let commands: Vec<_> =
        commands.filter(is_start).filter_map(|line| line.split_whitespace().next()).collect();
    assert!(commands.contains(&"solve") && commands.contains(&"bench"), "{help}");
    for command in commands.into_iter().filter(|name| *name != "help") {
        let help = program().args([command, "--help"]).output().unwrap();
        let help = String::from_utf8(help.stdout).unwrap();
        let (about, examples) = help.split_once("Examples:").unwrap_or_else(|| panic!("{command}: {help}"));
        assert!(!about.starts_with("How the inputs"), "{about}");
        // Parsing an example to its end means that the file in it is missed, or that it is done.
        let example = examples.lines().find(|line| line.contains("rapidoku")).unwrap();
        let args = example.split("rapidoku ").nth(1).unwrap().split(['>', '|', '&']).next().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let mut run = program();
        run.args(args.split_whitespace()).current_dir(folder.path()).stdin(std::process::Stdio::null());
        let stderr = String::from_utf8(run.output().unwrap().stderr).unwrap();
        assert!(stderr.is_empty() || stderr.contains("cannot "), "{example}: {stderr}");
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
    let run = solve(words("-q --limit 2 --format jsonl"), text.as_bytes());
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
    let help = program().arg("--help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let list = help.split("Options:").next().unwrap();
    let groups: Vec<Vec<&str>> = list
        .trim_end()
        .split("\n\n")
        .skip(2)
        .map(|group| {
            group
                .lines()
                .filter(|line| !line.starts_with("   "))
                .map(|line| line.split_whitespace().next().unwrap_or(""))
                .collect()
        })
        .collect();
    assert_eq!(groups.len(), 6, "{list}");
    assert_eq!(groups[0], ["Solve", "solve", "check", "count", "enumerate", "verify"], "{list}");
    assert_eq!(groups[3], ["Find", "canon", "dedup", "overlap"], "{list}");
    assert_eq!(groups[5], ["Other:", "bench", "help"], "{list}");
    assert!(list.lines().all(|line| line.len() <= 80), "{list}");
}
