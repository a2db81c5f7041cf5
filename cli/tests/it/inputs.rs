//! Recipes of the documents and commands in refusals: each is run, and gives the puzzles of the input.

use std::fs;
use std::path::Path;

use rawzip::CompressionMethod;

use crate::support::{
    PUZZLE, SOLUTION, ask, beside_program, call, file, finish, grid, gzip, names, program, rows, shell, words, zip,
};

const PUZZLES: [&str; 2] =
    [PUZZLE, "...56...384....2...9.8..5.....2.7.54..3......9...4..6.....89.....9..5.......3.68."];

/// A shell command in a folder, in which `rapidoku` is the program. `None` if a tool is missing.
fn sh(command: &str, folder: &Path) -> Option<(Option<i32>, String)> {
    for tool in command.split(['|', '<']).filter_map(|part| part.split_whitespace().next()) {
        let exists = shell(folder, &format!("command -v {tool}")).code == Some(0);
        if tool.chars().all(|c| c.is_ascii_alphanumeric()) && tool != "rapidoku" && !exists {
            eprintln!("skipped, because there is no {tool}: {command}");
            return None;
        }
    }
    let run = finish(beside_program("sh").args(["-c", command]).current_dir(folder), b"");
    let stderr = &run.stderr;
    for module in ["numpy", "pandas", "pyarrow"] {
        if stderr.contains("ModuleNotFoundError") || stderr.contains(&format!("install {module}")) {
            eprintln!("skipped, because Python has no {module}: {command}");
            return None;
        }
    }
    Some((run.code, String::from_utf8_lossy(&run.stdout).into_owned() + stderr))
}

fn zeros(puzzle: &str) -> String {
    puzzle.replace('.', "0")
}

/// Cells with a text between them.
fn spread(puzzle: &str, delimiter: &str) -> String {
    zeros(puzzle).chars().map(String::from).collect::<Vec<_>>().join(delimiter)
}

/// The two puzzles in the input of a recipe: a text, or a command that makes the file from `lines.txt`.
fn sample(name: &str) -> Result<String, &'static str> {
    let each = |line: &dyn Fn(&str) -> String| PUZZLES.iter().map(|puzzle| line(puzzle)).collect::<String>();
    let cells = |puzzle: &str| format!("<data>{}</data>\n", zeros(puzzle));
    let open = |c: char| if c == '.' { "0|511|1|".to_owned() } else { format!("{c}|0|0|") };
    Ok(match name {
        "puzzles.csv" => format!("id,board\n{}", each(&|puzzle| format!("1,{puzzle}\n"))),
        "swapped.txt" => each(&|puzzle| format!("{SOLUTION},{puzzle}\n")),
        "numbers.csv" => {
            format!("puzzle\n{}", each(&|puzzle| format!("{}\n", zeros(puzzle).trim_start_matches('0'))))
        }
        "cells.csv" => {
            let names: Vec<_> = (1..=81).map(|number| format!("c{number}")).collect();
            format!("{}\n{}", names.join(","), each(&|puzzle| spread(puzzle, ",") + "\n"))
        }
        "lists.csv" => each(&|puzzle| format!("\"[{}]\"\n", spread(puzzle, ", "))),
        "pretty.json" => each(&|puzzle| format!("{{\n  \"puzzle\": \"{puzzle}\"\n}}\n")),
        "nested.json" => {
            let objects = PUZZLES.map(|puzzle| format!("{{\"puzzle\": \"{puzzle}\"}}")).join(",\n");
            format!("{{\"n\": 2, \"data\": [\n{objects}]}}")
        }
        "puzzles.sql" => each(&|puzzle| format!("INSERT INTO sudokus VALUES (1, '{puzzle}');\n")),
        "both.py" => each(&|puzzle| format!("p['{puzzle}'] = '{SOLUTION}'\n")),
        "dense.txt" => each(&|puzzle| grid(puzzle)),
        "letters.txt" => each(&|puzzle| puzzle.replace('.', "O") + "\n"),
        "titled.txt" => "a title\n".repeat(7) + &each(&|puzzle| format!("{puzzle}\n")),
        "puzzle.sdx" => {
            let cells = |row| spread(row, " ").replace('0', "u3") + " \n";
            rows(PUZZLES[0]).map(cells).collect::<String>()
        }
        "puzzles.opensudoku" => each(&cells),
        "new.opensudoku" => each(&|puzzle| {
            format!("<game data=\"version: 2&#10;{}\"/>\n", puzzle.chars().map(open).collect::<String>())
        }),
        "old.txt" => each(&|puzzle| format!("{puzzle}\r")),
        "wide.csv" => return Err("sed 1ipuzzle lines.txt | iconv -f UTF-8 -t UTF-16 > wide.csv"),
        "puzzles.zip" => {
            return Err("cp lines.txt easy.txt; echo text > README; python3 -m zipfile -c puzzles.zip README easy.txt");
        }
        "puzzles.txt.xz" => return Err("xz -c lines.txt > puzzles.txt.xz"),
        "puzzles.db" => {
            return Err("sed 1ipuzzle lines.txt > t.csv; sqlite3 puzzles.db '.mode csv' '.import t.csv sudokus'");
        }
        "puzzles.parquet" => {
            return Err("python3 -c \"import pandas; \
                        pandas.DataFrame({'puzzle': open('lines.txt').read().split()}).to_parquet('puzzles.parquet')\"");
        }
        "strings.npy" => {
            return Err("python3 -c \"import numpy; numpy.save('strings.npy', open('lines.txt').read().split())\"");
        }
        other => panic!("no sample of {other}"),
    })
}

#[cfg(unix)]
#[test]
fn each_recipe_of_the_documents_reads_its_input() {
    let text = include_str!("../../../docs/inputs.md");
    let commands = text.lines().filter_map(|line| line.strip_suffix("` |")?.split_once(" | `"));
    let mut count = 0;
    for (_, command) in commands {
        let command = command.replace("\\|", "|").replace("\\\\|", "\\|");
        let name = command.split([' ', '\'', '"']).find(|word| {
            word.contains('.')
                && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '.')
                && !word.starts_with('.')
                && !word.starts_with("sys")
                && !word.starts_with("pandas")
                && *word != ".."
        });
        let name = name.unwrap_or_else(|| panic!("no file in {command}"));
        let name = if command.starts_with("unzip") { "puzzles.zip" } else { name };
        let folder = tempfile::tempdir().unwrap();
        let lines = PUZZLES.map(|puzzle| format!("{puzzle}\n")).concat();
        file(&folder, "lines.txt", &lines);
        match sample(name) {
            Ok(text) => _ = file(&folder, name, text),
            Err(make) => {
                let Some((code, output)) = sh(make, folder.path()) else { continue };
                if code != Some(0) {
                    eprintln!("skipped, because {make} fails: {output}");
                    continue;
                }
            }
        }
        let Some((code, output)) = sh(&command, folder.path()) else { continue };
        let wanted = call("solve - --format text", &lines);
        let wanted = wanted.stdout().lines().take(if name.ends_with(".sdx") { 1 } else { 2 });
        assert!(code == Some(0) && wanted.into_iter().all(|row| output.contains(row)), "{command}: {output}");
        count += 1;
    }
    assert!(count >= 15, "{count} recipes");
}

/// The command in the message of a refused input.
fn remedy(stderr: &str) -> Option<String> {
    let (_, command) = stderr.split_once("\n  ")?;
    let command = command.trim_end().replace("rapidoku check", "rapidoku check --quiet");
    (command.contains("rapidoku") && !command.contains('\n')).then_some(command)
}

/// Runs the command that a refusal of an input names. Returns whether there is one, and it could be run.
fn follow(folder: &Path, name: &str, args: &str) -> bool {
    let mut check = program();
    let run = finish(check.arg("check").args(words(args)).arg(name).current_dir(folder), b"");
    assert!(run.stderr.lines().count() <= 3 || run.code != Some(2), "{}", run.stderr);
    let Some(command) = remedy(&run.stderr).filter(|_| run.code == Some(2)) else { return false };
    // These need not give a puzzle.
    let is_declared = command.contains("--input-format") || command.contains("numpy");
    let is_example = ["NAME", "TABLE", "number -1", "pandas"].iter().any(|word| command.contains(word));
    let Some((code, output)) = sh(&command, folder).filter(|_| !is_example) else { return false };
    let found = output.lines().any(|line| ["unique", "multiple", "none"].contains(&line));
    // What is in an archive may be refused too.
    let is_next_step = command.starts_with("unzip") && output.contains("\n  ");
    let is_read = code.is_some_and(|code| code < 2) && (found || is_declared);
    assert!(is_read || is_next_step, "{command}: {output}");
    true
}

#[cfg(unix)]
#[test]
fn commands_of_refusals_read_the_input() {
    let folder = tempfile::tempdir().unwrap();
    let mut count = 0;
    let tables = "puzzles.csv swapped.txt cells.csv lists.csv pretty.json nested.json puzzles.sql";
    let texts = "both.py dense.txt letters.txt titled.txt old.txt puzzles.opensudoku";
    for name in words(tables).chain(words(texts)) {
        file(&folder, name, sample(name).unwrap());
        count += usize::from(follow(folder.path(), name, ""));
    }
    assert!(count >= 10, "{count} commands");
    // The name of a column is text of the input.
    file(&folder, "odd names.csv", format!("id,'$(touch x)' {{}} FILE\n1,{}\n", PUZZLES[0]));
    assert!(follow(folder.path(), "odd names.csv", "") && !folder.path().join("x").exists());
}

#[cfg(unix)]
#[test]
#[ignore = "needs the shared cases"]
fn commands_of_refusals_read_the_shared_cases() {
    let shared = crate::samples::shared_datasets().join("../cases");
    let mut count = 0;
    for kind in ["input", "reading", "shapes"] {
        let folder = shared.join(kind);
        for case in names(&folder).iter().map(|name| folder.join(name)).filter(|case| case.is_dir()) {
            let args = fs::read_to_string(case.join("args")).unwrap_or_default();
            for name in names(&case).into_iter().filter(|name| name.starts_with("in.")) {
                count += usize::from(follow(&case, &name, &args.replace(['\'', '"'], "")));
            }
        }
    }
    assert!(count >= 100, "{count} commands");
}

#[test]
fn inputs_that_cannot_be_read_say_why() {
    let folder = tempfile::tempdir().unwrap();
    // An archive with one byte changed in its list of files. The list starts with a header for each file and ends with
    // 22 bytes; negative offsets count from its end.
    let changed = |names: &[&str], at: isize, byte| {
        let files: Vec<(&str, &[u8])> = names.iter().map(|name| (*name, &b""[..])).collect();
        let mut archive = zip(CompressionMethod::DEFLATE, &files);
        let list = archive.windows(4).position(|four| four == b"PK\x01\x02").unwrap();
        let start = if at < 0 { archive.len() } else { list };
        archive[(start as isize + at) as usize] = byte;
        archive
    };
    let tar = [&[b'a'; 257][..], b"ustar"].concat();
    let table = format!("puzzle,id\n{PUZZLE},1\n").into_bytes();
    for (command, input, reason) in [
        ("check", tar, "unsupported: a tar archive"),
        ("check --input-format csv", b"id,puzzle;a\n".to_vec(), "the first line has several delimiters: "),
        ("check --delimiter a", vec![], "this character may occur inside a field"),
        ("check --delimiter ,;", vec![], "expected one ASCII character, or 'tab'"),
        ("check", changed(&["a"], -12, 3), "its list of files is incomplete"),
        ("check", changed(&["a", "xl/workbook.xml"], 4, 20), "an Excel workbook"),
        ("check", zip(CompressionMethod::STORE, &[]), "a zip archive without files"),
        ("check", changed(&["a"], 8, 1), "a zip archive that is encrypted"),
        ("check", changed(&["a"], 10, 9), "a zip archive that is not compressed by deflate"),
        ("verify", grid(PUZZLE).into(), "no solutions: 'verify' expects a solution after each puzzle"),
        ("verify", table, "--solution-column names the column; the columns are puzzle, id"),
    ] {
        let path = file(&folder, "in", input);
        call(&format!("{command} {path}"), b"").fails_with(reason);
    }
}

#[test]
fn a_stream_and_a_compressed_file_have_commands_too() {
    let text = sample("puzzles.sql").unwrap();
    let piped = call("check", &text);
    piped.fails_with("\n  ... | grep -oE '[0-9.]{81}' | rapidoku check -\n");
    let table = call("check", sample("puzzles.csv").unwrap());
    assert!(table.stderr.ends_with("\n  rapidoku check --column board -\n"), "{}", table.stderr);
    let folder = tempfile::tempdir().unwrap();
    let packed = file(&folder, "a.sql.gz", gzip(text.as_bytes()));
    ask("check", [&packed], b"").fails_with(&format!("\n  gzip -dc {packed} | grep -oE"));
}
