//! Sorting of rows by a key, with temporary files if there are many.
//!
//! Rows are collected in memory. When it is full, they are sorted and appended to a file as a run. At the end, the runs are
//! merged. The file has no name, so that the system removes it whatever ends the process.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

use crate::file::error::Error;
use crate::file::read;

/// Collects rows, and returns them in the order of their keys.
#[derive(Debug)]
pub struct Sorter {
    memory: usize,
    folder: PathBuf,
    /// The rows in memory. A chunk does not grow, so nothing is copied.
    chunks: Vec<Vec<u8>>,
    index: Vec<Entry>,
    /// The temporary file, if there is one, and the end of each run in it.
    file: Option<File>,
    ends: Vec<u64>,
}

/// A row in memory.
#[derive(Clone, Copy, Debug)]
struct Entry {
    key: u64,
    chunk: u32,
    at: u32,
}

/// The size of a chunk, unless a row is longer.
const CHUNK: usize = 1 << 20;
/// The bytes before a row in a chunk: its length.
const LENGTH: usize = size_of::<u32>();
/// The bytes before a row in a run: its key and its length.
const HEAD: usize = size_of::<u64>() + LENGTH;
/// The smallest and largest buffers for reading a run.
const BUFFER: [usize; 2] = [4 << 10, 1 << 20];

impl Sorter {
    /// A sorter that keeps about `memory` bytes in memory, and the rest in a file in `folder`.
    pub fn new(memory: usize, folder: PathBuf) -> Sorter {
        Sorter { memory, folder, chunks: Vec::new(), index: Vec::new(), file: None, ends: Vec::new() }
    }

    /// Adds a row.
    ///
    /// # Errors
    /// When the temporary file cannot be created or written.
    pub fn push(&mut self, key: u64, row: &[u8]) -> Result<(), Error> {
        let size = LENGTH + row.len();
        let has_room = |chunk: &Vec<u8>| chunk.capacity() - chunk.len() >= size;
        if !self.chunks.last().is_some_and(has_room) {
            if self.is_full() {
                self.spill()?;
            }
            self.chunks.push(Vec::with_capacity(size.max(CHUNK)));
        }
        let chunk = self.chunks.last_mut().expect("there is a chunk with room");
        self.index.push(Entry { key, chunk: 0, at: chunk.len() as u32 });
        chunk.extend_from_slice(&(row.len() as u32).to_le_bytes());
        chunk.extend_from_slice(row);
        let chunks = self.chunks.len() as u32;
        self.index.last_mut().expect("an entry was added").chunk = chunks - 1;
        Ok(())
    }

    /// Whether another chunk would exceed the memory, together with the index, which may double when it grows.
    fn is_full(&self) -> bool {
        let index = self.index.capacity() * size_of::<Entry>();
        let full = 2 * self.index.len() * size_of::<Entry>();
        (self.chunks.len() + 1) * CHUNK + index.max(full) > self.memory && !self.index.is_empty()
    }

    fn row(chunks: &[Vec<u8>], entry: Entry) -> &[u8] {
        let (length, rest) = chunks[entry.chunk as usize][entry.at as usize..]
            .split_first_chunk()
            .expect("a row has a length");
        &rest[..u32::from_le_bytes(*length) as usize]
    }

    /// Appends the rows in memory to the temporary file as a run.
    fn spill(&mut self) -> Result<(), Error> {
        if self.file.is_none() {
            self.file = Some(read::temporary(&self.folder)?);
        }
        let file = self.file.as_mut().expect("it exists now");
        self.index.sort_unstable_by_key(|entry| entry.key);
        let write = || {
            let mut file = BufWriter::with_capacity(CHUNK, file);
            let mut end = self.ends.last().copied().unwrap_or(0);
            for &entry in &self.index {
                let row = Self::row(&self.chunks, entry);
                file.write_all(&entry.key.to_le_bytes())?;
                file.write_all(&(row.len() as u32).to_le_bytes())?;
                file.write_all(row)?;
                end += (HEAD + row.len()) as u64;
            }
            file.flush().map(|()| end)
        };
        let end = write().map_err(|cause| read::cannot_write(&self.folder, cause))?;
        self.ends.push(end);
        self.chunks.clear();
        self.index.clear();
        Ok(())
    }

    /// Passes all rows to `write` in the order of their keys.
    ///
    /// # Errors
    /// When `write` fails, or the temporary file cannot be written or read.
    pub fn finish(mut self, write: &mut dyn FnMut(&[u8]) -> Result<(), Error>) -> Result<(), Error> {
        if self.file.is_none() {
            self.index.sort_unstable_by_key(|entry| entry.key);
            return self.index.iter().try_for_each(|&entry| write(Self::row(&self.chunks, entry)));
        }
        self.spill()?;
        let Sorter { memory, folder, ends, file, .. } = self;
        let cannot_read = |cause| read::cannot_write(&folder, cause);
        let mut file = file.expect("it exists");
        let size = (memory / ends.len()).clamp(BUFFER[0], BUFFER[1]);
        let starts = std::iter::once(0).chain(ends.iter().copied());
        let mut runs: Vec<Run> = starts
            .zip(&ends)
            .map(|(start, &end)| Run { left: start..end, buffer: Vec::new(), at: 0 })
            .collect();
        let mut heap = BinaryHeap::new();
        for (k, run) in runs.iter_mut().enumerate() {
            heap.extend(run.key(&mut file, size).map_err(cannot_read)?.map(|key| Reverse((key, k))));
        }
        while let Some(Reverse((_, k))) = heap.pop() {
            write(runs[k].take(&mut file, size).map_err(cannot_read)?)?;
            heap.extend(runs[k].key(&mut file, size).map_err(cannot_read)?.map(|key| Reverse((key, k))));
        }
        Ok(())
    }
}

/// A run while it is read.
struct Run {
    /// The part of the file that has not been read.
    left: std::ops::Range<u64>,
    buffer: Vec<u8>,
    at: usize,
}

impl Run {
    /// Reads until there are `n` bytes in the buffer, and more if that is possible without growing it beyond `size`.
    fn fill(&mut self, n: usize, file: &mut File, size: usize) -> io::Result<()> {
        if self.buffer.len() - self.at >= n {
            return Ok(());
        }
        self.buffer.drain(..self.at);
        self.at = 0;
        let before = self.buffer.len();
        let more = (n.max(size) - before).min((self.left.end - self.left.start) as usize);
        file.seek(SeekFrom::Start(self.left.start))?;
        self.buffer.resize(before + more, 0);
        self.left.start += more as u64;
        file.read_exact(&mut self.buffer[before..])
    }

    /// The key of the next row, if there is one.
    fn key(&mut self, file: &mut File, size: usize) -> io::Result<Option<u64>> {
        if self.at == self.buffer.len() && self.left.is_empty() {
            return Ok(None);
        }
        self.fill(HEAD, file, size)?;
        Ok(self.buffer[self.at..].first_chunk().map(|key| u64::from_le_bytes(*key)))
    }

    /// The next row, of which there is one.
    fn take(&mut self, file: &mut File, size: usize) -> io::Result<&[u8]> {
        let head = &self.buffer[self.at + size_of::<u64>()..];
        let length = u32::from_le_bytes(*head.first_chunk().expect("the key was read before")) as usize;
        self.fill(HEAD + length, file, size)?;
        let start = self.at + HEAD;
        self.at = start + length;
        Ok(&self.buffer[start..self.at])
    }
}
