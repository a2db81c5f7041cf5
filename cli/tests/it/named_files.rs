//! Files that options name: none that is read is replaced, and none is read without a bound. Standard streams that are
//! closed.

use std::fs;

use clap::ValueHint;

use crate::support::{PUZZLE, SOLUTION, ask, ask_with_folder, call, file, finish, names, program, shell, words};

/// Options that read a file as a whole, the command line before them, and a content that they accept.
fn readers() -> [(&'static str, &'static str, String); 4] {
    let pattern = PUZZLE.replace(|c: char| c.is_ascii_digit(), "x");
    [
        ("generate 1 --rounds 0", "most_guesses", format!("{PUZZLE}\n")),
        ("generate 1 --max-tries 1", "pattern", pattern),
        ("solve", "files_from", String::new()),
        ("overlap --in -", "files_from", String::new()),
    ]
}

/// Options that write a file. `--output` of `split` is a template.
const WRITERS: [&str; 3] = ["output", "stats", "errors"];

/// An option that names a file has to be one of those that these tests know.
#[test]
fn every_option_that_names_a_file_is_known() {
    let known = |id: &str| WRITERS.contains(&id) || readers().iter().any(|reader| reader.1 == id) || id == "within";
    for command in rapidoku_cli::command().get_subcommands() {
        for arg in command.get_arguments().filter(|arg| arg.get_value_hint() == ValueHint::FilePath) {
            let (id, command) = (arg.get_id().as_str(), command.get_name());
            assert!(arg.is_positional() || known(id), "--{id} of '{command}' reads or writes a file");
        }
    }
}

#[test]
fn no_output_replaces_a_file_that_is_read() {
    let definition = rapidoku_cli::command();
    for (line, reader, content) in readers() {
        let command = words(line).next().unwrap();
        let arguments = definition.find_subcommand(command).unwrap().get_arguments();
        for writer in arguments.filter(|arg| WRITERS.contains(&arg.get_id().as_str())) {
            let folder = tempfile::tempdir().unwrap();
            let path = file(&folder, "F", &content);
            let [reader, writer] = [reader, writer.get_id().as_str()].map(|id| format!("--{}", id.replace('_', "-")));
            let [from, to] = [&reader, &writer].map(|option| format!("{option}={path}"));
            call(&format!("{line} {from} {to}"), b"").fails_with("is an input and an output");
            assert_eq!(fs::read_to_string(&path).unwrap(), content, "{line} {reader} F {writer} F");
        }
    }
}

#[test]
#[cfg(unix)]
fn files_that_are_read_whole_have_a_limit_of_size() {
    for (line, reader, _) in readers() {
        let reader = reader.replace('_', "-");
        call(&format!("{line} --{reader}=/dev/zero"), b"").fails_with("64 MiB");
    }
}

/// The format of a stream that has to be copied is recognised before that.
#[test]
#[cfg(unix)]
fn a_stream_that_cannot_be_read_is_not_copied() {
    let folder = tempfile::tempdir().unwrap();
    let other = file(&folder, "other", PUZZLE);
    for line in ["dedup /dev/zero", &format!("overlap /dev/zero --in {other}")] {
        let (command, rest) = line.split_once(' ').unwrap();
        let run = ask_with_folder(folder.path(), command, words(rest), b"");
        run.fails_with("'/dev/zero': unsupported: binary data");
    }
    let packed = zstd::encode_all(&[0; 1 << 20][..], 1).unwrap();
    ask_with_folder(folder.path(), "dedup", [""; 0], &packed).fails_with("unsupported: binary data");
    assert_eq!(names(folder.path()), ["other"]);
}

/// Packed streams are recognised by a start that may end in the middle of a block.
#[test]
fn long_packed_streams_are_copied() {
    let lines: String = (0..50_000).map(|k| format!("{PUZZLE},{}\n", k * 7919 % 99_991)).collect();
    let packed = zstd::encode_all(lines.as_bytes(), 1).unwrap();
    for stream in [lines.as_bytes(), &packed] {
        let run = call("dedup -q", stream);
        assert_eq!((run.code, run.stdout().lines().count()), (Some(0), 1), "{}", run.stderr);
    }
}

#[test]
#[cfg(unix)]
fn an_empty_tmpdir_counts_as_unset() {
    for line in ["dedup", "shuffle", "bench --rounds 1 -"] {
        let run = finish(program().args(words(line)).env("TMPDIR", ""), PUZZLE.as_bytes());
        assert_eq!(run.code, Some(0), "{line}: {}", run.stderr);
    }
}

/// The standard library opens `/dev/null` in place of closed streams: rows would be lost without an error.
#[test]
#[cfg(unix)]
fn closed_standard_streams_are_errors_if_they_are_used() {
    let folder = tempfile::tempdir().unwrap();
    file(&folder, "f", format!("{PUZZLE}\n"));
    for line in ["solve f", "check f", "generate 1", "stats f", "--help", "bench f --rounds 1"] {
        let run = shell(&folder, &format!("$0 {line} >&-"));
        run.fails_with("cannot write '<stdout>': it was closed");
    }
    for line in ["solve", "dedup -", "solve --files-from -", "generate 1 --most-guesses=-"] {
        let run = shell(&folder, &format!("$0 {line} <&-"));
        run.fails_with("it was closed");
    }
    assert_eq!(shell(&folder, "$0 solve f -o rows >&- <&-").code, Some(0));
    assert_eq!(shell(&folder, "$0 solve f >/dev/null 2>&-").code, Some(0));
    assert_eq!(shell(&folder, "$0 solve f 1<>/dev/null").code, Some(0));
    assert_eq!(fs::read_to_string(folder.path().join("rows")).unwrap(), format!("{SOLUTION}\n"));
}

#[test]
fn convert_tells_that_a_format_has_no_solutions() {
    let pairs = format!("{PUZZLE},{SOLUTION}\n{PUZZLE}\n{PUZZLE},{SOLUTION}\n");
    for format in ["sdm", "sdk", "ss", "grid"] {
        let run = ask("convert", ["--format", format], pairs.as_bytes());
        let expected = format!("rapidoku: solutions not written: 2; the format {format} has puzzles only");
        assert!(run.stderr.starts_with(&expected), "{}", run.stderr);
        assert_eq!(ask("convert", ["--format", format, "-q"], pairs.as_bytes()).stderr, "");
        assert_eq!(ask("convert", ["--format", format], PUZZLE.as_bytes()).stderr, "");
    }
    for format in ["lines", "csv", "jsonl", "pencilmarks"] {
        let run = ask("convert", ["--format", format], pairs.as_bytes());
        assert_eq!((run.stdout().matches(SOLUTION).count(), &*run.stderr), (2, ""), "{format}");
    }
}

/// Commands that need all records or their numbers do not offer an option that always fails.
#[test]
fn shards_are_offered_where_they_work() {
    let folder = tempfile::tempdir().unwrap();
    let input = file(&folder, "f", format!("{PUZZLE},{SOLUTION}\n"));
    for command in rapidoku_cli::command().get_subcommands() {
        let Some(option) = command.get_arguments().find(|arg| arg.get_id() == "shard") else { continue };
        let name = command.get_name();
        let more = match name {
            "overlap" => format!("--in {input}"),
            "sample" => "1".to_owned(),
            "split" => format!("-o {input}-{{}} --parts train=50,test=50"),
            _ => String::new(),
        };
        let run = ask(name, words(&format!("{more} {input} --shard 1/1")), b"");
        assert_eq!(run.code != Some(2), !option.is_hide_set(), "{name}: {}", run.stderr);
        assert_eq!(ask(name, ["--help"], b"").stdout().contains("--shard"), !option.is_hide_set(), "{name}");
    }
}
