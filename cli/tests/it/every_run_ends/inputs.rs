//! Inputs at random: every layout that the program reads and some that it does not, damaged and packed.

use rand::seq::{IndexedMutRandom, IndexedRandom};
use rand::{Rng, RngExt};
use rand_chacha::ChaCha8Rng;
use rawzip::CompressionMethod;

use crate::samples::{pairs, random_candidates};
use crate::support::{grid, gzip, npy, pencilled, zip};

/// A puzzle and its solution, or that of another puzzle if it has none.
type Pair = (String, String);

/// A layout of text: what comes before the records, record `k`, and what follows the last one.
type Layout = (&'static str, fn(usize, &Pair) -> String, &'static str);

const LAYOUTS: &[Layout] = &[
    ("", |_, (puzzle, _)| format!("{puzzle}\n"), ""),
    ("# comment\n\n", |_, (puzzle, _)| format!("{}\r\n", puzzle.replace('.', "0")), ""),
    ("", |_, (puzzle, solution)| format!("{puzzle},{solution}\n"), ""),
    ("", |k, (puzzle, _)| format!("{puzzle} note {k}\n"), ""),
    ("id,puzzle,solution\n", |k, (puzzle, solution)| format!("{k},{puzzle},{solution}\n"), ""),
    ("solution,puzzle,id\n", |k, (puzzle, solution)| format!("{solution},\"{puzzle}\",{k}\n"), ""),
    ("quizzes,rating\n", |k, (puzzle, _)| format!("{puzzle},{}\n", k % 9), ""),
    ("name;puzzle\n", |k, (puzzle, _)| format!("\"a \"\"name\"\"\nin {k} lines\";{puzzle}\n"), ""),
    ("", |k, (puzzle, solution)| format!("{{\"id\":{k},\"puzzle\":\"{puzzle}\",\"solution\":\"{solution}\"}}\n"), ""),
    ("", |k, (puzzle, _)| format!("{{\"quiz\":\"{puzzle}\",\"more\":[{k},null]}}\n"), ""),
    ("", |_, (puzzle, _)| grid(puzzle) + "\n", ""),
    ("", |k, (puzzle, _)| format!("Grid {k:02}\n{}", grid(puzzle)), ""),
    ("", |_, (puzzle, _)| pencilled(puzzle) + "\n", ""),
    ("id,puzzle\n", |k, (puzzle, _)| format!("{k},{}\n", pencilled(puzzle)), ""),
    ("", |_, (_, solution)| format!("{solution}\n"), ""),
    ("", |_, (puzzle, _)| format!("11{}\n", &puzzle[2..]), ""),
    // Not puzzles.
    ("", |k, (puzzle, _)| format!("{}\n", &puzzle[..k % 81]), ""),
    ("# Title\n", |k, _| format!("Line {k} of a text without puzzles.\n"), ""),
    ("", |_, _| "# comment\n\n".to_owned(), ""),
    ("[\n", |_, (puzzle, _)| format!("\"{puzzle}\",\n"), "]\n"),
    ("{\n", |k, (puzzle, _)| format!("\"{k}\": \"{puzzle}\",\n"), "}\n"),
];

/// The names of files in archives.
const NAMES: [&str; 5] = ["0.txt", "1.txt", "2.txt", "3.txt", "4.txt"];

/// The contents of some files. Most of them have the same layout, so that commands accept them together.
pub fn contents(random: &mut ChaCha8Rng, count: usize, bytes: usize) -> Vec<Vec<u8>> {
    let usual = LAYOUTS.choose(random).unwrap();
    (0..count).map(|_| content(random, usual, bytes)).collect()
}

fn content(random: &mut ChaCha8Rng, usual: &Layout, bytes: usize) -> Vec<u8> {
    let mut packed = match random.random_range(0..15) {
        0 => gzip(&unpacked(random, usual, bytes)),
        1 => [gzip(&unpacked(random, usual, bytes)), gzip(&unpacked(random, usual, bytes))].concat(),
        2 => zstd::encode_all(&*unpacked(random, usual, bytes), 1).unwrap(),
        3 | 4 => {
            let count = random.random_range(1..6);
            let files: Vec<_> = (0..count).map(|_| unpacked(random, usual, bytes)).collect();
            let files: Vec<_> = NAMES.into_iter().zip(files.iter().map(|file| &**file)).collect();
            zip(CompressionMethod::DEFLATE, &files)
        }
        _ => return unpacked(random, usual, bytes),
    };
    if random.random_bool(0.2) {
        packed.truncate(random.random_range(0..packed.len()));
    }
    packed
}

/// Content that is not compressed. It has at least `bytes` bytes unless it is damaged.
fn unpacked(random: &mut ChaCha8Rng, usual: &Layout, bytes: usize) -> Vec<u8> {
    let mut content = match random.random_range(0..40) {
        0 => array(random, bytes / 81),
        1 => any_pencilmarks(random, bytes),
        2..10 => any_text(random, bytes),
        _ => text(random, usual, bytes),
    };
    if random.random_bool(0.1) {
        damage(random, &mut content, bytes);
    }
    content
}

fn damage(random: &mut ChaCha8Rng, content: &mut Vec<u8>, bytes: usize) {
    let at = random.random_range(0..=content.len());
    let mut insert = |bytes: Vec<u8>| drop(content.splice(at..at, bytes));
    match random.random_range(0..7) {
        0 => content.truncate(at),
        1 => insert(any_text(random, bytes)),
        2 => insert(b"1".repeat(random.random_range(100..3 << 20))),
        3 => insert(format!("\n\"{}", "open quote\n".repeat(1000)).into_bytes()),
        4 => content.clear(),
        5 => random.fill_bytes(content),
        _ => {
            for _ in 0..random.random_range(1..50) {
                if let Some(byte) = content.choose_mut(random) {
                    *byte = random.random();
                }
            }
        }
    }
}

/// Puzzles and solutions from a random place of the sample.
fn some_pairs(random: &mut ChaCha8Rng) -> impl Iterator<Item = &'static Pair> + use<> {
    pairs().iter().cycle().skip(random.random_range(0..pairs().len()))
}

fn text(random: &mut ChaCha8Rng, (head, record, tail): &Layout, bytes: usize) -> Vec<u8> {
    let mut text = head.to_string();
    for (k, pair) in some_pairs(random).enumerate() {
        if text.len() >= bytes {
            break;
        }
        text += &record(k, pair);
    }
    (text + tail).into_bytes()
}

fn any_text(random: &mut ChaCha8Rng, bytes: usize) -> Vec<u8> {
    let layout = LAYOUTS.choose(random).unwrap();
    text(random, layout, bytes)
}

/// An array of NumPy.
fn array(random: &mut ChaCha8Rng, count: usize) -> Vec<u8> {
    let puzzles: String = some_pairs(random).take(count).map(|(puzzle, _)| puzzle.replace('.', "0")).collect();
    npy("|u1", &format!("({count}, 81)"), &puzzles.bytes().map(|cell| cell - b'0').collect::<Vec<_>>())
}

/// Pencilmarks that no clues imply.
fn any_pencilmarks(random: &mut ChaCha8Rng, bytes: usize) -> Vec<u8> {
    let lines = (0..bytes / 730).map(|_| random_candidates(random).to_string() + "\n");
    lines.collect::<String>().into_bytes()
}
