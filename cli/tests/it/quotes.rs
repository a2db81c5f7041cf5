//! Quoted fields of tables: line breaks within quotes, and quotes that are not closed.

use std::fs;

use proptest::prelude::*;

use crate::support::{PUZZLE, Run, SOLUTION, ask, file, solve, words};

/// The options that must not change a byte of the output: mapped, read as a stream, any number of threads and any size of
/// the batches.
const WAYS: [&str; 6] = [
    "-j1",
    "-j3 --batch-bytes 1",
    "-j2 --batch-bytes 1000",
    "--no-mmap -j1",
    "--no-mmap -j3 --batch-bytes 1",
    "--no-mmap -j2 --batch-bytes 1000",
];

/// Runs a command on the text in all ways, from a file and from a pipe, and returns the result.
fn run(command: &str, args: &str, text: &[u8]) -> Run {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "in", text);
    let piped = ask(command, words(args), text);
    for way in WAYS {
        let read = ask(command, words(&format!("{args} {way} {path}")), b"");
        let shown = String::from_utf8_lossy(&text[..text.len().min(500)]);
        let stdout = String::from_utf8_lossy(&read.stdout).replace(&path, "<stdin>");
        assert!(stdout == String::from_utf8_lossy(&piped.stdout), "{way}: {shown}\n{stdout}");
        assert_eq!(read.stderr.replace(&path, "<stdin>"), piped.stderr, "{way}: {shown}");
        assert_eq!(read.code, piped.code);
    }
    let small = ask(command, words(&format!("{args} -j3 --batch-bytes 1")), text);
    assert!(small.stdout == piped.stdout && small.stderr == piped.stderr, "small batches from a pipe");
    piped
}

/// The records of a CSV text as the `csv` crate reads them.
fn records(text: &[u8]) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text);
    reader.records().map(|record| record.unwrap().iter().map(str::to_owned).collect()).collect()
}

fn written(rows: &[Vec<String>], line_end: csv::Terminator) -> Vec<u8> {
    let mut writer = csv::WriterBuilder::new().terminator(line_end).from_writer(Vec::new());
    rows.iter().for_each(|row| writer.write_record(row).unwrap());
    writer.into_inner().unwrap()
}

#[test]
fn line_breaks_within_quotes_belong_to_the_field() {
    let text = format!(
        "id,note,puzzle,end\n1,\"two\nlines\",{PUZZLE},x\n2,plain,{PUZZLE},\"a\n# no comment\n\n\"\"b\"\"\"\n\
         3,\"\n\",bad,\"\r\n\"\n4,,{PUZZLE},\n"
    );
    let run = run("solve", "--format csv --passthrough --columns record,status", text.as_bytes());
    let expected = format!(
        "id,note,puzzle,end,record,status\n1,\"two\nlines\",{PUZZLE},x,1,solved\n\
         2,plain,{PUZZLE},\"a\n# no comment\n\n\"\"b\"\"\",2,solved\n3,\"\n\",bad,\"\r\n\",3,invalid\n4,,{PUZZLE},,4,solved\n"
    );
    assert_eq!(run.stdout(), expected);
    // The line and the column are those of the puzzle, not of the start of its row.
    assert_eq!(
        run.stderr,
        "rapidoku: <stdin>:9: bad character 'b' in column 3\nrapidoku: invalid records: 1\n"
    );
}

#[test]
fn all_commands_read_rows_of_several_lines() {
    let wrong = SOLUTION.replacen('5', "4", 1);
    let row = |id: usize, solution: &str| format!("{id},\"a\n{id}\",\"{PUZZLE}\",\"{solution}\",\"\n\"\r\n");
    let text = format!("id,note,puzzle,solution,\"the\nend\"\r\n{}{}", row(1, SOLUTION), row(2, &wrong));
    let verified = run("verify", "", text.as_bytes());
    assert_eq!(verified.stdout(), "<stdin>:6: r1c1 holds 4, but its clue is 5\n");
    let filtered = run("check", "--only unique", text.as_bytes());
    assert_eq!(filtered.stdout(), text);
    assert_eq!(run("count", "", text.as_bytes()).stdout(), "1\n1\n");
    assert_eq!(run("enumerate", "", text.as_bytes()).stdout(), format!("{SOLUTION} 1\n{SOLUTION} 2\n"));
    let explained = run("explain", "--format json", text.as_bytes());
    assert!(
        explained
            .stdout()
            .lines()
            .nth(1)
            .unwrap()
            .starts_with("{\"input\":\"<stdin>\",\"line\":6,\"record\":2,")
    );
}

#[test]
fn pencilmarks_in_rows_of_several_lines() {
    let marks: String = PUZZLE
        .chars()
        .map(|cell| match cell {
            '.' => "123456789".to_owned(),
            digit => ('1'..='9').map(|mark| if mark == digit { mark } else { '.' }).collect(),
        })
        .collect();
    let text = format!("note,puzzle,end\n\"a\nb\",{marks},\"\n\"\nc,{marks},d\n");
    let run = run("solve", "--format csv --passthrough --columns solution", text.as_bytes());
    let expected =
        format!("note,puzzle,end,solution\n\"a\nb\",{marks},\"\n\",{SOLUTION}\nc,{marks},d,{SOLUTION}\n");
    assert_eq!(run.stdout(), expected);
}

#[test]
fn an_open_quote_makes_one_line_invalid() {
    let open = [
        // Not closed at all, closed by a quote within a field, and before other text.
        format!("2,{PUZZLE},\"open\n"),
        format!("\"2,{PUZZLE},open\n"),
        format!("2,\"open,{PUZZLE}\n"),
    ];
    for open in open {
        let good: String = (3..40).map(|id| format!("{id},{PUZZLE},\"fine\"\n")).collect();
        let text = format!("id,puzzle,note\n1,{PUZZLE},a\n{open}{good}{open}41,{PUZZLE},5\" disk\n");
        let run = run("solve", "--format csv --columns status", text.as_bytes());
        let statuses: Vec<_> = run.stdout().lines().skip(1).collect();
        assert_eq!(statuses.len(), 41);
        let invalid = |k: usize| statuses[k] == "invalid";
        // An open quote after the puzzle makes the record invalid too.
        assert!((0..41).all(|k| invalid(k) == [1, 39].contains(&k)), "{open}: {statuses:?}");
        let column = open.find('"').unwrap() + 1;
        let message = format!("rapidoku: <stdin>:3: the quote in column {column} is not closed\n");
        assert!(run.stderr.starts_with(&message), "{}", run.stderr);
        // All bytes of an invalid row are passed through.
        let passed = solve(words("-q --format csv --passthrough --columns record"), text.as_bytes());
        let rows = records(&passed.stdout);
        let fields = rows[2].iter().take_while(|field| **field != "2").count();
        let kept = rows[2].iter().filter(|field| !field.is_empty()).cloned().collect::<Vec<_>>().join(",");
        assert!(fields <= 3 && kept.starts_with(open.trim_end()), "{kept} for {open}");
    }
}

#[test]
fn a_quoted_puzzle_ends_with_its_quote() {
    let rows = ["1,\"P\",a", "2,\"P\"x,b", "3,\"P\" ,c", "4,\"Px\",d", "5,\"P\""]
        .map(|row| row.replace('P', PUZZLE));
    let text = format!("id,puzzle,note\n{}\n", rows.join("\n"));
    let run = run("solve", "-q --format csv --columns status", text.as_bytes());
    assert_eq!(run.stdout(), "status\nsolved\ninvalid\nsolved\ninvalid\nsolved\n");
    // Delimiters at all distances before the puzzle.
    let rows: String = (0..100).map(|length| format!("1,{:0>length$},\"{PUZZLE}\"x\n", 0)).collect();
    let text = format!("id,note,puzzle\n1,2,{PUZZLE}\n{rows}");
    let run = self::run("solve", "-q --format csv --columns status", text.as_bytes());
    assert_eq!(run.stdout(), format!("status\nsolved\n{}", "invalid\n".repeat(100)));
}

#[test]
fn a_record_of_more_than_a_mebibyte_is_not_joined() {
    // The last line feed, at which the field is closed, is in or beyond the first mebibyte of the record.
    for (length, joined) in [((1 << 20) - 40, true), ((1 << 20) + 40, false)] {
        let lines = "line\n".repeat(length / 5);
        let text = format!("id,puzzle,note\n1,{PUZZLE},a\n2,\"{lines}\",x\n3,{PUZZLE},b\n");
        let run = run("solve", "-q --format csv --columns id,status", text.as_bytes());
        let rows: Vec<_> = run.stdout().lines().skip(1).collect();
        assert_eq!((rows[0], rows.last().copied()), ("1,solved", Some("3,solved")));
        // All of it is one record, or each line.
        assert_eq!(rows.len(), if joined { 3 } else { 2 + length / 5 + 1 }, "{length}");
    }
}

#[test]
fn quotes_that_are_never_closed_take_linear_time() {
    // Every line ends within a quote if it is read from its start, and no row is well-formed.
    let folder = tempfile::tempdir().unwrap();
    let text = format!("id,puzzle\n1,{PUZZLE}\n{}", "x\",\"y\"z,\"\n".repeat(400_000));
    let path = file(&folder, "in", text);
    for way in ["", "--no-mmap"] {
        let start = std::time::Instant::now();
        let run = solve(words(&format!("-q {way} {path}")), b"");
        assert_eq!(run.stdout.len(), 82 + 400_000);
        // It takes a tenth of a second. A quadratic search would take minutes.
        assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
    }
}

#[test]
fn batches_of_the_usual_size_end_between_records() {
    // Some records are longer than a batch.
    let rows: Vec<Vec<String>> = (0..3000)
        .map(|id: usize| {
            let note = "a \"note\"\n".repeat(if id % 700 == 7 { 60_000 } else { id % 90 });
            vec![id.to_string(), note, PUZZLE.to_owned(), "\r\n".repeat(id % 3)]
        })
        .collect();
    let header = vec![["id", "note", "puzzle", "end"].map(String::from).to_vec()];
    let text = written(&[header, rows.clone()].concat(), csv::Terminator::Any(b'\n'));
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "in", &text);
    for way in ["", "-j1", "--no-mmap", "--no-mmap -j1"] {
        let out = folder.path().join("out").into_os_string().into_string().unwrap();
        let args = format!("--format csv --passthrough --columns record {way} {path} -o {out}");
        assert_eq!(solve(words(&args), b"").stderr, "");
        let read = records(&fs::read(&out).unwrap());
        assert_eq!(read.len(), 3001);
        for (k, (row, expected)) in read[1..].iter().zip(&rows).enumerate() {
            assert!(row[..4] == expected[..] && row[4] == (k + 1).to_string(), "{way}: record {}", k + 1);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn fields_are_those_that_the_csv_crate_wrote(
        rows in prop::collection::vec((prop::collection::vec("[a,;\" #\\n\\ré]{0,9}", 3), any::<bool>()), 1..40),
        place in 0..4usize,
        crlf: bool,
    ) {
        let mut table = vec![["a", "b", "c"].map(String::from).to_vec()];
        table.extend(rows.iter().map(|(fields, _)| fields.clone()));
        for (k, row) in table.iter_mut().enumerate() {
            row.insert(place, match k { 0 => "puzzle", k if rows[k - 1].1 => PUZZLE, _ => "none" }.to_owned());
            // A row that starts with # is a comment.
            if row[0].starts_with('#') {
                row[0].insert(0, 'x');
            }
        }
        let end = if crlf { csv::Terminator::CRLF } else { csv::Terminator::Any(b'\n') };
        let text = written(&table, end);
        let run = run("solve", "-q --delimiter , --column puzzle --format csv --passthrough --columns status", &text);
        for (k, row) in table.iter_mut().enumerate() {
            let status = match k { 0 => "status", k if rows[k - 1].1 => "solved", _ => "invalid" };
            row.push(status.to_owned());
        }
        prop_assert_eq!(records(&run.stdout), table);
    }
}
