//! The name of an output tells its format: for every command and every extension, the content is of the format that the
//! name means, or the command fails before it reads its input.

use std::fs;
use std::io::Read;
use std::path::Path;

use clap::{Arg, Command};
use rapidoku::Puzzle;

use crate::support::{PUZZLE, SOLUTION, ask, call, commands, file, names, words};

const EXTENSIONS: &str = "csv CSV.gz jsonl ndjson.zst json npy grid sdk sdm ss html htm svg txt parquet npz xlsx tsv xz \
    yaml other";

/// Arguments that a command needs, or that change what it writes.
const MODES: [(&str, &[&str]); 9] = [
    ("check", &["", "--only unique", "--er 1.0..9.0", "--columns clues"]),
    ("dedup", &["", "--exact", "--mark --exact"]),
    ("generate", &["3 --seed 0", "3 --grids --seed 0"]),
    ("minimize", &["", "--all=3"]),
    ("overlap", &["--exact"]),
    ("sample", &["2"]),
    ("split", &["--parts train=50,test=50 --by record"]),
    ("stats", &["--no-rate"]),
    ("verify", &["", "--only correct", "--only correct,wrong --columns puzzle"]),
];

fn find<'c>(command: &'c Command, id: &str) -> Option<&'c Arg> {
    command.get_arguments().find(|arg| arg.get_id() == id)
}

/// The content of a file without compression.
fn unpacked(path: &Path) -> Vec<u8> {
    let packed = fs::read(path).unwrap();
    let mut bytes = Vec::new();
    match path.extension().unwrap().to_str() {
        Some("gz") => _ = flate2::read::MultiGzDecoder::new(&packed[..]).read_to_end(&mut bytes).unwrap(),
        Some("zst") => bytes = zstd::decode_all(&packed[..]).unwrap(),
        _ => bytes = packed,
    }
    bytes
}

/// Whether bytes are of the format that an extension means.
fn is_of(extension: &str, bytes: &[u8]) -> bool {
    let text = || str::from_utf8(bytes).unwrap_or("\0");
    let lines = || text().lines();
    let is_json = |line: &str| serde_json::from_str::<serde_json::Value>(line).is_ok();
    let is_frame = |line: &str| line.bytes().all(|byte| b"0123456789. |*-+:".contains(&byte));
    match extension {
        "csv" => {
            let mut reader = csv::Reader::from_reader(bytes);
            // The columns of a table without a header have numbers.
            let is_name = |name: &str| !name.is_empty() && name.len() < 81;
            reader.headers().is_ok_and(|header| header.iter().all(is_name) && !header.is_empty())
                && reader.records().all(|row| row.is_ok())
        }
        "jsonl" | "ndjson" => lines().all(|line| line.starts_with('{') && is_json(line)),
        "json" => is_json(text()),
        "npy" => {
            let header = String::from_utf8_lossy(&bytes[..bytes.len().min(128)]).into_owned();
            let shape = header.split_once("'shape': (").and_then(|(_, rest)| rest.split_once(')'));
            let numbers = shape.iter().flat_map(|(shape, _)| shape.split(", ")).map(|n| n.parse::<usize>().unwrap());
            bytes.starts_with(b"\x93NUMPY") && numbers.product::<usize>() + 128 == bytes.len()
        }
        "grid" => lines().all(|line| line.starts_with("---") || matches!(line.replace([' ', '|'], "").len(), 0 | 9)),
        "sdk" => text().starts_with("[Puzzle]"),
        "sdm" => lines().all(|line| line.len() == 81 && line.bytes().all(|byte| byte.is_ascii_digit())),
        "ss" => lines().all(is_frame) && text().contains('|'),
        "html" | "htm" => text().to_lowercase().starts_with("<!doctype html"),
        "svg" => text().contains("<svg"),
        "txt" | "other" => !text().contains('\0'),
        _ => false,
    }
}

/// The inputs: lines with solutions, and the same as a table.
fn inputs(folder: &tempfile::TempDir) -> [String; 2] {
    let rows = format!("{PUZZLE},{SOLUTION}\n");
    [file(folder, "lines", &rows), file(folder, "table", format!("puzzle,solution\n{rows}"))]
}

/// The arguments of a run of `command` in a mode, which reads `input`.
fn line(command: &str, mode: &str, input: &str) -> Vec<String> {
    let before = match command {
        "overlap" => format!("{input} --in {input}"),
        "same" => input.to_owned(),
        _ => String::new(),
    };
    let reads = !matches!(command, "overlap" | "generate");
    let mut line: Vec<String> = words(mode).chain(words(&before)).map(str::to_owned).collect();
    line.extend(reads.then(|| input.to_owned()));
    if command == "bench" {
        line.extend(words("--rounds 1").map(str::to_owned));
    }
    line.extend(["-q", "-j", "1"].iter().filter(|_| command != "bench").map(ToString::to_string));
    line
}

/// Runs a command, and checks what it wrote under a name, or that it failed without reading its input.
fn check(command: &Command, mode: &str, option: &str, input: &str, format: Option<&str>, extension: &str) {
    let name = command.get_name();
    let folder = tempfile::tempdir().unwrap();
    let template = folder.path().join(if name == "split" { "{}" } else { "out" }).display().to_string();
    let output = format!("{template}.{extension}");
    let run = |input: &str| {
        let mut args = line(name, mode, input);
        let option = find(command, option).unwrap().get_long().unwrap();
        args.push(format!("--{option}={output}"));
        args.extend(format.map(|format| format!("--format={format}")));
        ask(name, &args, b"")
    };
    let described = format!("{name} {mode} --{option} x.{extension}, format {format:?}, {input}");
    let first = run(input);
    let written = names(folder.path());
    if written.is_empty() {
        assert_eq!(first.code, Some(2), "{described}: {}", first.stderr);
        // The message says what can be done instead.
        let helps = ["the formats are ", "; use ", "but --format is", "--only", "cannot be compressed"];
        assert!(helps.iter().any(|help| first.stderr.contains(help)), "{described}: {}", first.stderr);
        if mode.is_empty() && !first.stderr.contains("cannot be compressed") {
            assert_eq!(run("/nowhere/nothing").stderr, first.stderr, "{described}");
        }
        return;
    }
    assert!(matches!(first.code, Some(0 | 1)), "{described}: {}", first.stderr);
    let plain = extension.to_lowercase().replace(".gz", "").replace(".zst", "");
    for name in written {
        let bytes = unpacked(&folder.path().join(name));
        // One JSON object per line has this extension if the user wants it.
        let is_lines = matches!(format, Some("json" | "jsonl")) || option == "errors";
        let is_right = is_of(&plain, &bytes) || (plain == "json" && is_lines && is_of("jsonl", &bytes));
        assert!(is_right, "{described}: {}", String::from_utf8_lossy(&bytes[..bytes.len().min(300)]));
    }
}

#[test]
fn every_output_has_the_format_that_its_name_means() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = inputs(&folder);
    for command in commands().iter().filter(|command| find(command, "output").is_some()) {
        let name = command.get_name();
        let modes = MODES.iter().find(|(of, _)| *of == name).map_or(&[""][..], |(_, modes)| modes);
        for (k, extension) in words(EXTENSIONS).enumerate() {
            // Every other extension of the modes but the first.
            for (m, mode) in modes.iter().enumerate().filter(|(m, _)| *m == 0 || (k + m) % 2 == 0) {
                check(command, mode, "output", &inputs[(k + m) / 2 % 2], None, extension);
            }
        }
        let format = find(command, "format");
        let formats = format.map(Arg::get_possible_values).unwrap_or_default();
        let is_shown = |format: &&clap::builder::PossibleValue| !matches!(name, "convert") || !format.is_hide_set();
        for format in formats.iter().filter(is_shown) {
            for extension in ["csv", "json", "npy", "txt"] {
                check(command, modes[0], "output", &inputs[0], Some(format.get_name()), extension);
            }
        }
    }
}

/// These options are the same in all commands.
#[test]
fn the_other_outputs_have_the_formats_of_their_names() {
    let folder = tempfile::tempdir().unwrap();
    let [lines, _] = inputs(&folder);
    let solve = commands().into_iter().find(|command| command.get_name() == "solve").unwrap();
    for option in ["errors", "stats"] {
        for extension in ["csv", "jsonl", "json", "npy", "html", "svg", "parquet"] {
            check(&solve, "", option, &lines, None, extension);
        }
    }
}

/// The rows of the inputs are the same for every input format.
#[test]
fn copies_in_another_format_keep_all_columns() {
    let folder = tempfile::tempdir().unwrap();
    let grids = [PUZZLE, SOLUTION].map(|grid| grid.parse::<Puzzle>().unwrap());
    let array = folder.path().join("in.npy");
    let made = call(&format!("convert --format npy -o {}", array.display()), format!("{PUZZLE},{SOLUTION}\n"));
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    let bytes = fs::read(&array).unwrap();
    assert!(bytes.windows(17).any(|part| part == b"'shape': (1, 2, 8"), "{bytes:?}");
    assert_eq!(bytes[128..], grids.map(|grid| *grid.cells()).concat());
    let zeros = PUZZLE.replace('.', "0");
    let object = |puzzle: &str| format!("{{\"puzzle\":\"{puzzle}\",\"solution\":\"{SOLUTION}\"}}\n");
    for (input, puzzle) in [
        (file(&folder, "in.csv", format!("puzzle,solution\r\n{PUZZLE},{SOLUTION}\r\n")), PUZZLE),
        (file(&folder, "in.tsv", format!("puzzle\tsolution\n{PUZZLE}\t{SOLUTION}\n")), PUZZLE),
        (file(&folder, "in.jsonl", object(PUZZLE)), PUZZLE),
        (array.to_str().unwrap().to_owned(), &*zeros),
    ] {
        for (command, more) in [
            ("sample", "9"),
            ("shuffle", ""),
            ("split", "--parts train=100"),
            ("dedup", "--exact"),
            ("check", "--only unique"),
            ("check", "--er 1.0..9.0"),
            ("verify", "--only correct"),
        ] {
            for (extension, expected) in [
                ("csv", format!("puzzle,solution\n{puzzle},{SOLUTION}\n").into_bytes()),
                ("jsonl", object(puzzle).into_bytes()),
                ("npy", bytes.clone()),
            ] {
                let out = tempfile::tempdir().unwrap();
                let output = out.path().join(if command == "split" { "{}" } else { "out" });
                let args = format!("{command} {more} -q {input} -o {}.{extension}", output.display());
                let run = call(&args, b"");
                assert_eq!((run.code, &*run.stderr), (Some(0), ""), "{args}");
                let mut written = fs::read(out.path().join(&names(out.path())[0])).unwrap();
                if command != "dedup" && extension == "csv" && input.ends_with("csv") {
                    // Records of the same format are copied byte for byte.
                    assert_eq!(written, fs::read(&input).unwrap(), "{command}");
                }
                written.retain(|byte| *byte != b'\r' || extension == "npy");
                assert!(written == expected, "{args}: {}", String::from_utf8_lossy(&written));
            }
        }
    }
}
