//! The command `minimize`, and the columns `minimal` and `redundant`.

use rapidoku::generate::Minimizer;
use rapidoku::{CancelToken, Outcomes, Puzzle, Solver, Status};

use crate::samples::{SAMPLE, head, puzzles, sample_status};
use crate::support::{CLASH, NO_SOLUTION, PUZZLE, ask, call, words};

fn solved(text: &str) -> (Vec<Puzzle>, Outcomes) {
    let given = puzzles(text);
    let outcomes = Solver::new().solve(&given);
    (given, outcomes)
}

#[test]
fn puzzles_are_minimal_and_depend_on_the_seed() {
    let text = head(300);
    let run = call("minimize --seed 2", &text);
    assert_eq!((run.code, run.stdout().lines().count()), (Some(0), 300));
    for (k, (line, given)) in run.stdout().lines().zip(text.lines()).enumerate() {
        assert_eq!(line.is_empty(), sample_status(k) != Status::Unique, "{k}");
        if !line.is_empty() {
            assert!(line.parse::<Puzzle>().unwrap().is_minimal(), "{line}");
            assert!(line.bytes().zip(given.bytes()).all(|(a, b)| a == b || a == b'.'));
        }
    }
    // Other records make no difference.
    assert!(call("minimize --seed 2", SAMPLE).stdout().starts_with(run.stdout()));
    assert_ne!(call("minimize --seed 3", &text).stdout(), run.stdout());
}

#[test]
fn every_record_has_a_row_with_its_status() {
    let empty = ".".repeat(81);
    let text = format!("id,puzzle\na,{PUZZLE}\nb,{empty}\nc,{NO_SOLUTION}\nd,{CLASH}\ne,bad\n");
    let args = "-q --format csv --passthrough --columns minimized,removed,status";
    let run = ask("minimize", words(args), text.as_bytes());
    let rows: Vec<Vec<&str>> = run.stdout().lines().skip(1).map(|row| row.split(',').collect()).collect();
    let minimal: Puzzle = rows[0][2].parse().unwrap();
    assert_eq!(rows[0][3..], [(30 - minimal.clue_count()).to_string().as_str(), "unique"]);
    for (row, expected) in rows[1..].iter().zip([["b", "multiple"], ["c", "none"], ["d", "invalid"], ["e", "invalid"]])
    {
        assert_eq!([row[0], row[2], row[3], row[4]], [expected[0], "", "", expected[1]]);
    }
    let json = call("minimize -q --format jsonl --blank 0 --all=1", &text);
    let zeros = rows[0][2].replace('.', "0");
    let first = format!(r#"{{"record":1,"number":1,"minimized":"{zeros}","status":"unique"}}"#);
    assert_eq!(json.stdout().lines().next(), Some(first.as_str()));
    assert_eq!(
        json.stdout().lines().nth(1),
        Some(r#"{"record":2,"number":null,"minimized":null,"status":"multiple"}"#)
    );
    assert_eq!(json.stdout().lines().count(), 5);
}

#[test]
fn all_minimal_puzzles_are_listed_up_to_the_maximum() {
    let text = head(100);
    let (given, outcomes) = solved(&text);
    let all = Minimizer::new(0).all(&given, &outcomes, 20, &CancelToken::new()).unwrap();
    let (mut lines, mut table) = (String::new(), "record,number,complete\n".to_owned());
    for (record, found) in (1..).zip(&all) {
        let Some(found) = found else {
            table += &format!("{record},,\n");
            continue;
        };
        for (number, puzzle) in (1..).zip(&found.puzzles) {
            lines += &format!("{puzzle} {record}\n");
            table += &format!("{record},{number},{}\n", found.is_complete);
        }
    }
    assert_eq!(call("minimize --all=20", &text).stdout(), lines);
    let columns = "--format csv --columns record,number,complete";
    assert_eq!(call(&format!("minimize --all=20 {columns}"), &text).stdout(), table);
    assert!(table.contains("true") && table.contains("false"));
    assert_eq!(call("minimize --all=0", &text).code, Some(2));
}

#[test]
fn redundant_clues_are_columns_of_check_and_rate() {
    let text = head(200);
    let (given, outcomes) = solved(&text);
    let redundant = Minimizer::new(0).redundant(&given, &outcomes, &CancelToken::new()).unwrap();
    let row = |(found, status): (Option<u32>, &Status)| match found {
        Some(n) => format!("{n},{},unique\n", n == 0),
        None => format!(",,{status}\n"),
    };
    let rows: String = redundant.into_iter().zip(outcomes.statuses()).map(row).collect();
    for command in ["check", "rate"] {
        let run = call(&format!("{command} --columns redundant,minimal,status --format csv"), &text);
        assert_eq!(run.stdout(), format!("redundant,minimal,status\n{rows}"), "{command}");
    }
    let rate = call("rate --columns hardest,redundant", PUZZLE);
    assert_eq!(rate.stdout(), "hardest,redundant\nhidden single,22\n");
}
