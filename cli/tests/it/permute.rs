//! The command `permute`.

use rapidoku::grid::Symmetry;
use rapidoku::{Candidates, Puzzle, canon};

use crate::support::{CLASH, PUZZLE, SOLUTION, ask, words};

const SAMPLE: &str = include_str!("../../../datasets/sample_10k.txt");

#[test]
fn copies_are_equivalent_different_and_depend_on_the_seed_only() {
    let text: String = SAMPLE.split_inclusive('\n').take(400).collect();
    let permuted = ask("permute", words("--copies 3 --seed 5 -j 1"), text.as_bytes());
    assert_eq!(permuted.stdout().lines().count(), 1200);
    for args in ["--copies 3 --seed 5 -j 4 --batch-bytes 400", "--copies 3 --seed 5 --no-mmap"] {
        assert!(ask("permute", words(args), text.as_bytes()).stdout() == permuted.stdout(), "{args}");
    }
    assert_ne!(ask("permute", words("--copies 3 --seed 6"), text.as_bytes()).stdout(), permuted.stdout());
    let mut differ = 0;
    for (k, line) in permuted.stdout().lines().enumerate() {
        let [original, copy]: [Puzzle; 2] =
            [text.lines().nth(k / 3).unwrap(), line].map(|line| line.parse().unwrap());
        let forms = [&original, &copy].map(|puzzle| canon::minlex(puzzle).unwrap().form);
        assert_eq!(forms[0], forms[1]);
        differ += usize::from(original != copy);
    }
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
    // Text is read again as puzzles with solutions.
    for separator in [",", " ", ";"] {
        let line = format!("{}{separator}{SOLUTION}\n", PUZZLE.replace('.', "0"));
        let copies = ask("permute", words("--copies 50"), line.as_bytes());
        assert!(copies.stdout().lines().all(|line| line.contains('0') && line.len() == 163));
        assert_eq!(ask("verify", ["--unique", "-q"], copies.stdout().as_bytes()).code, Some(0));
    }
}

#[test]
fn pencilmarks_are_copied() {
    let line = Candidates::from(&PUZZLE.parse::<Puzzle>().unwrap()).to_string() + "\n";
    let copies = ask("permute", words("--copies 4"), line.as_bytes());
    assert_eq!(copies.stdout().lines().filter(|line| line.len() == 729).count(), 4);
    assert_eq!(ask("check", [""; 0], copies.stdout().as_bytes()).stdout(), "unique\n".repeat(4));
}

#[test]
fn columns_that_need_a_solver_are_errors() {
    for column in ["status", "solutions", "guesses"] {
        for format in ["csv", "jsonl"] {
            let run = ask(
                "permute",
                ["--format", format, "--columns", &format!("copy,{column}")],
                PUZZLE.as_bytes(),
            );
            let message = format!("rapidoku: column '{column}': this command does not solve puzzles; ");
            assert!(run.stderr.starts_with(&message) && run.code == Some(2), "{}", run.stderr);
            assert_eq!(run.stdout(), "");
        }
    }
    // Those of the input, and the solution that is changed with the puzzle, are none of them.
    let text = format!("status,puzzle,solution\nnew,{PUZZLE},{SOLUTION}\n");
    let run = ask("permute", words("--format csv --columns input.status,copy,solution"), text.as_bytes());
    assert!(run.stdout().starts_with("status,copy,solution\nnew,1,"), "{}", run.stdout());
}
