//! Inputs without puzzles, the format of an output by its extension, and messages.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::{
    CLASH, NO_SOLUTION, PUZZLE, Run, SOLUTION, ask, file, names, program, rows, solve, words,
};

const LICENCE: &str = "MIT License\n\nPermission is hereby granted, free of charge, to any person ...\n";

fn rejected(run: &Run, message: &str) {
    assert_eq!((run.code, run.stdout()), (Some(2), ""), "{}", run.stderr);
    assert!(run.stderr.contains(message), "'{message}' in {}", run.stderr);
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
}

fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    use std::io::{Cursor, Write};
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in files {
        writer.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

#[test]
fn an_argument_may_be_a_puzzle() {
    let run = solve([PUZZLE, &PUZZLE.replace('.', "0")], b"");
    assert_eq!((run.code, run.stdout(), &*run.stderr), (Some(0), &*format!("{SOLUTION}\n{SOLUTION}\n"), ""));
    let grid: Vec<_> = rows(PUZZLE).collect();
    assert_eq!(solve([grid.join("\n")], b"").stdout(), format!("{SOLUTION}\n"));
    let run = solve([&PUZZLE[..80]], b"");
    assert!(run.stderr.starts_with("rapidoku: <argument>:1: too short: 80 cells"), "{}", run.stderr);
    // A file of that name is a file.
    let folder = tempfile::tempdir().unwrap();
    file(&folder, PUZZLE, NO_SOLUTION);
    let output = program().args(["check", PUZZLE]).current_dir(folder.path()).output().unwrap();
    assert_eq!(output.stdout, b"none\n");
    rejected(&solve(["53..7"], b""), "cannot open '53..7'");
}

#[test]
fn documents_are_unrecognised_before_the_first_row() {
    let numpy = [&b"\x93NUMPY\x01\0v\0{'descr': '|i1'}\n"[..], &[0; 162]].concat();
    let long_page = format!("<!DOCTYPE html>\n<p>{PUZZLE}</p>\n{}", "<br>\n".repeat(20_000));
    let markdown = format!("# Title\n\n```console\n{PUZZLE},1\n```\n");
    let cases: [(&[u8], &str); 13] = [
        (b"{\"a\": 1}", "no column of puzzles: the objects have column a"),
        (b"\xEF\xBB\xBF {\n  \"a\": 1\n}\n", "unsupported format: JSON"),
        (b"[\n  {\"a\": 1}\n]\n", "no column of puzzles: the objects have column a"),
        (b"[5, 3, 0, 0, 7]\n", "unsupported format: JSON"),
        (b"<html><body>hello</body></html>\n", "unsupported format: HTML or XML document"),
        (long_page.as_bytes(), "unsupported format: HTML or XML document"),
        (markdown.as_bytes(), "unsupported format: Markdown document"),
        (b"\n<?xml version=\"1.0\"?>\n", "unsupported format: XML document"),
        (
            b"# Title\n\nSome words.\n--------------------\n",
            "no puzzles found (line 3: bad character 'S' in column 1)",
        ),
        (LICENCE.as_bytes(), "unrecognised format: no puzzles found (line 1: bad character 'M' in column 1)"),
        (b"5\n", "no puzzles found (line 1: too short: 1 cell instead of 81); see --input-format"),
        (&numpy, "unsupported NumPy array: the header has no 'fortran_order'"),
        (&[5, 3, 0, 0, 7, 0, 0, 0, 9], "unsupported format: binary digits (bytes 0 to 9)"),
    ];
    let folder = tempfile::tempdir().unwrap();
    for (text, message) in cases {
        let path = file(&folder, "in", text);
        for args in [&[&*path][..], &["--no-mmap", &path], &["--format=csv", "-"]] {
            rejected(&solve(args, text), message);
        }
    }
    // Many lines without a puzzle, and one after the part that is examined for the layout, or one that is nearly one.
    let preface = "bad record\n".repeat(20_000);
    for (text, args, solved) in [
        (format!("{preface}{PUZZLE}\n"), "", 1),
        (format!("{preface}{}!{}\n", &PUZZLE[..40], &PUZZLE[41..]), "", 0),
        (format!("{}{PUZZLE}\n", preface.repeat(6)), "--input-format lines", 1),
        (preface.clone(), "--input-format lines", 0),
    ] {
        let path = file(&folder, "in", &text);
        for input in [&path, "-"] {
            let run = solve(words(&format!("-q {args} {input}")), text.as_bytes());
            assert_eq!(run.code, Some(0), "{}", run.stderr);
            let lines = run.stdout().lines();
            assert_eq!(lines.clone().count(), text.lines().count());
            assert_eq!(lines.filter(|line| !line.is_empty()).count(), solved);
        }
    }
    rejected(&solve([""; 0], preface.as_bytes()), "no puzzles found");
}

#[test]
fn files_of_archives_without_puzzles_are_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let rows = format!("puzzle,id\n{PUZZLE},7\n");
    let solution = format!("{SOLUTION}\n");
    let entries: [(&str, &[u8]); 5] = [
        ("LICENSE", LICENCE.as_bytes()),
        ("solutions/1.txt", solution.as_bytes()),
        ("meta.json", b"{\"a\": 1}"),
        ("data.csv", rows.as_bytes()),
        ("logo.png", b"\x89PNG\r\n\x1A\n\0\0\0"),
    ];
    let bytes = zip(&entries);
    let path = file(&folder, "in.zip", &bytes);
    for args in ["", "--column puzzle"] {
        for (input, name) in [(&*path, &*path), ("-", "<stdin>")] {
            let run =
                solve(words(&format!("--format csv --columns record,id,status {args} {input}")), &bytes);
            if input == "-" && run.stderr.contains("entry sizes after the data") {
                continue;
            }
            assert_eq!(
                (run.code, run.stdout()),
                (Some(0), "record,id,status\n1,7,solved\n"),
                "{}",
                run.stderr
            );
            let skipped = ["LICENSE", "solutions/1.txt", "meta.json", "logo.png"]
                .map(|entry| format!("rapidoku: skipped '{name}/{entry}': "));
            let lines: Vec<_> = run.stderr.lines().collect();
            assert_eq!(lines.len(), 4, "{}", run.stderr);
            assert!(
                lines.iter().zip(skipped).all(|(line, start)| line.starts_with(&start)),
                "{}",
                run.stderr
            );
        }
    }
    assert_eq!(solve(["-q", &path], b"").stderr, "");
    let none = file(&folder, "none.zip", zip(&entries[..2]));
    rejected(
        &solve(["-q", &none], b""),
        "no file in the archive has puzzles: 'LICENSE': unrecognised format",
    );
    // Formats that may contain puzzles are not skipped.
    let parquet = file(&folder, "p.zip", zip(&[("a.parquet", b"PAR1\x15"), entries[2]]));
    rejected(&solve([&parquet], b""), "p.zip/a.parquet': unsupported format: Parquet file");
    let sheet: [(&str, &[u8]); 3] = [
        ("docProps/app.xml", b"<?xml version=\"1.0\"?>"),
        ("xl/a.txt", PUZZLE.as_bytes()),
        ("[Content_Types].xml", b"<x/>"),
    ];
    let sheet = file(&folder, "in.xlsx", zip(&sheet));
    rejected(
        &solve([&sheet], b""),
        "unsupported format: spreadsheet or other Office document; save it as CSV",
    );
}

#[test]
fn the_extension_of_the_output_selects_its_format() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).into_os_string().into_string().unwrap();
    let written = |command: &str, args: &[&str], name: &str| {
        let run = ask(command, [args, &["-o", &path(name)]].concat(), PUZZLE.as_bytes());
        assert_eq!(run.code, Some(0), "{command} {name}: {}", run.stderr);
        fs::read_to_string(path(name)).unwrap()
    };
    let csv = format!("puzzle,solution,status,solutions\n{PUZZLE},{SOLUTION},solved,1\n");
    for name in ["a.csv", "A.CSV"] {
        assert_eq!(written("solve", &[], name), csv);
    }
    for name in ["a.jsonl", "a.ndjson"] {
        assert!(written("solve", &[], name).starts_with(r#"{"puzzle":""#));
    }
    for name in ["a.txt", "a", "a.out"] {
        assert_eq!(written("solve", &[], name), format!("{SOLUTION}\n"));
    }
    for (args, name, message) in [
        (["--format=text", "-q"], "d.csv", "d.csv' means the format csv, but --format is text"),
        (["--format=npy", "-q"], "d.txt", "d.txt' means text, not npy"),
        (["--format=csv", "-q"], "d.npy", "d.npy' means the format npy, but --format is csv"),
    ] {
        rejected(&solve([&args[..], &["-o", &path(name)]].concat(), PUZZLE.as_bytes()), message);
    }
    assert_eq!(written("solve", &["--columns=status"], "a.csv"), "status\nsolved\n");
    for (command, start) in [
        ("check", "puzzle,status"),
        ("count", "puzzle,sol"),
        ("enumerate", "record,sol"),
        ("rate", "puzzle,status,clues"),
    ] {
        assert!(written(command, &[], "a.csv").starts_with(start), "{command}");
        assert!(written(command, &[], "a.jsonl").starts_with("{\""), "{command}");
    }
    assert!(written("explain", &[], "a.jsonl").starts_with("{\""));
    rejected(
        &ask("explain", ["-o", &path("e.csv")], b""),
        "means the format csv, which is not written here; the formats are text, jsonl",
    );
    for name in ["b.csv.GZ", "b.csv.zst"] {
        assert_eq!(solve(["-o", &path(name)], PUZZLE.as_bytes()).code, Some(0));
        let packed = fs::read(path(name)).unwrap();
        assert!(!packed.starts_with(b"puzzle"), "{name} is not compressed");
        assert_eq!(solve([path(name)], b"").stdout(), format!("{SOLUTION}\n"));
    }
    let before = names(folder.path());
    for name in ["c.parquet", "c.csv.xz", "c.bz2", "c.zip", "c.xlsx", "c.tsv", "c.XZ", "c.parquet.gz"] {
        for more in [&[][..], &["--format=csv"]] {
            let run = solve([more, &["-o", &path(name)]].concat(), PUZZLE.as_bytes());
            rejected(&run, "unsupported extension of the output");
        }
    }
    rejected(&ask("check", ["--only=none", "-o", &path("c.xz")], b""), "use .gz or .zst");
    rejected(&solve(["-o", &path("c.json")], PUZZLE.as_bytes()), ".jsonl is usual");
    assert_eq!(names(folder.path()), before);
    assert!(written("solve", &["--format=json"], "c.json").starts_with(r#"{"puzzle":""#));
}

#[test]
fn no_output_replaces_an_input_or_mixes_with_another() {
    let folder = tempfile::tempdir().unwrap();
    let input = file(&folder, "in", format!("{PUZZLE}\n{CLASH}\n"));
    let out = folder.path().join("out").into_os_string().into_string().unwrap();
    for option in ["-o", "--errors", "--stats-json"] {
        rejected(&solve([option, &input, &input], b""), "is an input and an output; --force replaces it");
    }
    let redirected = |script: &str| {
        let script = format!("exec \"$0\" {script}");
        let output = Command::new("sh")
            .args(["-c", &script, env!("CARGO_BIN_EXE_rapidoku")])
            .current_dir(folder.path())
            .output()
            .unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    if cfg!(unix) {
        let refused = "rapidoku: '<stdin>' is an input and an output; --force replaces it\n";
        assert_eq!(redirected("solve -o in < in"), (Some(2), refused.to_owned()));
        let refused = "rapidoku: 'in' is an input and standard output\n";
        assert_eq!(redirected("solve in >> in"), (Some(2), refused.to_owned()));
    }
    assert_eq!(fs::read_to_string(&input).unwrap(), format!("{PUZZLE}\n{CLASH}\n"));

    // `-` is standard output, for one of them.
    for args in ["--errors -", "--stats-json -", "-o - --errors -", "-o out --errors - --stats-json -"] {
        let run = solve(words(&format!("{args} {input}")), b"");
        rejected(&run, "would both write to standard output");
    }
    let run = solve(["-q", "-o", &out, "--errors", "-", &input], b"");
    assert!(run.stdout().starts_with("{\"input\":") && run.code == Some(0), "{}", run.stderr);
    let run = solve(["-q", "-o", &out, "--stats-json", "-", &input], b"");
    let stats: serde_json::Value = serde_json::from_str(run.stdout()).unwrap();
    assert_eq!(stats["records"], 2);
    assert_eq!(names(folder.path()), ["in", "out"]);
}

#[test]
fn statuses_are_listed_or_excluded() {
    let text = format!("{PUZZLE}\n{}\n{NO_SOLUTION}\n{CLASH}\n", ".".repeat(81));
    let kept = |args: &str| {
        let run = ask("check", words(&format!("-q {args}")), text.as_bytes());
        assert_eq!(run.code, Some(i32::from(run.stdout.is_empty())), "{}", run.stderr);
        let lines: Vec<_> = text.lines().collect();
        run.stdout()
            .lines()
            .map(|line| lines.iter().position(|other| *other == line).unwrap())
            .collect::<Vec<_>>()
    };
    assert_eq!(kept("--only none,invalid"), [2, 3]);
    assert_eq!(kept("--only none --only unique"), [0, 2]);
    assert_eq!(kept("--except unique"), [1, 2, 3]);
    assert_eq!(kept("--except unique,invalid"), [1, 2]);
    assert!(kept("--except multiple,none,invalid,unique").is_empty());
    for args in ["--only none --except unique", "--except none --format sdk", "--only solved"] {
        assert_eq!(ask("check", words(args), b"").code, Some(2), "{args}");
    }
}

#[test]
fn inputs_from_a_list() {
    let folder = tempfile::tempdir().unwrap();
    let [a, b] = ["a", "b b"].map(|name| file(&folder, name, format!("{PUZZLE}\n")));
    for text in [format!("{a}\n\n{b}\n"), format!("{a}\0{b}\0")] {
        let list = file(&folder, "list", &text);
        assert_eq!(solve(["--files-from", &list], NO_SOLUTION.as_bytes()).stdout().lines().count(), 2);
        assert_eq!(
            solve(["--files-from", "-"], text.as_bytes()).stdout(),
            format!("{SOLUTION}\n{SOLUTION}\n")
        );
        let run = solve([&a, "--files-from", &list], b"");
        assert_eq!(run.stdout(), format!("{SOLUTION}\n").repeat(3));
    }
    let empty = file(&folder, "empty", "");
    let run = solve(["--files-from", &empty], PUZZLE.as_bytes());
    assert_eq!((run.code, run.stdout()), (Some(0), ""));
    rejected(&solve(["--files-from", "/no/list"], b""), "cannot open '/no/list'");
}

#[test]
fn solutions_are_summarised() {
    let wrong = SOLUTION.replace('9', "8");
    let empty = ".".repeat(81);
    let text = format!("{PUZZLE},{SOLUTION}\n{PUZZLE},{wrong}\n{empty},{SOLUTION}\n");
    let run = ask("verify", ["--stats"], text.as_bytes());
    assert!(run.stderr.contains("result   correct 2, wrong 1\n"), "{}", run.stderr);
    assert!(run.stderr.ends_with("rapidoku: solutions verified: 3, correct 2, wrong 1\n"), "{}", run.stderr);
    assert!(!run.stderr.contains("invalid") && !run.stderr.contains("engine"), "{}", run.stderr);
    let run = ask("verify", ["--stats", "--unique"], text.as_bytes());
    assert!(run.stderr.contains("correct 1, wrong 1, not unique 1\n"), "{}", run.stderr);
    assert!(run.stderr.contains("engine"), "{}", run.stderr);
    assert_eq!(ask("verify", ["-q"], text.as_bytes()).stderr, "");
    let folder = tempfile::tempdir().unwrap();
    let (out, input) = (folder.path().join("out"), file(&folder, "in", &text));
    let run = ask("verify", ["-q", "-o", out.to_str().unwrap(), "--stats-json", "-", &input], b"");
    let stats: serde_json::Value = serde_json::from_str(run.stdout()).unwrap();
    assert_eq!((&stats["verified"]["correct"], &stats["verified"]["wrong"]), (&2.into(), &1.into()));
    assert!(stats.get("counts").is_none() && stats.get("engine").is_none(), "{stats}");
}

#[test]
fn puzzles_without_solutions_are_one_error() {
    let text = format!("{PUZZLE}\n").repeat(1000);
    rejected(&ask("verify", [""; 0], text.as_bytes()), "no solutions: the records are puzzles alone");
    let table = format!("id,puzzle\n{}", format!("1,{PUZZLE}\n").repeat(9));
    rejected(&ask("verify", [""; 0], table.as_bytes()), "--solution-column");
    let some = format!("{text}{PUZZLE},{SOLUTION}\n");
    let run = ask("verify", ["-q"], &some.as_bytes()[some.len() - 4 * 82..]);
    assert_eq!((run.code, run.stdout().lines().count()), (Some(1), 2), "{}", run.stderr);
}

#[test]
fn statuses_of_a_search_for_one_solution_are_explained() {
    let run = solve(["--stats"], PUZZLE.as_bytes());
    assert!(run.stderr.contains("there may be others (--limit 2 checks that)"), "{}", run.stderr);
    let run = solve(words("--stats --unique --format csv"), PUZZLE.as_bytes());
    assert!(run.stdout().contains(",unique,1\n") && !run.stderr.contains("there may be"), "{}", run.stderr);
    assert_eq!(solve(words("--unique --limit 3"), b"").code, Some(2));
}

#[test]
fn work_while_rows_are_written_counts_as_solving() {
    let folder = tempfile::tempdir().unwrap();
    let seconds = |command: &str, text: &str| {
        let out = folder.path().join("out").into_os_string().into_string().unwrap();
        let run = ask(command, words(&format!("-q -j1 -o {out} --stats-json -")), text.as_bytes());
        let stats: serde_json::Value = serde_json::from_str(run.stdout()).unwrap();
        ["solving_seconds", "writing_seconds"].map(|name| stats[name].as_f64().unwrap())
    };
    let sample = include_str!("../../../datasets/sample_10k.txt");
    let some: String = sample.split_inclusive('\n').take(1000).collect();
    for command in ["rate", "enumerate", "explain"] {
        let [solving, writing] = seconds(command, &some);
        assert!(solving > 3.0 * writing, "{command}: {solving} {writing}");
    }
    // All rows are written at the end.
    let [_, writing] = seconds("shuffle", sample);
    assert!(writing > 0.0, "{writing}");
}

#[test]
fn color_is_chosen() {
    let coloured = |args: &str, no_color: &str| {
        let output =
            program().args(["explain", PUZZLE]).args(words(args)).env("NO_COLOR", no_color).output().unwrap();
        output.stdout.contains(&0x1b)
    };
    assert!(coloured("--color always", "1"));
    assert!(!coloured("--color never", ""));
    assert!(!coloured("", "") && !coloured("--color auto", ""));
}

#[test]
fn an_error_names_the_environment_variable() {
    for command in ["solve", "bench"] {
        let output =
            program().arg(command).env("RAPIDOKU_THREADS", "abc").stdin(Stdio::null()).output().unwrap();
        let message =
            "rapidoku: environment variable RAPIDOKU_THREADS='abc': expected a number from 0 to 512\n";
        assert_eq!((output.status.code(), &*String::from_utf8_lossy(&output.stderr)), (Some(2), message));
    }
    let output = program().args(["solve", "-j1", PUZZLE]).env("RAPIDOKU_THREADS", "abc").output().unwrap();
    assert_eq!(output.status.code(), Some(0), "the option comes first");
}

#[test]
fn a_puzzle_is_not_a_header() {
    let (p, s) = (PUZZLE.replace('.', "x"), SOLUTION);
    let damaged = format!("x{}", &p[2..]);
    let text = format!("{damaged},a\n{p},b\n{p},c\n");
    let run = solve(words("--format csv --columns record,status"), text.as_bytes());
    assert_eq!(run.stdout(), "record,status\n1,invalid\n2,solved\n3,solved\n", "{}", run.stderr);
    let run = solve(["--column", "quiz"], format!("{p},{s}\n{p},{s}\n").as_bytes());
    rejected(&run, "no column 'quiz': there is no header, and the first row has 2 fields");
}

#[test]
fn manuals_and_completions_are_complete() {
    let page =
        |args: &[&str]| String::from_utf8(program().arg("man").args(args).output().unwrap().stdout).unwrap();
    for (args, other) in [(&[][..], "rapidoku\\-bench"), (&["solve"], "rapidoku\\-check")] {
        let page = page(args);
        for section in
            [".SH \"EXIT STATUS\"", ".SH ENVIRONMENT", ".SH \"SEE ALSO\"", "RAPIDOKU_THREADS", other]
        {
            assert!(page.contains(section), "{section} in {page}");
        }
        // Examples keep their lines. Exit codes are in their own section only.
        assert!(page.contains(".SH EXAMPLES\n.nf\nrapidoku solve ") && page.contains("\n.fi\n"), "{page}");
        assert!(page.contains("docs/guide.md"), "{page}");
        assert!(!page.contains("EXTRA") && !page.contains("Exit codes:"), "{page}");
    }
    assert!(page(&[]).contains(".SH NOTES\nAn output file appears"), "{}", page(&[]));
    let help = String::from_utf8(program().arg("--help").output().unwrap().stdout).unwrap();
    for name in [
        "guide",
        "inputs",
        "benchmarks",
        "engine",
        "engine-log",
        "library",
        "architecture",
        "python",
        "cluster",
    ] {
        let document = format!("docs/{name}.md");
        assert!(help.contains(&document), "{document}");
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(&document);
        assert!(path.exists(), "{document}");
    }
    let bash = program().args(["completions", "bash"]).output().unwrap().stdout;
    let bash = String::from_utf8(bash).unwrap();
    for (option, values) in
        [("--engine", "lanes scalar"), ("--simd", "auto avx512"), ("--progress", "auto always never")]
    {
        let start = bash.find(&format!("{option})\n")).unwrap_or_else(|| panic!("{option}"));
        assert!(bash[start..start + 150].contains(values), "{option}: {}", &bash[start..start + 150]);
    }
    let fish = program().args(["completions", "fish"]).output().unwrap().stdout;
    let fish = String::from_utf8(fish).unwrap();
    let limit = fish.lines().find(|line| line.contains("-l limit")).unwrap();
    assert!(!limit.contains(" -F"), "no files for numbers: {limit}");
}
