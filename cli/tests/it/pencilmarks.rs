//! Puzzles in pencilmarks: the same answers as for clues that say as much, and the right ones where candidates are
//! missing.

use std::fs;

use rapidoku::SimdLevel;

use crate::samples::head;
use crate::support::{
    CLASH, NO_SOLUTION, PUZZLE, SOLUTION, ask_in_all_ways as run, call, file, names, pencilled, solve,
};

#[test]
fn every_record_keeps_its_place() {
    let good = pencilled(PUZZLE);
    // No candidate in the first cell.
    let empty_cell = format!(".........{}", &good[9..]);
    let text = format!(
        "# by hand\n{good}\n\n{}\r\n{}\n{good}1\n{}\n{}\n12\n{empty_cell}\n{}\n{good}",
        good.replace('.', "0"),
        &good[..728],
        good.replacen('5', "6", 1),
        pencilled(CLASH),
        good.replacen('9', "x", 1),
    );
    let args = "--limit 2 --format csv --columns record,solution,status,solutions,clues";
    let run = run("solve", args, &text);
    let rows = [
        format!("1,{SOLUTION},unique,1,30"),
        format!("2,{SOLUTION},unique,1,30"),
        "3,,invalid,0,".into(),
        "4,,invalid,0,".into(),
        "5,,invalid,0,".into(),
        "6,,invalid,0,2".into(),
        "7,,invalid,0,".into(),
        "8,,none,0,29".into(),
        format!("9,{SOLUTION},unique,1,30"),
        format!("10,{SOLUTION},unique,1,30"),
    ];
    assert_eq!(run.stdout(), format!("record,solution,status,solutions,clues\n{}\n", rows.join("\n")));
    let expected = "\
        rapidoku: <stdin>:5: too long: 728 cells instead of 81\n\
        rapidoku: <stdin>:6: too long: 730 cells instead of 81\n\
        rapidoku: <stdin>:7: bad pencilmark '6' in column 5: 5 or a blank should be there\n\
        rapidoku: <stdin>:8: digit 1 twice in row 1: r1c1 and r1c9\n\
        rapidoku: <stdin>:9: too short: 2 cells instead of 81\n\
        rapidoku: invalid records: 5\n\
        rapidoku: records: 10, unique 4, none 1, invalid 5\n";
    assert_eq!(run.stderr, expected);

    let errors = call("solve -q --errors - -o /dev/null", &text);
    let errors = errors.json_lines();
    assert_eq!(errors.len(), 5);
    assert_eq!(["record", "line", "column"].map(|name| errors[2][name].as_u64()), [5, 7, 5].map(Some));
}

#[test]
fn columns_of_pencilmarks() {
    let (good, other) = (pencilled(PUZZLE), pencilled(NO_SOLUTION));
    let as_text = format!("{SOLUTION}\n\n");
    let tables = [
        format!("{good} 11.8 a name\n{other} 1.2 b\n"),
        format!("id,puzzle\n1,{good}\n2,{other}\n"),
        format!("\"name\"\t\"puzzle\"\n\"a \"\"b\"\"\"\t\"{good}\"\nc\t{other}"),
        format!("\u{FEFF}{good}\r\n{other}\r\n"),
    ];
    for text in &tables {
        let run = run("solve", "--format text", text);
        let summary = "rapidoku: records: 2, solved 1, none 1\n";
        assert_eq!((run.stdout(), &*run.stderr), (&*as_text, summary), "{text}");
    }
    let passed = run("solve", "--format csv --passthrough --columns status,clues", &tables[1]);
    assert_eq!(passed.stdout(), format!("id,puzzle,status,clues\n1,{good},solved,30\n2,{other},none,9\n"));
    let json = run("solve", "--format jsonl --columns id,puzzle,solution --blank 0", &tables[1]);
    let first = format!("{{\"id\":\"1\",\"puzzle\":\"{}\",\"solution\":\"{SOLUTION}\"}}", good.replace('.', "0"));
    assert_eq!(json.stdout().lines().next(), Some(&*first));
    let checked = run("check", "--only none", &tables[1]);
    assert_eq!(checked.stdout(), format!("id,puzzle\n2,{other}\n"));
    let chosen = run("solve", "--column 2 --no-header --format text", format!("{other},{good}\n"));
    assert_eq!(chosen.stdout(), format!("{SOLUTION}\n"));
}

#[test]
fn solutions_of_pencilmarks_are_verified() {
    let without = |digit: char| {
        // The last blank of the first row holds a 2.
        let (before, after) = (pencilled(&PUZZLE[..8]), pencilled(&PUZZLE[9..]));
        before + &"123456789".replace(digit, ".") + &after
    };
    let wrong = format!("{}4", &SOLUTION[..80]);
    let text = format!(
        "{good},{SOLUTION}\n{},{SOLUTION}\n{},{SOLUTION}\n{good},{wrong}\n{good},\n{good},{PUZZLE}\n{},\n",
        without('3'),
        without('2'),
        pencilled(SOLUTION),
        good = pencilled(PUZZLE),
    );
    let run = run("verify", "--format csv", &text);
    let fault = |row: &str| row.split(',').skip(2).take(3).collect::<Vec<_>>().join(" ");
    let faults: Vec<_> = run.stdout().lines().skip(1).map(fault).collect();
    assert_eq!(faults, ["3 candidate r1c9", "4 clue r9c9", "5 missing ", "6 invalid "], "{}", run.stdout());
    assert_eq!(run.code, Some(1));
}

#[test]
fn commands_and_engines_without_pencilmarks_reject_them() {
    let text = pencilled(PUZZLE);
    let folder = tempfile::tempdir().unwrap();
    let (plain, old) = (file(&folder, "plain", PUZZLE), file(&folder, "old", "old"));
    let canonical = "they have no canonical form";
    for (line, reason) in [
        ("solve --engine brute-force", "the brute-force engine supports clues only"),
        ("bench --engine subsets -", "the subsets engine supports clues only"),
        ("canon", ""),
        ("dedup", "symmetry is defined for clues only"),
        ("minimize", "a minimal puzzle consists of clues"),
        (&format!("permute -o {old}.npy"), ""),
        (&format!("split --parts a=50,b=50 -o {old}{{}}"), canonical),
        (&format!("split --parts a=50,b=50 -o {old}{{}} --by er"), canonical),
    ] {
        let refused = call(line, &text);
        refused.fails_with(&format!("'<stdin>': unsupported pencilmarks: {reason}"));
        assert_eq!((refused.stdout(), refused.stderr.lines().count()), ("", 1), "{line}: {}", refused.stderr);
    }
    assert_eq!(names(folder.path()), ["old", "plain"]);
    call(&format!("solve --engine brute-force {plain} - -o {old}"), &text).fails_with("clues only");
    assert_eq!(fs::read_to_string(&old).unwrap(), "old");
    // All others take them.
    let other = format!("{}{}", pencilled("."), pencilled(&PUZZLE[1..]));
    let run = call("dedup --exact -q", format!("{text}\n{other}\n{text}\n"));
    assert_eq!(run.stdout(), format!("{text}\n{other}\n"));
    let path = file(&folder, "marks", format!("{text}\n1.2\n{}", pencilled(NO_SOLUTION)));
    let args = "--engine scalar,lanes --simd all --rounds 1 --limit 2 -j1,2";
    let others = call(&format!("bench {args} {path} {plain}"), b"");
    assert_eq!((&*others.stderr, others.code), ("", Some(0)));
    let (marks, clues) = others.stdout().split_once(&format!("\n{plain}: 1 record ")).unwrap();
    for part in [marks, clues] {
        let entries = part.lines().filter(|line| line.starts_with("scalar ") || line.starts_with("lanes "));
        assert!(entries.count() >= 2 * (1 + SimdLevel::available().len()), "{}", others.stdout());
    }
}

#[test]
fn ratings_and_explanations_are_those_of_clues() {
    let plain = format!("{}{CLASH}\nbad\n", head(400));
    let marks = plain.lines().map(|line| if line == "bad" { line.to_owned() } else { pencilled(line) });
    let marks: String = marks.flat_map(|line| [line, "\n".to_owned()]).collect();
    let rows = |command, text: &str, args: &str| {
        // All but the puzzle itself.
        let run = run(command, args, text);
        run.stdout().lines().map(|row| row.split_once(',').unwrap().1.to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(rows("rate", &marks, "-q"), rows("rate", &plain, "-q"));
    let [said, expected] = [&marks, &plain].map(|text| run("explain", "", text));
    let reason = "bad pencilmark 'b' in column 1: 1, . or 0 should be there";
    let said = said.stdout().replace(reason, "bad character 'b' in column 1");
    assert!(said == expected.stdout());
}

#[test]
fn an_explanation_shows_restricted_cells() {
    // Two cells of a row that may both be 1 or 2 only, and a third.
    let mut marks = pencilled(&".".repeat(81));
    for (cell, set) in [(0, "12......."), (1, "12......."), (2, "12......."), (40, "..3456789")] {
        marks.replace_range(9 * cell..9 * cell + 9, set);
    }
    let text = run("explain", "", &marks);
    let rule = "---------+-------------+------\n";
    let (top, blank) = ("12 12 12 | . .       . | . . .\n", ".  .  .  | . .       . | . . .\n");
    let middle = ".  .  .  | . 3456789 . | . . .\n";
    let grid = |middle: &str| [top, blank, blank, rule, blank, middle, blank, rule, blank, blank, blank].concat();
    let rule_of_core = "---------+-------+------\n";
    let (blank, top) = (".  .  .  | . . . | . . .\n", "12 12 12 | . . . | . . .\n");
    let core = [top, blank, blank, rule_of_core, blank, blank, blank, rule_of_core, blank, blank, blank].concat();
    assert_eq!(
        text.stdout(),
        format!(
            "<stdin>:1: none: 0 clues, 706 candidates in the other cells\n{}no contradiction follows from singles: \
            search finds that there is none\nthese 3 cells alone have no solution, but without any one of them there is \
            one:\n{core}\n",
            grid(middle)
        )
    );
    let json = run("explain", "--format json", &marks).json();
    marks.replace_range(9 * 40..9 * 41, "123456789");
    assert_eq!((&json["core"], &json["refutation"]), (&marks.into(), &serde_json::Value::Null));
    // What clues can say is said with clues.
    let json = run("explain", "--format json", pencilled(NO_SOLUTION)).json();
    assert_eq!(json["core"], NO_SOLUTION.replace("78", ".."));
}

#[test]
fn records_are_clues_or_pencilmarks() {
    let good = pencilled(PUZZLE);
    let mixed = run("solve", "", format!("{good}\n{PUZZLE}\n"));
    assert_eq!((mixed.code, mixed.stdout()), (Some(0), &*format!("{SOLUTION}\n{SOLUTION}\n")));
    // Inputs may be of both kinds, and the statistics tell who solved.
    let folder = tempfile::tempdir().unwrap();
    let (plain, marks) = (file(&folder, "plain", PUZZLE), file(&folder, "marks", &good));
    for inputs in [[&plain, &marks], [&marks, &plain]] {
        let both = call(&format!("solve --stats {} {}", inputs[0], inputs[1]), b"");
        assert_eq!(both.stdout(), format!("{SOLUTION}\n{SOLUTION}\n"));
        assert!(both.stderr.contains(" lanes ("), "{}", both.stderr);
    }
    assert!(solve(["--stats", "--engine", "scalar", &*marks], b"").stderr.contains(" scalar engine"));
}
