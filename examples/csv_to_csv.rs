//! Reads a CSV file of puzzles and writes a CSV file with their solutions: one row out per record in, in order.
//!
//! cargo run --release --features file --example csv_to_csv -- puzzles.csv solved.csv

use std::error::Error;
use std::path::Path;

use rapidoku::Solver;
use rapidoku::file::{self, Column, Event, Format, Output, Run, SolveRows, Stats};

fn solve_csv(input: &Path, output: &Path) -> Result<Stats, file::Error> {
    let columns = [Column::Solution, Column::Status, Column::Guesses];
    let mut job = SolveRows::new(Solver::new()).format(Format::Csv).columns(columns);
    // They follow all columns of the input.
    job.table.passthrough = true;
    // The output appears under its name when it is complete.
    let output = Output::create(output)?;
    let run = Run { reported: 10, ..Run::default() }.input(input).output(output);
    run.start(&job, &mut |event| {
        if let Event::Invalid(record) = event {
            eprintln!("{}:{}: {}", record.input, record.line, record.reason);
        }
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    let [input, output] = match &std::env::args().collect::<Vec<_>>()[..] {
        [_, input, output] => [input.into(), output.into()],
        _ => {
            let folder = std::env::temp_dir();
            let input = folder.join("puzzles.csv");
            std::fs::write(
                &input,
                "id,puzzle\na,53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\nb,?\n",
            )?;
            [input, folder.join("solved.csv")]
        }
    };
    let stats = solve_csv(&input, &output)?;
    println!("{} records, {} with one solution: {}", stats.records, stats.counts.unique, output.display());
    Ok(())
}
