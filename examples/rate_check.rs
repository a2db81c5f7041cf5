use rapidoku::rating::{Rater, Verdict};
use std::time::Instant;
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let from: usize = std::env::args().nth(2).map_or(0, |n| n.parse().unwrap());
    let count: usize = std::env::args().nth(3).map_or(usize::MAX, |n| n.parse().unwrap());
    let text = std::fs::read_to_string(&path).unwrap();
    let mut rater = Rater::new();
    let (mut rows, mut different, mut beyond) = (0, 0, 0);
    let mut time = 0.0;
    for line in text.lines().skip(1 + from).take(count) {
        let fields: Vec<&str> = line.split(',').collect();
        let puzzle: rapidoku::Puzzle = fields[0].parse().unwrap();
        let start = Instant::now();
        let rating = rater.rate(&puzzle);
        let t = start.elapsed().as_secs_f64();
        time += t;
        rows += 1;
        if rating.verdict != Verdict::Rated { beyond += 1; if beyond < 5 { println!("{:?} {line}", rating.verdict); } continue; }
        let ours = format!("{},{},{}", rating.er, rating.ep, rating.ed);
        let theirs = fields[1..4].join(",");
        if ours != theirs { different += 1; if different <= 10 { println!("{line} -> {ours}"); } }
    }
    println!("{path}: {rows} rows, {different} different, {beyond} beyond, {:.1}/s", rows as f64 / time);
}
