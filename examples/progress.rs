//! Solves a file with a progress line on standard error, and stops after a time limit.
//!
//! cargo run --release --features file --example progress -- puzzles.txt > solutions.txt

use std::error::Error;
use std::time::{Duration, Instant};

use rapidoku::file::{self, Event, Input, Output, Run, SolveRows};
use rapidoku::{CancelToken, Limits, Solver};

const TIME_LIMIT: Duration = Duration::from_secs(60);

fn main() -> Result<(), Box<dyn Error>> {
    let input = std::env::args_os().nth(1).map_or(Input::Stdin, |path| Input::File(path.into()));
    let cancel = CancelToken::new();
    let run = Run { cancel: cancel.clone(), ..Run::default() }.input(input).output(Output::stdout());
    let job = SolveRows::new(Solver::new().limits(Limits::FIRST));
    let start = Instant::now();
    let result = run.start(&job, &mut |event| {
        // About every 50 ms.
        if let Event::Progress { stats, total_bytes } = event {
            let percent = total_bytes.map(|total| 100.0 * stats.stored_bytes as f64 / total as f64);
            eprint!("\r{} puzzles, {:.0} %", stats.records, percent.unwrap_or(f64::NAN));
        }
        if start.elapsed() > TIME_LIMIT {
            cancel.cancel();
        }
    });
    match result {
        Ok(stats) => eprintln!("\r{} puzzles, {:.0} puzzles/s", stats.records, stats.puzzles_per_second),
        Err(file::Error::Cancelled) => eprintln!("\nstopped after {TIME_LIMIT:?}"),
        Err(error) => return Err(error.into()),
    }
    Ok(())
}
