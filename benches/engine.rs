//! The engines on the committed datasets: puzzles in memory to solutions in memory, one thread.
#![allow(missing_docs, reason = "made by macros")]

use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rapidoku::engine::{Engine, Outcomes, Search};
use rapidoku::grid::Puzzle;
use rapidoku::simd::Level;

const DATASETS: [&str; 2] = ["classics.txt", "sample_10k.txt"];

fn engines(criterion: &mut Criterion) {
    let search = Search { limit: 2, max_guesses: u64::MAX };
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

fn read(name: &str) -> Vec<Puzzle> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets").join(name);
    let text = std::fs::read_to_string(path).expect("a committed dataset is readable");
    text.lines().map(|line| line.parse().expect("a puzzle on each line")).collect()
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).measurement_time(Duration::from_secs(2));
    targets = engines
}
criterion_main!(benches);
