use std::fs;
use std::path::Path;

use rapidoku::file::{
    self, Column, Event, Format, InputFormat, InputOptions, Mapping, Output, Run, SolveRows, Unfinished,
};
use rapidoku::{Engine, Limits, Solver};

use crate::reading;

/// Any bytes as a file: tables, grids, archives. However it is read, the records are the same, or the error is.
///
/// The first byte chooses the layout, mostly the one that is recognised from the content. Each input is read in two ways
/// without the threads and files of a run. The seeds also go through complete runs, which take twenty times as long: each
/// starts a pool of threads and writes a file. So the fuzzer makes them for one input in 512.
pub fn formats(bytes: &[u8]) {
    let Some((&first, text)) = bytes.split_first() else { return };
    let form = [
        InputFormat::Csv,
        InputFormat::Tsv,
        InputFormat::Grids,
        InputFormat::Lines,
        InputFormat::Pencilmarks,
        InputFormat::Candidates,
        InputFormat::OpenSudoku,
        InputFormat::Npy,
    ];
    let form = form.get(usize::from(first)).copied().unwrap_or(InputFormat::Auto);
    let format = InputOptions::default().format(form);
    let sum = bytes.iter().fold(0_u16, |sum, &byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    let ways = reading::Way::all();
    let records =
        reading::read_in_ways(&[ways[0], ways[1 + usize::from(sum) % (ways.len() - 1)]], text, &format);
    if !cfg!(fuzzing) || sum % 512 == 77 {
        let whole = run(text, &format, 1, 1 << 20);
        assert_eq!(run(text, &format, 2, 1), whole);
        match (records, whole) {
            (Ok(records), Ok((count, invalid, _))) => {
                assert_eq!(count, records.len() as u64);
                assert_eq!(invalid, records.iter().filter(|record| record.reason.is_some()).count());
            }
            (Err(reading), Err(running)) => assert_eq!(reading, running),
            // Only a run compares the columns of the files in an archive.
            (Ok(records), Err(running)) if records.iter().any(|record| record.input > 0) => {
                assert!(running.contains("no column"), "{running}");
            }
            other => panic!("{other:?}"),
        }
    }
}

/// The number of records and of invalid ones, and the output of a run.
fn run(
    text: &[u8],
    format: &InputOptions,
    threads: usize,
    batch_bytes: usize,
) -> Result<(u64, usize, Vec<u8>), String> {
    let input = reading::write(text);
    let output = input.with_extension("out");
    let _there_may_be_none = fs::remove_file(&output);
    let mut invalid = 0;
    let stats = job(&input, &output, format, threads, batch_bytes, &mut |event| {
        invalid += usize::from(matches!(event, Event::Invalid(_)));
    });
    match stats {
        Ok(stats) => {
            assert_eq!(stats.counts.records(), stats.records);
            Ok((stats.records, invalid, fs::read(&output).unwrap()))
        }
        Err(error) => {
            assert!(!output.exists());
            Err(error.message().to_string())
        }
    }
}

fn job(
    input: &Path,
    output: &Path,
    format: &InputOptions,
    threads: usize,
    batch_bytes: usize,
    on_event: &mut dyn FnMut(Event),
) -> Result<file::Stats, file::Error> {
    // SAFETY: No other process knows the file.
    let mapping = unsafe { Mapping::always() };
    let run = Run::default().input(input).mapping(mapping).input_options(format.clone());
    let run = run.reported(u64::MAX).threads(threads).batch_bytes(batch_bytes);
    let mut job = SolveRows::new(Solver::new().engine(Engine::Scalar).limits(Limits::FIRST.max_guesses(0)));
    job.table.format = Format::Csv;
    job.table.columns = vec![Column::Record, Column::Puzzle, Column::Solution];
    job.table.passthrough = true;
    run.output(Output::create(output, &Unfinished::default())?).start(&job, on_event)
}
