//! Any bytes as a file: tables, grids, archives. However it is read, the rows are the same, there is one for
//! each record, and trouble is an error.
#![no_main]

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use rapidoku::file::{self, Column, Config, Event, Form, Format, InputFormat, Mapping, Output, SolveRows, Unfinished};
use rapidoku::{Engine, Limits, Solver};
use tempfile::TempDir;

/// One folder for all inputs, in memory where the system has such a place.
static FOLDER: LazyLock<TempDir> = LazyLock::new(|| {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }.unwrap()
});

// The first byte chooses the layout: mostly it is to be told by content.
fuzz_target!(|bytes: &[u8]| {
    let Some((&first, text)) = bytes.split_first() else { return };
    let form = [Form::Csv, Form::Tsv, Form::Grids, Form::Lines, Form::Pencilmarks];
    let form = form.get(usize::from(first)).copied().unwrap_or(Form::Auto);
    let (input, output) = (FOLDER.path().join("in"), FOLDER.path().join("out"));
    fs::write(&input, text).unwrap();
    let run = |mapping: Mapping, batch_bytes| {
        let _there_may_be_none = fs::remove_file(&output);
        let format = InputFormat::default().form(form);
        let config = Config::default().input(&input).mapping(mapping).format(format);
        let config = config.reported(u64::MAX).threads(1).batch_bytes(batch_bytes);
        let mut job = SolveRows::new(Solver::new().engine(Engine::Scalar).limits(Limits::FIRST.max_guesses(0)));
        job.format = Format::Csv;
        job.columns = vec![Column::Record, Column::Puzzle, Column::Solution];
        job.passthrough = true;
        let mut invalid = Vec::new();
        let target = Output::create(&output, &Unfinished::default()).unwrap();
        let stats = file::run(&config, &job, target, &mut |event| {
            if let Event::Invalid(record) = event {
                invalid.push((record.record, record.line, record.byte_offset, record.reason));
            }
        });
        match stats {
            Ok(stats) => {
                assert_eq!(stats.counts.records(), stats.records);
                Ok((stats.records, invalid, fs::read(&output).unwrap()))
            }
            Err(error) => {
                assert!(!output.exists());
                Err(error.to_string())
            }
        }
    };
    // SAFETY: No other process knows the file.
    let mapped = || unsafe { Mapping::always() };
    let whole = run(mapped(), 1 << 20);
    assert_eq!(run(mapped(), 1), whole);
    assert_eq!(run(Mapping::NEVER, 1), whole);
});
