//! Reads bytes as an input of the library, in batches, without the threads of a run.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use rapidoku::file::internal::{Batch, BatchReader, ReadOptions};
use rapidoku::file::{Input, InputOptions, Layout, Mapping, Records};
use rapidoku::{Candidates, Puzzle, SimdLevel};
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

/// Whether a text is rejected because of magic bytes of another format that are not at its start.
pub fn has_magic(text: &[u8]) -> bool {
    let tail = |at: usize| text.get(at..).unwrap_or_default();
    tail(4).starts_with(b"1AY&SY") || tail(257).starts_with(b"ustar\0") || tail(257).starts_with(b"ustar  \0")
}

/// A record of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The index of the input: several in an archive.
    pub input: usize,
    /// The offset in the input.
    pub start: u64,
    /// `None` if it is not a puzzle.
    pub puzzle: Option<Puzzle>,
    /// `None` unless it is a puzzle given as pencilmarks.
    pub pencilmarks: Option<Candidates>,
    /// The reason why it is invalid, if it is.
    pub reason: Option<String>,
    /// The content of the column of solutions.
    pub solution: Option<Vec<u8>>,
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

/// The records of a file, or the message of the error.
pub fn read(path: &Path, format: &InputOptions, way: Way) -> Result<Vec<Record>, String> {
    // SAFETY: No other process knows the file.
    let mapping = if way.is_mapped { unsafe { Mapping::always() } } else { Mapping::NEVER };
    let options = ReadOptions {
        mapping,
        size: way.batch_bytes,
        first_size: 0,
        whole_lines: true,
        input: format.clone(),
    };
    let mut reader = BatchReader::new(vec![Input::from(path)], options);
    let (mut batch, mut records, mut found) = (Batch::default(), Records::default(), Vec::new());
    let (mut input, mut consumed) = (0, 0);
    while reader.next(&mut batch).map_err(|error| error.message().to_string())? {
        let origin = batch.origin();
        if origin.index != input {
            (input, consumed) = (origin.index, 0);
        }
        let before = consumed + if batch.is_first { origin.skipped_bytes } else { 0 };
        consumed += batch.consumed;
        records.read_as(&origin.layout, batch.text(), way.level);
        assert_eq!(records.puzzles().len(), records.starts().len());
        for (k, &start) in records.starts().iter().enumerate() {
            found.push(record(&origin.layout, batch.text(), &records, k, start, input, before));
        }
    }
    Ok(found)
}

fn record(
    layout: &Layout,
    text: &[u8],
    records: &Records,
    k: usize,
    start: u32,
    input: usize,
    before: u64,
) -> Record {
    let at = start as usize;
    let diagnosed = layout.diagnose(text, at);
    let cells = layout.cells(text, at);
    // What is found out about a record at a time agrees with what was found for all.
    let puzzle = records.puzzles()[k];
    assert_eq!(diagnosed.is_some(), puzzle.clash().is_some());
    assert_eq!(cells.is_some(), records.is_puzzle(k));
    if let Some(cells) = cells {
        let parsed = match records.pencilmarks().get(k) {
            Some(candidates) => Candidates::try_from(&*cells).map(|parsed| assert_eq!(parsed, *candidates)),
            None => Puzzle::try_from(&*cells).map(|parsed| assert_eq!(parsed, puzzle)),
        };
        parsed.unwrap();
    }
    let lines = layout.record_lines(text, at);
    assert!(text[at..].starts_with(lines) && !lines.is_empty());
    Record {
        input,
        start: before + u64::from(start),
        puzzle: records.is_puzzle(k).then_some(puzzle),
        pencilmarks: records.pencilmarks().get(k).filter(|_| records.is_puzzle(k)).copied(),
        reason: diagnosed.map(|(line, reason)| format!("{}: {reason}", line - at)),
        solution: layout.solution(text, at).map(|(_, field)| field.to_vec()),
    }
}

/// Reads bytes in every [`Way`], which must all give the same.
pub fn read_in_all_ways(bytes: &[u8], format: &InputOptions) -> Result<Vec<Record>, String> {
    read_in_ways(&Way::all(), bytes, format)
}

/// Reads bytes in several ways, which must all give the same.
pub fn read_in_ways(ways: &[Way], bytes: &[u8], format: &InputOptions) -> Result<Vec<Record>, String> {
    let path = write(bytes);
    let mut results = ways.iter().map(|way| read(&path, format, *way));
    let first = results.next().unwrap();
    results.for_each(|other| assert_eq!(other, first));
    first
}
