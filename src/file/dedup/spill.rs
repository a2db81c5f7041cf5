//! Rows of numbers in parts, in memory up to a limit and beyond that in a temporary file.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard};

use crate::dedup::{Chunk, PARTS};
use crate::file::error::Error;
use crate::file::read;

/// Collects rows from several threads.
///
/// Rows wait in a log for each thread. A full log is sorted into a chunk. When the chunks exceed the limit, all of them are
/// written to the file as one run, part by part: a part of a run is one piece of the file.
pub(super) struct Collector<const W: usize, F> {
    part_of: F,
    folder: PathBuf,
    /// Rows in a log, and in all chunks in memory.
    log_rows: usize,
    max_rows: usize,
    logs: Mutex<Vec<Vec<[u64; W]>>>,
    rows: Mutex<Rows<W>>,
}

#[derive(Default)]
struct Rows<const W: usize> {
    chunks: Vec<Chunk<W>>,
    /// The number of rows in `chunks`.
    in_memory: usize,
    file: Option<File>,
    /// For each run its start in the file and the ends of its parts, in rows.
    runs: Vec<Vec<u64>>,
}

/// Logs are sorted when they have this many rows, unless the limit of memory is too small.
const MAX_LOG: usize = 1 << 16;
const MIN_LOG: usize = 256;
/// Rows that are read at a time.
const READ_ROWS: usize = 1 << 13;

impl<const W: usize, F: Fn(&[u64; W]) -> usize> Collector<W, F> {
    /// A collector for `threads` threads that keeps rows in about `memory` bytes. `part_of` gives the part of a row.
    pub fn new(memory: u64, threads: usize, folder: PathBuf, part_of: F) -> Collector<W, F> {
        let rows = usize::try_from(memory).unwrap_or(usize::MAX) / size_of::<[u64; W]>();
        let log_rows = (rows / (12 * threads)).clamp(MIN_LOG, MAX_LOG);
        // The logs, and a chunk that each thread is sorting.
        let max_rows = rows.saturating_sub(2 * threads * log_rows).max(log_rows);
        Collector { part_of, folder, log_rows, max_rows, logs: Mutex::default(), rows: Mutex::default() }
    }

    /// Adds rows.
    ///
    /// # Errors
    /// When the temporary file cannot be written.
    pub fn add(&self, rows: impl IntoIterator<Item = [u64; W]>) -> Result<(), Error> {
        let log = lock(&self.logs).pop();
        let mut log = log.unwrap_or_else(|| Vec::with_capacity(self.log_rows));
        for row in rows {
            log.push(row);
            if log.len() >= self.log_rows {
                self.store(&log)?;
                log.clear();
            }
        }
        lock(&self.logs).push(log);
        Ok(())
    }

    /// All rows that were added.
    ///
    /// # Errors
    /// When the temporary file cannot be written.
    pub fn finish(self) -> Result<Collected<W>, Error> {
        for log in std::mem::take(&mut *lock(&self.logs)) {
            self.store(&log)?;
        }
        let Rows { chunks, file, runs, .. } = self.rows.into_inner().expect("no thread panics with the lock");
        Ok(Collected { chunks, file: Mutex::new(file), runs, folder: self.folder })
    }

    fn store(&self, log: &[[u64; W]]) -> Result<(), Error> {
        let chunk = Chunk::new(log, Vec::new(), &self.part_of);
        let mut rows = lock(&self.rows);
        if rows.in_memory + chunk.len() > self.max_rows && rows.in_memory > 0 {
            if rows.file.is_none() {
                rows.file = Some(read::temporary(&self.folder)?);
            }
            rows.write_run().map_err(|cause| read::cannot_write(&self.folder, cause))?;
        }
        rows.in_memory += chunk.len();
        rows.chunks.push(chunk);
        Ok(())
    }
}

impl<const W: usize> Rows<W> {
    /// Moves all chunks to the end of the file.
    fn write_run(&mut self) -> io::Result<()> {
        let mut end = self.runs.last().map_or(0, |run| run[PARTS]);
        let mut file = BufWriter::with_capacity(1 << 20, self.file.as_ref().expect("it was created"));
        let mut run = vec![end];
        for part in 0..PARTS {
            for row in self.chunks.iter().flat_map(|chunk| chunk.part(part)) {
                row.iter().try_for_each(|number| file.write_all(&number.to_le_bytes()))?;
                end += 1;
            }
            run.push(end);
        }
        file.flush()?;
        drop(file);
        self.runs.push(run);
        self.chunks.clear();
        self.in_memory = 0;
        Ok(())
    }
}

/// Rows in parts.
pub(super) struct Collected<const W: usize> {
    chunks: Vec<Chunk<W>>,
    file: Mutex<Option<File>>,
    runs: Vec<Vec<u64>>,
    folder: PathBuf,
}

impl<const W: usize> Collected<W> {
    /// The number of rows in a part.
    pub fn len(&self, part: usize) -> usize {
        let in_memory: usize = self.chunks.iter().map(|chunk| chunk.part(part).len()).sum();
        let in_file: u64 = self.runs.iter().map(|run| run[part + 1] - run[part]).sum();
        in_memory + in_file as usize
    }

    /// Passes all rows of a part to `each`, in any order.
    ///
    /// # Errors
    /// When the temporary file cannot be read.
    pub fn for_each(&self, part: usize, mut each: impl FnMut(&[u64; W])) -> Result<(), Error> {
        self.chunks.iter().for_each(|chunk| chunk.part(part).iter().for_each(&mut each));
        let mut bytes = Vec::new();
        for run in &self.runs {
            let mut rows = run[part]..run[part + 1];
            while !rows.is_empty() {
                let n = rows.end.min(rows.start + READ_ROWS as u64) - rows.start;
                bytes.resize(n as usize * size_of::<[u64; W]>(), 0);
                self.read(rows.start, &mut bytes).map_err(|cause| read::cannot_write(&self.folder, cause))?;
                for row in bytes.as_chunks::<8>().0.as_chunks::<W>().0 {
                    each(&row.map(u64::from_le_bytes));
                }
                rows.start += n;
            }
        }
        Ok(())
    }

    fn read(&self, row: u64, bytes: &mut [u8]) -> io::Result<()> {
        let file = lock(&self.file);
        let mut file = file.as_ref().expect("there are runs");
        file.seek(SeekFrom::Start(row * size_of::<[u64; W]>() as u64))?;
        file.read_exact(bytes)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("no thread panics with the lock")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_all_rows_whatever_the_memory() {
        let rows: Vec<[u64; 3]> =
            (0..40_000).map(|n| [n, n * n, n * n * 2_654_435_761 % 1_000_003]).collect();
        let part_of = |row: &[u64; 3]| row[2] as usize % PARTS;
        for (memory, is_spilled) in [(1 << 14, true), (1 << 18, true), (1 << 24, false)] {
            let collector = Collector::new(memory, 2, std::env::temp_dir(), part_of);
            std::thread::scope(|scope| {
                for rows in rows.chunks(rows.len() / 2) {
                    let collector = &collector;
                    scope.spawn(move || {
                        rows.chunks(777).for_each(|rows| collector.add(rows.iter().copied()).unwrap())
                    });
                }
            });
            let collected = collector.finish().unwrap();
            assert_eq!(!collected.runs.is_empty(), is_spilled, "{memory}");
            for part in 0..PARTS {
                let mut found = Vec::new();
                collected.for_each(part, |row| found.push(*row)).unwrap();
                assert_eq!(collected.len(part), found.len());
                found.sort_unstable();
                let expected: Vec<_> = rows.iter().filter(|row| part_of(row) == part).copied().collect();
                assert!(found == expected, "{memory} {part}");
            }
        }
    }

    #[test]
    fn a_folder_that_does_not_exist_is_an_error() {
        let folder = PathBuf::from("does/not/exist");
        let collector = Collector::new(0, 1, folder, |row: &[u64; 2]| row[0] as usize % PARTS);
        let error = collector.add((0..1000).map(|n| [n, n])).unwrap_err();
        assert_eq!(error.to_string(), "cannot create 'temporary file in does/not/exist'");
    }
}
