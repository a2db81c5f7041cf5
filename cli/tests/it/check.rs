//! The commands `check` and `count`.

use std::fs;

use crate::samples::{SAMPLE, head, sample_status, shared_datasets};
use crate::support::{self, CLASH, NO_SOLUTION, PUZZLE, ask, call, file, inside, messy_text, words};

fn five_kinds() -> String {
    format!("{PUZZLE}\n{}\n{NO_SOLUTION}\n{CLASH}\nbad\n", ".".repeat(81))
}

#[test]
fn every_record_has_its_status() {
    let expected: String = (0..10_000).map(|line| format!("{}\n", sample_status(line))).collect();
    let run = call("check", SAMPLE);
    assert!(run.stdout() == expected && run.code == Some(1));
}

#[test]
fn output_formats_of_check_and_count() {
    let text = five_kinds();
    let empty = ".".repeat(81);
    let run = call("check -q", &text);
    assert_eq!(run.stdout(), "unique\nmultiple\nnone\ninvalid\ninvalid\n");
    let run = call("check -q --format csv", &text);
    let rows = [PUZZLE, &empty, NO_SOLUTION, CLASH, "bad"];
    let statuses = ["unique", "multiple", "none", "invalid", "invalid"];
    let csv: String = rows.iter().zip(statuses).map(|(row, status)| format!("{row},{status}\n")).collect();
    assert_eq!(run.stdout(), format!("puzzle,status\n{csv}"));
    let run = call("count -q --limit 7", &text);
    assert_eq!((run.stdout(), run.code), ("1\n>=7\n0\n0\n0\n", Some(0)));
    let run = call("count -q --limit 7 --format jsonl", &text);
    let second = run.stdout().lines().nth(1).unwrap();
    assert_eq!(second, format!(r#"{{"puzzle":"{empty}","solutions":7,"exact":false,"status":"multiple"}}"#));
    assert_eq!(run.json_lines().len(), 5);
    let run = call("count -q --limit 7 --format csv --columns solutions,exact,status", &text);
    let rows = "1,true,unique\n7,false,multiple\n0,true,none\n0,,invalid\n0,,invalid\n";
    assert_eq!(run.stdout(), format!("solutions,exact,status\n{rows}"));
    // A count that the limit on guesses ended is a lower bound as well.
    assert_eq!(call("count --max-guesses 100", &empty).stdout().get(..2), Some(">="));
    let limit = call("check --max-guesses 0", &empty);
    assert_eq!((limit.stdout(), limit.code), ("gave-up\n", Some(1)));
}

#[test]
fn exit_code_0_needs_unique_puzzles_only() {
    for (text, code) in [(PUZZLE, 0), (NO_SOLUTION, 1), (CLASH, 1), (&PUZZLE[..80], 1), ("", 0), ("# bad", 0)] {
        assert_eq!(call("check --input-format=lines", text).code, Some(code), "{text}");
    }
    assert_eq!(call("check", ".".repeat(81)).code, Some(1));
}

#[test]
fn a_filter_fails_if_nothing_matches() {
    let text = format!("{PUZZLE}\n{NO_SOLUTION}\n{PUZZLE}\n");
    for (args, code, message) in [
        ("--only none", 0, "records: 3, kept: 1, left out: 2"),
        ("--only multiple", 1, "records: 3, kept: 0, left out: 3"),
        ("--only none,multiple", 0, "records: 3, kept: 1, left out: 2"),
        ("--only none --only unique", 0, "records: 3, kept: 3, left out: 0"),
        ("--er 1.0..1.5", 0, "records: 3, kept: 2, left out: 1"),
        ("--er 2-3", 1, "records: 3, kept: 0, left out: 3"),
    ] {
        let run = ask("check", words(args), text.as_bytes());
        assert_eq!((run.code, run.stderr), (Some(code), format!("rapidoku: {message}\n")), "{args}");
        assert_eq!(call(&format!("check -q {args}"), &text).stderr, "");
    }
    assert_eq!(call("check --only solved", b"").code, Some(2));
}

#[test]
fn a_filter_writes_columns_if_it_is_asked_to() {
    let text = format!("id,puzzle\n1,{PUZZLE}\n2,{NO_SOLUTION}\n");
    for (args, expected) in [
        ("--only unique --format csv", format!("id,puzzle\n1,{PUZZLE}\n")),
        ("--only none --columns id,status,clues", "id,status,clues\n2,none,9\n".to_owned()),
        ("--only unique --format jsonl --columns id,minimal", "{\"id\":\"1\",\"minimal\":false}\n".to_owned()),
        ("--er 1.0..2.0 --passthrough --columns status", format!("id,puzzle,status\n1,{PUZZLE},unique\n")),
    ] {
        let run = call(&format!("check -q {args}"), &text);
        assert_eq!((run.stdout(), run.code), (&*expected, Some(0)), "{args}: {}", run.stderr);
    }
    let message = "solutions, guesses, clues, minimal, redundant; those of the input are id, puzzle";
    call("check --columns er", &text).fails_with(message);
}

/// Fields that are no ratings, or only bounds that do not suffice, are ratings of the puzzles.
#[test]
fn ratings_of_a_column_are_used() {
    let folder = tempfile::tempdir().unwrap();
    let rated = call("rate --columns puzzle,er", head(60));
    let (header, rows) = rated.stdout().split_once('\n').unwrap();
    let other = |(k, row): (usize, &str)| match row.split_once(',').unwrap() {
        (puzzle, _) if k % 5 == 1 => format!("{puzzle},{}\n", ["", "hard", ">1.2", ">=2.0"][k % 4]),
        _ => format!("{row}\n"),
    };
    let text = format!("{header}\n{}", rows.lines().enumerate().map(other).collect::<String>());
    let table = file(&folder, "in.csv", &text);
    for er in ["1.5..2.5", "3.0.."] {
        let [computed, read] =
            ["", "--er-column ER"].map(|column| call(&format!("check --er {er} {column} {table}"), b""));
        assert_eq!((computed.stdout(), computed.code), (read.stdout(), Some(0)));
    }
    let parts = |column: &str| {
        let template = inside(&folder, "{}");
        call(&format!("split --by er --parts a=50,b=50 --max-er 5.0 -o {template} {column} {table}"), b"");
        fs::read(inside(&folder, "a")).unwrap()
    };
    assert_eq!(parts(""), parts("--er-column er"));
    let [mut computed, mut read] =
        ["", "--er-column er"].map(|column| call(&format!("stats --format json {column} {table}"), b"").json());
    assert!(computed["hardest"].take().is_object() && read["hardest"].take().is_null());
    assert_eq!(computed, read);
    // What the column says counts.
    let wrong = format!("puzzle,er\n{PUZZLE},7.7\n");
    assert_eq!(call("check -q --er 7.0..8.0 --er-column er", &wrong).stdout(), wrong);
    call("check --er 7.0..8.0 --er-column rating", &wrong)
        .fails_with("no column 'rating': those of the input are puzzle, er");
}

#[test]
fn a_filter_copies_lines_byte_for_byte() {
    let text = messy_text();
    let statuses = call("check -q", &text);
    let numbers: Vec<_> = support::records(&text).into_iter().map(|(number, _)| number).collect();
    assert_eq!(statuses.stdout().lines().count(), numbers.len());
    let lines: Vec<_> = text[3..].split_inclusive(|&byte| byte == b'\n').collect();
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "in", &text);
    for status in ["unique", "multiple", "none", "invalid"] {
        let mine = numbers.iter().zip(statuses.stdout().lines()).filter(|(_, word)| *word == status);
        let mut expected: Vec<u8> = mine.flat_map(|(&number, _)| lines[number - 1].to_vec()).collect();
        if expected.last().is_some_and(|&byte| byte != b'\n') {
            expected.push(b'\n');
        }
        assert!(!expected.is_empty(), "{status}");
        for args in ["-j 1 -", "-j 4 --batch-bytes 1 -", &format!("-j 3 --batch-bytes 999 {path}")] {
            let run = call(&format!("check -q --only {status} {args}"), &text);
            assert!(run.stdout == expected, "{status} {args}");
        }
    }
}

#[test]
#[ignore = "needs the shared datasets"]
fn counts_of_shared_puzzles_are_those_of_another_solver() {
    let folder = shared_datasets();
    let path = folder.join("multi_20k.txt").into_os_string().into_string().unwrap();
    let truth = fs::read_to_string(folder.join("multi_20k.counts")).unwrap();
    for args in ["-j 1", "-j 4 --batch-bytes 2000"] {
        let run = call(&format!("count {args} {path}"), b"");
        assert!(run.stdout() == truth, "{args}");
    }
}
