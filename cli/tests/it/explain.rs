//! The command `explain`.

use rapidoku::Puzzle;
use rapidoku::grid::CELLS;
use serde_json::Value;

#[cfg(target_os = "linux")]
use crate::support::file;
use crate::support::{CLASH, NO_SOLUTION, PUZZLE, SOLUTION, ask, words};

fn json(record: &str) -> Value {
    let run = ask("explain", words("--format json --input-format lines"), record.as_bytes());
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
    let found = json(&format!("b{}", &PUZZLE[1..]));
    assert_eq!(
        (&found["status"], &found["reason"]),
        (&"invalid".into(), &"bad character 'b' in column 1".into())
    );
}

#[test]
fn clues_that_may_be_superfluous() {
    let puzzle = "..1..97..6............42..8..4..72.5.5.........2...98...39.4....8.75..1.....6...2";
    for (args, core, is_minimal, text) in [
        (
            "",
            puzzle.replace("75", ".5"),
            true,
            "these 23 clues alone have no solution, but without any one of them",
        ),
        (
            "--max-guesses 5",
            puzzle.to_owned(),
            false,
            "these 24 clues alone have no solution; some of them may be",
        ),
    ] {
        let run = ask("explain", words(&format!("--format json {args}")), puzzle.as_bytes());
        let found: Value = serde_json::from_str(run.stdout()).unwrap();
        assert_eq!((&found["core"], &found["core_is_minimal"]), (&core.into(), &is_minimal.into()));
        let run = ask("explain", words(args), puzzle.as_bytes());
        assert!(run.stdout().contains(text), "{}", run.stdout());
    }
}

#[test]
fn steps_agree_with_ratings() {
    let text: String =
        include_str!("../../../datasets/sample_10k.txt").split_inclusive('\n').take(1000).collect();
    let rates = ask("rate", words("--format jsonl"), text.as_bytes());
    let explained = ask("explain", words("--format json -j 1"), text.as_bytes());
    let again = ask("explain", words("--format json -j 4 --batch-bytes 999"), text.as_bytes());
    assert!(explained.stdout == again.stdout);
    for (number, (rate, row)) in (1..).zip(rates.stdout().lines().zip(explained.stdout().lines())) {
        let (rate, row): (Value, Value) =
            (serde_json::from_str(rate).unwrap(), serde_json::from_str(row).unwrap());
        assert_eq!((&row["record"], &row["line"]), (&Value::from(number), &Value::from(number)));
        assert_eq!((&rate["status"], &rate["puzzle"]), (&row["status"], &row["puzzle"]));
        if rate["status"] != "unique" {
            continue;
        }
        for field in ["er", "ep", "ed"] {
            assert_eq!(rate[field], row["rating"][field], "line {number}");
        }
        let steps = row["steps"].as_array().unwrap();
        let hardest = steps.iter().map(|step| step["difficulty"].as_f64().unwrap()).fold(0.0, f64::max);
        assert_eq!(row["rating"]["er"], hardest, "line {number}");
        let solution = row["solution"].as_str().unwrap().as_bytes();
        let at = |cell: &Value| {
            let place = cell.as_str().unwrap().as_bytes();
            9 * (place[1] - b'1') as usize + (place[3] - b'1') as usize
        };
        let mut digits = row["puzzle"].as_str().unwrap().as_bytes().to_vec();
        for step in steps {
            for removed in step["removed"].as_array().unwrap() {
                let digit = u64::from(solution[at(&removed["cell"])] - b'0');
                assert!(removed["digits"].as_array().unwrap().iter().all(|removed| *removed != digit));
            }
            if let Value::Array(placed) = &step["placed"] {
                let cell = at(&placed[0]);
                assert_eq!(digits[cell], b'.');
                digits[cell] = b'0' + placed[1].as_u64().unwrap() as u8;
            }
        }
        assert_eq!(row["solution"].as_str().unwrap().as_bytes(), digits, "line {number}");
    }
}

#[test]
fn the_next_step_is_the_first_one_without_the_solution() {
    let all = json(PUZZLE);
    let next: Value =
        serde_json::from_str(ask("explain", words("--next --format json"), PUZZLE.as_bytes()).stdout())
            .unwrap();
    assert_eq!((&next["step"], &next["status"]), (&all["steps"][0], &all["status"]));
    assert!(next["solution"].is_null() && next["steps"].is_null());
    let text = ask("explain", ["--next"], PUZZLE.as_bytes());
    assert!(text.stdout().ends_with("\nhidden single (1.2): r1c6 = 8, the only place in box 2\n\n"));
    assert!(!text.stdout().contains("5 3 4"));
    let complete = ask("explain", ["--next"], SOLUTION.as_bytes());
    assert!(complete.stdout().ends_with("\nthe grid is complete\n\n"));
    // Other puzzles are explained as a whole.
    assert_eq!(
        ask("explain", ["--next"], NO_SOLUTION.as_bytes()).stdout(),
        ask("explain", [""; 0], NO_SOLUTION.as_bytes()).stdout()
    );
}

#[test]
fn a_page_has_a_section_for_each_record() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("steps.html");
    let text: String = include_str!("../../../datasets/sample_10k.txt")
        .split_inclusive('\n')
        .take(60)
        .chain(["bad\n"])
        .collect();
    let mut pages = ["-j 1", "-j 4 --batch-bytes 200"].map(|args| {
        let run = ask("explain", words(&format!("{args} -o {}", page.display())), text.as_bytes());
        assert_eq!((run.code, &*run.stderr), (Some(0), ""));
        std::fs::read_to_string(&page).unwrap()
    });
    assert!(pages[0] == pages[1]);
    let page = std::mem::take(&mut pages[0]);
    assert_eq!(page.matches("<section>").count(), 61);
    assert!(page.starts_with("<!DOCTYPE html>") && page.trim_end().ends_with("</html>"), "{page}");
    assert!(page.contains("class=\"arrow") && page.contains("<p>invalid: "));
    let links = page.replace("http://www.w3.org/2000/svg", "");
    assert!(!links.contains("http") && !links.contains("src="));
}

#[test]
fn text_for_people() {
    let solved = format!("{:#}", SOLUTION.parse::<Puzzle>().unwrap());
    let run = ask("explain", [""; 0], PUZZLE.as_bytes());
    let headline = "<stdin>:1: unique: 30 clues, ER 1.2, EP 1.2, ED 1.2, hardest technique: hidden single";
    assert!(run.stdout().starts_with(&format!(
        "{headline}\n{solved}\n   1. hidden single (1.2): r1c6 = 8, the only place in box 2\n"
    )));
    assert!(run.stdout().ends_with("\n\n") && !run.stdout().contains('\x1b'));
    let text = |record: &str| ask("explain", ["--input-format=lines"], record.as_bytes()).stdout().to_owned();
    let clash = text(CLASH);
    assert!(clash.contains("invalid: digit 1 twice in row 1: r1c1 and r1c9\n"), "{clash}");
    assert!(clash.contains("digit 1 several times in row 1: r1c1 r1c9\n"), "{clash}");
    assert_eq!(text(&format!("b{}", &PUZZLE[1..])), "<stdin>:1: invalid: bad character 'b' in column 1\n\n");
    assert!(text(NO_SOLUTION).contains("no candidate is left for r1c9\n"));
    let several = text(&".".repeat(81));
    assert!(several.contains("multiple: 0 clues\n") && several.contains('*'), "{several}");
    let capped = ask("explain", words("--max-guesses 0"), ".".repeat(81).as_bytes());
    assert_eq!(capped.stdout(), "<stdin>:1: gave-up: 0 clues\n\n");
}

#[cfg(target_os = "linux")]
#[test]
fn colour_on_a_terminal_unless_no_color_is_set() {
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
