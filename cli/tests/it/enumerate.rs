//! The command `enumerate`.

use std::collections::HashSet;
use std::io::Read;
use std::process::Stdio;

use rapidoku::verify::check;
use rapidoku::{Puzzle, Solution};

use crate::samples::puzzles;
use crate::support::{
    CLASH, NO_SOLUTION, PUZZLE, SOLUTION, ask, file, private_memory, program, wait_until_blocked, words,
};

/// Rows as record and solution.
fn rows(text: &str) -> Vec<(usize, Solution)> {
    let row = |line: &str| {
        let (solution, record) = line.split_once(' ').unwrap();
        (record.parse().unwrap(), solution.parse().unwrap())
    };
    text.lines().map(row).collect()
}

/// Whether the rows are exactly `counts[k]` different solutions of each puzzle, in the order of the records.
fn assert_complete(rows: &[(usize, Solution)], puzzles: &[Puzzle], counts: &[usize]) {
    assert!(rows.is_sorted_by_key(|row| row.0));
    let mut seen = vec![HashSet::new(); puzzles.len()];
    for (record, solution) in rows {
        check(&puzzles[record - 1], solution).unwrap();
        assert!(seen[record - 1].insert(*solution), "record {record}: twice {solution}");
    }
    let found: Vec<_> = seen.iter().map(HashSet::len).collect();
    assert!(found == counts);
}

#[test]
fn each_record_has_as_many_rows_as_solutions() {
    let text = include_str!("../../../datasets/sample_10k.txt");
    let count = ask("count", [""; 0], text.as_bytes());
    let counts: Vec<usize> = count.stdout().lines().map(|line| line.parse().unwrap()).collect();
    let run = ask("enumerate", words("-j 1"), text.as_bytes());
    assert_complete(&rows(run.stdout()), &puzzles(text), &counts);
    for args in ["-j 4 --batch-bytes 1000", "-j 3"] {
        assert!(ask("enumerate", words(args), text.as_bytes()).stdout == run.stdout, "{args}");
    }
    let again = ask("verify", [""; 0], &run.stdout);
    assert_eq!((again.code, again.stdout()), (Some(0), ""));
}

#[test]
fn formats_limits_and_records_without_solution() {
    let text = format!("{CLASH}\n{PUZZLE}\nbad\n{}\n{NO_SOLUTION}\n{PUZZLE}", ".".repeat(81));
    let run = ask("enumerate", words("-q --limit 2 --format csv"), text.as_bytes());
    let lines: Vec<_> = run.stdout().lines().collect();
    assert_eq!((lines.len(), run.code), (5, Some(0)));
    assert_eq!(lines[..2], ["record,solution", &format!("2,{SOLUTION}")]);
    assert!(lines[2].starts_with("4,") && lines[3].starts_with("4,") && lines[2] != lines[3]);
    assert_eq!(lines[4], format!("6,{SOLUTION}"));
    let run = ask("enumerate", words("-q --limit 1 --format jsonl"), text.as_bytes());
    let first = run.stdout().lines().next().unwrap();
    assert_eq!(first, format!(r#"{{"record":2,"solution":"{SOLUTION}"}}"#));
}

/// Records that fit into the first search, and others that are divided: the same bytes for every number of threads, level and
/// batch size, and the first rows with a limit.
#[test]
fn rows_do_not_depend_on_threads_batches_and_level() {
    let few = format!("{}{}", &".".repeat(41), &SOLUTION[41..]);
    let text = format!("{few}\n{}\n{PUZZLE}\n{NO_SOLUTION}\n{few}\n", ".".repeat(81));
    let run = |args: &str| ask("enumerate", words(args), text.as_bytes());
    let expected = run("-q -j 1 --limit 20000");
    let all = rows(expected.stdout());
    let record = |number| all.iter().filter(move |row| row.0 == number);
    assert_complete(&all, &puzzles(&text), &[8904, 20_000, 1, 0, 8904]);
    assert!(record(1).map(|row| row.1).eq(record(5).map(|row| row.1)));
    for args in ["-j 1 --simd portable", "-j 2 --batch-bytes 1000", "-j 7", "-j 2"] {
        assert!(run(&format!("-q --limit 20000 {args}")).stdout == expected.stdout, "{args}");
    }
    let limited: Vec<_> =
        [record(1).take(3000), record(2).take(3000)].into_iter().flatten().copied().collect();
    assert_eq!(rows(run("-q --limit 3000").stdout())[..6000], limited);
}

#[test]
fn numbers_in_the_statistics() {
    let text = format!("{}\n{PUZZLE}\n{NO_SOLUTION}\n{}\n", ".".repeat(81), &".".repeat(80));
    let run = ask("enumerate", words("-q -o /dev/null --limit 30000 --stats=-"), text.as_bytes());
    let stats: serde_json::Value = serde_json::from_str(run.stdout()).unwrap();
    assert_eq!(stats["solutions"], 30_001);
    let capped = ask("enumerate", words("-q --max-guesses 5000 --stats=-  -o /dev/null"), text.as_bytes());
    let stats: serde_json::Value = serde_json::from_str(capped.stdout()).unwrap();
    assert_eq!((&stats["counts"]["gave_up"], &stats["counts"]["unique"]), (&1.into(), &1.into()));
}

#[test]
fn memory_does_not_depend_on_the_number_of_solutions() {
    // The empty grid before, among and after others: nobody takes what it has to give.
    let text = format!("{PUZZLE}\n").repeat(3) + &format!("{}\n", ".".repeat(81)).repeat(2000);
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "in", text);
    let mut child = program()
        .args(["enumerate", "-j", "4", "--batch-bytes", "1000", &path])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut pipe = child.stdout.take().unwrap();
    let mut taken = vec![0; 20 << 20];
    pipe.read_exact(&mut taken).unwrap();
    let held = if wait_until_blocked(&child) { private_memory(&child) } else { None };
    drop(pipe);
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()));
    assert!(taken.starts_with(format!("{SOLUTION} 1\n").as_bytes()));
    assert!(taken.windows(3).rev().take(200).any(|end| end == b" 4\n"));
    let Some(held) = held else { return println!("skipped: no /proc") };
    assert!(held < 40_000, "{held} KiB");
}
