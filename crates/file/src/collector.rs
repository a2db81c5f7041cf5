//! Rows in parts, in memory up to a limit and beyond that in a temporary file.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::mem::take;
use std::sync::Mutex;

use bytemuck::Pod;

use super::error::Error;
use super::sync::lock;
use super::temporary::{cannot_write, temporary};
use rapidoku_generate::dedup::{Chunk, PARTS};

/// Collects rows from several threads. A row is one or several items.
///
/// Rows wait in a log for each thread. A full log is sorted into a chunk. When the chunks exceed the limit, all of them
/// are written to the file as one run, part by part: a part of a run is one piece of the file.
#[derive(Debug)]
pub struct Collector<T, F> {
    /// The part of the first of some rows, and its length.
    first: F,
    /// The size of a log, unless more rows are added at once.
    log_bytes: usize,
    max_bytes: usize,
    logs: Mutex<Vec<Vec<T>>>,
    rows: Mutex<Rows<T>>,
}

#[derive(Debug)]
struct Rows<T> {
    chunks: Vec<Chunk<T>>,
    /// The memory of the chunks, and that of the logs and of a chunk that is made of each.
    bytes: usize,
    log_bytes: usize,
    file: Option<File>,
    /// For each run its start in the file and the ends of its parts, in items.
    runs: Vec<Vec<u64>>,
}

/// The bounds of [`Collector::log_bytes`].
const LOG_BYTES: [usize; 2] = [8 << 10, 1 << 20];
/// Bytes that are read at a time: whole rows, if these have up to 3 numbers of 64 bits.
const READ_BYTES: usize = 192 << 10;

impl<T: Pod, F: Fn(&[T]) -> (usize, usize)> Collector<T, F> {
    /// A collector that keeps rows in about `memory` bytes. `first` gives the part of the first of some rows, and its
    /// length.
    pub fn new(memory: u64, first: F) -> Collector<T, F> {
        let max_bytes = usize::try_from(memory).unwrap_or(usize::MAX);
        let rows = Rows { chunks: Vec::new(), bytes: 0, log_bytes: 0, file: None, runs: Vec::new() };
        let log_bytes = (max_bytes / 128).clamp(LOG_BYTES[0], LOG_BYTES[1]);
        Collector { first, log_bytes, max_bytes, logs: Mutex::default(), rows: Mutex::new(rows) }
    }

    /// Adds rows.
    ///
    /// # Errors
    /// When the temporary file cannot be written.
    pub fn add(&self, rows: &[T]) -> Result<(), Error> {
        let log = lock(&self.logs).pop();
        let mut log = log.unwrap_or_else(|| {
            lock(&self.rows).log_bytes += 2 * self.log_bytes;
            Vec::with_capacity(self.log_bytes / size_of::<T>())
        });
        if size_of_val(&*log) + size_of_val(rows) > self.log_bytes {
            self.store(&log)?;
            log.clear();
        }
        log.extend_from_slice(rows);
        lock(&self.logs).push(log);
        Ok(())
    }

    /// All rows that were added. None are left.
    ///
    /// # Errors
    /// When the temporary file cannot be written.
    pub fn finish(&self) -> Result<Collected<T>, Error> {
        for log in take(&mut *lock(&self.logs)) {
            self.store(&log)?;
        }
        let rows = &mut *lock(&self.rows);
        (rows.bytes, rows.log_bytes) = (0, 0);
        let (chunks, runs) = (take(&mut rows.chunks), take(&mut rows.runs));
        Ok(Collected { chunks, file: Mutex::new(rows.file.take()), runs })
    }

    fn store(&self, log: &[T]) -> Result<(), Error> {
        if log.is_empty() {
            return Ok(());
        }
        let chunk = Chunk::new(log, Vec::new(), &self.first);
        let mut rows = lock(&self.rows);
        if rows.bytes + chunk.bytes() + rows.log_bytes > self.max_bytes && rows.bytes > 0 {
            if rows.file.is_none() {
                rows.file = Some(temporary()?);
            }
            rows.write_run().map_err(cannot_write)?;
        }
        rows.bytes += chunk.bytes();
        rows.chunks.push(chunk);
        Ok(())
    }
}

impl<T: Pod> Rows<T> {
    /// Moves all chunks to the end of the file.
    fn write_run(&mut self) -> io::Result<()> {
        let mut end = self.runs.last().map_or(0, |run| run[PARTS]);
        let mut file = BufWriter::with_capacity(1 << 20, self.file.as_ref().expect("it was created"));
        let mut run = vec![end];
        for part in 0..PARTS {
            for rows in self.chunks.iter().map(|chunk| chunk.part(part)) {
                file.write_all(bytemuck::cast_slice(rows))?;
                end += rows.len() as u64;
            }
            run.push(end);
        }
        file.flush()?;
        drop(file);
        self.runs.push(run);
        self.chunks.clear();
        self.bytes = 0;
        Ok(())
    }
}

/// Rows in parts.
pub struct Collected<T> {
    chunks: Vec<Chunk<T>>,
    file: Mutex<Option<File>>,
    runs: Vec<Vec<u64>>,
}

impl<T: Pod> Collected<T> {
    /// The number of items in a part.
    pub fn len(&self, part: usize) -> usize {
        let in_memory: usize = self.chunks.iter().map(|chunk| chunk.part(part).len()).sum();
        let in_file: u64 = self.runs.iter().map(|run| run[part + 1] - run[part]).sum();
        in_memory + in_file as usize
    }

    /// Passes the rows of a part to `each`, in any order and several at a time. Rows of different lengths may be
    /// divided between two calls.
    ///
    /// # Errors
    /// When the temporary file cannot be read.
    pub fn for_each(&self, part: usize, mut each: impl FnMut(&[T])) -> Result<(), Error> {
        self.chunks.iter().for_each(|chunk| each(chunk.part(part)));
        let max = READ_BYTES / size_of::<T>();
        let mut items = Vec::new();
        for run in &self.runs {
            for start in (run[part]..run[part + 1]).step_by(max) {
                items.resize((run[part + 1] - start).min(max as u64) as usize, T::zeroed());
                self.read(start, &mut items).map_err(cannot_write)?;
                each(&items);
            }
        }
        Ok(())
    }

    fn read(&self, start: u64, items: &mut [T]) -> io::Result<()> {
        let file = lock(&self.file);
        let mut file = file.as_ref().expect("there are runs");
        file.seek(SeekFrom::Start(start * size_of::<T>() as u64))?;
        file.read_exact(bytemuck::cast_slice_mut(items))
    }
}
