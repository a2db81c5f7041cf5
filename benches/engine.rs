//! The engines on the committed datasets: puzzles in memory to solutions in memory, one thread.
#![allow(missing_docs, reason = "made by macros")]

use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rapidoku::baseline::Historical;
use rapidoku::engine::{Engine, Limits, Outcomes};
use rapidoku::grid::Puzzle;
use rapidoku::simd::Level;
use rapidoku::{scalar, verify};

const DATASETS: [&str; 2] = ["classics.txt", "sample_10k.txt"];

fn engines(criterion: &mut Criterion) {
    let search = Limits { limit: 2, max_guesses: u64::MAX };
    let mut outcomes = Outcomes::default();
    for name in DATASETS {
        let puzzles = read(name);
        let mut group = criterion.benchmark_group(name);
        group.throughput(Throughput::Elements(puzzles.len() as u64));
        let lanes = Level::available().into_iter().map(Engine::Lanes);
        for engine in lanes.chain([Engine::Scalar]) {
            let name = engine.level().map_or(engine.name(), Level::name);
            group.bench_function(name, |bencher| {
                bencher.iter(|| engine.solve(black_box(&puzzles), search, &mut outcomes));
            });
        }
    }
}

/// The solvers of old, on easy puzzles of the sample: lines 13 to 18 of each twenty.
fn baselines(criterion: &mut Criterion) {
    let search = Limits { limit: 2, max_guesses: u64::MAX };
    let mut outcomes = Outcomes::default();
    let sample = read("sample_10k.txt");
    let easy: Vec<_> = sample[12..18].iter().chain(&sample[32..38]).copied().collect();
    let mut group = criterion.benchmark_group("easy");
    group.throughput(Throughput::Elements(easy.len() as u64));
    for engine in Historical::ALL.map(Engine::Historical).into_iter().chain([Engine::Scalar]) {
        group.bench_function(engine.name(), |bencher| {
            bencher.iter(|| engine.solve(black_box(&easy), search, &mut outcomes));
        });
    }
}

/// The checker, on all solutions of the sample that are the only ones.
fn checker(criterion: &mut Criterion) {
    let search = Limits { limit: 2, max_guesses: u64::MAX };
    let solved: Vec<_> = read("sample_10k.txt")
        .into_iter()
        .filter_map(|puzzle| Some((puzzle, scalar::solve(&puzzle, search).solution?)))
        .collect();
    let mut group = criterion.benchmark_group("verify");
    group.throughput(Throughput::Elements(solved.len() as u64));
    group.bench_function("check", |bencher| {
        bencher.iter(|| {
            black_box(&solved).iter().all(|(puzzle, solution)| verify::check(puzzle, solution).is_ok())
        });
    });
}

fn read(name: &str) -> Vec<Puzzle> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets").join(name);
    let text = std::fs::read_to_string(path).expect("a committed dataset is readable");
    text.lines().map(|line| line.parse().expect("a puzzle on each line")).collect()
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).measurement_time(Duration::from_secs(2));
    targets = engines, baselines, checker
}
criterion_main!(benches);
