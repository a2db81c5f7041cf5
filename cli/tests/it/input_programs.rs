//! Input formats of other programs: a column per cell, candidate grids, OpenSudoku XML; and columns of several inputs.

use crate::support::{CLASH, PUZZLE, SOLUTION, ask, ask_in_all_ways as run, file, grid, rows, words};

const SAMPLE: &str = include_str!("../../../datasets/sample_10k.txt");

/// The cells of a puzzle as fields.
fn fields(puzzle: &str, delimiter: &str) -> String {
    puzzle.chars().map(String::from).collect::<Vec<_>>().join(delimiter)
}

/// Numbers from `first` as names.
fn names(prefix: &str, first: usize, delimiter: &str) -> String {
    (first..first + 81).map(|number| format!("{prefix}{number}")).collect::<Vec<_>>().join(delimiter)
}

#[test]
fn tables_with_a_column_per_cell() {
    let puzzles: Vec<&str> = SAMPLE.lines().take(12).collect();
    let expected = puzzles.join("\n") + "\n";
    let table = |header: &str, row: &dyn Fn(usize, &str) -> String| {
        let rows: String = puzzles.iter().enumerate().map(|(k, puzzle)| row(k, puzzle) + "\n").collect();
        format!("{header}{rows}")
    };
    for delimiter in [",", ";", "\t", " ", "|"] {
        let zeros = |puzzle: &str| fields(&puzzle.replace('.', "0"), delimiter);
        let id = format!("id{delimiter}");
        for text in [
            table("", &|_, puzzle| zeros(puzzle)),
            table(&(names("", 0, delimiter) + "\n"), &|_, puzzle| zeros(puzzle)),
            table(&(names("c", 1, delimiter) + "\r\n"), &|_, puzzle| zeros(puzzle) + "\r"),
            table(&(id.clone() + &names("", 0, delimiter) + "\n"), &|k, puzzle| {
                format!("{k}{delimiter}{}", zeros(puzzle))
            }),
            table("", &|k, puzzle| format!("{k}{delimiter}{}{delimiter}{k}.5", zeros(puzzle))),
        ] {
            let run = run("convert", "--to lines --blank .", &text);
            assert_eq!((run.stdout(), &*run.stderr), (&*expected, ""), "{text}");
        }
    }
    // Empty fields, quotes and decimal numbers.
    let empty = table(&(names("x", 0, ",") + "\n"), &|_, puzzle| fields(puzzle, ",").replace('.', ""));
    let quoted = table("", &|_, puzzle| format!("\"{}\"", fields(puzzle, "\",\"")));
    let decimal = table("", &|_, puzzle| fields(&puzzle.replace('.', "0"), ".0,") + ".0");
    for text in [empty, quoted, decimal] {
        assert_eq!(run("convert", "--to lines --blank .", &text).stdout(), expected, "{text}");
    }
}

#[test]
fn columns_of_cells_and_of_solutions() {
    let (p, s) = (fields(&PUZZLE.replace('.', "0"), ","), fields(SOLUTION, ","));
    let both = format!("{p},{s}\n{p},{s}\n");
    assert_eq!(run("verify", "-q", &both).code, Some(0));
    assert_eq!(
        run("convert", "--to csv --blank .", &both).stdout(),
        format!("puzzle,solution\n{PUZZLE},{SOLUTION}\n").to_owned() + &format!("{PUZZLE},{SOLUTION}\n")
    );
    let wrong = format!("{p},{}\n{both}", fields(&SOLUTION.replace('5', "6"), ","));
    assert_eq!(ask("verify", words("-q"), wrong.as_bytes()).code, Some(1));
    let header = format!("id,{},answer\n", names("r", 0, ","));
    let named = format!("{header}1,{p},{SOLUTION}\n");
    assert_eq!(run("verify", "-q --solution-column answer", &named).code, Some(0));
    let kept = run("solve", "--format csv --passthrough --columns status", &named);
    assert_eq!(kept.stdout(), format!("{},status\n1,{p},{SOLUTION},solved\n", header.trim_ascii_end()));
    assert_eq!(run("check", "--only unique", &named).stdout(), named);
    // What is given counts.
    let one = format!("1,{p}\n");
    let first = fields(&format!("1{}", &PUZZLE[..80].replace('.', "0")), ",");
    assert_eq!(run("convert", "--column 2 --to sdm", &one).stdout(), PUZZLE.replace('.', "0") + "\n");
    assert_eq!(run("convert", "--column 1 --to sdm", &one).stdout(), first.replace(',', "") + "\n");
    let twice = run("solve", "", format!("{p},{p}\n"));
    assert!(
        twice.code == Some(2) && twice.stderr.contains("the 81 cells may start in columns 1 to 82"),
        "{}",
        twice.stderr
    );
    for (args, message) in [
        ("--column 3", "no 81 columns from the one of --column on"),
        ("--column 99", "no column 99"),
        ("--column x", "no column 'x'"),
    ] {
        let run = run("solve", args, &one);
        assert!(run.code == Some(2) && run.stderr.contains(message), "{}", run.stderr);
    }
    assert_eq!(run("solve", "", fields(&PUZZLE[..80], ",")).code, Some(2));
}

#[test]
fn bad_fields_are_invalid_records() {
    let p = fields(&PUZZLE.replace('.', "0"), ",");
    let text = format!(
        "{p}\n{}\n{}\nx,{}\n{}\n{p}\n",
        &p[..158],
        p.replacen("5,3", "5,12", 1),
        &p[2..],
        fields(CLASH, ",")
    );
    let solved = run("solve", "--format csv --columns record,status", &text);
    assert_eq!(
        solved.stdout(),
        "record,status\n1,solved\n2,invalid\n3,invalid\n4,solved\n5,invalid\n6,solved\n"
    );
    assert_eq!(
        solved.stderr,
        "rapidoku: <stdin>:2: no field 81: the row has 80\nrapidoku: <stdin>:3: field 2 is neither a digit nor a blank\n\
         rapidoku: <stdin>:5: digit 1 twice in row 1: r1c1 and r1c9\nrapidoku: invalid records: 3\n\
         rapidoku: records with 0 beside another blank: 1 (0 is a blank too; are the digits 0 to 8?)\n"
    );
    let longer = run("check", "-q", format!("{p}\n{p}1\n{p}x\n"));
    assert_eq!(longer.stdout(), "unique\ninvalid\ninvalid\n");
    let followed = run("check", "-q", format!("{p},x\n{p}\rz,x\n{p}\r,x\n"));
    assert_eq!(followed.stdout(), "unique\ninvalid\nunique\n");
    let open = run("check", "-q", format!("{p}\n{p},\"open\n{p}\n"));
    assert_eq!(open.stdout(), "unique\nunique\nunique\n");
}

#[test]
fn a_column_of_puzzles_comes_before_a_column_per_cell() {
    let row = format!("7,{PUZZLE},{}\n", fields(SOLUTION, ","));
    assert_eq!(
        run("convert", "--to lines --blank .", row.repeat(3)).stdout(),
        format!("{PUZZLE}\n").repeat(3)
    );
}

#[test]
fn a_second_column_of_puzzles_is_not_taken_for_the_solutions() {
    let others = SAMPLE.lines().take(3);
    let text: String = others.map(|other| format!("{PUZZLE},{other},{SOLUTION}\n")).collect();
    let run = run("verify", "--column 1", text);
    assert_eq!(run.stderr, "rapidoku: solutions verified: 3, correct 3, wrong 0\n");
}

#[test]
fn ambiguous_cells_in_rows_longer_than_the_first() {
    let run = run("solve", "", format!("x;y\n{}5{}\n", ";".repeat(60), ";".repeat(40)));
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("the 81 cells may start in columns 1 to 21;"), "{}", run.stderr);
}

/// A candidate grid as Simple Sudoku writes it.
const SIMPLE: &str = "\
*--------------------------------------------------------------------*
| 1567   3      1567   | 4      12579  179    | 689    5678   579    |
| 9      45     2      | 8      57     6      | 3      457    1      |
| 1567   1458   14567  | 1357   13579  1379   | 4689   2      4579   |
|----------------------+----------------------+----------------------|
| 8      12459  1459   | 13     6      139    | 7      145    2345   |
| 17     6      147    | 2      1378   5      | 14     9      34     |
| 1257   1259   3      | 17     4      179    | 126    156    8      |
|----------------------+----------------------+----------------------|
| 12356  7      1569   | 1356   135    134    | 12489  148    249    |
| 4      1      8      | 9      137    2      | 5      17     6      |
| 1256   1259   1569   | 1567   157    8      | 1249   3      2479   |
*--------------------------------------------------------------------*
";

#[test]
fn candidate_grids_without_some_rows_are_too_short() {
    let short: String = SIMPLE.split_inclusive('\n').take(8).collect();
    let run = run("solve", "--format csv --columns status", &short);
    assert_eq!(run.stdout(), "status\ninvalid\n");
    let message = "rapidoku: <stdin>:2: too short: 54 cells instead of 81\nrapidoku: invalid records: 1\n";
    assert_eq!(run.stderr, message);
}

/// Such titles are not taken for arrays of JSON.
#[test]
fn titles_in_brackets_may_start_with_a_number_or_a_comma() {
    let grid = grid(PUZZLE);
    for [first, second] in [["[1 of 2]", "[2 of 2]"], ["[, first]", "[ , second]"]] {
        let text = format!("{first}\n{grid}{second}\n{grid}");
        assert_eq!(run("solve", "-q", text).stdout(), format!("{SOLUTION}\n{SOLUTION}\n"), "{first}");
    }
}

#[test]
fn grids_with_a_surplus_character_in_every_row_are_invalid() {
    let grid = |end: &str| -> String { rows(PUZZLE).map(|row| format!("{row}{end}\n")).collect() };
    for end in ["x", "1", "?"] {
        let text = [grid(""), grid(end), grid("")].join("\n");
        assert_eq!(run("check", "-q", text).stdout(), "unique\ninvalid\nunique\n", "{end}");
    }
}

#[test]
fn json_lines_with_several_puzzles_are_read_by_name() {
    let text = format!("{{\"puzzle\":\"{PUZZLE}\",\"other\":\"{}\"}}\n", ".".repeat(81));
    for (column, status) in [("puzzle", "unique"), ("other", "multiple")] {
        let run = run("check", &format!("-q --column {column}"), text.repeat(3));
        assert_eq!(run.stdout(), format!("{status}\n").repeat(3), "{column}");
    }
}

/// Files that the kernel makes up claim to be empty.
#[test]
#[cfg(target_os = "linux")]
fn files_of_the_kernel_are_read() {
    let run = ask("solve", words("/proc/version"), b"");
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("bad character 'L' in column 1"), "{}", run.stderr);
}

#[test]
fn candidate_grids_of_forums() {
    let clues = ".3.4.....9.28.63.1.......2.8...6.7...6.2.5.9...3.4...8.7.......4189.25.6.....8.3.";
    let sdx: String = SIMPLE
        .lines()
        .filter(|line| line.starts_with("| "))
        .map(|line| {
            line.split([' ', '|']).filter(|group| !group.is_empty()).collect::<Vec<_>>().join(" ") + "\n"
        })
        .collect();
    let hodoku =
        SIMPLE.replace("|---", ":---").replace("---|", "---:").replacen('*', ".", 2).replace('*', "'");
    let marks = run("convert", "--to pencilmarks", SIMPLE);
    assert_eq!(marks.stdout().len(), 730);
    let count = run("count", "", SIMPLE);
    for text in [
        SIMPLE.to_owned(),
        sdx.clone(),
        format!("#ARuud\n{}", sdx.replace("\n8 ", "\nu8 ").replace(" 6 ", " u6 ")),
        hodoku,
        SIMPLE.replace("| ", "│ ").replace('\n', "\r\n"),
        sdx.replace(' ', "\t"),
        format!("Grid 1\n{SIMPLE}        Simple Sudoku\n         Version 4.2n\n"),
    ] {
        assert_eq!(run("convert", "--to pencilmarks", &text).stdout(), marks.stdout(), "{text}");
        assert_eq!(run("count", "", &text).stdout(), count.stdout());
    }
    let table = run("solve", "--format csv --columns puzzle,clues", SIMPLE);
    let digits = clues.chars().filter(char::is_ascii_digit).count();
    assert_eq!(table.stdout(), format!("puzzle,clues\n{},{digits}\n", marks.stdout().trim_ascii_end()));
    let several = format!("{SIMPLE}\n{sdx}\n{}", SIMPLE.replace("12579", "1257x"));
    let checked = run("check", "", &several);
    assert_eq!(checked.stdout().lines().count(), 3);
    assert!(checked.stdout().ends_with("invalid\n"));
    assert!(checked.stderr.contains("<stdin>:26: bad character 'x' in column 37"), "{}", checked.stderr);
    // With an empty line, so that grids of several inputs stay apart.
    assert_eq!(run("check", "--only invalid -q", &several).stdout().lines().count(), 12);
    let mixed = run("solve", "", format!("{PUZZLE}\n{SIMPLE}"));
    assert!(
        mixed.code == Some(2) && mixed.stderr.contains("ambiguous format: candidate grids"),
        "{}",
        mixed.stderr
    );
    let plain = ask("convert", words("--to grid"), PUZZLE.as_bytes());
    assert_eq!(run("solve", "--input-format candidates", plain.stdout()).stdout(), format!("{SOLUTION}\n"));
}

#[test]
fn games_of_opensudoku() {
    let p = PUZZLE.replace('.', "0");
    let state: String = p.chars().map(|digit| format!("{digit}|0|{}|", u8::from(digit == '0'))).collect();
    let text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\" ?>\n<opensudoku version=\"2\">\n<name>a &lt; b</name>\n\
         <!-- <game data=\"{p}\" /> -->\n<game data=\"{p}\" /><game created=\"1\"\n  state=\"0\" data='version: 3&#10;{state}'/>\n\
         <game data=\"{}\" />\n<game/>\n<game data=\"{p}\"></game>\n</opensudoku>\n",
        p.replacen('0', "a", 1)
    );
    let solved = run("solve", "--format csv --columns puzzle,status", &text);
    let bad = p.replacen('0', "a", 1);
    assert_eq!(
        solved.stdout(),
        format!(
            "puzzle,status\n{p},solved\n{p},solved\n\"<game data=\"\"{bad}\"\" />\",invalid\n<game/>,invalid\n{p},solved\n"
        )
    );
    assert_eq!(
        solved.stderr,
        "rapidoku: <stdin>:7: bad character 'a' in column 15\n\
         rapidoku: <stdin>:8: no attribute 'data' with the puzzle\nrapidoku: invalid records: 2\n"
    );
    assert_eq!(run("check", "--only unique", &text).code, Some(2));
    assert_eq!(run("solve", "", "<html>\n<body>\n").code, Some(2));
    assert_eq!(
        run("solve", "--input-format opensudoku", format!("<game data=\"{p}\"/>")).stdout(),
        format!("{SOLUTION}\n")
    );
    assert_eq!(run("solve", "", "<opensudoku>\n</opensudoku>\n").stdout(), "");
    // A document that is cut between games.
    let cut = text.replace("<game/>\n", &"<game/>\n".repeat(10_000)).replace("</opensudoku>\n", "");
    for options in ["-q", "-q --input-format opensudoku"] {
        let cut = run("solve", options, &cut);
        assert_eq!((cut.code, cut.stdout().lines().count()), (Some(2), 10_004));
        assert!(cut.stderr.contains("truncated XML"), "{}", cut.stderr);
    }
}

#[test]
fn inputs_with_different_columns_are_aligned_by_name_or_rejected_by_all_commands() {
    let folder = tempfile::tempdir().unwrap();
    let cells = fields(PUZZLE, ",");
    let csv = file(&folder, "a.csv", format!("id,puzzle\n1,{PUZZLE}\n"));
    let jsonl = file(&folder, "b.jsonl", format!("{{\"puzzle\":\"{PUZZLE}\",\"id\":2}}\n"));
    let other = file(&folder, "c.csv", format!("number,puzzle\n3,{PUZZLE}\n"));
    let other_jsonl = file(&folder, "d.jsonl", format!("{{\"puzzle\":\"{PUZZLE}\",\"number\":4}}\n"));
    let spread = file(&folder, "e.csv", format!("id,{}\n5,{cells}\n", names("c", 1, ",")));
    let moved = file(&folder, "f.csv", format!("{},id\n{cells},6\n", names("c", 1, ",")));
    let lines = file(&folder, "g.txt", format!("{PUZZLE}\n"));
    let grid = file(&folder, "h.txt", ask("convert", ["--to", "candidates"], PUZZLE.as_bytes()).stdout());
    let xml = file(&folder, "i.xml", ask("convert", ["--to", "xml"], PUZZLE.as_bytes()).stdout());
    let array = folder.path().join("j.npy").to_str().unwrap().to_owned();
    assert_eq!(ask("convert", ["-o", &array], PUZZLE.as_bytes()).code, Some(0));
    for command in ["solve", "check", "count", "rate", "canon", "minimize", "permute", "convert"] {
        let format = if command == "convert" { "--to" } else { "--format" };
        let run = |kind: &str, files: &[&String]| {
            let args = ["-q", "--passthrough", format, kind].into_iter();
            ask(command, args.chain(files.iter().map(|name| &***name)), b"")
        };
        for kind in ["csv", "jsonl"] {
            for files in [[&csv, &jsonl], [&jsonl, &csv], [&spread, &moved], [&moved, &spread]] {
                let aligned = run(kind, &files);
                assert!(aligned.code < Some(2), "{command}: {}", aligned.stderr);
                let rows = aligned.stdout().lines().skip(usize::from(kind == "csv"));
                assert_eq!(rows.count(), 2, "{command}");
                // Each value is in the column of its name.
                let single: Vec<String> =
                    files.iter().map(|name| run(kind, &[name]).stdout().to_owned()).collect();
                if kind == "csv" && files[0] == &csv {
                    let last = aligned.stdout().lines().last().unwrap();
                    assert!(last.starts_with(&format!("2,{PUZZLE}")), "{command}: {last} {single:?}");
                }
            }
            for second in [&other, &other_jsonl, &spread, &lines, &grid, &xml, &array] {
                let rejected = run(kind, &[&csv, second]);
                assert_eq!(rejected.code, Some(2), "{command} {second}");
                assert!(
                    rejected.stderr.contains("a.csv") || rejected.stderr.contains("pencilmarks"),
                    "{command}: {}",
                    rejected.stderr
                );
            }
        }
    }
    // Rows that are copied as they are need the same header.
    let filter = ask("check", ["--only", "unique", &csv, &other], b"");
    assert!(
        filter.code == Some(2) && filter.stderr.contains("its header is not that of"),
        "{}",
        filter.stderr
    );
}
