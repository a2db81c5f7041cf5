//! gzip, zstd and zip: the same records as from the plain file, or an error and no output.

use std::fs;

use rapidoku::file::{Event, Run, SolveRows};
use rawzip::CompressionMethod;

use crate::support::{PUZZLE, call, file, gzip, messy_text, names, solve, zip};

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 1).unwrap()
}

/// The text in every packing, with parts put together where the format allows.
fn packings(text: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    let (head, tail) = text.split_at(text.len() / 3);
    vec![
        ("gzip", gzip(text)),
        ("gzip of members", [gzip(head), gzip(b""), gzip(tail)].concat()),
        ("zstd", zstd(text)),
        ("zstd of frames", [zstd(head), zstd(tail)].concat()),
        ("zip", zip(CompressionMethod::DEFLATE, &[("a.txt", text)])),
        ("zip, stored", zip(CompressionMethod::STORE, &[("data/", b""), ("data/a.txt", text)])),
    ]
}

/// The time that is left is estimated from them.
#[test]
fn progress_counts_bytes_before_decompression() {
    let folder = tempfile::tempdir().unwrap();
    for packed in [gzip(&messy_text().repeat(20)), zstd(&messy_text().repeat(20))] {
        // A report of an invalid record is followed by one of the progress.
        let run = Run { reported: 1, ..Run::default() }.input(&file(&folder, "in", &packed));
        let mut total = None;
        let stats = run.start(&SolveRows::default(), &mut |event| {
            if let Event::Progress { total_bytes, .. } = event {
                total = total_bytes;
            }
        });
        let stats = stats.unwrap();
        assert_eq!((stats.stored_bytes, total), (packed.len() as u64, Some(packed.len() as u64)));
    }
}

#[test]
fn the_same_bytes_as_from_the_plain_file() {
    let folder = tempfile::tempdir().unwrap();
    let text = messy_text().repeat(20);
    let plain = call("solve --limit=2 --format=csv", &text);
    assert_eq!(plain.code, Some(0));
    for (what, packed) in packings(&text) {
        // The name says nothing.
        let path = file(&folder, "in.txt", &packed);
        let ways = [&[&*path][..], &["--no-mmap", &path], &["-"], &["--batch-bytes=1000", "-"]];
        // The list of the files of a zip archive is at its end.
        let ways = if what.starts_with("zip") { &ways[..2] } else { &ways };
        for args in ways {
            let run = solve([&["--limit=2", "--format=csv"], *args].concat(), &packed);
            assert!(run.stdout == plain.stdout, "{what} {args:?}: {}", run.stderr);
            let stderr = run.stderr.replace(&path, "<stdin>");
            assert_eq!(stderr, plain.stderr, "{what} {args:?}");
        }
    }
}

/// A run whose output must not appear, from a file and from a pipe.
fn fails(what: &str, packed: &[u8], message: &str) {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "in", packed);
    let out = file(&folder, "out", "old");
    for input in [&*path, "-"] {
        let run = solve([input, "-o", &out], packed);
        assert_eq!(run.code, Some(2), "{what} from {input}: {}", run.stderr);
        let is_streamed_zip = input == "-" && what.starts_with("zip");
        let message = if is_streamed_zip { "in a stream, not in a file" } else { message };
        assert!(run.stderr.contains(message), "{what} from {input}: {}", run.stderr);
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
    fails("gzip and garbage", &[&*gzip(&text), b"garbage, not a member"].concat(), "damaged gzip data");
}

#[test]
fn gzip_followed_by_other_bytes() {
    let member = gzip(format!("{PUZZLE}\n").as_bytes());
    for rest in [&[0][..], &[0; 600_000], b"more", b"\x00\x00more", &[&[0; 512][..], &member].concat()] {
        fails("gzip", &[&*member, rest].concat(), "gzip data");
    }
}
