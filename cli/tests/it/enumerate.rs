//! The command `enumerate`.

use std::io::Read;
use std::ops::ControlFlow;

use rapidoku::{CancelToken, Outcomes, Solver};

use crate::samples::{SAMPLE, puzzles, up_to};
use crate::support::{
    CLASH, NO_SOLUTION, PUZZLE, SOLUTION, call, file, private_memory, program, start, wait_until_blocked, words,
};

/// The rows of some puzzles, by the library.
fn rows(text: &str, limit: u64) -> String {
    let (mut rows, mut outcomes) = (String::new(), Outcomes::new());
    let each = |k: usize, row: &[u8; 82]| {
        rows += &format!("{} {}\n", str::from_utf8(&row[..81]).unwrap(), k + 1);
        ControlFlow::Continue(())
    };
    let solver = Solver::new().limits(up_to(limit));
    let end = solver.enumerate(&puzzles(text), &mut outcomes, &CancelToken::new(), each);
    assert_eq!(end, Ok(ControlFlow::Continue(())));
    rows
}

/// Records that fit into the first search, and others that are divided.
#[test]
fn rows_are_those_of_the_library() {
    let few = format!("{}{}", &".".repeat(41), &SOLUTION[41..]);
    let text = format!("{few}\n{}\n{PUZZLE}\n{NO_SOLUTION}\n{few}\n", ".".repeat(81));
    for (text, limit) in [(SAMPLE, 1_000_000), (&text, 20_000), (&text, 3000)] {
        let expected = rows(text, limit);
        for args in ["-j 1 --simd portable", "-j 2 --batch-bytes 1000", "-j 7"] {
            let run = call(&format!("enumerate -q --limit {limit} {args}"), text);
            assert!(run.stdout() == expected, "{args}");
        }
        let again = call("verify", &expected);
        assert_eq!((again.code, again.stdout()), (Some(0), ""));
    }
}

#[test]
fn formats_limits_and_records_without_solution() {
    let text = format!("{CLASH}\n{PUZZLE}\nbad\n{}\n{NO_SOLUTION}\n{PUZZLE}", ".".repeat(81));
    let run = call("enumerate -q --limit 2 --format csv", &text);
    let lines: Vec<_> = run.stdout().lines().collect();
    assert_eq!((lines.len(), run.code), (5, Some(0)));
    assert_eq!(lines[..2], ["record,solution", &format!("2,{SOLUTION}")]);
    assert!(lines[2].starts_with("4,") && lines[3].starts_with("4,") && lines[2] != lines[3]);
    assert_eq!(lines[4], format!("6,{SOLUTION}"));
    let run = call("enumerate -q --limit 1 --format jsonl", &text);
    let first = run.stdout().lines().next().unwrap();
    assert_eq!(first, format!(r#"{{"record":2,"solution":"{SOLUTION}"}}"#));
}

#[test]
fn numbers_in_the_statistics() {
    let text = format!("{}\n{PUZZLE}\n{NO_SOLUTION}\n{}\n", ".".repeat(81), &".".repeat(80));
    let run = call("enumerate -q -o /dev/null --limit 30000 --stats=-", &text);
    assert_eq!(run.json()["solutions"], 30_001);
    let capped = call("enumerate -q --max-guesses 5000 --stats=- -o /dev/null", &text);
    let counts = &capped.json()["counts"];
    assert_eq!((&counts["gave_up"], &counts["unique"]), (&1.into(), &1.into()));
}

#[test]
fn memory_does_not_depend_on_the_number_of_solutions() {
    // The empty grid before, among and after others: nobody takes what it has to give.
    let text = format!("{PUZZLE}\n").repeat(3) + &format!("{}\n", ".".repeat(81)).repeat(2000);
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "in", text);
    let mut child = start(program().args(words("enumerate -j 4 --batch-bytes 1000")).arg(path));
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
