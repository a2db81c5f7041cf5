//! Puzzles in pencilmarks: the same answers as for clues that say as much, and the right ones where candidates are
//! missing.

use std::collections::HashSet;
use std::fs;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rapidoku::{Candidates, SimdLevel};

use crate::samples::{random_candidates, shared_datasets};
use crate::support::{CLASH, NO_SOLUTION, PUZZLE, Run, SOLUTION, ask, file, solve, words};

/// What 81 cells say as pencilmarks: one candidate for a clue, all nine for a blank.
fn pencilled(puzzle: &str) -> String {
    puzzle
        .chars()
        .map(|cell| if cell.is_ascii_digit() { only(cell) } else { "123456789".to_owned() })
        .collect()
}

/// A cell with one candidate.
fn only(digit: char) -> String {
    ('1'..='9').map(|d| if d == digit { d } else { '.' }).collect()
}

/// The same from a file and from a pipe, in one batch and in many.
fn run(command: &str, args: &str, text: &str) -> Run {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "in", text);
    let piped = ask(command, words(args), text.as_bytes());
    for more in ["-j1", "--no-mmap", "--batch-bytes 1 -j 3", "--no-mmap --batch-bytes 1 -j 3"] {
        let other = ask(command, words(&format!("{args} {more} {path}")), b"");
        assert_eq!(other.stdout().replace(&path, "<stdin>"), piped.stdout(), "{more}");
        assert_eq!(other.stderr.replace(&path, "<stdin>"), piped.stderr, "{more}");
        assert_eq!(other.code, piped.code);
    }
    piped
}

#[test]
#[ignore = "needs the shared datasets"]
fn shared_clues_in_pencilmarks_give_the_answers_of_clues() {
    let folder = shared_datasets();
    for set in
        ["17_clue", "magictour_top1465", "hardest_24k", "minimal_100k", "multi_20k", "sparse_2k", "zero_20k"]
    {
        let plain = fs::read_to_string(folder.join(set).with_extension("txt")).unwrap();
        let lines = || plain.lines().take(10_000);
        let marks: String = lines().flat_map(|line| [pencilled(line), "\n".to_owned()]).collect();
        let plain: String = lines().flat_map(|line| [line, "\n"]).collect();
        let columns = "--format csv --columns record,solution,status,solutions,guesses,clues";
        for limit in ["--limit 1", "--limit 2", "--limit 2 --max-guesses 3"] {
            for engine in ["lanes", "scalar"] {
                let args = format!("{columns} {limit} --engine {engine} -j4");
                let expected = solve(words(&args), plain.as_bytes());
                let answer = solve(words(&args), marks.as_bytes());
                assert!(answer.stdout == expected.stdout, "{set} {limit} {engine} {}", answer.stderr);
            }
        }
    }
}

/// All solutions up to a limit, by trying every candidate of the open cell with the fewest; `None` if that takes
/// too many tries.
fn brute_force(cells: &[u16; 81], limit: usize) -> Option<HashSet<String>> {
    fn explore(cells: &[u16; 81], open: &[usize], search: &mut (usize, usize, HashSet<String>)) {
        let Some(&cell) = open.iter().min_by_key(|&&cell| cells[cell].count_ones()) else {
            search.2.insert(cells.iter().map(|set| (b'1' + set.trailing_zeros() as u8) as char).collect());
            return;
        };
        let rest: Vec<_> = open.iter().copied().filter(|&other| other != cell).collect();
        for digit in (0..9).filter(|digit| cells[cell] >> digit & 1 == 1) {
            if search.0 == 0 || search.2.len() == search.1 {
                return;
            }
            search.0 -= 1;
            let mut child = *cells;
            child[cell] = 1 << digit;
            rest.iter().filter(|&&other| sees(cell, other)).for_each(|&other| child[other] &= !(1 << digit));
            explore(&child, &rest, search);
        }
    }
    let mut search = (20_000, limit, HashSet::new());
    explore(cells, &Vec::from_iter(0..81), &mut search);
    (search.0 > 0).then_some(search.2)
}

fn sees(a: usize, b: usize) -> bool {
    let same_box = a / 27 == b / 27 && a % 9 / 3 == b % 9 / 3;
    a != b && (a / 9 == b / 9 || a % 9 == b % 9 || same_box)
}

fn marks(candidates: &Candidates, blank: char) -> String {
    let mark = |set: u16, d: u8| if set >> d & 1 == 1 { (b'1' + d) as char } else { blank };
    candidates.cells().iter().flat_map(|&set| (0..9).map(move |d| mark(set, d))).collect()
}

#[test]
fn missing_candidates_reduce_the_solutions() {
    const LIMIT: usize = 50;
    let mut random = ChaCha8Rng::seed_from_u64(729);
    let (mut text, mut expected) = (String::new(), Vec::new());
    for k in 0..2000 {
        let puzzle = random_candidates(&mut random);
        if let Some(found) = brute_force(puzzle.cells(), LIMIT) {
            text += &marks(&puzzle, if k % 2 == 0 { '.' } else { '0' });
            text += "\n";
            expected.push(found);
        }
    }
    let with = |count: fn(usize) -> bool| expected.iter().filter(|found| count(found.len())).count();
    let kinds = [with(|n| n == 0), with(|n| n == 1), with(|n| (2..LIMIT).contains(&n)), with(|n| n == LIMIT)];
    assert!(kinds.iter().all(|&n| n >= 40), "{kinds:?}");

    // Two single candidates that clash make a record invalid, which is no solution either.
    let count = |n: usize| if n == LIMIT { format!(">={n}\n") } else { format!("{n}\n") };
    let counts: String = expected.iter().map(|found| count(found.len())).collect();
    let counted = run("count", &format!("-q --limit {LIMIT}"), &text);
    assert!(counted.stdout() == counts);

    let solved = run("solve", "-q --limit 2 --format csv --columns solution,status,solutions", &text);
    for (row, found) in solved.stdout().lines().skip(1).zip(&expected) {
        let fields: Vec<_> = row.split(',').collect();
        let statuses: &[&str] = match found.len() {
            0 => &["none", "invalid"],
            1 => &["unique"],
            _ => &["multiple"],
        };
        assert!(statuses.contains(&fields[1]), "{row} {}", found.len());
        assert_eq!(fields[2], found.len().min(2).to_string());
        assert!(found.is_empty() == fields[0].is_empty());
        assert!(found.len() == LIMIT || found.is_empty() || found.contains(fields[0]), "{row}");
    }

    let all = run("enumerate", &format!("-q --limit {LIMIT}"), &text);
    let mut listed = vec![HashSet::new(); expected.len()];
    for row in all.stdout().lines() {
        let (solution, record) = row.split_once(' ').unwrap();
        assert!(listed[record.parse::<usize>().unwrap() - 1].insert(solution.to_owned()), "{row}");
    }
    for (listed, found) in listed.iter().zip(&expected).filter(|(_, found)| found.len() < LIMIT) {
        assert_eq!(listed, found);
    }
}

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
    let folder = tempfile::tempdir().unwrap();
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
        "9,,invalid,0,".into(),
        format!("10,{SOLUTION},unique,1,30"),
    ];
    assert_eq!(run.stdout(), format!("record,solution,status,solutions,clues\n{}\n", rows.join("\n")));
    let expected = "\
        rapidoku: <stdin>:5: 728 pencilmarks instead of 729\n\
        rapidoku: <stdin>:6: 730 pencilmarks instead of 729\n\
        rapidoku: <stdin>:7: bad pencilmark '6' in column 5: 5, . or 0 should be there\n\
        rapidoku: <stdin>:8: digit 1 twice in row 1: r1c1 and r1c9\n\
        rapidoku: <stdin>:9: 2 pencilmarks instead of 729\n\
        rapidoku: <stdin>:11: bad pencilmark 'x' in column 27: 9, . or 0 should be there\n\
        rapidoku: invalid records: 6\n";
    assert_eq!(run.stderr, expected);

    let errors = folder.path().join("errors");
    let path = file(&folder, "in", &text);
    assert_eq!(solve(["-q", &path, "--errors", errors.to_str().unwrap()], b"").code, Some(0));
    let errors: Vec<serde_json::Value> =
        fs::read_to_string(errors).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(errors.len(), 6);
    assert_eq!(
        (&errors[2]["record"], &errors[2]["line"], &errors[2]["column"]),
        (&5.into(), &7.into(), &5.into())
    );
}

#[test]
fn columns_of_pencilmarks() {
    let (good, other) = (pencilled(PUZZLE), pencilled(NO_SOLUTION));
    let as_text = format!("{SOLUTION}\n\n");
    let tables = [
        format!("{good} 11.8 a name\n{other} 1.2 b\n"),
        format!("id,puzzle\n1,{good}\n2,{other}\n"),
        format!("\"name\"\t\"sukaku\"\n\"a \"\"b\"\"\"\t\"{good}\"\nc\t{other}"),
        format!("\u{FEFF}{good}\r\n{other}\r\n"),
        format!("a;{good};{SOLUTION}\nb;{other};{SOLUTION}\n"),
    ];
    for text in &tables {
        let run = run("solve", "", text);
        assert_eq!((run.stdout(), &*run.stderr), (&*as_text, ""), "{text}");
    }
    let passed = run("solve", "--format csv --passthrough --columns status,clues", &tables[1]);
    assert_eq!(passed.stdout(), format!("id,puzzle,status,clues\n1,{good},solved,30\n2,{other},none,9\n"));
    let json = run("solve", "--format jsonl --columns id,puzzle,solution --blank 0", &tables[1]);
    let first =
        format!("{{\"id\":\"1\",\"puzzle\":\"{}\",\"solution\":\"{SOLUTION}\"}}", good.replace('.', "0"));
    assert_eq!(json.stdout().lines().next(), Some(&*first));
    let checked = run("check", "--only none", &tables[1]);
    assert_eq!(checked.stdout(), format!("id,puzzle\n2,{other}\n"));
    let chosen = run("solve", "--column 2 --no-header", &format!("{other},{good}\n"));
    assert_eq!(chosen.stdout(), format!("{SOLUTION}\n"));
}

#[test]
fn solutions_of_pencilmarks_are_verified() {
    let without = |digit: char| {
        let mut marks = pencilled(PUZZLE);
        // The last blank of the first row holds a 2.
        marks.replace_range(
            8 * 9 + (digit as usize - '1' as usize)..=8 * 9 + (digit as usize - '1' as usize),
            ".",
        );
        marks
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
    let faults: Vec<_> = run
        .stdout()
        .lines()
        .skip(1)
        .map(|row| row.split(',').skip(2).take(3).collect::<Vec<_>>().join(" "))
        .collect();
    assert_eq!(
        faults,
        ["3 candidate r1c9", "4 clue r9c9", "5 missing ", "6 solution r1c3"],
        "{}",
        run.stdout()
    );
    assert_eq!(run.code, Some(1));
}

#[test]
fn commands_and_engines_without_pencilmarks_reject_them() {
    let text = pencilled(PUZZLE);
    let folder = tempfile::tempdir().unwrap();
    let (plain, old) = (file(&folder, "plain", PUZZLE), file(&folder, "old", "old"));
    let seen = "rapidoku: '<stdin>': unsupported pencilmarks: ";
    let refused = run("solve", "--engine brute-force", &text);
    assert_eq!(refused.stderr, format!("{seen}the brute-force engine supports clues only\n"));
    assert_eq!((refused.stdout(), refused.code), ("", Some(2)));
    let refused = ask("solve", ["--engine", "brute-force", &plain, "-", "-o", &old], text.as_bytes());
    assert_eq!((refused.code, &*fs::read_to_string(&old).unwrap()), (Some(2), "old"));

    let refused = ask("bench", words("--engine subsets -"), text.as_bytes());
    assert_eq!(
        refused.stderr,
        "rapidoku: '<stdin>': unsupported pencilmarks: the subsets engine supports clues only\n"
    );
    assert_eq!((refused.stdout(), refused.code), ("", Some(2)));
    let path = file(&folder, "marks", format!("{text}\n1.2\n{}", pencilled(NO_SOLUTION)));
    let args = "--engine scalar,lanes --simd all --rounds 1 --limit 2 -j1,2";
    let others = ask("bench", words(&format!("{args} {path} {plain}")), b"");
    assert_eq!((&*others.stderr, others.code), ("", Some(0)));
    let (marks, clues) = others.stdout().split_once(&format!("\n{plain}: 1 record ")).unwrap();
    for part in [marks, clues] {
        let entries = part.lines().filter(|line| line.starts_with("scalar ") || line.starts_with("lanes "));
        assert!(entries.count() >= 2 * (1 + SimdLevel::available().len()), "{}", others.stdout());
    }
}

#[test]
fn ratings_and_explanations_are_those_of_clues() {
    let sample = include_str!("../../../datasets/sample_10k.txt");
    let plain: String = sample.split_inclusive('\n').take(400).chain([CLASH, "\n", "bad\n"]).collect();
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
    let grid =
        |middle: &str| [top, blank, blank, rule, blank, middle, blank, rule, blank, blank, blank].concat();
    let rule_of_core = "---------+-------+------\n";
    let (blank, top) = (".  .  .  | . . . | . . .\n", "12 12 12 | . . . | . . .\n");
    let core =
        [top, blank, blank, rule_of_core, blank, blank, blank, rule_of_core, blank, blank, blank].concat();
    assert_eq!(
        text.stdout(),
        format!(
            "<stdin>:1: none: 0 clues, 706 candidates in the other cells\n{}no contradiction follows from singles: \
            search finds that there is none\nthese 3 cells alone have no solution, but without any one of them there is \
            one:\n{core}\n",
            grid(middle)
        )
    );
    let json = run("explain", "--format json", &marks);
    let json: serde_json::Value = serde_json::from_str(json.stdout()).unwrap();
    marks.replace_range(9 * 40..9 * 41, "123456789");
    assert_eq!((&json["core"], &json["refutation"]), (&marks.into(), &serde_json::Value::Null));
    // What clues can say is said with clues.
    let json = run("explain", "--format json", &pencilled(NO_SOLUTION));
    let json: serde_json::Value = serde_json::from_str(json.stdout()).unwrap();
    assert_eq!(json["core"], NO_SOLUTION.replace("78", ".."));
}

#[test]
fn the_layout_is_detected_or_given() {
    let good = pencilled(PUZZLE);
    let mixed = format!("{good}\n{PUZZLE}\n");
    let refused = run("solve", "", &mixed);
    assert_eq!(refused.code, Some(2));
    let message = "ambiguous format: pencilmarks (line 1) and puzzles of 81 cells (line 2); split the file, or choose one";
    assert!(refused.stderr.contains(message), "{}", refused.stderr);
    let as_marks = run("solve", "-q --input-format pencilmarks", &mixed);
    assert_eq!(as_marks.stdout(), format!("{SOLUTION}\n\n"));
    let as_lines = run("solve", "-q --input-format lines", &mixed);
    assert_eq!(as_lines.stdout(), format!("\n{SOLUTION}\n"));
    // One bad record alone is still told from a line that is too long.
    let bad = run("solve", "", &format!("{}!{}\n", &good[..400], &good[401..]));
    assert!(bad.stderr.contains("bad pencilmark '!' in column 401"), "{}", bad.stderr);
    for text in ["", "12\n"] {
        let forced = run("solve", "-q --input-format pencilmarks", text);
        assert_eq!((forced.code, forced.stdout()), (Some(0), if text.is_empty() { "" } else { "\n" }));
    }
    // Inputs may be of both kinds, and the statistics tell who solved.
    let folder = tempfile::tempdir().unwrap();
    let (plain, marks) = (file(&folder, "plain", PUZZLE), file(&folder, "marks", &good));
    for inputs in [[&plain, &marks], [&marks, &plain]] {
        let both = solve([&["--stats"], &inputs.map(|path| &**path)[..]].concat(), b"");
        assert_eq!(both.stdout(), format!("{SOLUTION}\n{SOLUTION}\n"));
        assert!(both.stderr.contains(" lanes ("), "{}", both.stderr);
    }
    assert!(solve(["--stats", "--engine", "scalar", &*marks], b"").stderr.contains(" scalar engine"));
}
