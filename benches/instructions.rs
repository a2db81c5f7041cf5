//! Instructions of the steps of the library, counted by valgrind: the same number each time for the same compiler and
//! code, whatever else the machine does. `scripts/checks/instructions.sh` compares two commits by them.
//!
//! Valgrind knows no AVX-512, so the lanes are counted with AVX2 and without. Instructions are not time: wider vectors
//! need fewer and slower ones.
#![allow(missing_docs, reason = "made by macros")]

use std::hint::black_box;
use std::path::Path;
use std::process::Command;

use gungraun::Callgrind;
use gungraun::prelude::*;
use rapidoku::file::{Layout, Records};
use rapidoku::{Engine, Outcomes, Puzzle, SimdLevel, Solver};

/// The level of this name, or the next best of the machine that runs this.
fn level(name: &str) -> SimdLevel {
    SimdLevel::available().into_iter().find(|level| level.name() == name).unwrap_or(SimdLevel::PORTABLE)
}

fn text() -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../datasets/sample_10k.txt");
    std::fs::read(path).expect("the committed sample is readable")
}

/// Buffers as they are after a first batch.
fn parsed() -> (Vec<u8>, Records) {
    let (text, mut records) = (text(), Records::default());
    records.read(Layout::lines(), &text, SimdLevel::detect(), usize::MAX);
    (text, records)
}

#[library_benchmark]
#[bench::sample(setup = parsed)]
fn parse((text, mut records): (Vec<u8>, Records)) -> Records {
    records.read(Layout::lines(), black_box(&text), SimdLevel::detect(), usize::MAX);
    records
}

fn lanes(level_name: &str) -> Solver {
    Solver::new().threads(1).level(level(level_name))
}

// Instructions of other threads are not counted.
fn scalar() -> Solver {
    Solver::new().threads(1).engine(Engine::Scalar)
}

fn batch(solver: Solver) -> (Solver, Vec<Puzzle>, Outcomes) {
    let (_, records) = parsed();
    let mut outcomes = Outcomes::default();
    outcomes.reset(records.len());
    (solver, records.puzzles().to_vec(), outcomes)
}

#[library_benchmark(setup = batch)]
#[bench::avx2(lanes("avx2"))]
#[bench::portable(lanes("portable"))]
#[bench::scalar(scalar())]
fn solve((solver, puzzles, mut outcomes): (Solver, Vec<Puzzle>, Outcomes)) -> Outcomes {
    solver.solve_into(black_box(&puzzles), &mut outcomes);
    outcomes
}

library_benchmark_group!(name = way; benchmarks = parse, solve);

mod counted {
    use super::*;

    main!(
        config = LibraryBenchmarkConfig::default().tool(Callgrind::with_args(["--cache-sim=no"]));
        library_benchmark_groups = way
    );

    pub fn all() {
        main();
    }
}

/// Gungraun starts its runner, and that starts this program again and again under valgrind.
fn main() {
    let is_counted = std::env::args().any(|arg| arg == "--gungraun-run");
    let runs = |program: &str| Command::new(program).arg("--version").output().is_ok();
    if is_counted || runs("valgrind") && runs("gungraun-runner") {
        counted::all();
    } else {
        println!("skipped: needs valgrind and gungraun-runner");
    }
}
