//! The engines on the committed datasets: puzzles in memory to solutions in memory, one thread.
#![allow(missing_docs, reason = "made by macros")]

use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rapidoku::engine::{Engine, Outcomes, Search};
use rapidoku::grid::Puzzle;

const ENGINES: [Engine; 1] = [Engine::Scalar];

fn engines(criterion: &mut Criterion) {
    let search = Search { limit: 2, max_guesses: u64::MAX };
    let mut outcomes = Outcomes::default();
    for (name, puzzles) in datasets() {
        let mut group = criterion.benchmark_group(name);
        group.throughput(Throughput::Elements(puzzles.len() as u64));
        for engine in ENGINES {
            group.bench_function(engine.name(), |bencher| {
                bencher.iter(|| engine.solve(black_box(&puzzles), search, &mut outcomes));
            });
        }
    }
}

/// Each text file of `datasets/` that holds puzzles, one per line.
fn datasets() -> Vec<(String, Vec<Puzzle>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets");
    let mut paths: Vec<_> = folder
        .read_dir()
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .collect();
    paths.sort();
    let read = |path: &Path| {
        let text = std::fs::read_to_string(path).expect("a committed dataset is readable");
        let name = path.file_stem().expect("a file has a name").to_string_lossy().into_owned();
        (name, text.lines().filter_map(|line| line.parse().ok()).collect())
    };
    paths.iter().map(|path| read(path)).collect()
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).measurement_time(Duration::from_secs(2));
    targets = engines
}
criterion_main!(benches);
