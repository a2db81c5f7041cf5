//! Random tables with known puzzles, damaged in the ways of real files.

use std::collections::BTreeMap;
use std::fs;

use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use super::{BOARDS, Board, Fault, judge, read};
use crate::support::setting;

/// How files of a kind of damage must be read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Duty {
    /// Each record is the true puzzle.
    Read,
    /// Each record is the true puzzle or invalid, or the file is refused.
    Honest,
}
use Duty::{Honest, Read};

type Make = fn(&mut StdRng, &[&Board]) -> String;

/// Kind of damage, whether its files must be read, and what makes them.
const KINDS: [(&str, Duty, Make); 37] = [
    ("delimiters with and without spaces", Read, |r, b| table(r, b, NAMED)),
    ("no header", Read, |r, b| table(r, b, NONE)),
    ("numbered header", Read, |r, b| table(r, b, NUMBERED)),
    ("names that are not ASCII", Read, |r, b| table(r, b, FOREIGN)),
    ("unknown names", Read, |r, b| table(r, b, UNKNOWN)),
    ("lost leading zeros", Honest, lost_zeros),
    ("lists in fields", Read, lists),
    ("lists without quotes", Honest, |r, b| lists(r, b).replace('"', "")),
    ("repeated headers", Read, repeated_headers),
    ("byte order marks inside", Read, |r, b| repeated_headers(r, b).replace("puzzle", "\u{feff}puzzle")),
    ("carriage returns", Read, |r, b| table(r, b, NAMED).replace('\n', "\r\n")),
    ("count in the first line", Read, |_, b| format!("{}\n{}", b.len(), lines(b))),
    ("sep=;", Read, |_, b| format!("sep=;\npuzzle;solution\n{}", pairs(b, ";"))),
    ("comments", Read, |_, b| format!("# made by a program\n{}# end\n", lines(b))),
    ("ids that start with #", Read, hash_ids),
    ("indented lines", Read, |_, b| b.iter().map(|b| format!("  {}\n", b.puzzle)).collect()),
    ("JSON strings", Read, |_, b| {
        b.iter()
            .map(|b| format!("{{\"solution\": \"{}\", \"puzzle\": \" {} \"}}\n", b.solution, b.puzzle))
            .collect()
    }),
    ("JSON arrays with null", Read, json_arrays),
    ("JSON nested members", Honest, |_, b| {
        b.iter()
            .map(|b| format!("{{\"a\": {{\"puzzle\": \"{}\"}}, \"b\": \"{}\"}}\n", b.puzzle, b.solution))
            .collect()
    }),
    ("grids with titles", Read, titled_grids),
    ("grids with titles that start with cells", Read, titles_of_cells),
    ("column numbers above grids", Read, column_numbers),
    ("frames of other programs", Read, framed_grids),
    ("empty cells between delimiters", Read, empty_cells),
    ("pages", Read, |_, b| {
        b.iter().map(|b| crate::support::grid(&b.puzzle) + "\u{c}").collect::<String>() + "\u{1a}"
    }),
    ("grids with a name before the first row", Read, named_grids),
    ("lists of other lengths", Honest, uneven_lists),
    ("documents of JSON", Read, json_documents),
    ("puzzles at several places of a document of JSON", Honest, scattered),
    ("JSON lines of which the first is cut", Honest, |r, b| {
        let lines: String = b.iter().map(|b| format!("{{\"puzzle\":\"{}\"}}\n", b.puzzle)).collect();
        lines[r.random_range(1..90)..].to_owned()
    }),
    ("solutions as grids with titles", Honest, titled_solutions),
    ("rows in a field", Read, rows_in_fields),
    ("rows in columns", Honest, |_, b| table_of(b, |b| rows_of(&b.puzzle, 9).join(","))),
    ("puzzles first, then solutions first", Honest, |_, b| {
        let (first, rest) = b.split_at(b.len() / 2);
        lines(first) + &rest.iter().map(|b| format!("{},{}\n", b.solution, b.puzzle)).collect::<String>()
    }),
    ("rows with labels in a field", Honest, |_, b| table_of(b, |b| rows_of(&b.puzzle, 9).join("!row "))),
    ("puzzles as large numbers", Honest, |_, b| {
        table_of(b, |b| {
            format!("{:?}", b.puzzle.replace('.', "0").parse::<f64>().expect("digits are a number"))
        })
    }),
    ("complete grids beside unreadable puzzles", Honest, unreadable),
];

const NAMED: &[[&str; 3]] =
    &[["id", "puzzle", "solution"], ["_id", "Puzzle", "Solution"], ["", "quizzes", "solutions"]];
const NONE: &[[&str; 3]] = &[];
const NUMBERED: &[[&str; 3]] = &[["", "0", "1"]];
const FOREIGN: &[[&str; 3]] = &[["№", "Rätsel", "Lösung"], ["番号", "数独", "解答"]];
const UNKNOWN: &[[&str; 3]] = &[["k", "x", "y"], ["k", "left", "right"], ["n", "input", "target"]];

struct Style {
    delimiter: &'static str,
    is_quoted: bool,
    solution_first: bool,
    blank: &'static str,
}

impl Style {
    fn new(random: &mut StdRng) -> Style {
        Style {
            delimiter: [",", ";", "\t", "|", "^", "~", ", ", "; ", " | ", " ,"].choose(random).unwrap(),
            is_quoted: random.random_bool(0.3),
            solution_first: random.random_bool(0.5),
            blank: if random.random_bool(0.5) { "0" } else { "." },
        }
    }
}

fn table(random: &mut StdRng, boards: &[&Board], names: &[[&str; 3]]) -> String {
    let style = Style::new(random);
    let quote = |field: &str| if style.is_quoted { format!("\"{field}\"") } else { field.to_owned() };
    let row = |[id, puzzle, solution]: [&str; 3]| {
        let fields = if style.solution_first { [id, solution, puzzle] } else { [id, puzzle, solution] };
        fields.map(quote).join(style.delimiter) + "\n"
    };
    let header = names.choose(random).map(|names| row(*names)).unwrap_or_default();
    let first = random.random_range(0..1000);
    let rows = boards
        .iter()
        .zip(first..)
        .map(|(board, id)| row([&id.to_string(), &board.puzzle.replace('.', style.blank), &board.solution]));
    header + &rows.collect::<String>()
}

fn lines(boards: &[&Board]) -> String {
    boards.iter().map(|board| format!("{}\n", board.puzzle)).collect()
}

fn pairs(boards: &[&Board], delimiter: &str) -> String {
    boards.iter().map(|board| format!("{}{delimiter}{}\n", board.puzzle, board.solution)).collect()
}

fn lost_zeros(_: &mut StdRng, boards: &[&Board]) -> String {
    let row = |board: &&Board| {
        let puzzle = board.puzzle.replace('.', "0");
        format!("{},{}\n", puzzle.trim_start_matches('0'), board.solution)
    };
    format!("puzzle,solution\n{}", boards.iter().map(row).collect::<String>())
}

fn lists(random: &mut StdRng, boards: &[&Board]) -> String {
    let [open, between, close] = *[["[", ", ", "]"], ["[", " ", "]"], ["", ";", ""]].choose(random).unwrap();
    let list = |cells: &str| {
        let cells = cells.chars().map(|cell| if cell == '.' { "0".into() } else { cell.to_string() });
        format!("\"{open}{}{close}\"", cells.collect::<Vec<_>>().join(between))
    };
    let row = |board: &&Board| format!("{},{}\n", list(&board.puzzle), board.solution);
    format!("puzzle,solution\n{}", boards.iter().map(row).collect::<String>())
}

fn repeated_headers(random: &mut StdRng, boards: &[&Board]) -> String {
    let (first, second) = boards.split_at(random.random_range(1..boards.len()));
    let part = |boards| format!("puzzle,solution\n{}", pairs(boards, ","));
    part(first) + &part(second)
}

fn hash_ids(_: &mut StdRng, boards: &[&Board]) -> String {
    let row = |(k, board): (usize, &&Board)| format!("#{k},{},{}\n", board.puzzle, board.solution);
    format!("id,puzzle,solution\n{}", boards.iter().enumerate().map(row).collect::<String>())
}

fn json_arrays(_: &mut StdRng, boards: &[&Board]) -> String {
    let list = |cells: &str| {
        let cells = cells.chars().map(|cell| if cell == '.' { "null".into() } else { cell.to_string() });
        cells.collect::<Vec<_>>().join(", ")
    };
    let row = |board: &&Board| {
        format!("{{\"puzzle\": [{}], \"solution\": [{}]}}\n", list(&board.puzzle), list(&board.solution))
    };
    boards.iter().map(row).collect()
}

fn titled_grids(random: &mut StdRng, boards: &[&Board]) -> String {
    let mut text = String::new();
    for (k, board) in boards.iter().enumerate() {
        let titles =
            [format!("Grid {k:02}"), format!("{k}"), "2024-05-17".into(), "ED=4.2".into(), "0:42".into()];
        text += titles.choose(random).unwrap();
        text += "\n";
        text += &crate::support::grid(&board.puzzle);
    }
    text
}

fn titles_of_cells(random: &mut StdRng, boards: &[&Board]) -> String {
    let titles = [
        "30.4.2016",
        "17 clues",
        "X-Wing",
        "1) easy",
        "** hard **",
        "1/10",
        "7.2 hard",
        "20160430",
        "--- 5 ---",
    ];
    let after = ["", "\n"].choose(random).unwrap();
    let mut titled = |board: &&Board| {
        format!("{}\n{}{after}", titles.choose(random).unwrap(), rows_of(&board.puzzle, 9).join("\n") + "\n")
    };
    boards.iter().map(&mut titled).collect()
}

fn column_numbers(random: &mut StdRng, boards: &[&Board]) -> String {
    let [header, between] =
        *[["1 2 3 4 5 6 7 8 9", " "], ["0,1,2,3,4,5,6,7,8", ","], ["  1 2 3   4 5 6   7 8 9", " "]]
            .choose(random)
            .unwrap();
    let row = |row: &[String]| row.join(between) + "\n";
    let grid = |board: &&Board| {
        format!("{header}\n{}\n", rows_of(&board.puzzle, 1).chunks(9).map(row).collect::<String>())
    };
    boards.iter().map(grid).collect()
}

fn framed_grids(random: &mut StdRng, boards: &[&Board]) -> String {
    let rules = [
        [".-------.-------.-------.", ":-------+-------+-------:", "'-------'-------'-------'"],
        [" _______________________", "|_______|_______|_______|", "|_______|_______|_______|"],
        ["x-------x-------x-------x"; 3],
    ];
    let [top, middle, bottom] = rules.choose(random).unwrap();
    let row = |row: &[String]| {
        format!("| {} | {} | {} |\n", row[..3].join(" "), row[3..6].join(" "), row[6..].join(" "))
    };
    let grid = |board: &&Board| {
        let rows: Vec<String> = rows_of(&board.puzzle, 1).chunks(9).map(row).collect();
        let [a, b, c] = [0, 3, 6].map(|at| rows[at..at + 3].concat());
        format!("{top}\n{a}{middle}\n{b}{middle}\n{c}{bottom}\n\n")
    };
    boards.iter().map(grid).collect()
}

fn empty_cells(random: &mut StdRng, boards: &[&Board]) -> String {
    let delimiter = ["\t", ";", ","].choose(random).unwrap();
    let row = |row: &[String]| row.join(delimiter).replace('.', "") + "\n";
    boards.iter().flat_map(|board| rows_of(&board.puzzle, 1).chunks(9).map(row).collect::<Vec<_>>()).collect()
}

fn named_grids(random: &mut StdRng, boards: &[&Board]) -> String {
    let styles = [
        ["grid = [[", ", ", "],\n        [", "]]\n"],
        ["array([[", ", ", "],\n       [", "]])\n"],
        ["A = [", " ", ";\n     ", "];\n"],
        ["int a[9][9] = {{", ",", "},\n{", "}};\n"],
        ["g = [\"", "", "\",\n     \"", "\"]\n"],
    ];
    let [before, between, ends, after] = styles.choose(random).unwrap();
    let grid = |board: &&Board| {
        let rows = rows_of(&board.puzzle.replace('.', "0"), 1);
        let rows: Vec<String> = rows.chunks(9).map(|row| row.join(between)).collect();
        format!("{before}{}{after}", rows.join(ends))
    };
    boards.iter().map(grid).collect()
}

/// A cell has moved from a row to the next one.
fn uneven_lists(random: &mut StdRng, boards: &[&Board]) -> String {
    let row_of_eight = random.random_range(0..8);
    let puzzle = |board: &&Board| {
        let cells = rows_of(&board.puzzle.replace('.', "0"), 1);
        let end = |row: usize| 9 * (row + 1) - usize::from(row == row_of_eight);
        let start = |row: usize| if row == 0 { 0 } else { end(row - 1) };
        let rows: Vec<String> =
            (0..9).map(|row| format!("[{}]", cells[start(row)..end(row)].join(","))).collect();
        format!("{{\"puzzle\": [{}]}}\n", rows.join(", "))
    };
    boards.iter().map(puzzle).collect()
}

fn json_documents(random: &mut StdRng, boards: &[&Board]) -> String {
    let grid = |cells: &str, space: &str| {
        let rows = rows_of(&cells.replace('.', "0"), 1);
        let rows: Vec<String> =
            rows.chunks(9).map(|row| format!("[{}]", row.join(&format!(",{space}")))).collect();
        format!("[{}]", rows.join(&format!(",{space}")))
    };
    // Python writes the missing values of pandas so.
    let rating = ["1.5", "NaN", "-Infinity"].choose(random).unwrap();
    let objects = |space: &str| -> Vec<String> {
        let object = |b: &&Board| {
            let (puzzle, solution) = (grid(&b.puzzle, space), &b.solution);
            format!("{{\"board\": {puzzle},{space} \"rating\": {rating},{space} \"solution\": {solution:?}}}")
        };
        boards.iter().map(object).collect()
    };
    let numbered = |values: Vec<String>| {
        let members = (0..).zip(values).map(|(k, value): (u32, String)| format!("\"{k}\": {value}"));
        format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
    };
    let rows = boards
        .iter()
        .map(|b| format!("[1, {:?}, {:?}]", b.puzzle, b.solution))
        .collect::<Vec<_>>()
        .join(", ");
    match random.random_range(0..8) {
        7 => objects("\n  ").join("\n") + "\n",
        0 => format!("[\n\t{}\n]\n", objects("\n\t\t").join(",\n\t")),
        1 => format!("{{\"new\": {{\"grids\": [{}]}}}}", objects("").join(",")),
        2 => format!("{{\"tags\": [\"a\", \"b\"], \"puzzles\": [{}]}}", objects(" ").join(", ")),
        3 => format!("{{\"note\": {:?}, \"puzzles\": [{}]}}", "x ".repeat(30_000), objects(" ").join(", ")),
        4 => numbered(objects("")),
        5 => format!("[{rows}]"),
        _ => format!("[{{\"trace\": {:?}, {}]", "x".repeat(40_000), &objects(" ").join(", ")[1..]),
    }
}

fn scattered(random: &mut StdRng, boards: &[&Board]) -> String {
    let object = |b: &Board| format!("{{\"puzzle\": {:?}, \"solution\": {:?}}}", b.puzzle, b.solution);
    let space = ["", "\n "].choose(random).unwrap();
    let separator = format!(",{space}");
    let (first, rest) = (object(boards[0]), boards[1..].iter().map(|b| object(b)).collect::<Vec<_>>());
    let strings: Vec<String> = boards[1..].iter().map(|b| format!("{:?}", b.puzzle)).collect();
    let named = |names: &str, values: &[String]| {
        let members = values.iter().enumerate().map(|(k, value)| format!("\"{names}{k}\":{space} {value}"));
        format!("{{{}}}", members.collect::<Vec<_>>().join(&separator))
    };
    match random.random_range(0..6) {
        0 => format!("{{\"daily\": {first},{space} \"archive\": [{}]}}", rest.join(&separator)),
        1 => {
            format!("{}, \"archive\":{space} [{}]}}", first.strip_suffix('}').unwrap(), rest.join(&separator))
        }
        2 => {
            format!("{}, \"more\":{space} [{}]}}", first.strip_suffix('}').unwrap(), strings.join(&separator))
        }
        3 => named("level", &rest),
        4 => format!("{{\"levels\": {}}}", named("-N0", &rest)),
        _ => format!(
            "[{{\"level\": 1,{space} \"puzzles\": [{first}]}}, {{\"puzzles\": [{}]}}]",
            strings.join(",")
        ),
    }
}

/// Puzzles and solutions in turn.
fn titled_solutions(random: &mut StdRng, boards: &[&Board]) -> String {
    let between = [" ", ",", ""].choose(random).unwrap();
    let word = ["Solution", "Answer:", "the solution of"].choose(random).unwrap();
    let grid = |cells: &str| {
        let rows = rows_of(&cells.replace('.', "0"), 1);
        rows.chunks(9).map(|row| row.join(between) + "\n").collect::<String>()
    };
    let pair = |(k, board): (usize, &&Board)| {
        format!("Puzzle {k}\n{}{word} {k}\n{}", grid(&board.puzzle), grid(&board.solution))
    };
    boards.iter().enumerate().map(pair).collect()
}

fn rows_in_fields(random: &mut StdRng, boards: &[&Board]) -> String {
    let between = ["\\n", "/", " ", "|"].choose(random).unwrap();
    table_of(boards, |board| rows_of(&board.puzzle, 9).join(between))
}

/// A table with the solutions before the puzzles.
fn table_of(boards: &[&Board], puzzle: impl Fn(&Board) -> String) -> String {
    let row = |board: &&Board| format!("{},{}\n", board.solution, puzzle(board));
    format!("a,b\n{}", boards.iter().map(row).collect::<String>())
}

/// Cells in pieces of `length`.
fn rows_of(cells: &str, length: usize) -> Vec<String> {
    cells.as_bytes().chunks(length).map(|row| String::from_utf8_lossy(row).into_owned()).collect()
}

/// The puzzles have blanks that mean nothing to the program, or text around them.
fn unreadable(random: &mut StdRng, boards: &[&Board]) -> String {
    let way = random.random_range(0..4);
    let puzzle = |board: &Board| match way {
        0 => board.puzzle.replace('.', "o"),
        1 => board.puzzle.replace('.', " "),
        2 => format!("<{}>", board.puzzle),
        _ => board.puzzle[..80].to_owned(),
    };
    let row = |board: &&Board| format!("{},{}\n", puzzle(board), board.solution);
    let header = ["", "a,b\n", "puzzle,solution\n", "x,solution\n"].choose(random).unwrap();
    format!("{header}{}", boards.iter().map(row).collect::<String>())
}

/// Kinds that the present version does not read as it must, with the number of the requirement. A kind that passes is
/// removed from here.
const NOT_YET: &[(&str, u32)] = &[];

#[test]
fn what_is_read_is_what_was_written() {
    check_kinds(60, 54);
}

/// `RAPIDOKU_FILES` has the number of files of each kind and the seed.
#[test]
#[ignore = "takes a minute: .ci/long"]
fn random_files() {
    let [files, seed] = setting("RAPIDOKU_FILES", [1500, 0]);
    check_kinds(files, seed);
}

/// Reads this number of files of each kind.
fn check_kinds(files: u64, seed: u64) {
    let mut random = StdRng::seed_from_u64(seed);
    let folder = tempfile::tempdir().expect("a folder can be created");
    let path = folder.path().join("in");
    let (mut faults, mut report) = (BTreeMap::<_, (usize, String)>::new(), String::new());
    for (kind, duty, make) in KINDS {
        for _ in 0..files {
            let count = random.random_range(2..8);
            let boards: Vec<_> = BOARDS.sample(&mut random, count).collect();
            let text = make(&mut random, &boards);
            fs::write(&path, &text).expect("the folder can be written");
            let answer = read(&path);
            if let Some(fault) = judge(&answer, &boards, 2, duty == Read) {
                let (count, _) = faults.entry((kind, fault)).or_insert((0, format!("{text}{answer:?}")));
                *count += 1;
            }
        }
    }
    for ((kind, fault), (count, example)) in &faults {
        if !NOT_YET.iter().any(|(known, _)| known == kind) {
            report += &format!("{kind}: {count} of {files} files: {fault:?}, such as\n{example}\n");
        }
    }
    assert!(report.is_empty(), "{report}");
    for (kind, requirement) in NOT_YET {
        let fails = faults.keys().any(|(known, _): &(&str, Fault)| known == kind);
        assert!(fails, "{kind} (requirement {requirement}) is read now: remove it from NOT_YET");
    }
}
