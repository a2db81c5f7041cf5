//! The command `minimize`, and the columns `minimal` and `redundant`.

use std::collections::BTreeSet;

use rapidoku::{Engine, Puzzle, Solver, Status};

use crate::samples::sample_status;
use crate::support::{CLASH, NO_SOLUTION, PUZZLE, ask, words};

const SAMPLE: &str = include_str!("../../../datasets/sample_10k.txt");

/// Whether a puzzle has one solution, by the scalar engine.
fn is_unique(puzzle: &Puzzle) -> bool {
    Solver::new().engine(Engine::Scalar).solve_one(puzzle).status == Status::Unique
}

/// The number of clues that can be removed on their own.
fn redundant(puzzle: &Puzzle) -> usize {
    let without = |cell: usize| {
        let mut cells = *puzzle.cells();
        cells[cell] = 0;
        Puzzle::from_cells(cells).unwrap()
    };
    (0..81).filter(|&cell| puzzle.cells()[cell] != 0 && is_unique(&without(cell))).count()
}

fn head(n: usize) -> String {
    SAMPLE.split_inclusive('\n').take(n).collect()
}

#[test]
fn puzzles_are_minimal_and_depend_on_the_seed_only() {
    let text = head(300);
    let run = ask("minimize", words("--seed 2 -j 1"), text.as_bytes());
    assert_eq!((run.code, run.stdout().lines().count()), (Some(0), 300));
    for (k, (line, given)) in run.stdout().lines().zip(text.lines()).enumerate() {
        assert_eq!(line.is_empty(), sample_status(k) != Status::Unique, "{k}");
        if !line.is_empty() {
            let puzzle: Puzzle = line.parse().unwrap();
            assert!(is_unique(&puzzle) && redundant(&puzzle) == 0, "{line}");
            assert!(line.bytes().zip(given.bytes()).all(|(a, b)| a == b || a == b'.'));
        }
    }
    let all = ask("minimize", words("--seed 2"), SAMPLE.as_bytes());
    assert!(all.stdout().starts_with(run.stdout()));
    for level in rapidoku::SimdLevel::available() {
        let args = format!("--seed 2 -j 3 --batch-bytes 3000 --simd {level}");
        assert!(ask("minimize", words(&args), SAMPLE.as_bytes()).stdout == all.stdout, "{level}");
    }
    assert!(ask("minimize", words("--seed 2 --simd portable"), text.as_bytes()).stdout == run.stdout);
    assert_ne!(ask("minimize", words("--seed 3"), text.as_bytes()).stdout(), run.stdout());
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
    for (row, expected) in
        rows[1..].iter().zip([["b", "multiple"], ["c", "none"], ["d", "invalid"], ["e", "invalid"]])
    {
        assert_eq!([row[0], row[2], row[3], row[4]], [expected[0], "", "", expected[1]]);
    }
    let json = ask("minimize", words("-q --format jsonl --blank 0 --all=1"), text.as_bytes());
    let zeros = rows[0][2].replace('.', "0");
    let first = format!(r#"{{"record":1,"number":1,"minimized":"{zeros}","status":"unique"}}"#);
    assert_eq!(json.stdout().lines().next(), Some(first.as_str()));
    assert_eq!(
        json.stdout().lines().nth(1),
        Some(r#"{"record":2,"number":null,"minimized":null,"status":"multiple"}"#)
    );
    assert_eq!(json.stdout().lines().count(), 5);
    let pencilmarks = rapidoku::Candidates::from(&PUZZLE.parse::<Puzzle>().unwrap()).to_string();
    let run = ask("minimize", [""; 0], pencilmarks.as_bytes());
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("a minimal puzzle consists of clues"), "{}", run.stderr);
}

#[test]
fn all_minimal_puzzles_are_listed_up_to_the_maximum() {
    let text = head(100);
    let one = ask("minimize", [""; 0], text.as_bytes());
    let all = ask("minimize", words("--all=20 -j 1"), text.as_bytes());
    for args in ["--all=20 -j 3 --batch-bytes 500", "--all=20 --simd portable"] {
        assert!(ask("minimize", words(args), text.as_bytes()).stdout == all.stdout, "{args}");
    }
    let mut found = vec![Vec::new(); 100];
    for line in all.stdout().lines() {
        let (puzzle, record) = line.split_once(' ').unwrap();
        found[record.parse::<usize>().unwrap() - 1].push(puzzle);
    }
    for (k, (found, one)) in found.iter().zip(one.stdout().lines()).enumerate() {
        assert_eq!(found.first().copied().unwrap_or(""), one, "{k}");
        assert!(found.len() <= 20 && found.iter().collect::<BTreeSet<_>>().len() == found.len());
        for puzzle in found.iter().skip(1) {
            let puzzle: Puzzle = puzzle.parse().unwrap();
            assert!(is_unique(&puzzle) && redundant(&puzzle) == 0, "{puzzle}");
        }
    }
    assert!(found.iter().any(|found| found.len() == 20) && found.iter().any(|found| found.len() == 1));
    let columns = "--all=20 --format csv --columns record,number,complete";
    let table = ask("minimize", words(columns), text.as_bytes());
    for row in table.stdout().lines().skip(1).filter(|row| !row.ends_with(',')) {
        let row: Vec<&str> = row.split(',').collect();
        let n = found[row[0].parse::<usize>().unwrap() - 1].len();
        assert!(n == 20 || row[2] == "true", "{row:?}");
    }
    assert!(table.stdout().contains("false"));
    assert_eq!(ask("minimize", ["--all=0"], text.as_bytes()).code, Some(2));
}

#[test]
fn redundant_clues_are_columns_of_check_and_rate() {
    let text = head(200);
    let columns = "--columns redundant,minimal,status --format csv";
    let check = ask("check", words(columns), text.as_bytes());
    for (k, (row, line)) in check.stdout().lines().skip(1).zip(text.lines()).enumerate() {
        let expected = match sample_status(k) {
            Status::Unique => {
                let n = redundant(&line.parse().unwrap());
                format!("{n},{},unique", n == 0)
            }
            other => format!(",,{other}"),
        };
        assert_eq!(row, expected, "{k}");
    }
    let rate = ask("rate", words(columns), text.as_bytes());
    assert_eq!(rate.stdout(), check.stdout());
    let rate = ask("rate", words("--columns hardest,redundant"), format!("{PUZZLE}\n").as_bytes());
    assert_eq!(rate.stdout(), "hardest,redundant\nhidden single,22\n");
}
