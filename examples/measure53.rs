use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng as Rng;
use rapidoku::grid::{CELLS, PEERS};
use rapidoku::*;
use std::ops::ControlFlow;

fn fits(cells: &[u8; CELLS], cell: usize, digit: u8) -> bool {
    PEERS[cell].iter().all(|&peer| cells[peer as usize] != digit)
}
fn mutants(n: usize) -> Vec<Puzzle> {
    let worst: Vec<Puzzle> = include_str!("../datasets/worst_cases.txt")
        .lines()
        .filter(|l| !l.starts_with('#'))
        .map(|l| l.split_once(',').unwrap().0.parse().unwrap())
        .collect();
    let mut rng = Rng::seed_from_u64(53);
    (0..n)
        .map(|k| {
            let mut cells = *worst[k % worst.len()].cells();
            for _ in 0..rng.random_range(0..=3) {
                let clues: Vec<usize> = (0..CELLS).filter(|&c| cells[c] != 0).collect();
                let from = clues[rng.random_range(0..clues.len())];
                let digit = std::mem::take(&mut cells[from]);
                if rng.random_bool(0.5) {
                    for _ in 0..20 {
                        let to = rng.random_range(0..CELLS);
                        if cells[to] == 0 && fits(&cells, to, digit) {
                            cells[to] = digit;
                            break;
                        }
                    }
                }
            }
            let mut digits: [u8; 10] = std::array::from_fn(|d| d as u8);
            for d in (2..10).rev() {
                digits.swap(d, rng.random_range(1..=d));
            }
            Puzzle::from_cells(cells.map(|d| digits[d as usize])).unwrap()
        })
        .collect()
}
fn marks(n: usize) -> Vec<Candidates> {
    let worst: Vec<Candidates> = include_str!("../datasets/worst_cases_pencilmarks.txt")
        .lines()
        .filter(|l| !l.starts_with('#'))
        .map(|l| l.split_once(',').unwrap().0.parse().unwrap())
        .collect();
    let mut rng = Rng::seed_from_u64(54);
    (0..n)
        .map(|k| {
            let mut cells = *worst[k % worst.len()].cells();
            for _ in 0..rng.random_range(0..=6) {
                cells[rng.random_range(0..CELLS)] ^= 1 << rng.random_range(0..9);
            }
            Candidates::from_cells(cells).unwrap()
        })
        .collect()
}
fn cpu() -> f64 {
    let s = std::fs::read_to_string("/proc/self/schedstat").unwrap();
    s.split(' ').next().unwrap().parse::<f64>().unwrap() / 1e9
}
fn main() {
    let arg: Vec<String> = std::env::args().skip(1).collect();
    let cap: u64 = arg[0].parse().unwrap();
    let n: usize = arg[1].parse().unwrap();
    let kinds = &arg[2];
    let limits: Vec<u64> =
        arg[3].split(',').map(|l| if l == "max" { u64::MAX } else { l.parse().unwrap() }).collect();
    if arg[4] == "bench" {
        // One pass over a file: engine kinds, limits.
        let text = std::fs::read_to_string(&arg[5]).unwrap();
        let puzzles: Vec<Puzzle> = text.lines().take(n).map(|l| l.parse().unwrap()).collect();
        for limit in limits {
            for kind in kinds.chars() {
                let limits = Limits::up_to(limit.try_into().unwrap()).max_guesses(cap);
                let engine = if "sei".contains(kind) { Engine::Scalar } else { Engine::Lanes };
                let solver = Solver::new().engine(engine).limits(limits).threads(1);
                let mut rows = 0u64;
                let mut o = Outcomes::new();
                let start = cpu();
                match kind {
                    's' | 'l' => o = solver.solve(&puzzles),
                    'i' => {
                        o.clone_from(&solver.clone().limits(Limits::FIRST).solve(&puzzles));
                        for p in &puzzles {
                            rows += p.solutions().limits(limits).count() as u64;
                        }
                    }
                    _ => {
                        let _ = solver.enumerate(&puzzles, &mut o, &CancelToken::new(), |_, _| {
                            rows += 1;
                            ControlFlow::Continue(())
                        });
                    }
                }
                let t = cpu() - start;
                let hash = o
                    .solution_counts()
                    .iter()
                    .fold(0u64, |h, c| h.wrapping_mul(6364136223846793005).wrapping_add(*c));
                println!(
                    "{} limit {limit} {kind}: {t:.3} s cpu, solutions {} rows {rows} guesses {} hash {hash:x} caps {}",
                    arg[5].rsplit('/').next().unwrap(),
                    o.solution_counts().iter().sum::<u64>(),
                    o.guesses().iter().sum::<u64>(),
                    o.statuses().iter().filter(|s| **s == Status::Limit).count()
                );
            }
        }
        return;
    }
    let all: Vec<Candidates> =
        if arg[4] == "marks" { marks(n) } else { mutants(n).iter().map(Candidates::from).collect() };
    let verbose = arg.len() > 5;
    for limit in limits {
        let limits = Limits::up_to(limit.try_into().unwrap()).max_guesses(cap);
        for kind in kinds.chars() {
            let start = std::time::Instant::now();
            let engine = if "sei".contains(kind) { Engine::Scalar } else { Engine::Lanes };
            let solver = Solver::new().engine(engine).limits(limits).threads(1);
            let mut slowest = std::time::Duration::ZERO;
            let outs: Vec<Outcome> = all
                .iter()
                .map(|p| {
                    let t = std::time::Instant::now();
                    let r = match kind {
                        's' | 'l' => solver.solve(std::slice::from_ref(p)).get(0).unwrap(),
                        'i' => {
                            let mut it = p.solutions().limits(limits);
                            it.by_ref().for_each(drop);
                            it.outcome()
                        }
                        _ => {
                            let mut o = Outcomes::new();
                            let _ = solver.enumerate(
                                std::slice::from_ref(p),
                                &mut o,
                                &CancelToken::new(),
                                |_, _| ControlFlow::Continue(()),
                            );
                            o.get(0).unwrap()
                        }
                    };
                    slowest = slowest.max(t.elapsed());
                    r
                })
                .collect();
            let excess = |o: &Outcome| o.guesses.saturating_sub(2 * o.solutions);
            let worst = outs.iter().enumerate().max_by_key(|(_, o)| excess(o)).unwrap();
            let over = |b: u64| outs.iter().filter(|o| excess(o) > b).count();
            println!(
                "limit {limit} {kind}: max excess {} ({:?} sol {} guesses {}), >5k {} >10k {} >20k {} >50k {} >200k {}; caps {} sum sol {} sum guesses {} {:?} slowest {:?}",
                excess(worst.1),
                worst.1.status,
                worst.1.solutions,
                worst.1.guesses,
                over(5000),
                over(10_000),
                over(20_000),
                over(50_000),
                over(200_000),
                outs.iter().filter(|o| o.status == Status::Limit).count(),
                outs.iter().map(|o| o.solutions).sum::<u64>(),
                outs.iter().map(|o| o.guesses).sum::<u64>(),
                start.elapsed(),
                slowest
            );
            if verbose {
                let mut v: Vec<_> = outs.iter().enumerate().filter(|(_, o)| excess(o) > 5000).collect();
                v.sort_by_key(|(_, o)| std::cmp::Reverse(excess(o)));
                for (k, o) in v.iter().take(12) {
                    println!("   {k} {:?} sol {} guesses {}", o.status, o.solutions, o.guesses);
                }
            }
        }
    }
}
