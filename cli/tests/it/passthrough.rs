//! Columns of the input in the output: nothing is lost, and every value is under its own name.

use std::fs;

use crate::support::{PUZZLE, SOLUTION, call, file, grid};

#[test]
fn columns_of_later_inputs_are_aligned_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let one = file(&folder, "one", format!("id,puzzle,note\n1,{PUZZLE},a\n"));
    let two = file(&folder, "two", format!("Note;puzzle;id\nb;{PUZZLE};2\n"));
    for args in ["-j1", "-j3 --batch-bytes 1", "--no-mmap"] {
        let run = call(&format!("solve --format csv --passthrough --columns status {args} {one} {two}"), b"");
        let expected = format!("id,puzzle,note,status\n1,{PUZZLE},a,solved\n2,{PUZZLE},b,solved\n");
        assert_eq!((run.stdout(), &*run.stderr, run.code), (&*expected, "", Some(0)));
    }
    let run = call(&format!("solve --format jsonl --passthrough --columns status {one} {two}"), b"");
    let last = format!("{{\"id\":\"2\",\"puzzle\":\"{PUZZLE}\",\"note\":\"b\",\"status\":\"solved\"}}");
    assert_eq!(run.stdout().lines().last(), Some(&*last));
    // The same name twice: the first belongs to the first, and so on.
    let one = file(&folder, "one", format!("a,a,puzzle\n1,2,{PUZZLE}\n"));
    let two = file(&folder, "two", format!("a,puzzle,a\n3,{PUZZLE},4\n"));
    let run = call(&format!("solve --format csv --passthrough --columns status {one} {two}"), b"");
    assert_eq!(run.stdout().lines().last(), Some(&*format!("3,4,{PUZZLE},solved")));
}

#[test]
fn the_puzzle_is_the_only_column_of_inputs_that_are_not_tables() {
    let row = |puzzle, status| format!("{{\"puzzle\":\"{puzzle}\",\"status\":\"{status}\"}}\n");
    let json = row(PUZZLE, "solved") + &row("bad", "invalid");
    let lines = format!("{PUZZLE}\nbad\n");
    let grid = grid(PUZZLE);
    let solved = format!("puzzle,solution,status,solutions\n{PUZZLE},{SOLUTION},solved,1\nbad,,invalid,0\n");
    let statuses = format!("status,puzzle\nsolved,{PUZZLE}\ninvalid,bad\n");
    for (line, input, expected) in [
        ("solve --format csv", &lines, solved),
        ("solve --format jsonl --columns status", &lines, json),
        ("solve --format csv --columns status,puzzle", &lines, statuses),
        ("check --format csv", &grid, format!("puzzle,status\n{PUZZLE},unique\n")),
        ("rate --columns hardest", &lines, format!("puzzle,hardest\n{PUZZLE},hidden single\nbad,\n")),
        ("sample 9 --format csv", &lines, format!("puzzle\n{PUZZLE}\nbad\n")),
        ("convert --format csv", &grid, format!("puzzle\n{PUZZLE}\n")),
    ] {
        let run = call(&format!("{line} --passthrough -q"), input);
        assert_eq!((run.stdout(), &*run.stderr), (&*expected, ""), "{line}");
    }
}

#[test]
fn notes_after_puzzles_are_a_column() {
    let folder = tempfile::tempdir().unwrap();
    let lines = format!("{PUZZLE}\n{PUZZLE} ; a, \"b\" \r\nbad, note\n{PUZZLE},,c\n{PUZZLE} \n");
    let notes = ["", "\"a, \"\"b\"\"\"", "", "c", ""];
    let puzzles = [PUZZLE, PUZZLE, "\"bad, note\"", PUZZLE, PUZZLE];
    let rows: String = puzzles.iter().zip(notes).map(|(puzzle, note)| format!("{puzzle},{note}\n")).collect();
    let path = file(&folder, "lines", &lines);
    for args in ["-j1", "-j3 --batch-bytes 1", "--no-mmap", "--input-format lines"] {
        let run = call(&format!("sample 99 -q --format csv --passthrough {args} {path}"), b"");
        assert_eq!(run.stdout(), format!("puzzle,note\n{rows}"), "{args}");
    }
    let run = call("solve -q --format csv --columns note,status", &lines);
    assert_eq!(run.stdout().lines().nth(2), Some("\"a, \"\"b\"\"\",solved"));
    let run = call("solve -q --format jsonl --passthrough --columns status", &lines);
    let expected = format!("{{\"puzzle\":\"{PUZZLE}\",\"note\":\"a, \\\"b\\\"\",\"status\":\"solved\"}}");
    assert_eq!(run.stdout().lines().nth(1), Some(&*expected));
}

#[test]
fn inputs_with_other_columns_are_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let one = file(&folder, "one", format!("id,puzzle\n1,{PUZZLE}\n"));
    let out = file(&folder, "out", "old");
    let cases = [
        (format!("id,puzzle,rating\n2,{PUZZLE},9\n"), format!("column 'rating' does not occur in '{one}'")),
        (format!("number,puzzle\n2,{PUZZLE}\n"), format!("no column 'id', which '{one}' has")),
        (format!("puzzle\n{PUZZLE}\n"), format!("no column 'id', which '{one}' has")),
        (format!("{PUZZLE}\n"), format!("no column 'id', which '{one}' has")),
    ];
    for (text, reason) in &cases {
        let two = file(&folder, "two", text);
        let message = format!("rapidoku: '{two}': {reason}\n");
        for args in ["--format csv", "--format jsonl -j1", "--format csv --no-mmap -j3"] {
            let line = format!("solve --passthrough {args} {one} {two}");
            let run = call(&line, b"");
            assert_eq!((&*run.stderr, run.code), (&*message, Some(2)), "{text}");
            // Rows of the first input may have been written, but none of the second.
            assert!(!run.stdout().contains("2,"), "{}", run.stdout());
            assert_eq!(call(&format!("{line} -o {out}"), b"").code, Some(2));
            assert_eq!(fs::read_to_string(&out).unwrap(), "old");
        }
        // Named columns are found in each input, so other columns do not matter.
        let run = call(&format!("solve --format csv --columns puzzle {one} {two}"), b"");
        assert_eq!(run.stdout(), format!("puzzle\n{PUZZLE}\n{PUZZLE}\n"));
    }
    let lines = file(&folder, "lines", PUZZLE);
    let run = call(&format!("solve --passthrough --format csv {lines} {one}"), b"");
    assert_eq!(run.stderr, format!("rapidoku: '{one}': column 'id' does not occur in '{lines}'\n"));
    // An empty input has no part in this.
    let empty = file(&folder, "empty", "");
    for inputs in [format!("{empty} {one} {one}"), format!("{one} {empty}")] {
        let run = call(&format!("solve --passthrough --format csv --columns status {inputs}"), b"");
        let header = run.stdout().lines().next();
        assert_eq!((run.code, header), (Some(0), Some("id,puzzle,status")), "{}", run.stderr);
    }
}

#[test]
fn a_filter_rejects_tables_with_another_header() {
    let folder = tempfile::tempdir().unwrap();
    let one = file(&folder, "one", format!("id,puzzle\n1,{PUZZLE}\n"));
    let same = file(&folder, "same", format!("id,puzzle\r\n2,{PUZZLE}\r\n"));
    let run = call(&format!("check --only unique {one} {same}"), b"");
    assert_eq!(run.stdout(), format!("id,puzzle\n1,{PUZZLE}\n2,{PUZZLE}\r\n"));
    let mismatch = |what| format!("its {what} is not that of '{one}', and records are copied as they are");
    for (other, message) in [
        (format!("puzzle,id\n{PUZZLE},2\n"), mismatch("header")),
        (format!("id;puzzle\n2;{PUZZLE}\n"), mismatch("format")),
        (format!("{PUZZLE}\n"), mismatch("format")),
    ] {
        let two = file(&folder, "two", &other);
        let run = call(&format!("check --only unique {one} {two}"), b"");
        let message = format!("rapidoku: '{two}': {message}\n");
        assert_eq!((&*run.stderr, run.code), (&*message, Some(2)), "{other}");
        assert!(run.stdout().lines().count() <= 2, "{}", run.stdout());
    }
}

#[test]
fn rows_stay_rows() {
    // A row without any character is no record.
    let table = format!("id,puzzle\n\"#1\",{PUZZLE}\n,{PUZZLE}\n#3,{PUZZLE}\n");
    let run = call("solve --format csv --passthrough --columns status", &table);
    let rows: String = ["#1", "", "#3"].iter().map(|id| format!("{id},{PUZZLE},solved\n")).collect();
    assert_eq!(run.stdout(), format!("id,puzzle,status\n{rows}"));
    let run = call("solve --format csv --columns id", &table);
    assert_eq!(run.stdout(), "id\n#1\n\"\"\n#3\n");
}

#[test]
fn bytes_that_are_not_utf8_pass_through() {
    let table = [b"id,puzzle,note\r\n\xFF\x80,".as_slice(), PUZZLE.as_bytes(), b",\"\xE9,\"\r\n"].concat();
    for args in ["-j1", "-j3 --batch-bytes 1", "--no-mmap"] {
        let run = call(&format!("solve --format csv --passthrough --columns status {args}"), &table);
        let head = b"id,puzzle,note,status\n\xFF\x80,".as_slice();
        assert_eq!(run.stdout, [head, PUZZLE.as_bytes(), b",\"\xE9,\",solved\n"].concat());
    }
}

#[test]
fn keys_of_json_are_unique() {
    let table = format!("a,a,solution,input.solution,a.2,,,puzzle,surplus,not_utf8\n1,2,3,4,5,6,7,{PUZZLE},8,9\n");
    let run = call("solve --format jsonl --passthrough --columns solution,status,status", &table);
    let input = format!(
        r#"{{"a":"1","a.2":"2","input.solution":"3","input.solution.2":"4","a.2.2":"5","":"6",".2":"7","puzzle":"{PUZZLE}","#
    );
    let output =
        format!(r#""surplus":"8","not_utf8":"9","solution":"{SOLUTION}","status":"solved","status.2":"solved"}}"#);
    assert_eq!(run.stdout().trim_end(), input + &output);
    // CSV keeps the names of the input.
    let run = call("solve --format csv --passthrough --columns solution", &table);
    let header = "a,a,input.solution,input.solution,a.2,,,puzzle,surplus,not_utf8,solution";
    assert_eq!(run.stdout().lines().next(), Some(header));
}
