//! JSON lines as input.

use crate::support::{CLASH, PUZZLE, SOLUTION, ask, ask_in_all_ways as run, file, solve, words};

#[test]
fn objects_of_published_datasets() {
    let (p, s) = (PUZZLE, SOLUTION);
    let escaped = format!("\\u0035{}", &p[1..]);
    let digits: Vec<String> = p.replace('.', "0").chars().map(String::from).collect();
    let rows: Vec<String> = digits.chunks(9).map(|row| format!("[{}]", row.join(", "))).collect();
    for line in [
        format!("{{\"question\": \"{p}\", \"answer\": \"{s}\", \"rating\": 0}}"),
        format!("{{\"source\":\"größe \\\"1\\\"\",\"question\":\"{p}\",\"answer\":\"{s}\"}}\r"),
        format!("{{\"id\":1,\"a\":\"{s}\",\"b\":\"{p}\"}}"),
        format!("{{\"puzzle\":\"{escaped}\",\"extra\":{{\"puzzle\":\"no\"}}}}"),
        format!("{{\"type\":\"quiz\",\"quiz\":\"{p}\"}}"),
        format!("{{\"puzzle\":\"x\",\"puzzle\":\"{p}\"}}"),
        format!("{{\"puzzle\":[{}]}}", digits.join(",")),
        format!("{{\"puzzle\":[{}]}}", rows.join(", ")),
    ] {
        let run = run("solve", "--unique", format!("{line}\n\n# comment\n{line}"));
        assert_eq!((run.stdout(), &*run.stderr, run.code), (&*format!("{s}\n{s}\n"), "", Some(0)), "{line}");
    }
}

/// Two puzzles with the solution of the first one.
fn pairs() -> [(String, &'static str); 2] {
    [(PUZZLE.to_owned(), SOLUTION), (SOLUTION.replacen(['5', '3'], ".", 9), SOLUTION)]
}

#[test]
fn documents_have_all_their_puzzles() {
    let [(p, s), (q, t)] = &pairs();
    let rows = |cells: &str, end: &str| {
        let digits: Vec<String> = cells.replace('.', "0").chars().map(String::from).collect();
        let rows: Vec<String> =
            digits.chunks(9).map(|row| format!("[{}]", row.join(&format!(",{end}")))).collect();
        format!("[{}]", rows.join(&format!(",{end}")))
    };
    let both = format!("{s}\n{t}\n");
    for (text, expected) in [
        (format!("[\"{p}\", \"{s}\"]\n[\"{q}\", \"{t}\"]\n"), &both),
        (format!("[1, \"{s}\", \"{p}\"]\n[2, \"{t}\", \"{q}\"]\n"), &both),
        (format!("{{\"solutions\": [\"{s}\", \"{t}\"], \"puzzles\": [\"{p}\", \"{q}\"]}}"), &both),
        (format!("{{\"puzzles\": [\"{p}\", \"{q}\"],\n\"solutions\": [\"{s}\", \"{t}\"]}}"), &both),
        (
            format!(
                "{{\"puzzle\": {{\"0\": \"{p}\",\n\"1\": \"{q}\"}}, \"solution\": {{\"0\": \"{s}\", \"1\": \"{t}\"}}}}"
            ),
            &both,
        ),
        (
            format!(
                "{{\"solution\":{{\"0\":\"{s}\",\"1\":\"{t}\"}},\"puzzle\":{{\"0\":\"{p}\",\"1\":\"{q}\"}}}}"
            ),
            &both,
        ),
        (rows(p, " "), &format!("{s}\n")),
        (rows(p, "\n  "), &format!("{s}\n")),
        (rows(p, " ").replace("], ", "],\n "), &format!("{s}\n")),
        (
            format!("{}\n\n{}\n", rows(p, " ").replace("], ", "],\n "), rows(q, " ").replace("], ", "],\n ")),
            &both,
        ),
    ] {
        let run = run("solve", "", &text);
        assert_eq!((run.stdout(), &*run.stderr, run.code), (&**expected, "", Some(0)), "{text}");
    }
}

#[test]
fn an_object_within_has_its_puzzle_at_a_path() {
    let line = format!("{{\"id\":1,\"data\":{{\"grid\":\"{PUZZLE}\",\"answer\":\"{SOLUTION}\"}}}}\n");
    let refused = run("solve", "", line.repeat(2));
    assert_eq!(refused.code, Some(2));
    assert!(
        refused.stderr.ends_with("within the object; --column data.grid reads it\n"),
        "{}",
        refused.stderr
    );
    assert_eq!(run("solve", "--column data.grid", line).stdout(), format!("{SOLUTION}\n"));
}

#[test]
fn puzzles_at_several_places_are_an_error_that_names_them() {
    let object = format!("{{\"puzzle\": \"{PUZZLE}\"}}");
    let list = format!("[\"{PUZZLE}\", \"{PUZZLE}\"]");
    let cells = format!("[{}]", [&*format!("[{}]", ["{\"v\": 5}"; 9].join(", ")); 9].join(", "));
    for (text, message) in [
        (
            format!("{{\"puzzle\": \"{PUZZLE}\", \"archive\": {list}}}"),
            "more puzzles in 'archive' of the object",
        ),
        (
            format!("{{\"puzzle\": \"{PUZZLE}\",\n \"more\": [{object}]}}"),
            "more puzzles in 'more' of the object",
        ),
        (
            format!("{{\"easy\": {object}, \"hard\": {object}}}"),
            "objects within the object: easy.puzzle and hard.puzzle;",
        ),
        (
            format!("{{\"a\": {{\"b\": {object}, \"c\": {object},\n \"d\": {object}, \"e\": {object}}}}}"),
            "objects within the object: a.b.puzzle, a.c.puzzle, a.d.puzzle, ...; --column reads only one of them",
        ),
        (
            format!("[{{\"puzzles\": {list}}}, {{\"puzzles\": {list}}}]"),
            "'puzzles' is a list of several puzzles",
        ),
        (format!("{{\"grid\": {cells}}}"), "the cells in 'grid' are objects"),
        (format!("{{\"id\": 1, \"cells\": {cells}}}\n").repeat(2), "the cells in 'cells' are objects"),
        (
            format!("{{{}}}\n", (1..82).map(|k| format!("\"c{k}\": null")).collect::<Vec<_>>().join(", "))
                .repeat(2),
            "JSON with a member for each cell",
        ),
        (format!("[{object}, {object}]").replace('"', "'"), "not JSON: names without double quotes"),
        (format!("[\n {{\n  puzzle: '{PUZZLE}'\n }}\n]"), "not JSON: names without double quotes"),
        (format!("{{'puzzles': {list}}}\n"), "not JSON: names without double quotes"),
    ] {
        let run = run("check", "", &text);
        assert!(run.code == Some(2) && run.stderr.contains(message), "{text}{}", run.stderr);
    }
    let beside = format!("{{\"puzzle\": \"{PUZZLE}\", \"archive\": {list}}}");
    assert_eq!(run("check", "--column puzzle", beside).stdout(), "unique\n");
}

#[test]
fn puzzles_beside_the_array_that_is_read_are_an_error() {
    let [(p, _), (q, _)] = &pairs();
    for (text, place) in [
        (format!("{{\"train\": [\"{p}\", \"{p}\"], \"test\": [\"{q}\", \"{p}\"]}}"), "after"),
        (format!("{{\"train\": [\"{p}\", \"{p}\"],{} \"test\": [\"{q}\"]}}", " ".repeat(100_000)), "after"),
        (format!("[\"{p}\",\n\"{p}\"]\n[\"{q}\",\n\"{p}\"]\n"), "after"),
        (format!("{{\"daily\": {{\"puzzle\": \"{p}\"}}, \"archive\": [{{\"puzzle\": \"{q}\"}}]}}"), "before"),
    ] {
        let run = run("solve", "", &text);
        assert_eq!(run.code, Some(2), "{}", run.stdout());
        assert!(run.stderr.contains(&format!("more puzzles {place} the array of JSON")), "{}", run.stderr);
    }
}

#[test]
fn errors_of_solutions_have_a_column() {
    let text = format!("{{\"puzzle\":\"{PUZZLE}\",\"solution\":\"53a{}\"}}\n", &SOLUTION[3..]);
    let run = ask("verify", [""; 0], text.as_bytes());
    assert_eq!(run.stdout(), "<stdin>:1: solution: bad character 'a' in column 109\n");
}

#[test]
fn names_of_members_may_have_escapes() {
    let text = format!("{{\"puzzle\":\"{PUZZLE}\"}}\n{{\"puz\\u007ale\":\"{PUZZLE}\"}}\n");
    let run = run("solve", "", text);
    assert_eq!((run.stdout(), &*run.stderr), (&*format!("{SOLUTION}\n{SOLUTION}\n"), ""));
}

#[test]
fn written_json_lines_are_read_back() {
    let text = format!("{PUZZLE}\n{CLASH}\n{PUZZLE} é\"\n12\n");
    let args = "-q --unique --format jsonl --columns record,puzzle,solution,status,guesses";
    let first = run("solve", args, &text);
    let again = run("solve", args, first.stdout());
    assert_eq!(again.stdout(), first.stdout());
    assert_eq!(run("verify", "-q", first.stdout().lines().next().unwrap()).code, Some(0));
    let marks = "123456789".repeat(81);
    let row = run("solve", "--format jsonl --columns puzzle,status", &marks);
    assert_eq!(row.stdout(), format!("{{\"puzzle\":\"{marks}\",\"status\":\"solved\"}}\n"));
    assert_eq!(run("check", "", row.stdout()).stdout(), "multiple\n");
    // Columns without names have numbers, as the rows of pandas have.
    let row = run("solve", "--format jsonl --passthrough", format!("{PUZZLE},{SOLUTION}\n"));
    assert_eq!(run("check", "", row.stdout()).stdout(), "unique\n");
    assert_eq!(
        run("check", "", format!("{{\"1\": \"{PUZZLE}\", \"4\": \"{PUZZLE}\"}}")).stdout(),
        "unique\nunique\n"
    );
}

#[test]
fn a_bad_line_is_an_invalid_record() {
    let good = format!("{{\"id\":7,\"puzzle\":\"{PUZZLE}\"}}");
    let text = format!(
        "{good}\n{}\n{{\"id\":8}}\n{{\"puzzle\":\"{CLASH}\"}}\n[]\nnull\n{{\"puzzle\":\"{PUZZLE}\",}}\n{good}\n",
        &good[..60]
    );
    let run = run("check", "", &text);
    assert_eq!(run.stdout(), "unique\ninvalid\ninvalid\ninvalid\ninvalid\ninvalid\ninvalid\nunique\n");
    let expected = "\
        rapidoku: <stdin>:2: not a JSON object: syntax error in column 60\n\
        rapidoku: <stdin>:3: no member of the object is a puzzle\n\
        rapidoku: <stdin>:4: digit 1 twice in row 1: r1c1 and r1c9\n\
        rapidoku: <stdin>:5: not a JSON object: syntax error in column 1\n\
        rapidoku: <stdin>:6: not a JSON object: syntax error in column 1\n\
        rapidoku: <stdin>:7: not a JSON object: syntax error in column 102\n\
        rapidoku: invalid records: 6\n";
    assert_eq!(run.stderr.lines().count(), expected.lines().count(), "{}", run.stderr);
    for (line, wanted) in run.stderr.lines().zip(expected.lines()) {
        // The columns of errors are those of the parser.
        let start = wanted.split(" in column").next().unwrap();
        assert!(line.starts_with(start), "{line}");
    }
}

#[test]
fn the_first_line_may_be_bad() {
    let rest = format!("{{\"puzzle\": \"{PUZZLE}\"}}\n").repeat(2);
    for first in ["null", "\"a\"", "x", "{\"puzzle\":"] {
        let run = run("check", "-q", format!("{first}\n{rest}"));
        assert_eq!(run.stdout(), "invalid\nunique\nunique\n", "{first}");
    }
    // A comment is no record, and a document none of such lines.
    assert_eq!(run("check", "-q", format!("// puzzles\n{rest}")).stdout(), "unique\nunique\n");
    let markdown = run("check", "", format!("```json\n{rest}```\n"));
    assert!(markdown.stderr.contains("Markdown"), "{}", markdown.stderr);
}

#[test]
fn members_are_passed_through_with_their_types() {
    let text = format!(
        "{{\"id\": 7, \"note\": \"a\\u00e9\\\"\", \"puzzle\": \"{PUZZLE}\", \"tags\": [1, \"x\"]}}\n\
         {{\"puzzle\": \"{PUZZLE}\", \"id\": \"8\", \"new\": null}}\n{{\"id\":\n"
    );
    let jsonl = run("solve", "-q --format jsonl --passthrough --columns status", &text);
    let expected = format!(
        "{{\"id\":7,\"note\":\"a\\u00e9\\\"\",\"puzzle\":\"{PUZZLE}\",\"tags\":[1, \"x\"],\"new\":null,\"status\":\"solved\"}}\n\
         {{\"id\":\"8\",\"note\":null,\"puzzle\":\"{PUZZLE}\",\"tags\":null,\"new\":null,\"status\":\"solved\"}}\n\
         {{\"id\":null,\"note\":null,\"puzzle\":null,\"tags\":null,\"new\":null,\"status\":\"invalid\"}}\n"
    );
    assert_eq!(jsonl.stdout(), expected);
    let csv = run("solve", "-q --format csv --columns input.tags,id,note,status", &text);
    let expected = "tags,id,note,status\n\"[1, \"\"x\"\"]\",7,\"aé\"\"\",solved\n,8,,solved\n,,,invalid\n";
    assert_eq!(csv.stdout(), expected);
    // A member that the first 200 objects lack has no column.
    let late = format!("{{\"puzzle\":\"{PUZZLE}\"}}\n").repeat(200)
        + &format!("{{\"puzzle\":\"{PUZZLE}\",\"late\":{{\"a\":1}}}}\n");
    let row = run("solve", "--format jsonl --passthrough --columns status", &late);
    let last = row.stdout().lines().last().unwrap();
    assert!(last.ends_with(",\"status\":\"solved\",\"surplus\":[{\"late\":{\"a\":1}}]}"), "{last}");
    let row = run("solve", "--format csv --passthrough --columns status", &late);
    assert!(row.stdout().ends_with(",solved,\"{\"\"late\"\":{\"\"a\"\":1}}\"\n"));
}

#[test]
fn columns_of_several_inputs_are_aligned_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let a = file(&folder, "a.jsonl", format!("{{\"id\":1,\"puzzle\":\"{PUZZLE}\"}}\n"));
    let b = file(&folder, "b.jsonl", format!("{{\"puzzle\":\"{PUZZLE}\",\"id\":2}}\n"));
    let c = file(&folder, "c.csv", format!("puzzle,id\n{PUZZLE},3\n"));
    let d = file(&folder, "d.jsonl", format!("{{\"puzzle\":\"{PUZZLE}\",\"number\":4}}\n"));
    let e = file(&folder, "e.txt", format!("{PUZZLE}\n"));
    let args = |files: &str| format!("--format jsonl --passthrough --columns status {files}");
    let run = solve(words(&args(&format!("{a} {b} {c}"))), b"");
    let row = |id: &str| format!("{{\"id\":{id},\"puzzle\":\"{PUZZLE}\",\"status\":\"solved\"}}\n");
    assert_eq!(run.stdout(), [row("1"), row("2"), row("\"3\"")].concat(), "{}", run.stderr);
    for (other, message) in [(&d, "no column 'id', which"), (&e, "no column 'id', which")] {
        let run = solve(words(&args(&format!("{a} {other}"))), b"");
        assert_eq!(run.code, Some(2));
        assert!(run.stderr.contains(message) && run.stderr.contains("a.jsonl"), "{}", run.stderr);
    }
}

#[test]
fn the_member_may_be_chosen_and_must_not_be_ambiguous() {
    let line = format!("{{\"a\":\"{PUZZLE}\",\"b\":\"{CLASH}\",\"c\":1}}\n");
    let run_with = |args: &str| run("check", args, &line);
    assert_eq!(run_with("--column a").stdout(), "unique\n");
    assert_eq!(run_with("--column 2 -q").stdout(), "invalid\n");
    for (args, message) in [
        ("", "ambiguous column: puzzles may be in columns a and b; choose one with --column"),
        ("--column d", "no column 'd': the objects have columns a, b and c"),
    ] {
        let run = run_with(args);
        assert!(run.code == Some(2) && run.stderr.contains(message), "{}", run.stderr);
    }
    for (args, text, message) in [
        ("", "{\"a\": 1}\n", "no column of puzzles: the objects have column a"),
        ("--input-format jsonl", "abc\n", "unsupported format: no line is an object of JSON"),
        ("", "[\n {\"a\": 1}\n]\n", "no column of puzzles: the objects have column a"),
    ] {
        let run = run("check", args, text);
        assert!(run.code == Some(2) && run.stderr.contains(message), "{}", run.stderr);
    }
}
