//! The command `split`.

use std::collections::HashMap;
use std::fs;

use rapidoku::{Puzzle, canon};

use crate::samples::{SAMPLE, head};
use crate::support::{CLASH, NO_SOLUTION, PUZZLE, Run, ask, call, file, inside, names, pencilled, words};

/// Splits a text, and returns the run and the parts.
fn split(args: &str, text: &str, parts: &[&str]) -> (Run, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let template = folder.path().join("part-{}.txt").display().to_string();
    let run = ask("split", words(args).chain(["-o", &template]), text.as_bytes());
    assert_eq!((run.code, run.stdout()), (Some(0), ""), "{}", run.stderr);
    let mut expected: Vec<_> = parts.iter().map(|part| format!("part-{part}.txt")).collect();
    expected.sort();
    assert_eq!(names(folder.path()), expected);
    let read = |part: &&str| fs::read_to_string(folder.path().join(format!("part-{part}.txt"))).unwrap();
    (run, parts.iter().map(read).collect())
}

/// Each record is in one part, and each part has its records in input order.
fn assert_in_order(parts: &[String], text: &str) {
    let mut left: Vec<_> = parts.iter().map(|part| part.lines().peekable()).collect();
    for line in text.lines() {
        let has_it = left.iter_mut().any(|part| part.next_if_eq(&line).is_some());
        assert!(has_it, "no part has this next: {line}");
    }
    assert!(left.iter_mut().all(|part| part.next().is_none()));
}

#[test]
fn equivalent_puzzles_are_in_the_same_part() {
    // The sample has puzzles with one solution, several and none.
    let text: String = SAMPLE.split_inclusive('\n').skip(9000).take(400).collect();
    let empty = format!("{}1{}\n{}\n", ".".repeat(40), ".".repeat(40), ".".repeat(81));
    let statuses = call("check", &text);
    for status in ["unique", "multiple", "none"] {
        assert!(statuses.stdout().contains(status), "{status}");
    }
    let copies = call("permute --copies 6", format!("{text}{empty}"));
    let mut part_of = HashMap::new();
    // Halves of the input are divided in runs of their own.
    let lines: Vec<&str> = copies.stdout().split_inclusive('\n').collect();
    for (half, args) in lines.chunks(lines.len() / 2).zip(["-j 1", "-j 3 --batch-bytes 900"]) {
        let args = format!("--parts train=50,validation=20,x=30 --seed 4 {args}");
        let (_, parts) = split(&args, &half.concat(), &["train", "validation", "x"]);
        for (part, text) in parts.iter().enumerate() {
            assert!(text.lines().count() > 100);
            for line in text.lines() {
                let form = canon::minlex(&line.parse::<Puzzle>().unwrap()).unwrap().form;
                assert_eq!(*part_of.entry(form).or_insert(part), part, "{line}");
            }
        }
    }
    assert!(part_of.len() > 390);
}

#[test]
fn parts_by_er_have_the_same_difficulties() {
    // Puzzles with one solution, several and none, and records that are not puzzles. Some have equivalents.
    let sample: String = SAMPLE.split_inclusive('\n').step_by(7).collect();
    let some: String = sample.split_inclusive('\n').step_by(10).collect();
    let copies = call("permute --copies 2", &some);
    let text = format!("{sample}bad\n{}{CLASH}\nbad\n{PUZZLE}\n", copies.stdout());
    // The oracle: the ratings of the command `rate`, and the classes by the other canonical form.
    let rated = call("rate -q --columns status,er", &text);
    let strata: Vec<&str> = rated.stdout().lines().skip(1).collect();
    let form = |line: &str| {
        let form = line.parse::<Puzzle>().ok().and_then(|puzzle| canon::minlex(&puzzle).ok());
        form.map_or_else(|| line.to_owned(), |canonical| canonical.form.to_string())
    };
    let mut lowest: HashMap<String, &str> = HashMap::new();
    for (line, &stratum) in text.lines().zip(&strata) {
        let other = lowest.entry(form(line)).or_insert(stratum);
        *other = (*other).min(stratum);
    }
    let mut names: Vec<_> = lowest.values().copied().collect();
    names.sort();
    names.dedup();
    assert!(names.len() > 20, "{names:?}");

    let args = "--parts train=80,validation=5,test=15 --by er --seed 3 -q";
    let first = names.iter().position(|name| name.starts_with("unique,")).unwrap();
    for (shares, seed) in [([80, 5, 15], 3), ([33, 33, 34], 4), ([1, 1, 98], 5)] {
        let [train, validation, test] = shares;
        let args = format!("--parts train={train},validation={validation},test={test} --by er --seed {seed} -q");
        let (_, parts) = split(&args, &text, &["train", "validation", "test"]);
        let mut part_of = HashMap::new();
        for (part, text) in parts.iter().enumerate() {
            for line in text.lines() {
                assert_eq!(*part_of.entry(form(line)).or_insert(part), part, "{line}");
            }
        }
        assert_eq!(part_of.len(), lowest.len());
        let count = |range: &[&str], part: usize| {
            lowest.iter().filter(|(form, stratum)| range.contains(stratum) && part_of[*form] == part).count()
        };
        for start in 0..names.len() {
            // Ranges of ratings, and each status without a rating.
            for end in start + 1..=if start < first { start + 1 } else { names.len() } {
                let found = [0, 1, 2].map(|part| count(&names[start..end], part));
                let size: usize = found.iter().sum();
                for (found, share) in found.into_iter().zip(shares) {
                    let deviation = found as f64 - f64::from(share) / 100.0 * size as f64;
                    assert!(deviation.abs() < 2.0, "{deviation} of {size} in {:?}", &names[start..end]);
                }
            }
        }

        assert_in_order(&parts, &text);
    }
    let [a, b] = [3, 4].map(|seed| {
        split(&args.replace("--seed 3", &format!("--seed {seed}")), &text, &["train", "validation", "test"]).1
    });
    assert!(a != b);
}

#[test]
fn a_bound_makes_one_rating_of_all_above_it() {
    let text: String = head(300);
    let args = "--parts train=50,test=50 --by er -q";
    let (_, parts) = split(&format!("{args} --max-er 1.2"), &text, &["train", "test"]);
    let is_above = |part: &String| {
        let run = call("rate -q --columns er --max-er 1.2", part);
        run.stdout().lines().filter(|er| *er == ">1.2").count()
    };
    let above: Vec<_> = parts.iter().map(is_above).collect();
    assert!(above[0].abs_diff(above[1]) <= 1 && above[0] > 20, "{above:?}");
    assert!(split(args, &text, &["train", "test"]).1 != parts);
}

#[test]
fn every_record_is_in_one_part_in_input_order() {
    for method in ["", "--by class", "--by record"] {
        let args = format!("--parts train=90,test=10 {method}");
        let (run, parts) = split(&args, SAMPLE, &["train", "test"]);
        let counts: Vec<usize> = parts.iter().map(|part| part.lines().count()).collect();
        // The deviation is 30.
        assert!((880..1120).contains(&counts[1]), "{counts:?}");
        let [train, test] = [counts[0], counts[1]].map(|n| format!("{n} ({:.2} %)", n as f64 / 100.0));
        assert_eq!(run.stderr, format!("rapidoku: records: 10000, train {train}, test {test}\n"));
        assert_in_order(&parts, SAMPLE);
        assert!(split(&format!("{args} --seed 1"), SAMPLE, &["train", "test"]).1 != parts);
    }
}

#[test]
fn tables_keep_their_header_and_their_bytes() {
    let rows: Vec<String> = (0..40).map(|k| format!("{k},{PUZZLE},\"a\nb\"\r\n")).collect();
    let text = format!("id,puzzle,note\r\n{}x,bad,\nx,bad,\n{},{CLASH},\n", rows.concat(), 9);
    let (run, parts) = split("--parts a=50,b=50 --by record", &text, &["a", "b"]);
    assert!(run.stderr.contains("invalid records: 2"), "{}", run.stderr);
    for part in &parts {
        assert!(part.starts_with("id,puzzle,note\r\n") && part.contains("\"a\nb\"\r\n"), "{part}");
    }
    assert_eq!(parts.concat().len(), text.len() + "id,puzzle,note\r\n".len());
    // All copies of a puzzle are in one part. Equal texts that are not puzzles are too.
    let (_, parts) = split("--parts a=50,b=50 -q", &text, &["a", "b"]);
    assert!(parts.iter().any(|part| part.matches(PUZZLE).count() == 40));
    assert!(parts.iter().any(|part| part.matches("x,bad,\n").count() == 2));
    let (_, parts) = split("--parts a=50,b=50 -q --format csv --columns clues", &text, &["a", "b"]);
    assert!(parts.iter().all(|part| part.starts_with("clues\n")) && parts.concat().contains("30\n"));
    // Without an input the parts are empty.
    assert_eq!(split("--parts a=50,b=50", "", &["a", "b"]).1, ["", ""]);
}

#[test]
fn an_error_leaves_no_part() {
    let folder = tempfile::tempdir().unwrap();
    let lines = file(&folder, "lines", format!("{PUZZLE}\n{NO_SOLUTION}\n"));
    let marks = file(&folder, "marks", pencilled(PUZZLE));
    let template = inside(&folder, "{}.txt");
    let (to, halves) = (format!("-o {template}"), format!("--parts train=50,test=50 -o {template}"));
    for (args, message) in [
        (format!("{halves} {lines} {marks}"), "they have no canonical form"),
        (format!("--parts train=90,test=5 {to}"), "add up to 95, not to 100"),
        (to.clone(), "--parts <NAME=PERCENT,..>"),
        (format!("--parts train=50,train=50 {to}"), "two parts have the name 'train'"),
        ("--parts train=50,test=50 -o sets.txt".to_owned(), "needs {} for the name of the part"),
        ("--parts train=50,test=50".to_owned(), "--output <TEMPLATE>"),
        (format!("--parts a/b=50,test=50 {to}"), "a name consists of"),
        (format!("--parts train=0,test=100 {to}"), "expected a percentage"),
        (format!("{halves} --max-er 5.0"), "--by er"),
        (format!("{halves} --by er --shard 1/2"), "--shard is not supported"),
        (format!("{halves} --errors {}", template.replace("{}", "test")), "same name"),
    ] {
        call(&format!("split {args}"), PUZZLE).fails_with(message);
    }
    assert_eq!(names(folder.path()), ["lines", "marks"]);
    let run = call(&format!("split {halves} {marks} --by record"), b"");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
}
