//! The command `permute`.

use rapidoku::grid::Symmetry;
use rapidoku::{Candidates, Puzzle};

use crate::samples::head;
use crate::support::{CLASH, PUZZLE, SOLUTION, ask, call, words};

/// That they are equivalent is a part of the tests of `dedup`.
#[test]
fn copies_are_different_and_depend_on_the_seed() {
    let text: String = head(400);
    let permuted = call("permute --copies 3 --seed 5", &text);
    assert_eq!(permuted.stdout().lines().count(), 1200);
    assert_ne!(call("permute --copies 3 --seed 6", &text).stdout(), permuted.stdout());
    let originals = text.lines().flat_map(|line| [line; 3]);
    let differ = permuted.stdout().lines().zip(originals).filter(|(copy, original)| copy != original).count();
    assert!(differ >= 1198, "{differ}");
}

#[test]
fn solutions_follow_their_puzzles() {
    let text = format!("id,puzzle,solution\na,{PUZZLE},{SOLUTION}\nb,bad,\nc,{CLASH},\n");
    let args = "-q --copies 2 --format csv --passthrough --columns puzzle,solution,copy,symmetry";
    let run = ask("permute", words(args), text.as_bytes());
    let mut reader = csv::Reader::from_reader(run.stdout().as_bytes());
    let rows: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().unwrap();
    assert_eq!(rows.len(), 6);
    for (k, row) in rows.iter().enumerate() {
        let symmetry: Symmetry = row[6].parse().unwrap();
        assert_eq!((&row[0], &row[5]), (["a", "b", "c"][k / 2], ["1", "2"][k % 2]));
        match k / 2 {
            0 => {
                assert_eq!(row[3], symmetry.puzzle(&PUZZLE.parse().unwrap()).to_string());
                assert_eq!(row[4], symmetry.solution(&SOLUTION.parse().unwrap()).to_string());
            }
            1 => assert_eq!((&row[3], &row[4]), ("bad", "")),
            _ => assert_eq!(row[3], symmetry.puzzle(&CLASH.parse().unwrap()).to_string()),
        }
    }
    // By default, a table has solutions only if the input has.
    assert!(call("permute --format csv", PUZZLE).stdout().starts_with("puzzle\n"));
    // Text is read again as puzzles with solutions.
    for separator in [",", " ", ";"] {
        let line = format!("{}{separator}{SOLUTION}\n", PUZZLE.replace('.', "0"));
        let copies = call("permute --copies 50", &line);
        assert!(copies.stdout().lines().all(|line| line.contains('0') && line.len() == 163));
        assert_eq!(call("verify --unique -q", copies.stdout()).code, Some(0));
    }
}

#[test]
fn pencilmarks_are_copied() {
    let line = Candidates::from(&PUZZLE.parse::<Puzzle>().unwrap()).to_string() + "\n";
    let copies = call("permute --copies 4", &line);
    assert_eq!(copies.stdout().lines().filter(|line| line.len() == 729).count(), 4);
    assert_eq!(call("check", copies.stdout()).stdout(), "unique\n".repeat(4));
    let solved = format!("{},{SOLUTION}\n", line.trim_end());
    for args in ["", "--format csv"] {
        let copies = call(&format!("permute --copies 4 --stats {args}"), &solved);
        assert!(copies.stderr.contains("records  1, rows 4\n"), "{}", copies.stderr);
        let correct = call("verify --unique", copies.stdout()).stderr;
        assert!(correct.starts_with("rapidoku: solutions verified: 4, correct 4, wrong 0"), "{correct}");
    }
}

#[test]
fn blanks_have_the_character_that_is_asked_for() {
    for (line, blanks) in [(PUZZLE.to_owned(), 51), (SOLUTION.to_owned(), 0)] {
        let copy = call("permute --blank 0 --columns puzzle --format jsonl", &line);
        assert_eq!(copy.stdout().matches('0').count(), blanks, "{}", copy.stdout());
    }
}

#[test]
fn columns_that_need_a_solver_are_errors() {
    for (line, column) in [
        ("permute --format csv --columns copy,", "status"),
        ("permute --format jsonl --columns copy,", "solutions"),
        ("permute --format csv --columns copy,", "guesses"),
        ("sample 9 --format csv --columns record,", "status"),
        ("verify -q --only correct --format jsonl --columns record,", "status"),
    ] {
        let run = call(&format!("{line}{column}"), PUZZLE);
        let message = format!("rapidoku: column '{column}': this command does not solve puzzles; ");
        assert!(run.stderr.starts_with(&message) && run.code == Some(2), "{}", run.stderr);
        assert_eq!(run.stdout(), "");
    }
    // Those of the input, and the solution that is changed with the puzzle, are none of them.
    let text = format!("status,puzzle,solution\nnew,{PUZZLE},{SOLUTION}\n");
    let run = call("permute --format csv --columns input.status,copy,solution", &text);
    assert!(run.stdout().starts_with("status,copy,solution\nnew,1,"), "{}", run.stdout());
}
