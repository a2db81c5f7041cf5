//! The command `canon`.

use rapidoku::canon;
use rapidoku::grid::Symmetry;
use rapidoku::{Puzzle, Solver, Status};

use crate::samples::head;
use crate::support::{CLASH, NO_SOLUTION, PUZZLE, SOLUTION, ask, call};

#[test]
fn symmetries_lead_from_the_puzzle_to_the_form() {
    let text: String = head(500);
    let puzzles: Vec<Puzzle> = text.lines().map(|line| line.parse().unwrap()).collect();
    let outcomes = Solver::new().solve(&puzzles);
    for (method, args) in [("solution", ""), ("minlex", "--minlex")] {
        let columns = "puzzle,status,canonical,method,automorphisms,symmetry";
        let run = call(&format!("canon --format jsonl --columns {columns} {args}"), &text);
        for ((row, puzzle), status) in run.json_lines().iter().zip(&puzzles).zip(outcomes.statuses()) {
            assert_eq!((&row["puzzle"], &row["status"]), (&puzzle.to_string().into(), &status.name().into()));
            if method == "solution" && *status != Status::Unique {
                let names = ["canonical", "method", "automorphisms", "symmetry"];
                assert!(names.iter().all(|name| row[name].is_null()), "{row}");
                continue;
            }
            let symmetry: Symmetry = row["symmetry"].as_str().unwrap().parse().unwrap();
            assert_eq!(row["canonical"], symmetry.puzzle(puzzle).to_string());
            assert_eq!(row["method"], method);
            assert!(row["automorphisms"].as_u64().unwrap() >= 1);
        }
    }
}

/// Also if a puzzle has several solutions or no clue.
#[test]
fn same_finds_the_symmetry_that_permute_applies() {
    let several = PUZZLE.replace('7', ".");
    let empty = ".".repeat(81);
    for puzzle in [PUZZLE, NO_SOLUTION, &several, &empty] {
        let image = call("permute --seed 4", puzzle).stdout().trim().to_owned();
        let same = ask("same", [puzzle, &image], b"");
        let symmetry = same.stdout().strip_prefix("yes ").unwrap().trim();
        let applied = call(&format!("permute --by {symmetry}"), puzzle);
        assert_eq!((applied.stdout().trim(), same.code), (&*image, Some(0)));
    }
    let differ = ask("same", [PUZZLE, &several], b"");
    assert_eq!((differ.stdout(), differ.code), ("no\n", Some(1)));
    for (text, message) in [
        (format!("{PUZZLE}\n"), "'same': expected two puzzles, found 1"),
        (format!("{PUZZLE}\n").repeat(3), "'<stdin>': a third puzzle, but 'same' compares two"),
        (format!("{PUZZLE}\n{CLASH}\n"), "'<stdin>': digit 1 twice in row 1: r1c1 and r1c9"),
        (format!("{PUZZLE}\nbad\n"), "'<stdin>': bad character 'b' in column 1"),
    ] {
        let run = call("same", &text);
        assert_eq!((run.stdout(), run.code), ("", Some(2)), "{}", run.stderr);
        assert!(run.stderr.contains(message), "{}", run.stderr);
    }
}

#[test]
fn rows_of_records_without_a_form() {
    let empty = ".".repeat(81);
    let text = format!("{NO_SOLUTION}\n{CLASH}\nbad\n{empty}\n{SOLUTION}\n");
    let run = call("canon -q", &text);
    let form = canon::grid(&SOLUTION.parse().unwrap()).unwrap().form;
    assert_eq!((run.stdout(), run.code), (format!("\n\n\n\n{form}\n").as_str(), Some(0)));
    let run = call("canon -q --format csv", &text);
    assert_eq!(
        run.stdout(),
        format!(
            "puzzle,canonical,method,automorphisms,status\n{NO_SOLUTION},,,,none\n{CLASH},,,,invalid\n\
             bad,,,,invalid\n{empty},,,,multiple\n{SOLUTION},{form},solution,1,unique\n"
        )
    );
    let run = call("canon -q --format csv --minlex --columns status,canonical,automorphisms", &text);
    let none = canon::minlex(&NO_SOLUTION.parse().unwrap()).unwrap();
    assert_eq!(
        run.stdout(),
        format!(
            "status,canonical,automorphisms\nnone,{},{}\ninvalid,,\ninvalid,,\nmultiple,{empty},3359232\n\
             unique,{form},1\n",
            none.form, none.automorphisms
        )
    );
}
