//! Random samples and orders of the records.
//!
//! A sample consists of the records with the smallest keys, so it does not matter which thread sees a record first.
//! Rows whose keys cannot be among the smallest are not even formatted: of M records, about N (1 + ln(M / N)) are.
//! Records in random order are sorted by their keys.

use std::collections::BinaryHeap;
use std::io::{Read, Seek, Write};
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use tempfile::{SpooledTempFile, spooled_tempfile_in};

use super::{Keys, Purpose};
use crate::error::Error;
use crate::outcome::Outcomes;
use crate::record::BatchView;
use crate::run::job::{Job, LastRows, Needs};
use crate::sync::lock;
use crate::table::Table;
use crate::temporary::{cannot_write, temp_dir};
use crate::write::RowSink;
use crate::write::row::Format;

/// A [`Job`] that writes a random sample of the records, in input order: every set of this number of records has the
/// same probability. If there are fewer records, it writes all of them.
///
/// The sample depends on the seed and the number of records only. With [`Format::Text`], the default, records are
/// [copied](Table::copies_lines) byte for byte. Records that are not puzzles are records like others.
///
/// The inputs are read once. The rows of the sample, and 48 bytes for each, are in memory.
///
/// ```
/// use rapidoku::file::{Output, Run, Sample};
///
/// let folder = tempfile::tempdir()?;
/// let [input, output] = ["puzzles.csv", "sample.csv"].map(|name| folder.path().join(name));
/// let puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let rows: String = (0..1000).map(|id| format!("{id},{puzzle}\n")).collect();
/// std::fs::write(&input, format!("id,puzzle\n{rows}"))?;
/// let run = Run::default().input(&input).output(Output::create(&output)?);
/// run.start(&Sample::new(2, 7), &mut |_| {})?;
/// assert_eq!(std::fs::read_to_string(&output)?, format!("id,puzzle\n330,{puzzle}\n753,{puzzle}\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Sample {
    records: u64,
    /// No two records have the same key.
    keys: Keys,
    table: Table,
    /// Records with greater keys are not in the sample.
    max_key: AtomicU64,
    /// The rows with the smallest keys, the greatest of these first.
    rows: Mutex<BinaryHeap<Row>>,
}

/// The key and the number of a record, and its row.
type Row = (u64, u64, Box<[u8]>);

impl Sample {
    /// A job that writes `records` records.
    pub fn new(records: u64, seed: u64) -> Sample {
        Sample {
            records,
            keys: Keys::new(seed, Purpose::Sample),
            table: Table::new(Format::Text).copies_lines(true),
            max_key: AtomicU64::new(u64::MAX),
            rows: Mutex::default(),
        }
    }

    /// Sets the format and the columns of the rows.
    pub fn table(mut self, table: Table) -> Sample {
        self.table = table;
        self
    }
}

impl Job for Sample {
    fn table(&self) -> Option<&Table> {
        Some(&self.table)
    }

    fn needs(&self) -> Needs<'_> {
        Needs { numbers: true, ..Needs::default() }
    }

    fn write(&self, batch: &BatchView, outcomes: &mut Outcomes, rows: &mut RowSink) -> ControlFlow<()> {
        let max_key = self.max_key.load(Ordering::Relaxed);
        let mut writer = self.table.writer(batch);
        let mut found = BinaryHeap::new();
        for k in 0..batch.records.len() {
            let number = batch.records_before + k as u64;
            let key = self.keys.key(number);
            if key > max_key || self.records == 0 {
                continue;
            }
            writer.write_row(outcomes, k, &[], rows);
            found.push((key, number, Box::from(&rows.text()[..])));
            rows.text().clear();
        }
        if !found.is_empty() {
            let mut all = lock(&self.rows);
            all.append(&mut found);
            while all.len() as u64 > self.records {
                all.pop();
            }
            if let Some((key, ..)) = all.peek().filter(|_| all.len() as u64 == self.records) {
                self.max_key.store(*key, Ordering::Relaxed);
            }
        }
        ControlFlow::Continue(())
    }

    fn finish(&self, rows: &mut LastRows) -> Result<(), Error> {
        let mut all = std::mem::take(&mut *lock(&self.rows)).into_vec();
        self.max_key.store(u64::MAX, Ordering::Relaxed);
        all.sort_unstable_by_key(|(_, number, _)| *number);
        rows.expect_bytes(all.iter().map(|(.., row)| row.len() as u64).sum());
        all.iter().try_for_each(|(.., row)| rows.write(row))
    }
}

/// A [`Job`] that writes the records in random order.
///
/// The order depends on the seed and the number of records only, not on the memory. With [`Format::Text`], the default,
/// records are [copied](Table::copies_lines) byte for byte.
///
/// Rows that do not fit into memory are in 128 temporary files without a name. They are as large as the rows and 12
/// bytes for each, and the system removes them when the process ends.
///
/// ```
/// use rapidoku::file::{Output, Run, Shuffle};
///
/// let folder = tempfile::tempdir()?;
/// let [input, output] = ["puzzles.csv", "shuffled.csv"].map(|name| folder.path().join(name));
/// let puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// std::fs::write(&input, format!("id,puzzle\n1,{puzzle}\n2,{puzzle}\n3,{puzzle}\n"))?;
/// let run = Run::default().input(&input).output(Output::create(&output)?);
/// run.start(&Shuffle::new(7), &mut |_| {})?;
/// assert_eq!(std::fs::read_to_string(&output)?, format!("id,puzzle\n2,{puzzle}\n1,{puzzle}\n3,{puzzle}\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Shuffle {
    keys: Keys,
    table: Table,
    memory: u64,
    /// The rows with their heads, in parts.
    parts: Vec<Mutex<Option<SpooledTempFile>>>,
    /// The number of bytes of all rows.
    bytes: AtomicU64,
}

/// The number of parts of the rows, by the first bits of their keys.
const PARTS: usize = 128;
/// The bytes before a row: its key and its length.
const HEAD: usize = size_of::<u64>() + size_of::<u32>();

impl Shuffle {
    /// A job that keeps up to 1 GiB of rows in memory, and others in the folder of the system for temporary files.
    pub fn new(seed: u64) -> Shuffle {
        Shuffle {
            keys: Keys::new(seed, Purpose::Shuffle),
            table: Table::new(Format::Text).copies_lines(true),
            memory: 1 << 30,
            parts: (0..PARTS).map(|_| Mutex::default()).collect(),
            bytes: AtomicU64::new(0),
        }
    }

    /// Sets the format and the columns of the rows.
    pub fn table(mut self, table: Table) -> Shuffle {
        self.table = table;
        self
    }

    /// Sets the number of bytes for rows in memory. A hundredth of all rows is always in memory.
    pub fn memory(mut self, bytes: u64) -> Shuffle {
        self.memory = bytes;
        self
    }
}

impl Job for Shuffle {
    fn table(&self) -> Option<&Table> {
        Some(&self.table)
    }

    fn needs(&self) -> Needs<'_> {
        Needs { numbers: true, ..Needs::default() }
    }

    fn write(&self, batch: &BatchView, outcomes: &mut Outcomes, rows: &mut RowSink) -> ControlFlow<()> {
        let mut writer = self.table.writer(batch);
        let mut parts = vec![Vec::new(); PARTS];
        let mut bytes = 0;
        for k in 0..batch.records.len() {
            let key = self.keys.key(batch.records_before + k as u64);
            writer.write_row(outcomes, k, &[], rows);
            let row = rows.text();
            let part = &mut parts[(key >> (u64::BITS - PARTS.trailing_zeros())) as usize];
            part.extend_from_slice(&key.to_le_bytes());
            part.extend_from_slice(&(row.len() as u32).to_le_bytes());
            part.extend_from_slice(row);
            bytes += row.len() as u64;
            row.clear();
        }
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
        let max_bytes = usize::try_from(self.memory).unwrap_or(usize::MAX) / PARTS;
        let write = |(part, rows): (&Mutex<Option<SpooledTempFile>>, &Vec<u8>)| {
            lock(part).get_or_insert_with(|| spooled_tempfile_in(max_bytes, temp_dir())).write_all(rows)
        };
        let result = self.parts.iter().zip(&parts).filter(|(_, rows)| !rows.is_empty()).try_for_each(write);
        result.map_or_else(|error| rows.fail(0, cannot_write(error)), ControlFlow::Continue)
    }

    fn finish(&self, rows: &mut LastRows) -> Result<(), Error> {
        rows.expect_bytes(self.bytes.swap(0, Ordering::Relaxed));
        let mut files = self.parts.iter().filter_map(|part| lock(part).take());
        files.try_for_each(|mut file| {
            let mut part = Vec::new();
            file.rewind().and_then(|()| file.read_to_end(&mut part)).map_err(cannot_write)?;
            write_sorted(&part, rows)
        })
    }
}

/// Writes the rows of a part in the order of their keys.
fn write_sorted(mut part: &[u8], output: &mut LastRows) -> Result<(), Error> {
    let mut rows = Vec::new();
    while let Some((head, rest)) = part.split_first_chunk::<HEAD>() {
        let [key, length] =
            [&head[..8], &head[8..]].map(|bytes| bytes.iter().rfold(0, |n, &byte| n << 8 | u64::from(byte)));
        let row;
        (row, part) = rest.split_at(length as usize);
        rows.push((key, row));
    }
    rows.sort_unstable_by_key(|(key, _)| *key);
    rows.into_iter().try_for_each(|(_, row)| output.write(row))
}
