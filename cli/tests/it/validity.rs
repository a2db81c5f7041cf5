//! Whether a record is a puzzle does not depend on its clues. A batch has a puzzle for each record, also for those that
//! are not puzzles, and a puzzle in an input may equal the one that takes their place: the clues 1 and 1 in r1c1 and
//! r1c2.

use crate::support::{ask_in_all_ways, call, file, grid, inside, npy};

/// Another puzzle, such a puzzle, a record that is not a puzzle, and the last two again, in each input format of which
/// every record is clues, or candidates that clues leave.
fn inputs() -> [(&'static str, Vec<u8>); 5] {
    let [puzzle, bad, other] = ["11", "!1", "9."].map(|start| format!("{start}{}", ".".repeat(79)).replace('.', "0"));
    let records: [&str; 5] = [&other, &puzzle, &bad, &puzzle, &bad];
    let each = |record: &dyn Fn(&str) -> String| records.map(record).concat().into_bytes();
    let digits: Vec<u8> = records.concat().bytes().map(|cell| cell.wrapping_sub(b'0')).collect();
    [
        ("lines", each(&|cells| format!("{cells}\n"))),
        ("csv", [b"id,puzzle\n", &*each(&|cells| format!("a,{cells}\n"))].concat()),
        ("json", each(&|cells| format!("{{\"id\":0,\"puzzle\":\"{cells}\"}}\n"))),
        ("grid", each(&|cells| grid(cells) + "\n")),
        ("npy", npy("|u1", "(5, 81)", &digits)),
    ]
}

#[test]
fn puzzles_stay_puzzles_beside_records_that_are_not() {
    let folder = tempfile::tempdir().unwrap();
    for (form, text) in inputs() {
        let option = format!("--input-format {form}");
        let path = file(&folder, "other", &text);
        for by in ["--exact", ""] {
            let marks = ask_in_all_ways("dedup", &format!("--mark {by} {option}"), &text);
            assert_eq!((marks.code, marks.stdout()), (Some(0), "1\n2\n\n2\n\n"), "{form}: {}", marks.stderr);
            let run = call(&format!("overlap {by} {option} {path} --in -"), &text);
            assert_eq!((run.code, run.stdout().lines().count()), (Some(1), 3), "{form}: {}", run.stderr);
        }
        let statuses = call(&format!("solve -q {option} --columns clues,status"), &text);
        let rows = "clues,status\n1,solved\n2,invalid\n,invalid\n2,invalid\n,invalid\n";
        assert_eq!(statuses.stdout(), rows, "{form}");
    }
}

#[test]
fn each_command_tells_them_apart() {
    let folder = tempfile::tempdir().unwrap();
    let (puzzle, template) = (format!("11{}", ".".repeat(79)), inside(&folder, "{}"));
    let text = format!("{puzzle}\noops\n{}\n", puzzle.replace('.', "0"));
    for seed in 0..8 {
        let line = format!("split --parts train=50,test=50 --seed {seed} -o {template}");
        assert_eq!(call(&line, &text).code, Some(0));
        let parts = ["train", "test"].map(|part| std::fs::read_to_string(inside(&folder, part)).unwrap());
        // As the first line, the other one is escaped.
        let puzzles = parts.map(|part| part.lines().filter(|line| !line.ends_with("ops")).count());
        assert!(puzzles == [2, 0] || puzzles == [0, 2], "seed {seed}: {puzzles:?}");
    }
    let text = format!("{puzzle}\noops\n");
    let invalid = "<stdin>,2,2,invalid,,bad character 'o' in column 1\n";
    for (line, rows) in [
        ("convert --format csv", format!("{puzzle}\noops\n")),
        ("verify --format csv", format!("<stdin>,1,1,missing,,no solution given\n{invalid}")),
    ] {
        assert_eq!(call(line, &text).stdout().split_once('\n').unwrap().1, rows, "{line}");
    }
    let copies = call("permute --copies 1", &text);
    let [copy, other] = copies.stdout().lines().collect::<Vec<_>>()[..] else { panic!("{}", copies.stdout()) };
    assert_eq!((copy.bytes().filter(u8::is_ascii_digit).count(), other), (2, &*puzzle));
}
