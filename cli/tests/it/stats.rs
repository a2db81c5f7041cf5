//! The command `stats`.

use std::collections::HashMap;
use std::fs;

use serde_json::{Value, json};

use crate::samples::{SAMPLE, head};
use crate::support::{CLASH, NO_SOLUTION, PUZZLE, SOLUTION, ask, call, file, inside, pencilled};

fn json(args: &str, text: &[u8]) -> Value {
    let run = call(&format!("stats -q --format json {args}"), text);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    serde_json::from_slice(&run.stdout).unwrap()
}

/// The number of each value in a column of CSV.
fn tally(csv: &str, column: usize) -> HashMap<String, u64> {
    let mut tally = HashMap::new();
    for row in csv::Reader::from_reader(csv.as_bytes()).records() {
        *tally.entry(row.unwrap()[column].to_owned()).or_default() += 1;
    }
    tally
}

#[test]
fn the_numbers_are_those_of_other_commands() {
    let text: String = SAMPLE.split_inclusive('\n').step_by(7).chain(["bad\n", CLASH, "\n"]).collect();
    let found = json("", text.as_bytes());
    let rated = call("rate -q", &text);
    let records: u64 = text.lines().count() as u64;
    assert_eq!(found["records"], records);
    let statuses = tally(rated.stdout(), 1);
    assert!(statuses.len() == 4);
    for (status, n) in &statuses {
        assert_eq!(found["counts"][status], *n, "{status}");
    }
    let hardest = tally(rated.stdout(), 6);
    let total = found["hardest"].as_object().unwrap().values().map(|n| n.as_u64().unwrap()).sum::<u64>();
    let ratings = found["er"].as_array().unwrap();
    let with = |key: &'static str| ratings.iter().filter(move |rating| !rating[key].is_null());
    let above: u64 = with("above").map(|rating| rating["puzzles"].as_u64().unwrap()).sum();
    assert_eq!(total + above, statuses["unique"]);
    let er = tally(rated.stdout(), 3);
    for rating in with("er") {
        assert_eq!(rating["puzzles"], er[&format!("{:.1}", rating["er"].as_f64().unwrap())]);
    }
    for (technique, n) in found["hardest"].as_object().unwrap() {
        assert_eq!(*n, hardest[technique], "{technique}");
    }
    let solved = call("solve -q --unique --format csv --columns status,clues,guesses", &text);
    let mut clues: HashMap<u64, u64> = HashMap::new();
    let mut groups = [0; 64];
    let mut guesses = (0, 0);
    for row in csv::Reader::from_reader(solved.stdout().as_bytes()).records() {
        let row = row.unwrap();
        if &row[0] != "invalid" {
            *clues.entry(row[1].parse().unwrap()).or_default() += 1;
            let n: u64 = row[2].parse().unwrap();
            groups[(64 - n.leading_zeros()) as usize] += 1;
            guesses = (guesses.0 + n, guesses.1.max(n));
        }
    }
    assert_eq!(found["clues"].as_array().unwrap().len(), clues.len());
    for bar in found["clues"].as_array().unwrap() {
        assert_eq!(bar["puzzles"], clues[&bar["clues"].as_u64().unwrap()]);
    }
    for (bar, n) in found["guesses"].as_array().unwrap().iter().zip(groups) {
        assert_eq!(bar["puzzles"], n);
    }
    assert_eq!(found["guesses"][3]["from"], 4);
    assert_eq!(found["guesses"][3]["to"], 7);
    assert_eq!((&found["total_guesses"], &found["max_guesses"]), (&json!(guesses.0), &json!(guesses.1)));
    assert_eq!(found["blanks"], json!({ ".": records - 2 }));
}

#[test]
fn duplicates_are_equal_or_equivalent() {
    let once: String = SAMPLE.split_inclusive('\n').skip(8800).take(800).collect();
    let copies = call("permute --copies 3 --seed 1", &once);
    let text = once.repeat(2) + copies.stdout();
    let of = |text: &str| json("--no-rate", text.as_bytes());
    // The sample itself has a few duplicates.
    let base = of(&once);
    let found = of(&text);
    assert_eq!(found["equal"]["records"], 4000);
    assert_eq!(found["equivalent"]["distinct"], base["equivalent"]["distinct"]);
    assert_eq!(found["equivalent"]["repeated"], base["equivalent"]["distinct"]);
    assert!(found["equivalent"]["most"].as_u64().unwrap() >= 5);
    let distinct = found["equal"]["distinct"].as_u64().unwrap();
    assert!((3190..=3200).contains(&distinct), "{distinct}");
    assert_eq!(found["hardest"], Value::Null);
    assert_eq!(json("--no-rate --max-distinct 9999", text.as_bytes()), found);
    // Estimates from 100 to 200 of 800 classes.
    let estimate = json("--no-rate --max-distinct 200", text.as_bytes());
    assert_eq!(estimate["equivalent"]["is_estimate"], true);
    // It depends neither on the order nor on the threads, and has no error without duplicates.
    let reversed: String = text.split_inclusive('\n').rev().collect();
    let other = json("--no-rate --max-distinct 200 -j 3 --batch-bytes 900", reversed.as_bytes());
    assert_eq!((&other["equal"], &other["equivalent"]), (&estimate["equal"], &estimate["equivalent"]));
    let lines = json("--no-rate --max-distinct 100", once.as_bytes());
    let copies = once.lines().count() as u64 - lines["equal"]["distinct"].as_u64().unwrap();
    assert!(copies < 20 && lines["equal"]["is_estimate"] == true, "{copies}");
    let distinct = estimate["equivalent"]["distinct"].as_u64().unwrap();
    assert!((500..1200).contains(&distinct), "{distinct}");
}

#[test]
fn a_page_has_the_command_and_needs_no_other_file() {
    let folder = tempfile::tempdir().unwrap();
    let input = file(&folder, "in.txt", head(1000));
    let [text, page] = ["x.txt", "x.html"].map(|name| {
        let output = inside(&folder, name);
        let run = call(&format!("stats -o {output} {input}"), b"");
        assert_eq!((run.code, run.stdout(), &*run.stderr), (Some(0), "", ""));
        fs::read_to_string(output).unwrap()
    });
    assert!(text.lines().all(|line| line.chars().count() <= 80 || line.contains(&input)), "{text}");
    assert!(text.contains("Hardest technique") && text.contains("█"), "{text}");
    assert!(page.contains("<th scope=\"row\">hidden single<td>") && page.contains("viewport"));
    assert!(page.contains("<pre>rapidoku stats -o ") && !page.contains("<circle"), "{page}");
    assert!(["http", "src=", "<script"].iter().all(|part| !page.contains(part)), "{page}");
}

#[test]
fn bars_have_eighths_and_small_numbers_are_visible() {
    let none = format!("{NO_SOLUTION}\n");
    let run = call("stats -q --no-rate", format!("{PUZZLE}\n{}{}", none.repeat(10), "bad\n".repeat(720)));
    let all = "█".repeat(36);
    for (name, bar) in [("unique", "▏"), ("none", "▌"), ("invalid", &all), ("10", "%")] {
        let row = run.stdout().lines().find(|line| line.starts_with(&format!("  {name} "))).unwrap();
        assert_eq!(row.split_whitespace().last(), Some(bar), "{row}");
    }
}

#[test]
fn layouts_and_blanks_are_described() {
    let folder = tempfile::tempdir().unwrap();
    let zeros = PUZZLE.replace('.', "0");
    let mixed = PUZZLE.replacen('.', "0", 1);
    let table = format!("id,puzzle\n1,{PUZZLE}\n2,{zeros}\n3,{SOLUTION}\n4,{mixed}\n5,bad\n");
    let table = file(&folder, "table", table);
    let marks = file(&folder, "marks", pencilled(PUZZLE));
    let empty = file(&folder, "empty", "");
    let found = json(&format!("{empty} {table} {marks} {table}"), b"");
    assert_eq!(found["blanks"], json!({ ".": 2, "0": 2, "none": 2 }));
    let inputs = json!([
        { "name": table, "layout": "csv", "columns": ["id", "puzzle"], "records": 5, "invalid": 2 },
        { "name": marks, "layout": "lines", "columns": [], "records": 1, "invalid": 0 },
        { "name": table, "layout": "csv", "columns": ["id", "puzzle"], "records": 5, "invalid": 2 },
    ]);
    assert_eq!((&found["inputs"], &found["input_count"]), (&inputs, &json!(3)));
    assert_eq!((&found["equal"]["distinct"], &found["equivalent"]["distinct"]), (&json!(3), &json!(2)));
    assert_eq!(found["hardest"]["complete"], 2);
    let run = ask("stats", [&*empty], b"");
    assert_eq!(run.stdout(), "Records         0\n");
}
