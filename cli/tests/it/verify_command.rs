//! The command `verify`.

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::support::{CLASH, NO_SOLUTION, PUZZLE, SOLUTION, ask, file, solve, words};

/// Puzzle and solution of the unique puzzles of the sample.
fn solved_sample() -> Vec<(String, String)> {
    let text = include_str!("../../../datasets/sample_10k.txt");
    let run = solve(words("--limit 2 --format csv"), text.as_bytes());
    let rows = run.stdout().lines().filter(|row| row.contains(",unique,"));
    rows.map(|row| {
        let mut fields = row.split(',').map(str::to_owned);
        (fields.next().unwrap(), fields.next().unwrap())
    })
    .collect()
}

/// The first place at fault, found by walking the rules: clues, then rows, columns, boxes.
fn first_fault(puzzle: &[u8], solution: &[u8]) -> String {
    for cell in 0..81 {
        if puzzle[cell] != b'.' && puzzle[cell] != solution[cell] {
            return format!("r{}c{}", cell / 9 + 1, cell % 9 + 1);
        }
    }
    for (kind, name) in ["row", "column", "box"].iter().enumerate() {
        for house in 0..9 {
            let mut digits: Vec<u8> = (0..81)
                .filter(|cell| {
                    let (row, column) = (cell / 9, cell % 9);
                    [row, column, row / 3 * 3 + column / 3][kind] == house
                })
                .map(|cell| solution[cell])
                .collect();
            digits.sort();
            if digits != b"123456789" {
                return format!("{name} {}", house + 1);
            }
        }
    }
    panic!("no fault")
}

#[test]
fn each_planted_error_is_found_and_no_other() {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let records = solved_sample();
    let mut bad: Vec<usize> = (0..records.len()).collect();
    bad.shuffle(&mut random);
    bad.truncate(1000);
    bad.sort();
    let mut text = String::from("# with a comment, and a blank line\n\n");
    let mut expected = String::from("input,line,record,fault,place\n");
    for (k, (puzzle, solution)) in records.iter().enumerate() {
        let mut digits = solution.clone().into_bytes();
        if bad.binary_search(&k).is_ok() {
            let (a, b) = (random.random_range(0..81), random.random_range(0..81));
            if k % 2 == 0 && digits[a] != digits[b] {
                digits.swap(a, b);
            } else {
                digits[a] = b'1' + (digits[a] - b'1' + random.random_range(1..9)) % 9;
            }
            // A finished grid has no clues that it could differ from.
            let clues = if k % 4 == 3 { &digits[..] } else { puzzle.as_bytes() };
            let place = first_fault(clues, &digits);
            let fault = if place.starts_with('r') && !place.starts_with("row") { "clue" } else { "house" };
            expected += &format!("<stdin>,{},{},{fault},{place}\n", k + 3, k + 1);
        }
        let digits = String::from_utf8(digits).unwrap();
        text += &match k % 4 {
            0 => format!("{puzzle},{digits}\n"),
            1 => format!("{puzzle}\t{digits},11.8\r\n"),
            2 => format!("{puzzle} ; {digits}\n"),
            _ => format!("{digits} some words\n"),
        };
    }
    for args in ["-j 1", "-j 4 --batch-bytes 1000", "--unique", "--no-mmap -j 3"] {
        let run = ask("verify", words(&format!("--format csv {args}")), text.as_bytes());
        let found: String = run
            .stdout()
            .lines()
            .map(|row| row.splitn(6, ',').take(5).collect::<Vec<_>>().join(",") + "\n")
            .collect();
        assert!(found == expected, "{args}");
        // Every fourth record is a complete grid.
        let summary = "rapidoku: records that are complete grids: 2250\n\
                       rapidoku: solutions verified: 9000, correct 8000, wrong 1000\n";
        assert_eq!((&*run.stderr, run.code), (summary, Some(1)));
    }
    assert_eq!(expected.lines().count(), 1001);
}

#[test]
fn faults_of_every_kind() {
    let other = SOLUTION.replace('1', "x").replace('2', "1").replace('x', "2");
    let short = &SOLUTION[..80];
    let cases = [
        (format!("{PUZZLE},{SOLUTION}"), "", ""),
        (format!("{PUZZLE}  {SOLUTION}\r"), "", ""),
        (SOLUTION.to_owned(), "", ""),
        (format!("{SOLUTION} 8.3"), "", ""),
        (PUZZLE.to_owned(), "missing", "no solution given"),
        (format!("{PUZZLE}, "), "missing", "no solution given"),
        (format!("{PUZZLE},{short}"), "missing", "no solution given"),
        (format!("{PUZZLE},{short}."), "invalid", "another puzzle in the line"),
        (format!("{PUZZLE},easy"), "missing", "no solution given"),
        (format!("{PUZZLE},{SOLUTION}1"), "invalid", "another puzzle in the line"),
        (format!("{PUZZLE},{other}"), "clue", "r2c4 holds 2, but its clue is 1"),
        (format!("{short}1"), "house", "row 9 lacks 9"),
        (format!("{}{short}1", format!("{PUZZLE},").replace('9', ".")), "house", "row 9 lacks 9"),
        ("bad".to_owned(), "invalid", "bad character 'b' in column 1"),
        (format!("{CLASH},{SOLUTION}"), "clue", "r1c1 holds 5, but its clue is 1"),
        (format!("{NO_SOLUTION},{SOLUTION}"), "clue", "r1c1 holds 5, but its clue is 1"),
    ];
    let folder = tempfile::tempdir().unwrap();
    for (record, fault, reason) in &cases {
        let path = file(&folder, "in", format!("\n{record}"));
        let run = ask("verify", ["--input-format=lines", &path], b"");
        let expected = if fault.is_empty() { String::new() } else { format!("{path}:2: {reason}\n") };
        let counts = match *fault {
            "" => "correct 1, wrong 0",
            _ => "correct 0, wrong 1",
        };
        let is_complete =
            record.len() > 80 && record.bytes().take(81).all(|byte| (b'1'..=b'9').contains(&byte));
        let note = if is_complete { "rapidoku: all records are complete grids: 1\n" } else { "" };
        let summary = format!("{note}rapidoku: solutions verified: 1, {counts}\n");
        assert_eq!((run.stdout(), &*run.stderr), (&*expected, &*summary), "{record}");
        assert_eq!(run.code, Some(!fault.is_empty() as i32));
        let run = ask("verify", words("--format jsonl --input-format lines"), record.as_bytes());
        if let Some(row) = run.stdout().lines().next() {
            let row: serde_json::Value = serde_json::from_str(row).unwrap();
            assert_eq!((row["fault"].as_str(), row["reason"].as_str()), (Some(*fault), Some(*reason)));
        }
    }
    let empty = format!("{},{SOLUTION}\n", ".".repeat(81));
    assert_eq!(ask("verify", [""; 0], empty.as_bytes()).code, Some(0));
    let run = ask("verify", ["--unique"], empty.as_bytes());
    assert_eq!((run.stdout(), run.code), ("<stdin>:1: not the only solution\n", Some(1)));
}

#[test]
fn records_are_filtered_by_their_result() {
    let other = SOLUTION.replace('1', "x").replace('2', "1").replace('x', "2");
    let empty = ".".repeat(81);
    let rows = [
        format!("1,{PUZZLE},{SOLUTION}"),
        format!("2,{PUZZLE},{other}"),
        format!("3,{PUZZLE},"),
        format!("4,bad,{SOLUTION}"),
        format!("5,{empty},{SOLUTION}"),
    ];
    let text = format!("id,puzzle,solution\n{}\n", rows.join("\n"));
    for (args, kept) in [
        ("--only correct", &[0, 4][..]),
        ("--only wrong", &[1, 2, 3]),
        ("--only clue,missing", &[1, 2]),
        ("--unique --only correct", &[0]),
        ("--unique --only multiple", &[4]),
        ("--only house", &[]),
    ] {
        let expected: String = kept.iter().map(|k: &usize| format!("{}\n", rows[*k])).collect();
        let run = ask("verify", words(args), text.as_bytes());
        assert_eq!(run.stdout(), format!("id,puzzle,solution\n{expected}"), "{args}");
        assert_eq!(run.code, Some(i32::from(kept.is_empty())), "{args}");
        let message = format!("rapidoku: records: 5, kept: {}, left out: {}\n", kept.len(), 5 - kept.len());
        assert!(run.stderr.ends_with(&message), "{}", run.stderr);
        assert_eq!(ask("verify", words(&format!("-q {args}")), text.as_bytes()).stderr, "");
    }
    let run = ask(
        "verify",
        words("-q --only correct,wrong --columns id,correct,fault,place,line"),
        text.as_bytes(),
    );
    assert_eq!(
        run.stdout(),
        "id,correct,fault,place,line\n1,true,,,2\n2,false,clue,r2c4,3\n3,false,missing,,4\n4,false,invalid,,5\n5,true,,,6\n"
    );
    let run = ask("verify", words("-q --passthrough --columns fault"), text.as_bytes());
    assert_eq!((run.stdout().lines().nth(1), run.code), (Some(&*format!("{},clue", rows[1])), Some(1)));
    let run = ask("verify", words("-q --only correct --format jsonl --columns id,status"), text.as_bytes());
    assert!(run.code == Some(2) && run.stderr.contains("does not solve puzzles"), "{}", run.stderr);
}

#[test]
fn indented_lines_have_their_solutions() {
    let text = format!("  {PUZZLE},{SOLUTION}\n {PUZZLE} # {SOLUTION}\n{PUZZLE}\t{SOLUTION}\r\n");
    let run = ask("verify", words("--input-format lines"), text.replace(" # ", "; ").as_bytes());
    assert_eq!((run.stdout(), run.code), ("", Some(0)), "{}", run.stderr);
    let table =
        ask("convert", words("-q --to csv --input-format lines"), text.replace(" # ", "; ").as_bytes());
    assert_eq!(table.stdout(), format!("puzzle,solution\n{}", format!("{PUZZLE},{SOLUTION}\n").repeat(3)));
}

#[test]
fn what_the_start_of_an_input_tells_does_not_depend_on_batches() {
    let text = format!("{}{}", format!("{PUZZLE}\n").repeat(20), format!("{PUZZLE},{SOLUTION}\n").repeat(20));
    for (command, args) in [("verify", ""), ("convert", "--to csv")] {
        let whole = ask(command, words(args), text.as_bytes());
        assert_eq!(whole.stdout().lines().count(), if command == "verify" { 20 } else { 41 });
        for threads in [1, 2, 8] {
            let args = format!("{args} --batch-bytes 200 -j {threads}");
            let parts = ask(command, words(&args), text.as_bytes());
            assert_eq!((parts.stdout(), parts.code), (whole.stdout(), whole.code), "{command} {args}");
        }
    }
}

/// So that shares of correct records can be computed from the rows.
#[test]
fn the_column_correct_is_written_for_all_records() {
    let text = format!("{PUZZLE},{SOLUTION}\n{PUZZLE},{}\n", SOLUTION.replace('1', "2"));
    let run = ask("verify", words("-q --columns record,correct"), text.as_bytes());
    assert_eq!((run.code, run.stdout()), (Some(1), "record,correct\n1,true\n2,false\n"));
    let run = ask("verify", words("-q --columns record,fault"), text.as_bytes());
    assert_eq!(run.stdout(), "record,fault\n2,clue\n");
    let run = ask("verify", words("-q --only wrong --columns record,correct"), text.as_bytes());
    assert_eq!(run.stdout(), "record,correct\n2,false\n");
}
