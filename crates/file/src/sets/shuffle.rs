//! The records in random order: sorted by their keys.

use std::ops::ControlFlow;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{Keys, Purpose};
use crate::collector::{Collected, Collector};
use crate::error::Error;
use crate::outcome::Outcomes;
use crate::record::BatchView;
use crate::run::job::{Job, LastRows, Needs};
use crate::table::Table;
use crate::write::RowSink;
use crate::write::row::Format;
use rapidoku_generate::dedup::{PARTS, part_of_key};

/// A [`Job`] that writes the records in random order.
///
/// The order depends on the seed and the number of records only, not on the memory. With [`Format::Text`], the default,
/// records are [copied](Table::copies_lines) byte for byte.
///
/// Rows that do not fit into memory are in a temporary file without a name. It is as large as the rows and 12 bytes for
/// each, and the system removes it when the process ends.
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
    rows: OnceLock<KeyedRows>,
    /// The number of bytes of all rows.
    bytes: AtomicU64,
}

/// Less memory would need many runs with small parts.
const MIN_MEMORY: u64 = 4 << 20;

/// Rows with a head, by their keys.
type KeyedRows = Collector<u8, fn(&[u8]) -> (usize, usize)>;

/// The bytes before a row: its key and its length.
const HEAD: usize = KEY + LENGTH;
const KEY: usize = size_of::<u64>();
const LENGTH: usize = size_of::<u32>();

/// The key of the first row, and its length.
fn read_head(rows: &[u8]) -> (u64, usize) {
    let (key, rest) = rows.split_first_chunk().expect("a row has a head");
    let length = rest.first_chunk().expect("a row has a head");
    (u64::from_le_bytes(*key), u32::from_le_bytes(*length) as usize)
}

/// The part of the first row, and its length with the head.
fn first_row(rows: &[u8]) -> (usize, usize) {
    let (key, length) = read_head(rows);
    (part_of_key(key), HEAD + length)
}

impl Shuffle {
    /// A job that keeps up to 1 GiB of rows in memory, and others in the folder of the system for temporary files.
    pub fn new(seed: u64) -> Shuffle {
        Shuffle {
            keys: Keys::new(seed, Purpose::Shuffle),
            table: Table::new(Format::Text).copies_lines(true),
            memory: 1 << 30,
            rows: OnceLock::new(),
            bytes: AtomicU64::new(0),
        }
    }

    /// Sets the format and the columns of the rows.
    pub fn table(mut self, table: Table) -> Shuffle {
        self.table = table;
        self
    }

    /// Sets the number of bytes for rows in memory. With less than 4 MiB, or less than a thousandth of the rows, more
    /// is used.
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
        let mut bytes = 0;
        for k in 0..batch.records.len() {
            let start = rows.text().len();
            let key = self.keys.key(batch.records_before + k as u64);
            rows.text().extend_from_slice(&key.to_le_bytes());
            rows.text().extend_from_slice(&[0; LENGTH]);
            writer.write_row(outcomes, k, &[], rows);
            let length = rows.text().len() - start - HEAD;
            rows.text()[start + KEY..][..LENGTH].copy_from_slice(&(length as u32).to_le_bytes());
            bytes += length as u64;
        }
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
        let all = self.rows.get_or_init(|| Collector::new(self.memory.max(MIN_MEMORY), first_row));
        let added = all.add(rows.text());
        rows.text().clear();
        added.map_or_else(|error| rows.fail(0, error), ControlFlow::Continue)
    }

    fn finish(&self, rows: &mut LastRows) -> Result<(), Error> {
        rows.expect_bytes(self.bytes.swap(0, Ordering::Relaxed));
        self.rows.get().map_or(Ok(()), |all| write_sorted(&all.finish()?, rows))
    }
}

/// Writes rows in the order of their keys, which is that of the parts.
fn write_sorted(all: &Collected<u8>, output: &mut LastRows) -> Result<(), Error> {
    let (mut text, mut rows) = (Vec::new(), Vec::new());
    for part in 0..PARTS {
        text.clear();
        all.for_each(part, |rows| text.extend_from_slice(rows))?;
        rows.clear();
        let mut end = 0;
        while end < text.len() {
            let (key, length) = read_head(&text[end..]);
            let start = end + HEAD;
            end = start + length;
            rows.push((key, start..end));
        }
        rows.sort_unstable_by_key(|(key, _)| *key);
        rows.drain(..).try_for_each(|(_, row)| output.write(&text[row]))?;
    }
    Ok(())
}
