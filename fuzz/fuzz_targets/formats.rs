//! Any bytes as a file: tables, grids, archives. However it is read, the rows are the same, there is one for
//! each record, and trouble is an error.
#![no_main]

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use rapidoku::engine::{Engine, Limits};
use rapidoku::input::Input;
use rapidoku::job::{Column, Format, Solve};
use rapidoku::output::{Output, Unfinished};
use rapidoku::pipeline::{self, Config, Event};
use rapidoku::record::{Form, InputFormat};
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
    let run = |may_map, batch_bytes| {
        let _there_may_be_none = fs::remove_file(&output);
        let config = Config {
            inputs: vec![Input::File(input.clone())],
            may_map,
            reading: InputFormat { form, ..InputFormat::default() },
            engine: Engine::Scalar,
            search: Limits { limit: 1, max_guesses: 0 },
            reported: u64::MAX,
            threads: 1,
            batch_bytes: Some(batch_bytes),
        };
        let columns = vec![Column::Record, Column::Puzzle, Column::Solution];
        let job = Solve { format: Format::Csv, columns, passthrough: true, blank: None };
        let mut invalid = Vec::new();
        let stats = pipeline::run(
            &config,
            &job,
            Output::create(&output, &Unfinished::default()).unwrap(),
            &mut |event| {
                if let Event::Invalid { record, line, byte_offset, reason, .. } = event {
                    invalid.push((record, line, byte_offset, reason));
                }
            },
        );
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
    let whole = run(true, 1 << 20);
    assert_eq!(run(true, 1), whole);
    assert_eq!(run(false, 1), whole);
});
