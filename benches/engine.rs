//! The engines on the committed datasets: puzzles in memory to solutions in memory, one thread.
#![allow(missing_docs, reason = "made by macros")]

use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rapidoku::{Engine, Outcomes, Puzzle, SimdLevel, Solver, verify};

const DATASETS: [&str; 2] = ["classics.txt", "sample_10k.txt"];

fn engines(criterion: &mut Criterion) {
    let mut outcomes = Outcomes::default();
    for name in DATASETS {
        let puzzles = read(name);
        let mut group = criterion.benchmark_group(name);
        group.throughput(Throughput::Elements(puzzles.len() as u64));
        let solver = Solver::new().threads(1);
        let lanes = SimdLevel::available().into_iter().map(|level| (level.name(), solver.clone().level(level)));
        let scalar = (Engine::Scalar.name(), solver.clone().engine(Engine::Scalar));
        for (name, solver) in lanes.chain([scalar]) {
            group.bench_function(name, |bencher| {
                bencher.iter(|| solver.solve_into(black_box(&puzzles), &mut outcomes));
            });
        }
    }
}

/// The checker, on all solutions of the sample that are the only ones.
fn checker(criterion: &mut Criterion) {
    let solver = Solver::new().engine(Engine::Scalar);
    let solved: Vec<_> = read("sample_10k.txt")
        .into_iter()
        .filter_map(|puzzle| Some((puzzle, solver.solve_one(&puzzle).solution?)))
        .collect();
    let mut group = criterion.benchmark_group("verify");
    group.throughput(Throughput::Elements(solved.len() as u64));
    group.bench_function("check", |bencher| {
        bencher.iter(|| black_box(&solved).iter().all(|(puzzle, solution)| verify::check(puzzle, solution).is_ok()));
    });
}

fn read(name: &str) -> Vec<Puzzle> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../datasets").join(name);
    let text = std::fs::read_to_string(path).expect("a committed dataset is readable");
    text.lines().map(|line| line.parse().expect("a puzzle on each line")).collect()
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).measurement_time(Duration::from_secs(2));
    targets = engines, checker
}
criterion_main!(benches);
