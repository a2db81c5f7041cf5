//! The stages of the lane engine at each instruction set: a vector of puzzles into lanes, one sweep over it, a vector
//! of solutions out of lanes. All in the nearest cache; `path.rs` has the steps around the engine.
#![allow(missing_docs, reason = "made by macros")]

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rapidoku::{Puzzle, SimdLevel, Stage};

const SOLVED: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

/// Vectors in a measurement, lest the clock and the call be what is measured.
const TIMES: usize = 100;

/// None of the stages has a branch that depends on the puzzles, so that solved ones do for all of them.
fn stages(criterion: &mut Criterion) {
    let solved: Puzzle = SOLVED.parse().expect("81 cells");
    for stage in Stage::ALL {
        let mut group = criterion.benchmark_group(stage.name());
        for level in SimdLevel::available() {
            let puzzles = vec![solved; level.lanes()];
            group.throughput(Throughput::Elements((TIMES * level.lanes()) as u64));
            group.bench_function(level.name(), |bencher| {
                bencher.iter(|| stage.run(level, black_box(&puzzles), TIMES));
            });
        }
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().warm_up_time(Duration::from_secs(1)).measurement_time(Duration::from_secs(2));
    targets = stages
}
criterion_main!(benches);
