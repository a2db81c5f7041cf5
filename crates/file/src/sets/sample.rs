//! A random sample of the records.
//!
//! The sample consists of the records with the smallest keys, so it does not matter which thread sees a record first.
//! Rows whose keys cannot be among the smallest are not even formatted: of M records, about N (1 + ln(M / N)) are.

use std::collections::BinaryHeap;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{Keys, Purpose};
use crate::error::Error;
use crate::outcome::Outcomes;
use crate::record::BatchView;
use crate::run::job::{Job, LastRows, Needs};
use crate::sync::lock;
use crate::table::Table;
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
