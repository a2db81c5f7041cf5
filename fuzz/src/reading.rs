//! Reads bytes as an input of the library, in batches, without the threads of a run.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use rapidoku::file::internal::{Batch, BatchReader, ReadOptions};
use rapidoku::file::{Input, InputOptions, Layout, Mapping, Records};
use rapidoku::{Candidates, Puzzle, PuzzleError, SimdLevel};
use tempfile::TempDir;

/// A folder in memory, where the system has such a place.
pub fn folder() -> &'static Path {
    static FOLDER: LazyLock<TempDir> = LazyLock::new(|| {
        let memory = Path::new("/dev/shm");
        if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }.unwrap()
    });
    FOLDER.path()
}

/// Writes the file that [`read`] reads. Tests run in several threads, each with a file of its own.
pub fn write(bytes: &[u8]) -> PathBuf {
    let path = folder().join(format!("{:?}", std::thread::current().id()));
    fs::write(&path, bytes).unwrap();
    path
}

/// A record of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The offset in the input. In arrays of JSON, that in the lines that it becomes.
    pub start: u64,
    /// The cells with `.` for blanks; `None` if it is not a puzzle.
    pub cells: Option<String>,
    /// The reason why it is invalid, if it is.
    pub reason: Option<String>,
    /// The complete grid that it gives as its solution.
    pub solution: Option<String>,
}

/// A way to read.
#[derive(Clone, Copy)]
pub struct Way {
    /// From a map, instead of a stream.
    pub is_mapped: bool,
    /// The size of batches.
    pub batch_bytes: usize,
    /// The instruction set.
    pub level: SimdLevel,
}

impl Way {
    /// All at once, and in the smallest batches at each level, from a map and from a stream.
    pub fn all() -> Vec<Way> {
        let level = SimdLevel::detect();
        let mut ways = vec![Way { is_mapped: true, batch_bytes: 1 << 20, level }];
        ways.extend(SimdLevel::available().into_iter().enumerate().map(|(n, level)| Way {
            is_mapped: n % 2 == 1,
            batch_bytes: 1,
            level,
        }));
        ways
    }
}

/// The records of a file, and the message of the error after them.
pub fn read(path: &Path, format: &InputOptions, way: Way) -> (Vec<Record>, Option<String>) {
    // SAFETY: No other process knows the file.
    let mapping = if way.is_mapped { unsafe { Mapping::always() } } else { Mapping::NEVER };
    let options = ReadOptions { mapping, size: way.batch_bytes, input: format.clone() };
    let mut reader = BatchReader::new(vec![Input::from(path)], options);
    let (mut batch, mut records, mut found) = (Batch::default(), Records::default(), Vec::new());
    let mut consumed = 0;
    loop {
        match reader.next(&mut batch) {
            Ok(true) => {}
            Ok(false) => return (found, None),
            Err(error) => return (found, Some(error.message())),
        }
        let origin = batch.origin();
        let before = consumed + if batch.is_first { origin.skipped_bytes } else { 0 };
        consumed += batch.consumed;
        let mut at = 0;
        while at < batch.text().len() {
            let text = &batch.text()[at..];
            let length = records.read(&origin.layout, text, way.level, usize::MAX);
            assert_eq!(records.puzzles().len(), records.starts().len());
            let starts: Vec<usize> = records.starts().iter().map(|&start| start as usize).collect();
            for (k, &start) in starts.iter().enumerate() {
                let end = starts.get(k + 1).copied().unwrap_or(length);
                let before = before + (at + start) as u64;
                found.push(record(&origin.layout, &text[start..end], &records, k, before));
            }
            at += length;
        }
    }
}

fn record(layout: &Layout, text: &[u8], records: &Records, k: usize, start: u64) -> Record {
    let diagnosed = layout.diagnose(text);
    // What is found out about a record at a time agrees with what was found for all.
    let puzzle = records.puzzles()[k];
    assert_eq!(diagnosed.is_some(), puzzle.clash().is_some());
    let is_puzzle = !matches!(&diagnosed, Some((_, reason)) if !matches!(reason, PuzzleError::Clash { .. }));
    assert_eq!(is_puzzle, records.is_puzzle(k));
    let cells = layout.cells(text);
    assert_eq!(cells.is_some(), is_puzzle);
    if let Some(clues) = cells.as_deref().and_then(|cells| Puzzle::try_from(cells).ok()) {
        assert_eq!(clues, puzzle);
    } else if let Some(marks) = &cells {
        assert_eq!(Candidates::try_from(&**marks), Ok(records.candidates(k)));
    }
    let blank = |byte: &u8| if (b'1'..=b'9').contains(byte) { char::from(*byte) } else { '.' };
    let bytes = layout.record_bytes(text);
    assert!(text.starts_with(bytes) && !bytes.is_empty());
    Record {
        start,
        cells: cells.map(|cells| cells.iter().map(blank).collect()),
        reason: diagnosed.map(|(line, reason)| format!("{line}: {reason}")),
        solution: layout.given_solution(text).map(|cells| String::from_utf8(cells.to_vec()).unwrap()),
    }
}

/// Reads bytes in every [`Way`], which must all give the same.
pub fn read_in_all_ways(bytes: &[u8], format: &InputOptions) -> (Vec<Record>, Option<String>) {
    let path = write(bytes);
    let mut results = Way::all().into_iter().map(|way| read(&path, format, way));
    let first = results.next().unwrap();
    results.for_each(|other| assert_eq!(other, first));
    first
}
