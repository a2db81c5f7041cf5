//! The command `explain`, and what it is made of.

use std::fs;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rapidoku::engine::{Engine, Limits, Outcomes, PuzzleSlice};
use rapidoku::explain::{Explanation, core, refute};
use rapidoku::grid::{CELLS, Candidates, HOUSE_CELLS, PEERS, Puzzle, Status};
use rapidoku::scalar;
use rapidoku::simd::Level;
use rapidoku::technique::{Contradiction, Technique};
use serde_json::Value;

use crate::samples::{puzzles, random_candidates, sample, sample_status, shared_datasets, up_to};
#[cfg(target_os = "linux")]
use crate::support::file;
use crate::support::{CLASH, NO_SOLUTION, PUZZLE, SOLUTION, ask, words};

fn json(record: &str) -> Value {
    let run = ask("explain", words("--format json"), record.as_bytes());
    assert_eq!((run.code, &*run.stderr), (Some(0), ""));
    serde_json::from_str(run.stdout()).unwrap()
}

fn blank() -> Vec<u8> {
    vec![b'.'; CELLS]
}

/// A grid with some clues, by row and column from 1.
fn clues(clues: &[(usize, usize, u8)]) -> String {
    let mut cells = blank();
    for &(row, column, digit) in clues {
        cells[9 * (row - 1) + column - 1] = b'0' + digit;
    }
    String::from_utf8(cells).unwrap()
}

#[test]
fn clashes_of_each_kind_of_house() {
    let cases = [
        (CLASH.to_owned(), 1, "row 1", vec!["r1c1", "r1c9"]),
        (clues(&[(2, 4, 7), (6, 4, 7), (9, 4, 7)]), 7, "column 4", vec!["r2c4", "r6c4", "r9c4"]),
        (clues(&[(7, 7, 3), (8, 9, 3)]), 3, "box 9", vec!["r7c7", "r8c9"]),
    ];
    for (puzzle, digit, house, cells) in cases {
        let found = json(&puzzle);
        assert_eq!(found["status"], "invalid");
        let clash = &found["clashes"][0];
        assert_eq!((&clash["digit"], &clash["house"]), (&Value::from(digit), &Value::from(house)));
        assert_eq!(clash["cells"], Value::from(cells));
        assert_eq!(found["clashes"].as_array().unwrap().len(), 1);
    }
    let found = json("bad");
    assert_eq!(
        (&found["status"], &found["reason"]),
        (&"invalid".into(), &"bad character 'b' in column 1".into())
    );
}

#[test]
fn a_cell_without_candidate() {
    let found = json(NO_SOLUTION);
    assert_eq!(found["status"], "none");
    assert_eq!(found["refutation"]["contradiction"]["cell"], "r1c9");
    assert_eq!(found["refutation"]["steps"], Value::Array(Vec::new()));
    // With 9 in their box, neither 7 nor 8 is needed to keep 9 out of the row.
    assert_eq!(found["core"], NO_SOLUTION.replace("78", ".."));
}

#[test]
fn a_digit_without_place() {
    let cases = [
        // Rows 1 and 2 have their 1 in other boxes, and so has what is open of row 3.
        (clues(&[(1, 4, 1), (2, 7, 1), (3, 1, 2), (3, 2, 3), (3, 3, 4)]), "row 3"),
        (clues(&[(4, 1, 1), (7, 2, 1), (1, 3, 2), (2, 3, 3), (3, 3, 4)]), "column 3"),
        // Row 1 and column 1 have their 1, the other cells of the box are taken.
        (clues(&[(1, 5, 1), (5, 1, 1), (2, 2, 2), (2, 3, 3), (3, 2, 4), (3, 3, 5)]), "box 1"),
    ];
    for (puzzle, house) in cases {
        let found = json(&puzzle);
        let refutation = &found["refutation"];
        assert_eq!(refutation["contradiction"], serde_json::json!({ "digit": 1, "house": house }));
        assert_eq!(refutation["steps"], Value::Array(Vec::new()));
        assert_eq!(found["core"], puzzle);
    }
}

#[test]
fn a_chain_of_singles() {
    // 5 alone is left for r1c1, and for r2c2 in the same box. The last clue has no part in it.
    let row_1 = (4..8).zip([1, 2, 3, 4]).map(|(column, digit)| (1, column, digit));
    let row_2 = (4..8).zip([6, 7, 8, 9]).map(|(column, digit)| (2, column, digit));
    let column_1 = (4..8).zip([6, 7, 8, 9]).map(|(row, digit)| (row, 1, digit));
    let column_2 = (4..8).zip([1, 2, 3, 4]).map(|(row, digit)| (row, 2, digit));
    let needed: Vec<_> = row_1.chain(row_2).chain(column_1).chain(column_2).collect();
    let puzzle = clues(&[&needed[..], &[(9, 9, 1)]].concat());
    let found = json(&puzzle);
    assert_eq!(found["refutation"]["contradiction"], serde_json::json!({ "cell": "r2c2" }));
    let steps = found["refutation"]["steps"].as_array().unwrap();
    assert_eq!(steps.len(), 1, "{found}");
    assert_eq!(steps[0]["technique"], "naked single");
    assert_eq!((&steps[0]["cells"][0], &steps[0]["digits"][0]), (&"r1c1".into(), &5.into()));
}

/// Follows a refutation with placements only, and checks that it holds and needs each of its steps.
fn is_refuted(start: &Candidates, steps: &[rapidoku::technique::Step], end: Contradiction) -> bool {
    let mut digits = *start.clues().cells();
    let may = |digits: &[u8; CELLS], cell: u8, digit: u8| {
        let is_candidate = start.cells()[cell as usize] >> (digit - 1) & 1 == 1;
        is_candidate
            && digits[cell as usize] == 0
            && PEERS[cell as usize].iter().all(|&peer| digits[peer as usize] != digit)
    };
    let places = |digits: &[u8; CELLS], house: u8, digit: u8| {
        HOUSE_CELLS[house as usize].iter().filter(|&&cell| may(digits, cell, digit)).count()
    };
    for step in steps {
        let (cell, digit) = step.placement().unwrap();
        let forced = match step.technique {
            Technique::NakedSingle => (1..=9).filter(|&digit| may(&digits, cell.0, digit)).count() == 1,
            Technique::HiddenSingle => places(&digits, step.house.unwrap().0, digit) == 1,
            other => panic!("{other} is no single"),
        };
        if !forced || !may(&digits, cell.0, digit) {
            return false;
        }
        digits[cell.0 as usize] = digit;
    }
    match end {
        Contradiction::Cell { cell } => {
            digits[cell.0 as usize] == 0 && (1..=9).all(|digit| !may(&digits, cell.0, digit))
        }
        Contradiction::Digit { digit, house } => {
            let there = HOUSE_CELLS[house.0 as usize].iter().any(|&cell| digits[cell as usize] == digit);
            !there && places(&digits, house.0, digit) == 0
        }
    }
}

/// Refutations hold and need each of their steps; cores have no solution, but less any clue they have.
fn assert_none_explained(puzzles: &[Candidates]) -> usize {
    let mut refuted = 0;
    let mut subsets = Vec::new();
    for puzzle in puzzles {
        if let Some(refutation) = refute(*puzzle) {
            let (steps, end) = (&refutation.steps, refutation.contradiction);
            assert!(is_refuted(puzzle, steps, end), "{puzzle}");
            for i in 0..steps.len() {
                let mut fewer = steps.clone();
                fewer.remove(i);
                assert!(!is_refuted(puzzle, &fewer, end), "{puzzle}: step {} is idle", i + 1);
            }
            refuted += 1;
        }
        let core = core(*puzzle, u64::MAX);
        let kept = |(core, set): (&u16, &u16)| *core == Candidates::NINE || core == set;
        assert!(core.cells().iter().zip(puzzle.cells()).all(kept));
        subsets.push(core);
    }
    let statuses = |puzzles: &[Candidates]| {
        let mut outcomes = Outcomes::default();
        let search = Limits { limit: 1, max_guesses: 20_000 };
        Engine::Lanes(Level::detect()).solve(PuzzleSlice::Candidates(puzzles), search, &mut outcomes);
        // Of hundreds of thousands of puzzles with few clues, some are bad luck for one solver, but not for both.
        let other = |puzzle| scalar::solve_candidates(puzzle, search).status;
        let capped = |(status, puzzle)| if status == Status::Limit { other(puzzle) } else { status };
        outcomes.status.into_iter().zip(puzzles).map(capped).collect::<Vec<_>>()
    };
    assert!(statuses(&subsets).iter().all(|&status| status == Status::None));
    let less_one = |core: &Candidates| {
        let cells = *core.cells();
        let given = (0..CELLS).filter(move |&cell| cells[cell] != Candidates::NINE);
        given.map(move |cell| {
            let mut fewer = cells;
            fewer[cell] = Candidates::NINE;
            Candidates::from_cells(fewer).unwrap()
        })
    };
    let fewer: Vec<_> = subsets.iter().flat_map(less_one).collect();
    assert!(fewer.len() >= puzzles.len());
    assert!(statuses(&fewer).iter().all(|&status| status == Status::Solved));
    refuted
}

#[test]
fn puzzles_without_solution_are_explained() {
    let all = sample().into_iter().enumerate();
    let none = all.filter(|(line, _)| sample_status(*line) == Status::None);
    let none: Vec<_> = none.map(|(_, puzzle)| Candidates::from(&puzzle)).collect();
    let refuted = assert_none_explained(&none);
    assert!(refuted > 0 && refuted < none.len(), "{refuted} of {}", none.len());
}

#[test]
fn pencilmarks_without_solution_are_explained() {
    let mut random = ChaCha8Rng::seed_from_u64(11);
    let all = (0..400).map(|_| random_candidates(&mut random));
    let none: Vec<_> = all
        .filter(|candidates| scalar::solve_candidates(candidates, up_to(1)).status == Status::None)
        .collect();
    let refuted = assert_none_explained(&none);
    assert!(refuted > 0 && refuted < none.len(), "{refuted} of {}", none.len());
}

#[test]
#[ignore = "some seconds"]
fn all_shared_puzzles_without_solution_are_explained() {
    let Some(folder) = shared_datasets() else { return };
    let all = puzzles(&fs::read_to_string(folder.join("zero_20k.txt")).unwrap());
    let all: Vec<_> = all.iter().map(Candidates::from).collect();
    println!("{} of {} are refuted by singles", assert_none_explained(&all), all.len());
}

#[test]
fn two_solutions_and_where_they_differ() {
    for (line, puzzle) in sample().iter().enumerate().take(400) {
        let Explanation::Multiple { solutions: [first, second], differ } =
            Explanation::new(Ok(puzzle.into()), u64::MAX)
        else {
            assert_ne!(sample_status(line), Status::Multiple);
            continue;
        };
        assert_eq!(sample_status(line), Status::Multiple);
        rapidoku::verify::check(puzzle, &first).unwrap();
        rapidoku::verify::check(puzzle, &second).unwrap();
        let here: Vec<_> = (0..81).filter(|&i| first.cells()[i] != second.cells()[i]).collect();
        assert_eq!(differ.iter().map(|cell| cell.0 as usize).collect::<Vec<_>>(), here);
    }
}

#[test]
fn steps_agree_with_ratings() {
    let text: String =
        include_str!("../../datasets/sample_10k.txt").split_inclusive('\n').take(1000).collect();
    let rates = ask("rate", words("--format jsonl"), text.as_bytes());
    let explained = ask("explain", words("--format json -j 1"), text.as_bytes());
    let again = ask("explain", words("--format json -j 4 --batch-bytes 999"), text.as_bytes());
    assert!(explained.stdout == again.stdout);
    let names = Technique::ALL.map(Technique::name);
    for (number, (rate, row)) in (1..).zip(rates.stdout().lines().zip(explained.stdout().lines())) {
        let (rate, row): (Value, Value) =
            (serde_json::from_str(rate).unwrap(), serde_json::from_str(row).unwrap());
        assert_eq!((&row["record"], &row["line"]), (&Value::from(number), &Value::from(number)));
        assert_eq!((&rate["status"], &rate["puzzle"]), (&row["status"], &row["puzzle"]));
        if rate["status"] != "unique" {
            continue;
        }
        for field in ["hardest", "guesses", "backtracks"] {
            assert_eq!(rate[field], row[field], "line {number}");
        }
        let rank = |step: &Value| names.iter().position(|name| step["technique"] == *name).unwrap();
        let steps = row["steps"].as_array().unwrap();
        let hardest = steps.iter().map(rank).max().unwrap();
        // With guesses the guess is the hardest, with none no step is left out.
        assert_eq!(row["hardest"], names[hardest], "line {number}");
        let mut digits = row["puzzle"].as_str().unwrap().as_bytes().to_vec();
        for step in steps.iter().filter(|step| step["removed"].as_array().unwrap().is_empty()) {
            let place = step["cells"][0].as_str().unwrap().as_bytes();
            let cell = 9 * (place[1] - b'1') as usize + (place[3] - b'1') as usize;
            assert_eq!(digits[cell], b'.');
            digits[cell] = b'0' + step["digits"][0].as_u64().unwrap() as u8;
        }
        assert_eq!(row["solution"].as_str().unwrap().as_bytes(), digits, "line {number}");
    }
}

#[test]
fn text_for_people() {
    let solved = format!("{:#}", SOLUTION.parse::<Puzzle>().unwrap());
    let run = ask("explain", [""; 0], PUZZLE.as_bytes());
    let headline = "<stdin>:1: unique: 30 clues, hardest step naked single, 0 guesses, 0 backtracks";
    assert!(run.stdout().starts_with(&format!("{headline}\n{solved}\n   1. naked single: r5c5 = 5\n")));
    assert!(run.stdout().ends_with("\n\n") && !run.stdout().contains('\x1b'));
    let text = |record: &str| String::from_utf8(ask("explain", [""; 0], record.as_bytes()).stdout).unwrap();
    let clash = text(CLASH);
    assert!(clash.contains("invalid: digit 1 twice in row 1: r1c1 and r1c9\n"), "{clash}");
    assert!(clash.contains("digit 1 several times in row 1: r1c1 r1c9\n"), "{clash}");
    assert_eq!(text("bad"), "<stdin>:1: invalid: bad character 'b' in column 1\n\n");
    assert!(text(NO_SOLUTION).contains("no candidate is left for r1c9\n"));
    let several = text(&".".repeat(81));
    assert!(several.contains("multiple: 0 clues\n") && several.contains('*'), "{several}");
    let capped = ask("explain", words("--max-guesses 0"), ".".repeat(81).as_bytes());
    assert_eq!(capped.stdout(), "<stdin>:1: limit: 0 clues\n\n");
}

#[cfg(target_os = "linux")]
#[test]
fn colour_on_a_terminal_unless_the_environment_says_no() {
    use std::process::Command;
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "in", PUZZLE);
    // `script` gives the program a terminal.
    let coloured = |no_color: Option<&str>, args: &str| {
        let mut command = Command::new("script");
        command.env_remove("NO_COLOR");
        if let Some(value) = no_color {
            command.env("NO_COLOR", value);
        }
        let line = format!("{} explain {args} {path}", env!("CARGO_BIN_EXE_rapidoku"));
        let output = command.args(["-qec", &line, "/dev/null"]).output().ok()?;
        assert!(output.status.success() && output.stdout.len() > 1000);
        Some(output.stdout.windows(2).any(|pair| pair == b"\x1b["))
    };
    let Some(usual) = coloured(None, "") else { return println!("skipped: no script program") };
    assert!(usual);
    assert_eq!(coloured(Some(""), ""), Some(true));
    assert_eq!(coloured(Some("1"), ""), Some(false));
    assert_eq!(coloured(None, "--format json"), Some(false));
}

#[test]
fn colour_says_nothing_more() {
    for record in [PUZZLE, NO_SOLUTION, CLASH, &".".repeat(81)] {
        let puzzle: Candidates = (&record.parse::<Puzzle>().unwrap()).into();
        let explanation = Explanation::new(Ok(puzzle), u64::MAX);
        let (plain, coloured) = (explanation.to_text(&puzzle, false), explanation.to_text(&puzzle, true));
        let mut without = String::new();
        let mut parts = coloured.split("\x1b[");
        without += parts.next().unwrap();
        parts.for_each(|part| without += part.split_once('m').unwrap().1);
        assert_eq!(without, plain);
        assert_ne!(coloured, plain);
    }
}
