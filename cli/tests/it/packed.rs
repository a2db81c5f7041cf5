//! gzip, zstd and zip: the same records as from the plain file, or an error and no output.

use std::fs;
use std::io::{Cursor, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::support::{PUZZLE, SOLUTION, file, messy_text, names, solve};

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 1).unwrap()
}

fn zip(method: CompressionMethod, files: &[(&str, &[u8])]) -> Vec<u8> {
    zip_with_comment(method, files, "")
}

fn zip_with_comment(method: CompressionMethod, files: &[(&str, &[u8])], comment: &str) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        let options = SimpleFileOptions::default().compression_method(method);
        match name.strip_suffix('/') {
            Some(folder) => writer.add_directory(folder, options).unwrap(),
            None => {
                writer.start_file(*name, options).unwrap();
                writer.write_all(bytes).unwrap();
            }
        }
    }
    writer.set_comment(comment).unwrap();
    writer.finish().unwrap().into_inner()
}

/// The text in every packing, with parts put together where the format allows.
fn packings(text: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    let (head, tail) = text.split_at(text.len() / 3);
    vec![
        ("gzip", gzip(text)),
        ("gzip of members", [gzip(head), gzip(b""), gzip(tail)].concat()),
        ("zstd", zstd(text)),
        ("zstd of frames", [zstd(head), zstd(tail)].concat()),
        ("zip", zip(CompressionMethod::Deflated, &[("a.txt", text)])),
        ("zip, stored", zip(CompressionMethod::Stored, &[("data/", b""), ("data/a.txt", text)])),
    ]
}

#[test]
fn the_same_bytes_as_from_the_plain_file() {
    let folder = tempfile::tempdir().unwrap();
    let text = messy_text().repeat(20);
    let plain = solve(["--limit=2", "--format=csv"], &text);
    assert_eq!(plain.code, Some(0));
    for (what, packed) in packings(&text) {
        // The name says nothing.
        let path = file(&folder, "in.txt", &packed);
        for args in [&[&*path][..], &["--no-mmap", &path], &["-"], &["--batch-bytes=1000", "-"]] {
            let run = solve([&["--limit=2", "--format=csv"], args].concat(), &packed);
            assert!(run.stdout == plain.stdout, "{what} {args:?}: {}", run.stderr);
            // Lines are counted in what is unpacked.
            let inside = if what.starts_with("zip, ") { "/data/a.txt" } else { "/a.txt" };
            let named = if what.starts_with("zip") { inside } else { "" };
            let stderr = run.stderr.replace(&format!("{path}{named}"), "<stdin>");
            assert_eq!(
                stderr.replace(&format!("<stdin>{named}"), "<stdin>"),
                plain.stderr,
                "{what} {args:?}"
            );
        }
    }
}

#[test]
fn every_file_of_a_zip_is_an_input() {
    let csv = format!("id,quiz\n1,{PUZZLE}\n2,bad\n");
    let files: [(&str, &[u8]); 6] = [
        ("one/", b""),
        ("one/lines.txt", PUZZLE.as_bytes()),
        ("one/.hidden", b"oops"),
        ("__MACOSX/one/._lines.txt", b"oops"),
        ("empty", b""),
        ("two.csv", csv.as_bytes()),
    ];
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "in", zip(CompressionMethod::Deflated, &files));
    let run = solve([&path, "-"], PUZZLE.as_bytes());
    assert_eq!(run.stdout(), format!("{SOLUTION}\n{SOLUTION}\n\n{SOLUTION}\n"));
    let expected =
        format!("rapidoku: {path}/two.csv:3: bad character 'b' in column 3\nrapidoku: invalid records: 1\n");
    assert_eq!(run.stderr, expected);
    let none = file(&folder, "none", zip(CompressionMethod::Stored, &files[..1]));
    let run = solve([&none], b"");
    assert_eq!((run.code, run.stdout()), (Some(2), ""));
    assert_eq!(run.stderr, format!("rapidoku: cannot read '{none}': the zip archive contains no files\n"));
}

#[test]
fn files_without_puzzles_are_counted_after_the_first_ten() {
    for others in [3, 10, 11, 14] {
        let names: Vec<_> = (0..others).map(|k| format!("{k}.md")).collect();
        let mut files: Vec<(&str, &[u8])> =
            names.iter().map(|name| (&**name, &b"# Title\nText\n"[..])).collect();
        files.push(("puzzles.txt", PUZZLE.as_bytes()));
        let run = solve([""; 0], &zip(CompressionMethod::Stored, &files));
        assert_eq!((run.code, run.stdout()), (Some(0), &*format!("{SOLUTION}\n")));
        let messages: Vec<_> = run.stderr.lines().collect();
        assert_eq!(messages.len(), others.min(11), "{}", run.stderr);
        for (k, message) in messages.iter().enumerate().take(10) {
            assert!(message.starts_with(&format!("rapidoku: skipped '<stdin>/{k}.md': ")), "{message}");
        }
        if let Some(last) = messages.get(10) {
            let more = others - 10;
            assert_eq!(*last, format!("rapidoku: more skipped files without puzzles: {more}"));
        }
    }
}

/// The sizes of entries follow their data, which a reader of a pipe cannot use.
#[test]
fn archives_for_streams_are_read_from_files_only() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = ZipWriter::new_stream(Vec::new());
    writer.start_file("a.txt", SimpleFileOptions::default()).unwrap();
    writer.write_all(PUZZLE.as_bytes()).unwrap();
    let archive = writer.finish().unwrap().into_inner();
    let path = file(&folder, "in", &archive);
    assert_eq!(solve([&path], b"").stdout(), format!("{SOLUTION}\n"));
    let run = solve([""; 0], &archive);
    let message = "rapidoku: cannot read '<stdin>': this zip archive stores entry sizes after the data; it can be read from a \
        file, but not from a pipe\n";
    assert_eq!((run.code, &*run.stderr), (Some(2), message));
}

/// The directory at the end of the archive has 600 KB.
#[test]
fn archives_of_many_files_are_read_from_a_pipe() {
    let names: Vec<_> = (0..4000).map(|k| format!("{k:0>100}.txt")).collect();
    let files: Vec<_> = names.iter().map(|name| (&**name, PUZZLE.as_bytes())).collect();
    let run = solve([""; 0], &zip(CompressionMethod::Stored, &files));
    assert_eq!((run.code, &*run.stderr), (Some(0), ""));
    assert!(run.stdout() == format!("{SOLUTION}\n").repeat(4000));
}

/// The comment follows the directory of the archive. It has at most 65,535 bytes.
#[test]
fn archives_with_a_comment_are_read_from_a_pipe() {
    let files: [(&str, &[u8]); 1] = [("a.txt", PUZZLE.as_bytes())];
    for length in [1, 100, 65_535] {
        let run = solve([""; 0], &zip_with_comment(CompressionMethod::Stored, &files, &"c".repeat(length)));
        assert_eq!(
            (run.code, run.stdout(), &*run.stderr),
            (Some(0), &*format!("{SOLUTION}\n"), ""),
            "{length}"
        );
    }
}

/// Some programs for Windows write backslashes between the names of folders and files.
#[test]
fn folders_with_a_backslash_are_not_files() {
    let files: [(&str, &[u8]); 2] = [("one\\", b""), ("one\\lines.txt", PUZZLE.as_bytes())];
    let archive = zip(CompressionMethod::Stored, &files);
    let run = solve([""; 0], &archive);
    assert_eq!((run.stdout(), &*run.stderr), (&*format!("{SOLUTION}\n"), ""));
    let run = solve([""; 0], &zip(CompressionMethod::Stored, &files[..1]));
    assert_eq!((run.code, run.stdout()), (Some(2), ""));
}

#[test]
fn two_files_of_an_archive_with_the_same_name_are_not_one() {
    let mut archive =
        zip(CompressionMethod::Stored, &[("1.txt", PUZZLE.as_bytes()), ("2.txt", PUZZLE.as_bytes())]);
    while let Some(at) = archive.windows(5).position(|bytes| bytes == b"2.txt") {
        archive[at] = b'1';
    }
    let folder = tempfile::tempdir().unwrap();
    let run = solve([file(&folder, "in.zip", &archive)], b"");
    assert_eq!((run.code, run.stdout()), (Some(2), ""));
    assert!(run.stderr.contains("several files of the zip archive have the same name"), "{}", run.stderr);
    assert_eq!(solve([""; 0], &archive).stdout(), format!("{SOLUTION}\n").repeat(2));
}

/// A pipe would give the first one, and a file the last one.
#[test]
fn archives_after_one_another_are_an_error() {
    let one = zip(CompressionMethod::Deflated, &[("a.txt", PUZZLE.as_bytes())]);
    fails(
        "two archives",
        &one.repeat(2),
        "several zip archives one after the other; read each of them alone",
    );
}

/// A file of solutions is never solved, unless it is the only one. A stream does not tell that.
#[test]
fn solutions_beside_puzzles_are_skipped() {
    let (puzzle, solution) = (PUZZLE.as_bytes(), SOLUTION.as_bytes());
    let broken = format!("puzzle,solution\n{}", "5 3 0 0,7\n".repeat(3));
    let broken = broken.as_bytes();
    let document = |grid: &str| format!("[\n  \"{grid}\"\n]\n").into_bytes();
    let column = |name: &str, grid: &str| format!("id,{name}\n7,{grid}\n").into_bytes();
    let member = |name: &str, grid: &str| format!("{{\"{name}\": \"{grid}\"}}\n").into_bytes();
    let puzzles = [document(PUZZLE), column("puzzle", PUZZLE), member("puzzle", PUZZLE)];
    let solutions = [document(SOLUTION), column("solution", SOLUTION), member("target", SOLUTION)];
    let reason = "solutions beside other files; extract it to read it";
    let folder = tempfile::tempdir().unwrap();
    for (files, skipped) in [
        (&[("quizzes.txt", puzzle), ("solutions.txt", solution)][..], &["solutions.txt"][..]),
        (&[("set/My Answers.v2.txt", solution), ("set/a.txt", puzzle)], &["set/My Answers.v2.txt"]),
        (&[("solutions.txt", puzzle), ("SOLVED.TXT", solution)], &["SOLVED.TXT"]),
        (&[("x_train.txt", puzzle), ("y_train.txt", solution)], &["y_train.txt"]),
        (&[("labels.txt", solution), ("inputs.txt", puzzle)], &["labels.txt"]),
        (&[("one.txt", solution), ("two.txt", solution)], &[]),
        (&[("solutions/one.txt", solution), ("two.txt", puzzle)], &["solutions/one.txt"]),
        (&[("1.ans", solution), ("1.in", puzzle)], &["1.ans"]),
        (&[("puzzles.json", &puzzles[0]), ("solutions.json", &solutions[0])], &["solutions.json"]),
        (&[("b.csv", &solutions[1]), ("a.csv", &puzzles[1])], &["b.csv"]),
        (&[("a.jsonl", &puzzles[2]), ("b.jsonl", &solutions[2])], &["b.jsonl"]),
    ] {
        let archive = zip(CompressionMethod::Stored, files);
        let path = file(&folder, "in.zip", &archive);
        for (input, name) in [(&*path, &*path), ("-", "<stdin>")] {
            let run = solve([input], &archive);
            let message = |entry: &&str| format!("rapidoku: skipped '{name}/{entry}': {reason}\n");
            let messages = run.stderr.split_inclusive('\n').filter(|line| line.contains("skipped"));
            assert_eq!(messages.collect::<String>(), skipped.iter().map(message).collect::<String>());
            let read = files.len() - skipped.len();
            assert_eq!((run.code, run.stdout()), (Some(0), &*format!("{SOLUTION}\n").repeat(read)));
        }
    }
    let none = zip(CompressionMethod::Stored, &[("puzzles.csv", broken), ("solutions.txt", solution)]);
    let path = file(&folder, "in.zip", &none);
    for input in [&*path, "-"] {
        let run = solve([input], &none);
        assert_eq!((run.code, run.stdout()), (Some(2), ""), "{}", run.stderr);
        assert!(run.stderr.contains("no file in the archive has puzzles: 'puzzles.csv': "), "{}", run.stderr);
        assert!(run.stderr.contains(&format!("; 'solutions.txt': {reason}")), "{}", run.stderr);
    }
    let files: [(&str, &[u8]); 3] = [("a/", b""), ("a/.hidden", b"x"), ("a/solutions.txt", solution)];
    let alone = zip(CompressionMethod::Stored, &files);
    let path = file(&folder, "in.zip", &alone);
    let run = solve([&path], b"");
    assert_eq!((run.code, run.stdout()), (Some(0), &*format!("{SOLUTION}\n")));
    assert_eq!(run.stderr, "rapidoku: all records are complete grids: 1\n");
    let run = solve([""; 0], &alone);
    assert!(run.code == Some(2) && run.stderr.contains(reason), "{}", run.stderr);
}

/// A description may have a puzzle as an example.
#[test]
fn what_accompanies_puzzles_is_not_read() {
    let readme = format!("puzzle,solution\n{PUZZLE},{SOLUTION}\n");
    let files: [(&str, &[u8]); 4] = [
        ("Thumbs.db", b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"),
        ("set/README.md", readme.as_bytes()),
        ("set/desktop.ini", b"[x]\r\n"),
        ("set/a.txt", PUZZLE.as_bytes()),
    ];
    let run = solve([""; 0], &zip(CompressionMethod::Stored, &files));
    assert_eq!((run.code, run.stdout()), (Some(0), &*format!("{SOLUTION}\n")));
    let message = "rapidoku: skipped '<stdin>/set/README.md': a README; extract it to read it\n";
    assert_eq!(run.stderr, message);
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "in.zip", zip(CompressionMethod::Stored, &files[..2]));
    assert_eq!(solve([&path], b"").stdout(), format!("{SOLUTION}\n"));
}

#[test]
fn data_compressed_twice_is_an_error() {
    let run = solve([""; 0], &gzip(&zstd(PUZZLE.as_bytes())));
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("compressed twice, with zstd inside"), "{}", run.stderr);
}

/// A run whose output must not appear, from a file and from a pipe.
fn fails(what: &str, packed: &[u8], message: &str) {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "in", packed);
    let out = file(&folder, "out", "old");
    for input in [&*path, "-"] {
        let run = solve([input, "-o", &out], packed);
        assert_eq!(run.code, Some(2), "{what} from {input}: {}", run.stderr);
        assert!(run.stderr.contains(message), "{what} from {input}: {}", run.stderr);
        let name = if input == "-" { "<stdin>" } else { input };
        assert!(run.stderr.contains(&format!("rapidoku: cannot read '{name}'")), "{}", run.stderr);
        assert_eq!(fs::read_to_string(&out).unwrap(), "old");
        assert_eq!(names(folder.path()), ["in", "out"]);
    }
}

#[test]
fn archives_that_are_cut_short() {
    let text = messy_text().repeat(20);
    for (what, packed) in packings(&text) {
        let n = packed.len();
        for length in [5, 30, n / 4, n / 2, 2 * n / 3, n - 30, n - 5, n - 1] {
            // A cut between two members leaves a whole file, which these lengths do not hit.
            fails(&format!("{what} cut to {length} of {n}"), &packed[..length], "");
        }
    }
    let packed = gzip(&text);
    fails("gzip", &packed[..packed.len() - 1], "truncated gzip data");
    let packed = zstd(&text);
    fails("zstd", &packed[..packed.len() / 2], "truncated zstd data");
}

#[test]
fn damaged_archives() {
    // No two rows alike: in repetitive data a wrong distance may well lead to the right bytes.
    let digits = (0..).scan(1u64, |state, _| {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        Some(format!("{:020}", *state))
    });
    let text = digits.take(4000).collect::<String>().into_bytes();
    let text = text.chunks(81).map(|row| [row, b"\n"].concat()).collect::<Vec<_>>().concat();
    for (what, packed) in packings(&text).into_iter().filter(|(what, _)| *what != "zstd of frames") {
        // Within the data, which all but zstd's default guard by a sum.
        if what.starts_with("zstd") {
            let garbage = [&packed[..], b"garbage"].concat();
            fails(what, &garbage, "damaged zstd data");
            continue;
        }
        for part in 1..8 {
            let mut damaged = packed.clone();
            let at = 100 + part * (packed.len() - 300) / 8;
            damaged[at] ^= 0x10;
            fails(&format!("{what} damaged at {at}"), &damaged, "damaged");
        }
    }
    fails(
        "gzip and garbage",
        &[gzip(&text), b"garbage, not a member".to_vec()].concat(),
        "bytes after the end of the gzip data",
    );
}

#[test]
fn a_run_that_ends_early_does_not_wait_for_the_archive() {
    // The second input fails; the thread that unpacks the first must not keep the process.
    let folder = tempfile::tempdir().unwrap();
    let packed = file(&folder, "in", gzip(&format!("{PUZZLE}\n").repeat(100_000).into_bytes()));
    let run = solve([&packed, "-o", "/dev/full"], b"");
    if Path::new("/dev/full").exists() {
        assert_eq!(run.code, Some(2), "{}", run.stderr);
    }
}

#[test]
fn gzip_followed_by_other_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let member = gzip(format!("{PUZZLE}\n").as_bytes());
    let cases: [(&[u8], bool); 6] = [
        (&[0], true),
        (&[0; 600_000], true),
        (b"more", false),
        (b"\x00\x00more", false),
        (&[&[0; 600_000][..], b"x"].concat(), false),
        (&[&[0; 512][..], &member].concat(), false),
    ];
    for (rest, is_accepted) in cases {
        let path = file(&folder, "in.gz", [&*member, rest].concat());
        let (out, old) = (file(&folder, "out", "old"), "old".to_owned());
        let run = solve([&path, "-o", &out], b"");
        let content = fs::read_to_string(&out).unwrap();
        if is_accepted {
            assert_eq!((run.code, &*run.stderr, content), (Some(0), "", format!("{SOLUTION}\n")));
        } else {
            let message = "bytes after the end of the gzip data that are not gzip data";
            assert_eq!(run.stderr, format!("rapidoku: cannot read '{path}': {message}\n"));
            assert_eq!((run.code, content), (Some(2), old));
        }
    }
}
