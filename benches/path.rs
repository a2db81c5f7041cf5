//! The way from file to file on one thread: each stage by itself, then all of it.
//!
//! Parsing and writing alone are the floor: no engine makes the whole path faster than those.
#![allow(missing_docs, reason = "made by macros")]

use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rapidoku::file::{Layout, Mapping, Output, Records, Run, SolveRows};
use rapidoku::{SimdLevel, Solver};

/// The number of copies of the committed sample. One copy would mainly measure the start of threads.
const COPIES: usize = 10;

fn path(criterion: &mut Criterion) {
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../datasets/sample_10k.txt");
    let text = std::fs::read(sample).expect("the committed sample is readable").repeat(COPIES);
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let (input, output) = (folder.path().join("puzzles.txt"), folder.path().join("solutions.txt"));
    std::fs::write(&input, &text).expect("the folder is writable");

    let mut records = Records::default();
    records.read(Layout::lines(), &text, SimdLevel::detect(), usize::MAX);
    let puzzles = records.puzzles().to_vec();
    let solver = Solver::new().threads(1);
    let mut outcomes = solver.solve(&puzzles);
    let rows = outcomes.rows().as_flattened().to_vec();

    let mut group = criterion.benchmark_group("path");
    group.throughput(Throughput::Elements(puzzles.len() as u64));
    group.bench_function("read", |bencher| bencher.iter(|| black_box(std::fs::read(&input))));
    group.bench_function("parse", |bencher| {
        bencher.iter(|| records.read(Layout::lines(), black_box(&text), SimdLevel::detect(), usize::MAX));
    });
    group.bench_function("solve", |bencher| {
        bencher.iter(|| solver.solve_into(black_box(&puzzles), &mut outcomes));
    });
    group.bench_function("write", |bencher| bencher.iter(|| write(&output, black_box(&rows))));
    group.bench_function("whole", |bencher| bencher.iter(|| solve_file(&input, &output)));
    group.finish();
}

fn write(path: &Path, rows: &[u8]) {
    let mut output = create(path);
    output.write(rows).and_then(|()| output.finish()).expect("the folder is writable");
}

fn solve_file(input: &Path, output: &Path) {
    // SAFETY: The input is in a temporary folder that no other process knows.
    #[allow(unsafe_code)]
    let mapping = unsafe { Mapping::always() };
    let run = Run { mapping, threads: 1, ..Run::default() }.input(input).output(create(output));
    run.start(&SolveRows::new(Solver::new()), &mut |_| {}).expect("the run completes");
}

fn create(path: &Path) -> Output {
    let output = Output::create(path).expect("the folder is writable");
    // The disk is not measured.
    output.sync(false)
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).measurement_time(Duration::from_secs(2));
    targets = path
}
criterion_main!(benches);
