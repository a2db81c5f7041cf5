//! A random sample of the records.
//!
//! The sample consists of the records with the smallest keys, so it does not matter which thread sees a record first. Rows
//! whose keys cannot be among the smallest are not even formatted: of M records, about N (1 + ln(M / N)) are.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{Keys, Purpose};
use crate::error::Error;
use crate::outcome::Outcomes;
use crate::record::BatchView;
use crate::run::job::{Job, LastRows, Needs};
use crate::table::Table;
use crate::write::RowSink;
use crate::write::row::Format;

/// A [`Job`] that writes a random sample of the records, in input order: every set of this number of records has the
/// same probability. If there are fewer records, it writes all of them.
///
/// The sample depends on the seed and the number of records only. With [`Format::Text`], the default, records are
/// [copied](Table::copies_lines) byte for byte. Records that are not puzzles are records like others.
///
/// The inputs are read once. The rows of a quarter more than the sample, and 32 bytes for each, are in memory.
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
    reservoir: Mutex<Reservoir>,
}

/// The rows that may be in the sample.
#[derive(Debug, Default)]
struct Reservoir {
    entries: Vec<Entry>,
    text: Vec<u8>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    key: u64,
    /// The number of the record.
    number: u64,
    /// The offset of the row in the text, and its length.
    start: usize,
    length: u32,
}

/// The rows of a smaller sample may grow by this number before some are removed.
const MIN_SURPLUS: u64 = 1024;

impl Sample {
    /// A job that writes `records` records.
    pub fn new(records: u64, seed: u64) -> Sample {
        Sample {
            records,
            keys: Keys::new(seed, Purpose::Sample),
            table: Table::new(Format::Text).copies_lines(true),
            max_key: AtomicU64::new(u64::MAX),
            reservoir: Mutex::default(),
        }
    }

    /// Sets the format and the columns of the rows.
    pub fn table(mut self, table: Table) -> Sample {
        self.table = table;
        self
    }

    /// The number of entries at which those with the greatest keys are removed.
    fn max_entries(&self) -> u64 {
        self.records.saturating_add((self.records / 4).max(MIN_SURPLUS))
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
        let mut entries = Vec::new();
        for k in 0..batch.records.len() {
            let number = batch.records_before + k as u64;
            let key = self.keys.key(number);
            if key > max_key || self.records == 0 {
                continue;
            }
            let start = rows.text().len();
            writer.write_row(outcomes, k, &[], rows);
            let length = (rows.text().len() - start) as u32;
            entries.push(Entry { key, number, start, length });
        }
        if !entries.is_empty() {
            let mut reservoir = self.reservoir.lock().expect("no thread panics with the lock");
            reservoir.add(&entries, rows.text());
            if reservoir.entries.len() as u64 > self.max_entries() {
                let max_key = reservoir.keep_smallest(self.records as usize);
                self.max_key.store(max_key, Ordering::Relaxed);
            }
        }
        rows.text().clear();
        ControlFlow::Continue(())
    }

    fn finish(&self, rows: &mut LastRows) -> Result<(), Error> {
        let mut reservoir =
            std::mem::take(&mut *self.reservoir.lock().expect("no thread panics with the lock"));
        self.max_key.store(u64::MAX, Ordering::Relaxed);
        if reservoir.entries.len() as u64 > self.records {
            reservoir.keep_smallest(self.records as usize);
        }
        let Reservoir { mut entries, text } = reservoir;
        entries.sort_unstable_by_key(|entry| entry.number);
        rows.expect_bytes(entries.iter().map(|entry| u64::from(entry.length)).sum());
        entries.iter().try_for_each(|entry| rows.write(&text[entry.start..][..entry.length as usize]))
    }
}

impl Reservoir {
    fn add(&mut self, entries: &[Entry], text: &[u8]) {
        let offset = self.text.len();
        self.text.extend_from_slice(text);
        let moved = entries.iter().map(|entry| Entry { start: entry.start + offset, ..*entry });
        self.entries.extend(moved);
    }

    /// Keeps the `n` entries with the smallest keys, of more than `n > 0` entries. Returns the greatest of these keys.
    fn keep_smallest(&mut self, n: usize) -> u64 {
        let (_, last, _) = self.entries.select_nth_unstable_by_key(n - 1, |entry| entry.key);
        let max_key = last.key;
        self.entries.truncate(n);
        // In the order of the text, each row moves towards the start.
        self.entries.sort_unstable_by_key(|entry| entry.start);
        let mut end = 0;
        for entry in &mut self.entries {
            let length = entry.length as usize;
            self.text.copy_within(entry.start..entry.start + length, end);
            entry.start = end;
            end += length;
        }
        self.text.truncate(end);
        max_key
    }
}
