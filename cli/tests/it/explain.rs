//! The command `explain`.

use std::collections::HashSet;

use rapidoku::grid::CELLS;
use rapidoku::{Explanation, Puzzle};
use serde_json::Value;

use crate::samples::{SAMPLE, head};
use crate::support::{CLASH, NO_SOLUTION, PUZZLE, SOLUTION, call, inside};

fn json(record: &str) -> Value {
    let run = call("explain --format json --input-format lines", record);
    assert_eq!((run.code, &*run.stderr), (Some(0), ""));
    run.json()
}

#[test]
fn clashes_of_each_kind_of_house() {
    for (clues, digit, house, cells) in [
        (&[0, 8][..], 1, "row 1", vec!["r1c1", "r1c9"]),
        (&[12, 48, 75], 7, "column 4", vec!["r2c4", "r6c4", "r9c4"]),
        (&[60, 71], 3, "box 9", vec!["r7c7", "r8c9"]),
    ] {
        let mut puzzle = [0; CELLS];
        clues.iter().for_each(|&cell: &usize| puzzle[cell] = digit);
        let found = json(&Puzzle::from_cells(puzzle).unwrap().to_string());
        assert_eq!(found["status"], "invalid");
        let clash = &found["clashes"][0];
        assert_eq!((&clash["digit"], &clash["house"]), (&Value::from(digit), &Value::from(house)));
        assert_eq!(clash["cells"], Value::from(cells));
        assert_eq!(found["clashes"].as_array().unwrap().len(), 1);
    }
    let found = json(&format!("b{}", &PUZZLE[1..]));
    assert_eq!([&found["status"], &found["reason"]], ["invalid", "bad character 'b' in column 1"]);
}

#[test]
fn clues_that_may_be_superfluous() {
    let puzzle = "..1..97..6............42..8..4..72.5.5.........2...98...39.4....8.75..1.....6...2";
    for (args, core, is_minimal, text) in [
        ("", &*puzzle.replace("75", ".5"), true, "these 23 clues alone have no solution, but without any one of them"),
        ("--max-guesses 5", puzzle, false, "these 24 clues alone have no solution; some of them may be"),
    ] {
        let found = call(&format!("explain --format json {args}"), puzzle).json();
        assert_eq!((&found["core"], &found["core_is_minimal"]), (&core.into(), &is_minimal.into()));
        let run = call(&format!("explain {args}"), puzzle);
        assert!(run.stdout().contains(text), "{}", run.stdout());
    }
}

#[test]
fn steps_agree_with_ratings() {
    let text: String = head(1000);
    let rates = call("rate --format jsonl", &text);
    let explained = call("explain --format json -j 1", &text);
    for (number, (rate, row)) in (1..).zip(rates.json_lines().iter().zip(explained.json_lines())) {
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
fn the_next_steps_are_the_first_ones_without_the_solution() {
    let all = json(PUZZLE);
    for most in 0..3 {
        let next = call(&format!("explain --steps {most} --format json"), PUZZLE).json();
        assert_eq!(next["steps"].as_array().unwrap()[..], all["steps"].as_array().unwrap()[..most]);
        assert_eq!((&next["next"], &next["status"]), (&"hidden single".into(), &all["status"]));
        assert!(next["solution"].is_null());
    }
    let text = |most: u32| call(&format!("explain --steps {most}"), PUZZLE).stdout().to_owned();
    let step = "   1. hidden single (1.2): r1c6 = 8, the only place in box 2\n";
    assert!(text(1).ends_with(&format!("{step}next: hidden single\n\n")) && !text(1).contains("5 3 4"));
    assert_eq!(text(0), text(1).replace(step, ""));
    let complete = call("explain --steps 1", SOLUTION);
    assert!(complete.stdout().ends_with("\nno step is left\n\n"));
    // Other puzzles are explained as a whole.
    assert_eq!(call("explain --steps 1", NO_SOLUTION).stdout(), call("explain", NO_SOLUTION).stdout());
}

#[test]
fn a_page_has_a_section_for_each_record() {
    let folder = tempfile::tempdir().unwrap();
    let page = inside(&folder, "steps.html");
    let text: String = SAMPLE.split_inclusive('\n').take(60).chain(["bad\n"]).collect();
    let run = call(&format!("explain -o {page}"), &text);
    assert_eq!((run.code, &*run.stderr), (Some(0), ""));
    let page = std::fs::read_to_string(&page).unwrap();
    assert_eq!(page.matches("<section>").count(), 61);
    assert!(page.starts_with("<!DOCTYPE html>") && page.trim_end().ends_with("</html>"), "{page}");
    assert!(page.contains("class=\"arrow") && page.contains("<p>invalid: "));
    assert!(page.contains("Two solutions differ in the "));
    let links = page.replace("http://www.w3.org/2000/svg", "");
    assert!(!links.contains("http") && !links.contains("src="));
}

#[test]
fn all_steps_are_in_the_page() {
    let hard = "..9..3.....3.1...87..52963.1973.64...351.....4.....1.39..73....8.6..13..3..26...9";
    let Explanation::Unique { steps, .. } = Explanation::of(&hard.parse().unwrap()) else { panic!("unique") };
    let [html, next] = ["", "--steps 1"].map(|args| call(&format!("explain --format html {args}"), hard));
    for step in &steps {
        let single = |(cell, digit)| format!(": {cell} = {digit}");
        let words = step.placed.map_or(step.to_string(), single).replace('>', "&gt;").replace('<', "&lt;");
        assert!(html.stdout().contains(&words), "{step}");
    }
    let chains = steps.iter().filter(|step| step.chain.is_some()).count();
    assert!(chains > 0 && html.stdout().matches("class=\"arrow").count() >= 3 * chains);
    let figures = next.stdout().matches("<figure>").count();
    assert_eq!((figures, html.stdout().matches("<b>The ").count()), (2, 2));
    // The digits before the last steps are those of the solution, without those that are placed.
    let digits = |figure: &str| -> HashSet<(String, String, char)> {
        let texts = figure.split("<text class=\"").filter(|text| !text.starts_with("candidate"));
        let texts = texts.filter_map(|text| text.split_once(" x=\"")?.1.split_once("\" y=\""));
        let cells = |(x, rest): (&str, &str)| {
            let (y, rest) = rest.split_once("\">").unwrap();
            let cells = x.split(' ').map(str::to_owned).zip(rest.chars());
            cells.map(|(x, digit)| (x, y.to_owned(), digit)).collect::<Vec<_>>()
        };
        texts.flat_map(cells).collect()
    };
    let [.., last, solution] = &html.stdout().split("<figure>").collect::<Vec<_>>()[..] else { panic!("steps") };
    let (before, all) = (digits(last), digits(solution));
    assert!(before.is_subset(&all) && all.len() == CELLS);
    assert_eq!(before.len() + last.matches("class=\"placed\"").count(), CELLS);
    // No point of an arrow is outside.
    for path in html.stdout().split("d=\"M").skip(1).filter(|path| path.contains('Q')) {
        let numbers = path.split('"').next().unwrap().split([' ', 'Q']);
        assert!(numbers.map(|at| at.parse::<f64>().unwrap()).all(|at| (0.0..=270.0).contains(&at)), "{path}");
    }
}

#[test]
fn text_for_people() {
    let [puzzle, solved] = [PUZZLE, SOLUTION].map(|text| format!("{:#}", text.parse::<Puzzle>().unwrap()));
    let run = call("explain", PUZZLE);
    let headline = "<stdin>:1: unique: 30 clues, ER 1.2, EP 1.2, ED 1.2, hardest technique: hidden single";
    let start = format!("{headline}\n{puzzle}\n   1. hidden single (1.2): r1c6 = 8, the only place in box 2\n");
    assert!(run.stdout().starts_with(&start));
    assert!(run.stdout().ends_with(&format!("\n{solved}\n\n")) && !run.stdout().contains('\x1b'));
    let text = |record: &str| call("explain --input-format=lines", record).stdout().to_owned();
    let clash = text(CLASH);
    assert!(clash.contains("invalid: digit 1 twice in row 1: r1c1 and r1c9\n"), "{clash}");
    assert!(clash.contains("digit 1 several times in row 1: r1c1 r1c9\n"), "{clash}");
    assert_eq!(text(&format!("b{}", &PUZZLE[1..])), "<stdin>:1: invalid: bad character 'b' in column 1\n\n");
    assert!(text(NO_SOLUTION).contains("no candidate is left for r1c9\n"));
    let several = text(&".".repeat(81));
    assert!(several.contains("multiple: 0 clues\n") && several.contains('*'), "{several}");
    let capped = call("explain --max-guesses 0", ".".repeat(81));
    assert_eq!(capped.stdout(), "<stdin>:1: gave-up: 0 clues\n\n");
}
