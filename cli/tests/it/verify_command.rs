//! The command `verify`.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rapidoku::verify::{Flaw, check};
use rapidoku::{Solution, Solver, Status};

use crate::samples::sample;
use crate::support::{CLASH, NO_SOLUTION, PUZZLE, SOLUTION, ask, ask_in_all_ways, call, file, program, start, words};

#[test]
fn each_planted_error_is_found_and_no_other() {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let mut text = String::from("# with a comment, and a blank line\n\n");
    let mut expected = String::from("input,line,record,fault,place,reason\n");
    let (puzzles, mut wrong) = (sample(), 0);
    let outcomes = Solver::new().solve(&puzzles);
    let unique = (0..puzzles.len()).filter(|&k| outcomes.statuses()[k] == Status::Unique);
    for (k, (puzzle, solution)) in unique.map(|k| (puzzles[k], outcomes.solution(k).unwrap())).enumerate() {
        let mut digits = *solution.cells();
        if random.random_bool(0.1) {
            let (a, b) = (random.random_range(0..81), random.random_range(0..81));
            if k % 2 == 0 && digits[a] != digits[b] {
                digits.swap(a, b);
            } else {
                digits[a] = 1 + (digits[a] - 1 + random.random_range(1..9)) % 9;
            }
        }
        let given = Solution::from_cells(digits).unwrap();
        // A finished grid has no clues that it could differ from.
        let clues = if k % 4 == 3 { given.into() } else { puzzle };
        if let Err(flaw) = check(&clues, &given) {
            wrong += 1;
            let (fault, place) = match flaw {
                Flaw::Clue { cell, .. } => ("clue", cell.to_string()),
                Flaw::House { house, .. } => ("house", house.to_string()),
                _ => unreachable!("{flaw}"),
            };
            let reason = flaw.to_string();
            let reason = if reason.contains(',') { format!("\"{reason}\"") } else { reason };
            expected += &format!("<stdin>,{},{},{fault},{place},{reason}\n", k + 3, k + 1);
        }
        text += &match k % 4 {
            0 => format!("{puzzle},{given}\n"),
            1 => format!("{puzzle}\t{given},11.8\r\n"),
            2 => format!("{puzzle} ; {given}\n"),
            _ => format!("{given} some words\n"),
        };
    }
    assert!(wrong > 800);
    for args in ["-j 4 --batch-bytes 1000", "--unique"] {
        let run = call(&format!("verify --format csv {args}"), &text);
        assert!(run.stdout() == expected, "{args}");
        // Every fourth record is a complete grid.
        let summary = format!(
            "rapidoku: records that are complete grids: 2250\n\
             rapidoku: solutions verified: 9000, correct {}, wrong {wrong}, cells correct ",
            9000 - wrong,
        );
        assert!(run.stderr.starts_with(&summary) && run.code == Some(1), "{}", run.stderr);
    }
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
        let is_complete = record.len() > 80 && record.bytes().take(81).all(|byte| (b'1'..=b'9').contains(&byte));
        let note = if is_complete { "rapidoku: all records are complete grids: 1\n" } else { "" };
        let summary = format!("{note}rapidoku: solutions verified: 1, {counts}");
        assert_eq!(run.stdout(), expected, "{record}");
        assert!(run.stderr.starts_with(&summary), "{record}: {}", run.stderr);
        assert_eq!(run.code, Some(!fault.is_empty() as i32));
        let run = call("verify --format jsonl --input-format lines", record);
        if let Some(row) = run.json_lines().first() {
            assert_eq!((row["fault"].as_str(), row["reason"].as_str()), (Some(*fault), Some(*reason)));
        }
    }
    let empty = format!("{},{SOLUTION}\n", ".".repeat(81));
    assert_eq!(call("verify", &empty).code, Some(0));
    let run = call("verify --unique", &empty);
    assert_eq!((run.stdout(), run.code), ("<stdin>:1: not the only solution\n", Some(1)));
    let run = call("verify --unique --max-guesses 1 --columns fault", &empty);
    assert_eq!((run.stdout(), run.code), ("fault\ngave-up\n", Some(1)));
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
        let run = call(&format!("verify {args}"), &text);
        assert_eq!(run.stdout(), format!("id,puzzle,solution\n{expected}"), "{args}");
        assert_eq!(run.code, Some(i32::from(kept.is_empty())), "{args}");
        let message = format!("rapidoku: records: 5, kept: {}, left out: {}\n", kept.len(), 5 - kept.len());
        assert!(run.stderr.ends_with(&message), "{}", run.stderr);
        assert_eq!(call(&format!("verify -q {args}"), &text).stderr, "");
    }
    let run = call("verify -q --only correct,wrong --columns id,correct,fault,place,line", &text);
    let results = "1,true,,,2\n2,false,clue,r2c4,3\n3,false,missing,,4\n4,false,invalid,,5\n5,true,,,6\n";
    assert_eq!(run.stdout(), format!("id,correct,fault,place,line\n{results}"));
    let run = call("verify -q --passthrough --columns fault", &text);
    assert_eq!((run.stdout().lines().nth(1), run.code), (Some(&*format!("{},clue", rows[1])), Some(1)));
}

#[test]
fn indented_lines_have_their_solutions() {
    let text = format!("  {PUZZLE},{SOLUTION}\n {PUZZLE}; {SOLUTION}\n{PUZZLE}\t{SOLUTION}\r\n");
    let run = call("verify --input-format lines", &text);
    assert_eq!((run.stdout(), run.code), ("", Some(0)), "{}", run.stderr);
    let table = call("convert -q --format csv --input-format lines", &text);
    assert_eq!(table.stdout(), format!("puzzle,solution\n{}", format!("{PUZZLE},{SOLUTION}\n").repeat(3)));
}

/// Whatever the start of an input tells.
#[test]
fn solutions_may_come_later() {
    let text = format!("{PUZZLE}\n").repeat(20) + &format!("{PUZZLE},{SOLUTION}\n").repeat(20);
    for (command, args, rows) in [("verify", "", 20), ("convert", "--format csv", 41)] {
        assert_eq!(ask_in_all_ways(command, args, &text).stdout().lines().count(), rows);
    }
}

/// So that shares of correct records can be computed from the rows.
#[test]
fn the_column_correct_is_written_for_all_records() {
    let text = format!("{PUZZLE},{SOLUTION}\n{PUZZLE},{}\n", SOLUTION.replace('1', "2"));
    let run = call("verify -q --columns record,correct", &text);
    assert_eq!((run.code, run.stdout()), (Some(1), "record,correct\n1,true\n2,false\n"));
    let run = call("verify -q --columns record,fault", &text);
    assert_eq!(run.stdout(), "record,fault\n2,clue\n");
    let run = call("verify -q --only wrong --columns record,correct", &text);
    assert_eq!(run.stdout(), "record,correct\n2,false\n");
}

#[test]
fn wrong_cells_are_counted_against_the_only_solution() {
    let empty = ".".repeat(81);
    let ones = SOLUTION.replace('1', "2");
    for (puzzle, answer, wrong) in [
        (PUZZLE, SOLUTION, "0"),
        (PUZZLE, &ones, "9"),
        (PUZZLE, &SOLUTION.replace('1', "."), "9"),
        (PUZZLE, &SOLUTION[..80], ""),
        (PUZZLE, "", ""),
        (&empty, SOLUTION, "0"),
        (&empty, &ones, ""),
        (NO_SOLUTION, SOLUTION, ""),
        ("bad", SOLUTION, ""),
    ] {
        let text = format!("puzzle,solution\n{PUZZLE},{SOLUTION}\n{puzzle},{answer}\n");
        for args in ["", "--unique"] {
            let run = call(&format!("verify --columns record,wrong_cells {args}"), &text);
            assert_eq!(run.stdout(), format!("record,wrong_cells\n1,0\n2,{wrong}\n"), "{puzzle},{answer} {args}");
            let shown = run.stderr.contains("cells correct 153 of 162 (94.44 %)");
            assert_eq!(shown, wrong == "9", "{}", run.stderr);
        }
    }
}

/// The exit code depends on all records, so it must not depend on the moment at which the pipe closes.
#[cfg(unix)]
#[test]
fn a_closed_pipe_does_not_change_the_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    let right = format!("{PUZZLE},{SOLUTION}\n").repeat(20_000);
    let path = file(&folder, "in", format!("{right}{NO_SOLUTION},{SOLUTION}\n"));
    for line in ["verify --columns correct", "check", "solve --strict --unique"] {
        let mut child = start(program().args(words(line)).args(["-q", &path]));
        drop(child.stdout.take());
        assert_eq!(child.wait().unwrap().code(), Some(1), "{line}");
    }
}
