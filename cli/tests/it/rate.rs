//! The command `rate`.

use rapidoku::file::Value;
use rapidoku::rating::{Rater, Techniques, Verdict};
use rapidoku_jobs::rate::er;

use crate::samples::head;
use crate::support::{CLASH, NO_SOLUTION, PUZZLE, SOLUTION, ask, call, words};

/// Rated 8.3 by Sudoku Explainer.
const HARD: &str = ".3...7..4.9...1..6..16.925.2.....3......6..1..6.3....5..9..6..8...4...3...7.2....";

#[test]
fn ratings_do_not_change_between_versions() {
    let text: String = head(1000);
    let run = call("rate", &text);
    assert!(run.stdout() == include_str!("expected/rate_sample_1k.csv"));
    assert_eq!(run.code, Some(0));
}

#[test]
fn objects_have_the_fields_of_the_table() {
    let text = head(1000);
    let table = call("rate", &text);
    let json = call("rate --format jsonl", &text);
    for (row, csv) in json.json_lines().iter().zip(table.stdout().lines().skip(1)) {
        let names = ["puzzle", "status", "clues", "er", "ep", "ed", "hardest", "singles_only"];
        let fields = names.map(|name| match &row[name] {
            serde_json::Value::Null => String::new(),
            serde_json::Value::String(word) => word.clone(),
            other => other.to_string(),
        });
        assert_eq!(fields.join(","), csv);
    }
}

#[test]
fn rows_of_records_that_cannot_be_rated() {
    let empty = ".".repeat(81);
    let text = format!("{PUZZLE}\n{NO_SOLUTION}\n{CLASH}\nbad\n{empty}\n");
    let run = call("rate -q", &text);
    let rated = format!(
        "puzzle,status,clues,er,ep,ed,hardest,singles_only\n\
                         {PUZZLE},unique,30,1.2,1.2,1.2,hidden single,true\n"
    );
    let others = format!("{NO_SOLUTION},none,9,,,,,\n{CLASH},invalid,2,,,,,\nbad,invalid,,,,,,\n");
    assert_eq!(run.stdout(), format!("{rated}{others}{empty},multiple,0,,,,,\n"));
}

#[test]
fn a_bound_or_a_limit_of_work_is_told() {
    let text = format!("{HARD}\n{PUZZLE}\n{SOLUTION}\n");
    let rows = |args: &str| {
        let run = call(&format!("rate --columns er,ep,ed,status {args}"), &text);
        run.stdout().lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(rows(""), ["8.3,1.2,1.2,unique", "1.2,1.2,1.2,unique", "0.0,0.0,0.0,unique"]);
    assert_eq!(rows("--max-er 7.5"), [">7.5,1.2,1.2,unique", "1.2,1.2,1.2,unique", "0.0,0.0,0.0,unique"]);
    assert_eq!(rows("--max-er 1"), [">1.0,,,unique", ">1.0,,,unique", "0.0,0.0,0.0,unique"]);
    let limited = rows("--max-work 1e2");
    assert!(limited[0].starts_with(">=6.") && limited[1] == "1.2,1.2,1.2,unique", "{limited:?}");
    let steps = call("rate --columns steps", PUZZLE);
    assert_eq!(steps.stdout(), "steps\nhidden single 51\n");
    assert!(call("rate --stats", PUZZLE).stderr.contains("scale    Sudoku Explainer 1.2.1\n"));
    assert_eq!(call("rate --max-er x", b"").code, Some(2));
}

#[test]
fn a_puzzle_that_no_technique_solves_has_20() {
    let rating = Rater::new().techniques(Techniques::SINGLES).rate(&HARD.parse().unwrap());
    assert_eq!(rating.verdict, Verdict::Stuck);
    assert!(matches!(er(&rating, None), Value::Tenths(200)));
}

#[test]
fn ratings_are_added_to_the_columns_of_a_table() {
    let text = format!("id,er,puzzle\na,many,{PUZZLE}\nb,none,{NO_SOLUTION}\n");
    let args = "-q --passthrough --columns hardest,er,solution";
    let run = ask("rate", words(args), text.as_bytes());
    assert_eq!(
        run.stdout(),
        format!(
            "id,input.er,puzzle,hardest,er,solution\n\
             a,many,{PUZZLE},hidden single,1.2,{SOLUTION}\nb,none,{NO_SOLUTION},,,\n"
        )
    );
    for (command, columns) in [("check", "id,status,solutions"), ("count", "id,status,clues")] {
        let run = ask(command, ["-q", "--format", "jsonl", "--columns", columns], text.as_bytes());
        assert!(run.stdout().starts_with("{\"id\":\"a\",\"status\":\"unique\","), "{}", run.stdout());
    }
    let run = call("check --passthrough", &text);
    let rows = format!("id,er,puzzle,status\na,many,{PUZZLE},unique\nb,none,{NO_SOLUTION},none\n");
    assert_eq!((run.code, run.stdout()), (Some(1), &*rows), "columns select CSV");
}
