//! Whether a record is a puzzle does not depend on its clues. A batch has a puzzle for each record, also for those that are not
//! puzzles, and a puzzle in an input may equal the one that takes their place: the clues 1 and 1 in r1c1 and r1c2.

use crate::support::{ask, file, grid, words};

/// The input formats of which every record is clues, or candidates that clues leave.
const FORMS: [&str; 5] = ["lines", "csv", "json", "grid", "npy"];

/// A puzzle with the clues `digit` and `digit` in r1c1 and r1c2.
fn puzzle(digit: char, blank: char) -> String {
    let mut cells = [blank; 81];
    (cells[0], cells[1]) = (digit, digit);
    cells.iter().collect()
}

/// Another puzzle, such a puzzle, a record that is not a puzzle, and the last two again.
fn input(form: &str, digit: char) -> Vec<u8> {
    let puzzle = puzzle(digit, '0');
    let bad = format!("!{}", &puzzle[1..]);
    let other = format!("9{}", "0".repeat(80));
    let records: [&str; 5] = [&other, &puzzle, &bad, &puzzle, &bad];
    let each = |record: &dyn Fn(&str) -> String| records.map(record).concat();
    let text = match form {
        "lines" => each(&|cells| format!("{cells}\n")),
        "csv" => "id,puzzle\n".to_owned() + &each(&|cells| format!("a,{cells}\n")),
        "json" => each(&|cells| format!("{{\"id\":0,\"puzzle\":\"{cells}\"}}\n")),
        "grid" => each(&|cells| grid(cells) + "\n"),
        "npy" => {
            let header = "{'descr': '|u1', 'fortran_order': False, 'shape': (5, 81), }\n";
            let mut bytes = b"\x93NUMPY\x01\0".to_vec();
            bytes.extend((header.len() as u16).to_le_bytes());
            bytes.extend(header.bytes());
            bytes.extend(records.concat().bytes().map(|cell| cell.wrapping_sub(b'0')));
            return bytes;
        }
        _ => unreachable!("{form}"),
    };
    text.into_bytes()
}

#[test]
fn duplicates_are_found_whatever_their_clues_are() {
    let folder = tempfile::tempdir().unwrap();
    for form in FORMS {
        for digit in ['1', '2'] {
            let (text, option) = (input(form, digit), format!("--input-format {form}"));
            let path = file(&folder, "other", &text);
            for by in ["--exact", ""] {
                let marks = ask("dedup", words(&format!("--mark {by} {option}")), &text);
                assert_eq!(
                    (marks.code, marks.stdout()),
                    (Some(0), "1\n2\n\n2\n\n"),
                    "{form}: {}",
                    marks.stderr
                );
                let run = ask("overlap", words(&format!("{by} {option} {path} --in -")), &text);
                assert_eq!((run.code, run.stdout().lines().count()), (Some(1), 3), "{form}: {}", run.stderr);
            }
        }
    }
}

#[test]
fn copies_are_in_one_part_whatever_their_clues_are() {
    let folder = tempfile::tempdir().unwrap();
    let template = folder.path().join("{}.txt").display().to_string();
    for digit in ['1', '2'] {
        let text = format!("{}\noops\n{}\n", puzzle(digit, '.'), puzzle(digit, '0'));
        for seed in 0..8 {
            let options = format!("--parts train=50,test=50 --seed {seed} --force --output {template}");
            assert_eq!(ask("split", words(&options), text.as_bytes()).code, Some(0));
            let parts = ["train", "test"].map(|part| folder.path().join(format!("{part}.txt")));
            let puzzles = parts.map(|part| {
                let text = std::fs::read_to_string(part).unwrap();
                // As the first line, it is escaped.
                text.lines().filter(|line| !line.ends_with("ops")).count()
            });
            assert!(puzzles == [2, 0] || puzzles == [0, 2], "{digit}, seed {seed}: {puzzles:?}");
        }
    }
}

#[test]
fn puzzles_stay_as_they_are_beside_records_that_are_not_puzzles() {
    for digit in ['1', '2'] {
        let puzzle = puzzle(digit, '.');
        let text = format!("{puzzle}\noops\n");
        let lines = |command: &str, args: &str| {
            let run = ask(command, words(args), text.as_bytes());
            run.stdout().lines().map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(lines("convert", "--to csv")[1..], [puzzle.clone(), "oops".to_owned()]);
        let clues = lines("solve", "--format csv --columns puzzle,clues,status");
        assert_eq!(clues[1..], [format!("{puzzle},2,invalid"), "oops,,invalid".to_owned()]);
        let copies = lines("permute", "--copies 1");
        assert_eq!(copies[0].bytes().filter(u8::is_ascii_digit).count(), 2);
        assert_eq!(copies[1..], [format!("11{}", ".".repeat(79))]);
        let invalid = "<stdin>,2,2,invalid,,bad character 'o' in column 1";
        assert_eq!(lines("verify", "--format csv")[1..], ["<stdin>,1,1,missing,,no solution given", invalid]);
    }
}
