//! Order, memory and accounts of a run.

use std::fs;
use std::io::Read;
use std::process::Stdio;

use crate::support::{
    self, CLASH, PUZZLE, SOLUTION, call, file, inside, messy_text, private_memory, program, solve, wait_until_blocked,
    words,
};

/// Distinct rows of the digits 1 to 9, which the `noop` engine gives back as they are.
fn distinct_rows(n: usize) -> String {
    let digits = |i: usize| (0..9).rev().map(move |place| i / 8usize.pow(place) % 8 + 1);
    (0..n).map(|i| format!("{}{}\n", "9".repeat(72), digits(i).map(|d| d.to_string()).collect::<String>())).collect()
}

#[test]
fn order_is_kept() {
    let text = distinct_rows(20_000);
    for args in ["-j 1", "-j 4 --batch-bytes 200", "-j 16 --batch-bytes 5000", "-j 4"] {
        let run = call(&format!("solve --engine noop {args}"), &text);
        assert!(run.stdout() == text, "{args}");
    }
}

#[test]
fn statistics_add_up() {
    let folder = tempfile::tempdir().unwrap();
    let (text, out) = (messy_text(), inside(&folder, "out"));
    let path = file(&folder, "in", &text);
    for source in ["", "--no-mmap"] {
        let args = format!("solve -q --limit 2 -j 3 --batch-bytes 999 {source} --stats=- -o {out} {path}");
        let stats = call(&args, b"").json();
        let number = |name: &str| stats.pointer(name).and_then(serde_json::Value::as_u64).unwrap();
        let records = support::records(&text);
        assert_eq!(number("/records"), records.len() as u64);
        assert_eq!(number("/counts/none"), 25);
        assert_eq!(number("/counts/multiple"), 25);
        assert_eq!(number("/counts/invalid"), 101);
        assert_eq!(number("/counts/unique"), 201);
        assert_eq!(number("/counts/solved") + number("/counts/gave_up"), 0);
        assert_eq!(number("/input_bytes"), text.len() as u64);
        assert_eq!(number("/output_bytes"), fs::metadata(&out).unwrap().len());
        assert_eq!(number("/threads"), 3);
        assert_eq!(stats["version"], env!("CARGO_PKG_VERSION"));
        let seconds = |name: &str| stats[name].as_f64().unwrap();
        let rate = seconds("puzzles_per_second") * seconds("wall_seconds");
        assert!((rate - records.len() as f64).abs() < 1e-3);
        let parts = ["reading_seconds", "solving_seconds", "writing_seconds"].map(seconds);
        assert!(parts.iter().all(|&part| part >= 0.0), "{stats}");
        let busy: f64 = parts.iter().sum();
        assert!(busy > 0.0 && busy < 4.0 * seconds("wall_seconds"), "{stats}");
    }
}

#[test]
fn the_first_ten_invalid_records_are_reported_in_order() {
    let text = format!("{PUZZLE}\n\n{CLASH}\nbad\n").repeat(8);
    for args in ["-j 4 --batch-bytes 1", "-j 1"] {
        let run = solve(words(args), text.as_bytes());
        let two = |line: usize| {
            let clash = format!("rapidoku: <stdin>:{line}: digit 1 twice in row 1: r1c1 and r1c9\n");
            clash + &format!("rapidoku: <stdin>:{}: bad character 'b' in column 1\n", line + 1)
        };
        let shown: String = [3, 7, 11, 15, 19].map(two).concat();
        let expected = shown + "rapidoku: invalid records: 16, 6 of them not shown\n";
        assert_eq!(run.stderr, expected);
        assert_eq!(run.stdout(), format!("{SOLUTION}\n\n\n").repeat(8));
    }
}

#[test]
fn a_blocked_output_stops_reading() {
    // Anonymous memory, in KiB, of a run whose output nobody takes.
    let stuck = |args: &[&str], path: &str| {
        let mut child = program()
            .args(["solve", "--engine", "noop", "-j", "4"])
            .args(args)
            .stdin(fs::File::open(path).unwrap())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut pipe = child.stdout.take().unwrap();
        pipe.read_exact(&mut [0; 82]).unwrap();
        let held = if wait_until_blocked(&child) { private_memory(&child) } else { None };
        let mut rest = Vec::new();
        pipe.read_to_end(&mut rest).unwrap();
        assert!(child.wait().unwrap().success());
        assert_eq!(rest.len() + 82, fs::metadata(path).unwrap().len() as usize);
        held
    };
    let folder = tempfile::tempdir().unwrap();
    // Twice as much as may be held.
    let path = file(&folder, "in", distinct_rows(1_500_000));
    for args in [&[][..], &["-"], &["--no-mmap", &path], &[&path]] {
        let Some(held) = stuck(args, &path) else { return println!("skipped: no /proc") };
        println!("{args:?}: {held} KiB of private memory");
        assert!(held < 60_000, "{args:?}: {held} KiB");
    }
}
