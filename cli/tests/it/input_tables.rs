//! CSV and its relatives, fixed rows and 9-line grids: the same puzzles as from lines, or a clear message.

use std::fs;
use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;
use rapidoku_cli::historical::Historical;

use crate::samples::shared_datasets;
use crate::support::{CLASH, NO_SOLUTION, PUZZLE, Run, SOLUTION, ask, file, grid, solve, words};

/// What `--limit 2 --format csv` makes of the text, from a file and from a pipe.
fn run(args: &str, text: &str) -> Run {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "in", text);
    let common = format!("--limit 2 --format csv {args}");
    let piped = solve(words(&common), text.as_bytes());
    for more in ["", "--no-mmap", "--batch-bytes 1 -j 3"] {
        let other = solve(words(&format!("{common} {more} {path}")), b"");
        assert_eq!(other.stdout(), piped.stdout(), "{more} on {text}");
        assert_eq!(other.stderr.replace(&path, "<stdin>"), piped.stderr, "{more} on {text}");
        assert_eq!(other.code, piped.code);
    }
    piped
}

/// Two puzzles with blanks of one kind, and their solutions.
fn pair(blank: &str) -> [(String, &'static str); 2] {
    let other = SOLUTION.replacen(['5', '3'], ".", 9);
    let both = [PUZZLE.to_owned(), other];
    both.map(|puzzle| (puzzle.replace('.', blank), SOLUTION))
}

fn expected(pair: &[(String, &str)]) -> String {
    let rows = pair.iter().map(|(puzzle, solution)| format!("{puzzle},{solution},unique,1\n"));
    format!("puzzle,solution,status,solutions\n{}", rows.collect::<String>())
}

#[test]
fn tables_of_published_datasets() {
    let [dot, zero] = [pair("."), pair("0")];
    let table = |pair: &[(String, &str); 2], head: &str, row: fn(usize, &str, &str) -> String| {
        let rows = (1..).zip(pair).map(|(i, (puzzle, solution))| row(i, puzzle, solution));
        format!("{head}{}", rows.collect::<Vec<_>>().join("\n"))
    };
    let cases = [
        (&zero, table(&zero, "quizzes,solutions\n", |_, p, s| format!("{p},{s}"))),
        (&zero, table(&zero, "puzzle,solution\r\n", |_, p, s| format!("{p},{s}\r"))),
        (&zero, table(&zero, "\u{FEFF}puzzle,solution\n", |_, p, s| format!("{p},{s}"))),
        (&zero, table(&zero, "solution,puzzle\n", |_, p, s| format!("{s},{p}"))),
        (&dot, table(&dot, "id,puzzle,solution,clues,difficulty\n", |i, p, s| format!("{i},{p},{s},27,2.2"))),
        (&dot, table(&dot, "source,question,answer,rating\n", |_, p, s| format!("kaggle,{p},{s},0"))),
        (
            &dot,
            table(&dot, "source,question,answer,rating\n", |_, p, s| format!("\"a,\"\"b\",\"{p}\",{s},0")),
        ),
        (&dot, table(&dot, "# by hand\n\nfirst\tsecond\n", |i, p, _| format!("{i}\t{p}"))),
        (&dot, table(&dot, "\"id\";\"quiz\"\n", |i, p, _| format!("\"{i}\";\"{p}\""))),
        (&dot, table(&dot, "Puzzle\n", |_, p, _| p.to_owned())),
        (&dot, table(&dot, ",Puzzle\n", |i, p, _| format!("{i},{p}"))),
        (&dot, table(&dot, "", |_, p, s| format!("{s},{p}"))),
        (&dot, table(&dot, "", |i, p, _| format!("{i},{p}"))),
        (&dot, table(&dot, "", |i, p, _| format!("{i}|{p}|x"))),
        (&zero, table(&zero, "", |_, p, _| format!("000001fa3b2c {p}  1.2"))),
        (&dot, table(&dot, "# hardest\n", |_, p, _| format!("{p} 11.8/1.2/1.2"))),
        (&dot, table(&dot, "", |_, p, s| format!("{p},{s}"))),
        (&dot, table(&dot, "", |_, p, _| format!("\"{p}\""))),
        (&dot, table(&dot, "", |i, p, _| format!("\"{p}\",\"a, {i}\""))),
    ];
    for (pair, text) in cases {
        let run = run("", &text);
        assert_eq!((run.stdout(), &*run.stderr, run.code), (&*expected(pair), "", Some(0)), "{text}");
    }
}

#[test]
fn options_override_detection() {
    let (p, s) = (PUZZLE, SOLUTION);
    let one = &pair(".")[..1];
    let cases = [
        ("--column 2", format!("{s},{p}")),
        ("--column 2 --no-header", format!("x,{p}")),
        ("--column B", format!("a,b\n{s},{p}")),
        ("--column b", format!("a,b,B\n{p},{p},{s}").replace(&format!("{p},{p}"), &format!("{s},{p}"))),
        ("--delimiter : --column 2", format!("1:{p}")),
        ("--delimiter tab --input-format csv", format!("1\t{p}")),
        ("--input-format tsv", format!("1,2\t{p}")),
        ("--input-format csv", format!("question,puzzle\nhow?,{p}").replace("question", "text")),
        ("--input-format lines", format!("{p},{p}")),
    ];
    for (args, text) in cases {
        let run = run(args, &text);
        assert_eq!((run.stdout(), &*run.stderr), (&*expected(one), ""), "{args} on {text}");
    }
}

#[test]
fn ambiguous_tables_are_errors() {
    let (p, s, other) = (PUZZLE, SOLUTION, NO_SOLUTION);
    let grid = grid(p);
    let cases = [
        (
            "",
            format!("{p},{other}\n{other},{p}"),
            "ambiguous column: puzzles may be in columns 1 and 2; choose one with --column",
        ),
        (
            "",
            format!("a,b\n{p},{other}\n"),
            "ambiguous column: puzzles may be in columns a and b; choose one with --column",
        ),
        (
            "",
            format!("a,b\n{s},{s}\n"),
            "ambiguous column: puzzles may be in columns a and b; choose one with --column",
        ),
        ("", format!("quiz,puzzle\n{p},{other}\n"), "columns quiz and puzzle; choose one with --column"),
        (
            "",
            format!("{p}\n{grid}"),
            "ambiguous format: lines of nine cells (line 2) and puzzles in one line; choose one",
        ),
        ("--column grid", format!("a,b\n{p},{s}\n"), "no column 'grid': the header has columns a and b"),
        ("--column 3", format!("a,b\n{p},{s}\n"), "no column 3: the header has columns a and b"),
        (
            "--column 1 --solution-column 3",
            format!("{p},{s}\n"),
            "no column 3: there is no header, and the first row has 2 fields",
        ),
        (
            "--input-format csv",
            "a,b\n1,2\n".to_owned(),
            "no column of puzzles: the header has columns a and b",
        ),
    ];
    for (args, text, message) in cases {
        let run = run(args, &text);
        assert_eq!((run.code, run.stdout().lines().count() <= 1), (Some(2), true), "{text}");
        assert!(run.stderr.starts_with("rapidoku: '<stdin>': "), "{}", run.stderr);
        assert!(run.stderr.contains(message), "{} for {text}", run.stderr);
    }
}

/// The rows of CSV without the header.
fn csv_rows(text: &str) -> Vec<csv::StringRecord> {
    csv::Reader::from_reader(text.as_bytes()).records().collect::<Result<_, _>>().unwrap()
}

#[test]
fn every_row_keeps_its_place() {
    let text = format!(
        "id,puzzle,note\n1,{PUZZLE},\n2\n\n3,{CLASH},\n# no row\n4,12,\n\"5,{PUZZLE}\n6,{PUZZLE}1,\n7,\"{PUZZLE}\",\"a\"\n8,,\n9,{}:,\n",
        &PUZZLE[..80]
    );
    let run = run("", &text);
    let rows = csv_rows(run.stdout());
    let statuses: Vec<_> = rows.iter().map(|row| &row[2]).collect();
    assert_eq!(
        statuses,
        ["unique", "invalid", "invalid", "invalid", "invalid", "invalid", "unique", "invalid", "invalid"]
    );
    // What is not a puzzle is the text in its place: the row, if it is too short or a quote is open.
    let puzzles: Vec<_> = rows.iter().map(|row| &row[0]).collect();
    let (open, long, short) = (format!("\"5,{PUZZLE}"), format!("{PUZZLE}1"), format!("{}:", &PUZZLE[..80]));
    assert_eq!(puzzles, [PUZZLE, "2", CLASH, "12", &open, &long, PUZZLE, "", &short]);
    let expected = "\
        rapidoku: <stdin>:3: no field 2: the row has 1\n\
        rapidoku: <stdin>:5: digit 1 twice in row 1: r1c1 and r1c9\n\
        rapidoku: <stdin>:7: too short: 2 cells instead of 81\n\
        rapidoku: <stdin>:8: the quote in column 1 is not closed\n\
        rapidoku: <stdin>:9: too long: more than 81 cells\n\
        rapidoku: <stdin>:11: too short: 0 cells instead of 81\n\
        rapidoku: <stdin>:12: bad character ':' in column 83\n\
        rapidoku: invalid records: 7\n";
    assert_eq!(run.stderr, expected);
}

/// The rows of a puzzle, each as `row` makes it.
fn lines(puzzle: &str, row: impl Fn(usize, &str) -> String) -> String {
    (0..9).map(|i| row(i, &puzzle[9 * i..9 * i + 9])).collect()
}

fn spaced(row: &str) -> String {
    row.chars().map(|cell| format!("{cell} ")).collect()
}

#[test]
fn grids_with_and_without_frames_and_titles() {
    let plain = |p: &str| lines(p, |_, row| format!("{row}\n"));
    let bars = |row: &str| format!("|{}|{}|{}|", &row[..3], &row[3..6], &row[6..]);
    let euler = |p: &str, i: usize| format!("Grid {i:02}\n{}", plain(p));
    let ss = |p: &str| {
        let rule = |i: usize| match i {
            3 | 6 => "|---+---+---|\n",
            _ => "",
        };
        format!("*-----------*\n{}*-----------*\n", lines(p, |i, row| format!("{}{}\n", rule(i), bars(row))))
    };
    let framed = |p: &str| {
        lines(p, |i, row| {
            let rule = if i == 3 || i == 6 { "------+-------+------\r\n" } else { "" };
            format!("{rule}{}| {}| {}\r\n", spaced(&row[..3]), spaced(&row[3..6]), spaced(&row[6..]))
        })
    };
    let drawn = |p: &str| {
        let row = |row: &str| format!("│{}│{}│{}│", &row[..3], &row[3..6], &row[6..]);
        let rule = |i| if i % 3 == 0 { "├───┼───┼───┤\n" } else { "" };
        lines(p, |i, cells| format!("{}{}\n", rule(i), row(cells)))
    };
    for blank in [".", "0", "-", "_", "x"] {
        let both = pair(blank);
        let [(a, _), (b, _)] = &both;
        let texts = [
            format!("{}{}", plain(a), plain(b)),
            format!("{}\n\n{}", plain(a), plain(b)),
            format!("{}{}", euler(a, 1), euler(b, 2)),
            format!("{}\n{}", ss(a), ss(b)),
            format!("{}\r\n{}", framed(a), framed(b)),
            format!("{}{}", drawn(a), drawn(b)),
            format!("#A somebody\n#D easy\n{}\n#A another\n{}", plain(a), plain(b)),
            format!("[Puzzle]\n{}[State]\n{}[Puzzle]\n{}", plain(a), plain(SOLUTION), plain(b)),
            lines(a, |i, row| format!("{}{}\n", if i % 3 == 0 { "\n" } else { "" }, spaced(row)))
                + "\n"
                + &lines(b, |i, row| format!("{}{}\n", if i % 3 == 0 { "\n" } else { "" }, spaced(row))),
        ];
        for text in texts {
            let run = run("", &text);
            assert_eq!((run.stdout(), &*run.stderr), (&*expected(&both), ""), "{text}");
        }
    }
}

#[test]
fn rows_of_blanks_and_rules_are_told_apart() {
    // The first row is blank, and looks like a rule.
    let blank_row = format!("{}{}", ".".repeat(9), &SOLUTION[9..]);
    for blank in ["-", "*"] {
        let text = lines(&blank_row, |i, row| match i {
            1 => format!("{}\n", row.replacen(['6', '7'], ".", 2)),
            _ => format!("{row}\n"),
        });
        let text = text.replace('.', blank);
        let run = run("", &text);
        assert_eq!(run.stdout().lines().nth(1).unwrap().split(',').nth(1), Some(SOLUTION), "{text}");
    }
}

#[test]
fn text_around_a_puzzle_does_not_hide_it() {
    let both = pair(".");
    let [(p, s), (q, _)] = &both;
    for text in [
        format!("'{p}'\n'{q}'\n"),
        format!("[{p}]\n[{q}]\n"),
        format!("=\"{p}\"\n=\"{q}\"\n"),
        format!("| id | puzzle | solution |\n|---|:---|---:|\n| 1 | {p} | {s} |\n| 2 | {q} | {s} |\n"),
    ] {
        let run = run("--columns puzzle,solution,status,solutions", &text);
        let cells = |text: &str| text.replace(['\'', '[', ']', '"', '='], "");
        assert_eq!((&*cells(run.stdout()), &*run.stderr), (&*expected(&both), ""), "{text}");
    }
}

#[test]
fn a_line_with_a_labelled_solution_is_invalid() {
    let [(p, s), (q, _)] = pair(".");
    let run =
        solve([""; 0], format!("Puzzle: {p}\nSolution: {s}\n\nPuzzle: {q}\nSolution: {s}\n").as_bytes());
    assert_eq!(run.stdout(), format!("{s}\n{}\n{s}\n{}\n", "", ""));
    assert!(run.stderr.contains("invalid records: 2"), "{}", run.stderr);
}

#[test]
fn grids_may_have_rows_without_clues_between_delimiters() {
    let blank = ".".repeat(9);
    let puzzles = [format!("{blank}{}", &SOLUTION[9..]), format!("{}{blank}", &SOLUTION[..72])];
    for (puzzle, delimiter) in
        puzzles.iter().flat_map(|puzzle| [",", "\t", ";"].map(|delimiter| (puzzle, delimiter)))
    {
        let row = |row: &[u8]| {
            let cell = |&byte: &u8| if byte == b'.' { String::new() } else { char::from(byte).to_string() };
            row.iter().map(cell).collect::<Vec<_>>().join(delimiter)
        };
        let grid: Vec<String> = puzzle.as_bytes().chunks(9).map(row).collect();
        let grid = grid.join("\n");
        for text in [
            format!("{grid}\n{grid}\n"),
            format!("{grid}\n\n{grid}\n"),
            format!("Grid 1\n{grid}\nGrid 2\n{grid}\n"),
        ] {
            let run = run("--columns solution,status", &text);
            let row = format!("{SOLUTION},unique\n");
            assert_eq!(
                (run.stdout(), &*run.stderr),
                (&*format!("solution,status\n{row}{row}"), ""),
                "{text}"
            );
        }
    }
}

#[test]
fn errors_in_grids_name_their_line() {
    let good = lines(PUZZLE, |_, row| format!("{row}\n"));
    let short = lines(PUZZLE, |i, row| if i == 4 { "4..8.3..\n".into() } else { format!("{row}\n") });
    let bad = lines(PUZZLE, |i, row| if i == 7 { ". . . 4 1 9 . ! 5\n".into() } else { format!("{row}\n") });
    let clash = lines(CLASH, |_, row| format!("{row}\n"));
    let eight: String = good.lines().take(8).map(|line| format!("{line}\n")).collect();
    let text = format!("{good}{short}\n{bad}{eight}\nGrid 5\n{eight}Grid 6\n{clash}{good}12..");
    let run = run("", &text);
    let rows = csv_rows(run.stdout());
    let statuses: Vec<_> = rows.iter().map(|row| &row[2]).collect();
    assert_eq!(
        statuses,
        ["unique", "invalid", "invalid", "invalid", "invalid", "invalid", "unique", "invalid"]
    );
    let expected = "\
        rapidoku: <stdin>:14: row of 8 cells instead of 9\n\
        rapidoku: <stdin>:27: bad character '!' in column 15\n\
        rapidoku: <stdin>:29: too short: 72 cells instead of 81\n\
        rapidoku: <stdin>:39: too short: 72 cells instead of 81\n\
        rapidoku: <stdin>:48: digit 1 twice in row 1: r1c1 and r1c9\n\
        rapidoku: <stdin>:66: row of 4 cells instead of 9\n\
        rapidoku: invalid records: 6\n";
    assert_eq!(run.stderr, expected);
}

#[test]
#[ignore = "needs the shared datasets"]
fn seeds_of_the_shared_datasets() {
    let folder = shared_datasets();
    let mut checked = 0;
    for entry in fs::read_dir(folder.join("seeds")).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        let run = run("", &text);
        let rows: Vec<_> = run.stdout().lines().skip(1).collect();
        assert!(
            !rows.is_empty() && rows.iter().all(|row| row.ends_with(",unique,1")),
            "{text}{}",
            run.stdout()
        );
        checked += rows.len();
    }
    assert!(checked >= 4, "{checked}");
}

#[test]
#[ignore = "needs the shared datasets"]
fn all_solvers_print_the_shared_solution() {
    let folder = shared_datasets();
    let read = |name: &str| fs::read_to_string(folder.join("seeds").join(name)).unwrap();
    let (puzzle, solution) = (read("spaced-grid.txt"), read("spaced-grid.solution.txt"));
    let names = Historical::ALL.map(Historical::name);
    for engine in ["lanes", "scalar"].into_iter().chain(names) {
        let run = solve(words(&format!("--format grid --engine {engine}")), puzzle.as_bytes());
        assert_eq!((run.stdout(), &*run.stderr), (&*solution, ""), "{engine}");
    }
}

/// A puzzle, and its number, as it stands in a file of some form.
type Row = fn(usize, &str) -> String;

/// The forms in which puzzles are published: what comes before them, and each of them.
const FORMS: [(&str, Row); 13] = [
    ("quizzes,solutions\n", |_, p| format!("{},{SOLUTION}\n", p.replace('.', "0"))),
    ("puzzle,solution\r\n", |_, p| format!("{},{SOLUTION}\r\n", p.replace('.', "0"))),
    ("id,puzzle,solution,clues,difficulty\n", |i, p| format!("{i},{p},{SOLUTION},24,1.5\n")),
    ("source,question,answer,rating\n", |_, p| format!("forum_hard,{p},{SOLUTION},12\n")),
    ("\u{FEFF}\"name\"\t\"puzzle\"\r\n", |i, p| format!("\"no. \"\"{i}\"\"\"\t\"{p}\"\r\n")),
    ("# hardest known\n", |i, p| {
        format!("{}{p} 11.8/1.2/1.2 name {i}\n", if i % 9 == 8 { "# more\n" } else { "" })
    }),
    ("", |_, p| format!("{}\r\n", p.replace('.', "0"))),
    ("", |i, p| format!("{i:012x} {}  1.2\n", p.replace('.', "0"))),
    ("", |i, p| format!("Grid {i:02}\n{}", lines(&p.replace('.', "0"), |_, row| format!("{row}\n")))),
    ("", |_, p| lines(p, |_, row| format!("{row}\n"))),
    ("", |_, p| lines(p, |_, row| format!("{}\n", spaced(row))) + "\n"),
    ("#A somebody\r\n#D by hand\r\n", |_, p| lines(p, |_, row| format!("{row}\r\n")) + "\r\n"),
    ("", |_, p| {
        let rule = |i: usize| if i == 3 || i == 6 { "|---+---+---|\n" } else { "" };
        let row = |i: usize, row: &str| format!("{}|{}|{}|{}|\n", rule(i), &row[..3], &row[3..6], &row[6..]);
        format!("*-----------*\n{}*-----------*\n\n", lines(p, row))
    }),
];

/// As a file has it: plain, or packed in one of three ways.
fn packed(text: &str, way: usize) -> Vec<u8> {
    match way {
        0 => {
            let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
            gzip.write_all(text.as_bytes()).unwrap();
            gzip.finish().unwrap()
        }
        1 => zstd::encode_all(text.as_bytes(), 1).unwrap(),
        2 => {
            let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
            zip.start_file("sudoku.csv", zip::write::SimpleFileOptions::default().large_file(true)).unwrap();
            zip.write_all(text.as_bytes()).unwrap();
            zip.finish().unwrap().into_inner()
        }
        _ => text.as_bytes().to_vec(),
    }
}

/// The first `puzzles` puzzles of each dataset in a folder, in every form, have the rows that the plain lines have, from a
/// file and from a pipe. Returns the number of datasets.
fn same_rows_in_every_form(datasets: &Path, puzzles: usize) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let args = "--limit 2 --format csv --columns record,solution,status,solutions,guesses,clues";
    let (mut checked, mut sets) = (0, 0);
    for entry in fs::read_dir(datasets).unwrap() {
        let name = entry.unwrap().path();
        if name.extension().is_none_or(|ending| ending != "txt") {
            continue;
        }
        let plain = fs::read_to_string(&name).unwrap();
        let lines: Vec<_> = plain.lines().take(puzzles).collect();
        let reference = solve(words(&format!("{args} -j4")), lines.join("\n").as_bytes());
        assert_eq!(reference.stdout().lines().count(), lines.len() + 1);
        for (form, (head, row)) in FORMS.iter().enumerate() {
            let rows: String = lines.iter().enumerate().map(|(i, line)| row(i, line)).collect();
            let bytes = packed(&format!("{head}{rows}"), form % 4);
            let path = file(&folder, "in", &bytes);
            let from_file = solve(words(&format!("{args} -j4 {path}")), b"");
            let piped = solve(words(&format!("{args} -j2")), &bytes);
            for (way, run) in [("file", from_file), ("pipe", piped)] {
                assert!(
                    run.stdout == reference.stdout,
                    "{way} {} {head}{} {}",
                    name.display(),
                    &rows[..200],
                    run.stderr
                );
                assert_eq!((&*run.stderr, run.code), ("", Some(0)));
                checked += lines.len();
            }
        }
        sets += 1;
    }
    println!("{checked} records of {sets} sets");
    sets
}

#[test]
fn the_sample_in_every_layout_gives_the_same_rows() {
    let folder = tempfile::tempdir().unwrap();
    file(&folder, "sample.txt", include_bytes!("../../../datasets/sample_10k.txt"));
    assert_eq!(same_rows_in_every_form(folder.path(), usize::MAX), 1);
}

#[test]
#[ignore = "needs the shared datasets"]
fn shared_datasets_in_every_layout_give_the_same_rows() {
    let sets = same_rows_in_every_form(&shared_datasets(), 25_000);
    assert!(sets >= 8, "{sets}");
}

/// Twice as many, so only when asked for.
#[test]
#[ignore = "needs the shared datasets, and takes a minute"]
fn whole_datasets_in_every_layout_give_the_same_rows() {
    let sets = same_rows_in_every_form(&shared_datasets(), usize::MAX);
    assert!(sets >= 8, "{sets}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    /// What the `csv` crate says is in a column is what is read from it.
    #[test]
    fn quotes_are_read_like_those_of_the_csv_crate(
        rows in prop::collection::vec((prop::collection::vec("[a,;\" ]{0,6}", 3), any::<bool>()), 1..30),
    ) {
        let mut writer = csv::WriterBuilder::new().quote_style(csv::QuoteStyle::Necessary).from_writer(Vec::new());
        writer.write_record(["a", "b", "puzzle", "c"]).unwrap();
        for (fields, good) in &rows {
            let puzzle = if *good { PUZZLE } else { &fields[2] };
            writer.write_record([&*fields[0], &*fields[1], puzzle, "x"]).unwrap();
        }
        let text = writer.into_inner().unwrap();
        let run = solve(words("-q --column puzzle"), &text);
        let expected: String =
            rows.iter().map(|(_, good)| if *good { format!("{SOLUTION}\n") } else { "\n".into() }).collect();
        prop_assert_eq!(run.stdout(), &expected);
    }
}

/// Words that are magic bytes of other formats, at the same place.
#[test]
fn text_with_magic_words_is_text() {
    let note = format!("{PUZZLE} {}ustard\n", "m".repeat(257 - PUZZLE.len() - 1));
    assert_eq!(note.find("ustar"), Some(257));
    for text in [note, format!("PAR1,{PUZZLE}\n"), format!("BZh,{PUZZLE}\n")] {
        let run = solve(words(""), text.as_bytes());
        assert_eq!((run.stdout(), &*run.stderr), (&*format!("{SOLUTION}\n"), ""), "{text}");
    }
}

#[test]
fn inputs_that_are_not_text_with_puzzles_are_errors() {
    let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
    let tar = |magic: &[u8; 8]| {
        [&b"puzzles.txt"[..], &[0; 246], magic, &[0; 247], PUZZLE.as_bytes(), b"\n"].concat()
    };
    let cases = [
        (
            b"\xFD7zXZ\0\0\x04\xE6\xD6".to_vec(),
            "unsupported format: xz compression; decompress it with xz -dc",
        ),
        (b"BZh91AY&SY\x00".to_vec(), "unsupported format: bzip2 compression; decompress it with bzip2 -dc"),
        (tar(b"ustar\x0000"), "unsupported format: tar archive; extract it with tar -xO"),
        (tar(b"ustar  \0"), "unsupported format: tar archive; extract it with tar -xO"),
        (b"PAR1\x15\x04\n".to_vec(), "unsupported format: Parquet file; convert it to CSV"),
        (
            b"[5, 3, 0, 0, 7]\n".to_vec(),
            "unsupported format: JSON without an array of objects, strings or grids",
        ),
        (
            utf16(&format!("\u{FEFF}{PUZZLE}\r\n")),
            "unsupported encoding: UTF-16; convert it with iconv -f UTF-16 -t UTF-8",
        ),
        (
            utf16(&format!("quizzes,solutions\n{PUZZLE},{SOLUTION}\n")),
            "unsupported encoding: UTF-16; convert it with iconv",
        ),
        (b"\x7FELF\x02\x01\0\0\n".to_vec(), "unrecognised format: binary data"),
        (
            format!("{PUZZLE}\r{PUZZLE}\r").into_bytes(),
            "unsupported line ends: carriage returns; convert them with tr",
        ),
    ];
    let folder = tempfile::tempdir().unwrap();
    for (bytes, message) in cases {
        let path = file(&folder, "in", &bytes);
        for args in [&[&*path][..], &["--no-mmap", &path], &[]] {
            let run = solve(args, &bytes);
            assert_eq!((run.code, run.stdout()), (Some(2), ""), "{message}");
            assert!(run.stderr.contains(message), "{}", run.stderr);
        }
    }
    // Where there are puzzles such bytes are trouble of a record.
    let odd = solve(words("-q"), format!("{PUZZLE}\nod\0d\n{PUZZLE}\n").as_bytes());
    assert_eq!(odd.stdout(), format!("{SOLUTION}\n\n{SOLUTION}\n"));
}

#[test]
fn carriage_returns_within_rows() {
    let text = format!("id,puzzle\r\"1\",{PUZZLE}\r\"2\",{PUZZLE}\r");
    let run = run("", &text);
    assert_eq!((run.code, run.stdout()), (Some(2), ""));
    assert!(run.stderr.contains("carriage returns; convert them with tr '\\r' '\\n'"), "{}", run.stderr);
    let quoted = format!("note,puzzle\n\"a\rb\",{PUZZLE}\n\"c\"\r,{PUZZLE}\n");
    assert_eq!(solve(words("-q"), quoted.as_bytes()).stdout(), format!("{SOLUTION}\n{SOLUTION}\n"));
}

#[test]
fn other_commands_read_tables_and_grids_too() {
    let wrong = SOLUTION.replace('9', "8");
    let table =
        format!("id,puzzle,solution\n1,{PUZZLE},{SOLUTION}\n2,{PUZZLE},{wrong}\n3,{PUZZLE},\n4,bad,\n");
    let run = ask("verify", words("--format csv"), table.as_bytes());
    let faults: Vec<_> = run.stdout().lines().skip(1).map(|row| row.split(',').nth(3).unwrap()).collect();
    assert_eq!((faults.len(), faults[1], run.code), (3, "missing", Some(1)), "{}", run.stdout());
    assert!(run.stdout().contains("<stdin>,3,2,"), "{}", run.stdout());
    let run = ask("check", words("-q --only invalid"), table.as_bytes());
    assert_eq!(run.stdout(), "id,puzzle,solution\n4,bad,\n");
    let grid = |puzzle| lines(puzzle, |_, row| format!("{row}\n"));
    let grids = format!("Grid 1\n{}Grid 2\n{}", grid(NO_SOLUTION), grid(PUZZLE));
    assert_eq!(ask("check", words("--only unique"), grids.as_bytes()).stdout(), grid(PUZZLE) + "\n");
    assert_eq!(ask("verify", [""; 0], grid(SOLUTION).as_bytes()).code, Some(0));
}

/// What the program makes of rows of the records that are expected: the status of each.
fn statuses(args: &str, text: &str) -> Vec<String> {
    let run = run(&format!("--columns puzzle,status {args}"), text);
    let row = |row: &csv::StringRecord| match &row[1] {
        "unique" => row[0].to_owned(),
        status => status.to_owned(),
    };
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    csv_rows(run.stdout()).iter().map(row).collect()
}

#[test]
fn rulers_are_no_puzzles() {
    let (p, s) = (PUZZLE, SOLUTION);
    let q = pair(".")[1].0.clone();
    for rule in ["-", "_", "*", "="] {
        let line = rule.repeat(81);
        let spaces = " ".repeat(75);
        for text in [
            format!("puzzle\n{line}\n{p}\n{q}\n"),
            format!("puzzle\r\n{line}\r\n{p}\r\n{q}\r\n"),
            format!("{line}\n\n{p}\n{line}\n{q}\n"),
            format!("id puzzle{spaces}\n-- {line}\n1  {p}\n2  {q}\n").replace("--", &rule.repeat(2)),
            format!("puzzle{spaces}  solution{spaces}\n{line}  {line}\n{p}  {s}\n{q}  {s}\n"),
            format!("| puzzle | solution |\n| {line} | {line} |\n| {p} | {s} |\n| {q} | {s} |\n"),
            format!("| id | puzzle |\n|-|{line}|\n|1|{p}|\n|2|{q}|\n").replace('-', rule),
        ] {
            assert_eq!(statuses("", &text), [p, &q], "{text}");
            assert_eq!(statuses("", &text.repeat(2)), [p, &q, p, &q], "{text}");
        }
        let text = format!("puzzle\n{line}\n{p}\n{q}\n").replace('.', rule);
        assert_eq!(statuses("", &text).len(), 2, "{text}");
    }
    // Puzzles without clues are records.
    for blank in [".", "0", "-", "_"] {
        let (empty, p) = (blank.repeat(81), p.replace('.', blank));
        let count = |text: String| statuses("", &text).len();
        assert_eq!(count(format!("{p}\n{empty}\n{p}\n")), 3, "{empty}");
        assert_eq!(count(format!("id,puzzle\n1,{empty}\n2,{p}\n")), 2, "{empty}");
        assert_eq!(count(format!("{empty}\n{empty}\n")), 2, "{empty}");
    }
}

#[test]
fn a_missing_value_is_no_name_of_a_column() {
    let p = PUZZLE;
    for missing in ["", "NaN", "null", "None", "NA", " ", "-1"] {
        for text in [
            format!("0,{missing},20\n1,{p},21\n2,{p},22\n"),
            format!("{missing},20\n{p},21\n{p},22\n"),
            format!("easy;{missing}\nhard;{p}\neasy;{p}\n"),
            format!("\"0\",\"{missing}\"\n\"1\",\"{p}\"\n\"2\",\"{p}\"\n"),
        ] {
            assert_eq!(statuses("", &text), ["invalid", p, p], "{text}");
        }
        let text = format!("id,{missing},rating\n1,{p},2.5\n2,{p},1.5\n");
        assert_eq!(statuses("", &text), [p, p], "{text}");
    }
    for word in ["NaN", "null"] {
        assert_eq!(statuses("", &format!("{word}\n{p}\n{p}\n")), ["invalid", p, p]);
    }
    for header in [",0,1", ",puzzle", "id,text", "quiz,"] {
        let (first, rest) = if header == "quiz," { (p, "1") } else { ("1", p) };
        let row = format!("{first},{rest}{}\n", if header == ",0,1" { ",2" } else { "" });
        assert_eq!(statuses("", &format!("{header}\n{row}{row}")), [p, p], "{header}");
    }
}

#[test]
fn rows_that_start_like_comments_do_not_vanish() {
    let (p, short) = (PUZZLE, &PUZZLE[..70]);
    for d in [",", ";", "\t"] {
        let row = |tag: &str, puzzle: &str| format!("{tag}{d}{puzzle}\n");
        let rows = [row("#0", p), row("#1", "NaN"), row("#2", short), row("#3", ""), row("#4", p)].concat();
        for header in ["", &row("tag", "puzzle"), &row("#tag", "puzzle"), "# by hand\n\n"] {
            let text = format!("{header}{rows}# the end\n");
            assert_eq!(statuses("", &text), [p, "invalid", "invalid", "invalid", p], "{text}");
        }
        // Comments that are no rows, and rows of another table.
        let text = format!("{}{}# 2{d}x\n# {short}{d}\n", row("id", "puzzle"), row("1", p));
        assert_eq!(statuses("", &text), [p], "{text}");
    }
}

#[test]
fn a_column_for_each_cell_may_be_anywhere() {
    let puzzles = [PUZZLE.to_owned(), pair(".")[1].0.clone()];
    let names: [fn(usize) -> String; 3] = [
        |cell| cell.to_string(),
        |cell| format!("c{:02}", cell + 1),
        |cell| format!("r{}c{}", cell / 9, cell % 9),
    ];
    let orders: [fn(usize) -> usize; 4] = [|k| k, |k| 80 - k, |k| k % 9 * 9 + k / 9, |k| k * 50 % 81];
    for (name, order) in names.iter().flat_map(|name| orders.map(|order| (name, order))) {
        let row =
            |cell: &dyn Fn(usize) -> String| (0..81).map(|k| cell(order(k))).collect::<Vec<_>>().join(",");
        let cells = |grid: &str| row(&|cell| grid[cell..=cell].replace('.', "0"));
        let mut text = format!("id,{},{},level\n", row(name), row(&|cell| format!("s{}", name(cell))));
        for (id, puzzle) in puzzles.iter().enumerate() {
            text += &format!("{id},{},{},hard\n", cells(puzzle), cells(SOLUTION));
        }
        let zeros = puzzles.clone().map(|puzzle| puzzle.replace('.', "0"));
        assert_eq!(statuses("", &text), zeros, "{text}");
        let run = ask("verify", [""; 0], text.as_bytes());
        assert_eq!(run.code, Some(0), "{} for {text}", run.stderr);
    }
}

#[test]
fn rows_in_parentheses_have_a_line_each() {
    let [(p, s), (q, _)] = pair("0");
    for (start, between, end) in [("INSERT INTO `t` VALUES ", ",", ";"), ("", ", ", "")] {
        let rows = |between: &str| format!("{start}(1,'{p}','{s}'){between}(2,'{q}','{s}'){end}\n");
        for args in ["", "--column 2", "--input-format csv --delimiter ,"] {
            let run = run(args, &rows(between));
            let expected = "several puzzles in line 1, each in parentheses; give each a line with sed 's/), *(/)\\n(/g'\n";
            assert!(run.code == Some(2) && run.stderr.ends_with(expected), "{}", run.stderr);
        }
        assert_eq!(statuses("", &rows("\n")), [&*p, &q]);
    }
    assert_eq!(statuses("", &format!("({p}),({s})\n({q}),({s})\n")), [&*p, &q]);
}

#[test]
fn lists_in_fields_are_no_columns() {
    let [(p, s), (q, _)] = pair("0");
    let list = |grid: &str| grid.replace("", " ").trim().to_owned();
    let [a, b, c] = [&p, &q, s].map(list);
    for d in [",", "\t", ";", "|"] {
        // One row has 81 words.
        let text = format!("id{d}puzzle\n1{d}{a}\n{b}\n3{d}{a}\n4{d}{b}\n");
        assert_eq!(statuses("", &text), [&*p, "invalid", &p, &q], "{text}");
        let text = format!("solution{d}puzzle\n{c}{d}{a}\n{c}{d}\n{c}{d}{b}\n");
        assert_eq!(statuses("", &text), [&*p, "invalid", &q], "{text}");
    }
    assert_eq!(statuses("", &format!("puzzle\n{a}\n{b}\n")), [&*p, &q]);
    // Columns of cells, with an error in a row.
    for d in [" ", ",", "\t"] {
        let text = format!("{a}\n{}\n{b}\n", a.replacen(['5', '3'], "9", 2)).replace(' ', d);
        assert_eq!(statuses("", &text), [&*p, "invalid", &q], "{text}");
    }
}

#[test]
fn a_header_may_lack_the_name_of_the_row_numbers() {
    let [(p, s), (q, _)] = pair(".");
    for d in [",", "\t", ";", "|", " "] {
        let text = format!(
            "\"solution\"{d}\"puzzle\"{d}\"rating\"\n\"1\"{d}\"{s}\"{d}\"{p}\"{d}1.5\n\"2\"{d}\"{s}\"{d}\"{q}\"{d}2\n"
        );
        let text = if d == " " { text.replace('"', "") } else { text };
        assert_eq!(statuses("", &text), [&*p, &q], "{text}");
        let run = run("--columns status --passthrough", &text);
        let expected = format!(",solution,puzzle,rating,status\n1,{s},{p},1.5,unique\n2,{s},{q},2,unique\n");
        assert_eq!(run.stdout(), expected, "{text}");
    }
    // A field without a name.
    let text = format!("id,puzzle\n1,{p},a\n2,{q},b\n");
    assert_eq!(statuses("--column puzzle", &text), [&*p, &q]);
}

#[test]
fn comments_before_a_table_may_be_longer_than_what_is_examined() {
    let [(p, s), (q, _)] = pair(".");
    let table = format!("id,solution,puzzle\n1,{s},{p}\n2,{s},{q}\n3,{s},x\n");
    for (line, count) in
        [("# a comment\n", 1_200), ("# a comment\n", 3_000), ("\n", 40_000), ("#\r\n \r\n", 8_000)]
    {
        let text = line.repeat(count) + &table;
        assert_eq!(statuses("", &text), [&*p, &q, "invalid"], "{count}");
        let run = run("", &text);
        let number = 4 + line.lines().count() * count;
        assert!(run.stderr.starts_with(&format!("rapidoku: <stdin>:{number}: ")), "{}", run.stderr);
    }
}

#[test]
fn a_column_of_candidates_beside_the_puzzles_is_another_field() {
    let [(p, s), (q, _)] = pair(".");
    let of_cell = |cell: char| "123456789".replace(|digit| cell != '.' && digit != cell, ".");
    let marks = |grid: &str| grid.chars().map(of_cell).collect::<String>();
    let (a, b) = (marks(&p), marks(&q));
    let text = format!("puzzle,candidates,solution\n{p},{a},{s}\n{q},{b},{s}\n");
    assert_eq!(statuses("", &text), [&*p, &q], "{text}");
    assert_eq!(statuses("--column 2", &text), [&*a, &b], "{text}");
    assert_eq!(statuses("--column 1", &text.replacen("puzzle", "a", 1)), [&*p, &q], "{text}");
    assert_eq!(statuses("", &format!("id,puzzle\n1,{a}\n2,{b}\n")), [&*a, &b]);
}

#[test]
fn a_row_of_several_lines_may_be_cut_where_the_examined_part_ends() {
    let both = pair("0");
    let field =
        |grid: &str| format!("\"{}\"", lines(grid, |_, row| spaced(row).trim().to_owned() + "\n").trim_end());
    let row = |k: usize| format!("{k},{},{}\n", field(&both[k % 2].0), field(SOLUTION));
    let rows: String = (0..120).map(row).collect();
    // The part ends in each line of a row in turn.
    for more in (0..370).step_by(17) {
        let text = format!("# {}\nid,puzzle,solution\n{rows}", "-".repeat(more));
        let run = ask("solve", words("-q --limit 2 --format csv --columns status"), text.as_bytes());
        assert_eq!(run.stdout().matches("unique\n").count(), 120, "{more}: {}", run.stderr);
    }
}
