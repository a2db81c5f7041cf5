//! The records in random order: sorted by their keys.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::sorter::Sorter;
use super::{Buffered, Keys, Purpose};
use crate::file::error::Error;
use crate::file::record::BatchView;
use crate::file::run::job::{Job, LastRows, Needs};
use crate::file::table::Table;
use crate::file::temporary::temp_dir;
use crate::file::write::RowSink;
use crate::file::write::row::Format;
use crate::outcome::Outcomes;

/// A [`Job`] that writes the records in random order.
///
/// The order depends on the seed and the number of records only, not on the memory. With [`Format::Text`], the default,
/// records are [copied](Table::copies_lines) byte for byte.
///
/// Rows that do not fit into memory are in a temporary file without a name. It is as large as the rows and 12 bytes for each,
/// and the system removes it when the process ends.
///
/// ```
/// use rapidoku::file::{Output, Run, Shuffle, Unfinished};
///
/// let folder = tempfile::tempdir()?;
/// let [input, output] = ["puzzles.csv", "shuffled.csv"].map(|name| folder.path().join(name));
/// let puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// std::fs::write(&input, format!("id,puzzle\n1,{puzzle}\n2,{puzzle}\n3,{puzzle}\n"))?;
/// let run = Run::default().input(&input).output(Output::create(&output, &Unfinished::default())?);
/// run.start(&Shuffle::new(7), &mut |_| {})?;
/// assert_eq!(std::fs::read_to_string(&output)?, format!("id,puzzle\n2,{puzzle}\n1,{puzzle}\n3,{puzzle}\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Shuffle {
    keys: Keys,
    table: Table,
    memory: usize,
    folder: PathBuf,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    sorter: Option<Sorter>,
    /// The number of bytes of all rows.
    bytes: u64,
    not_utf8: u64,
}

impl Shuffle {
    /// A job that keeps up to 1 GiB of rows in memory, and others in the folder of the system for temporary files.
    pub fn new(seed: u64) -> Shuffle {
        Shuffle {
            keys: Keys::new(seed, Purpose::Shuffle),
            table: Table::new(Format::Text).copies_lines(true),
            memory: 1 << 30,
            folder: temp_dir(),
            state: Mutex::default(),
        }
    }

    /// Sets the format and the columns of the rows.
    pub fn table(mut self, table: Table) -> Shuffle {
        self.table = table;
        self
    }

    /// Sets the number of bytes for rows in memory. With less than 16 MiB, or less than a four-thousandth of the rows, more
    /// is used.
    pub fn memory(mut self, bytes: usize) -> Shuffle {
        self.memory = bytes;
        self
    }

    /// Sets the folder for the temporary file.
    pub fn temp_dir(mut self, folder: impl AsRef<Path>) -> Shuffle {
        self.folder = folder.as_ref().to_owned();
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
        let mut ends = Vec::with_capacity(batch.records.len());
        for k in 0..batch.records.len() {
            writer.write_row(outcomes, k, &[], rows);
            ends.push(rows.text().len());
        }
        let mut state = self.state.lock().expect("no thread panics with the lock");
        state.not_utf8 += rows.take_not_utf8();
        state.bytes += rows.text().len() as u64;
        let sorter = state.sorter.get_or_insert_with(|| Sorter::new(self.memory, self.folder.clone()));
        let mut start = 0;
        for (k, end) in ends.into_iter().enumerate() {
            let number = batch.records_before + k as u64;
            if let Err(error) = sorter.push(self.keys.key(number), &rows.text()[start..end]) {
                rows.text().clear();
                return rows.fail(k, error);
            }
            start = end;
        }
        drop(state);
        rows.text().clear();
        ControlFlow::Continue(())
    }

    fn finish(&self, rows: &mut LastRows) -> Result<(), Error> {
        let State { sorter, bytes, not_utf8 } =
            std::mem::take(&mut *self.state.lock().expect("no thread panics with the lock"));
        rows.count_not_utf8(not_utf8);
        rows.expect_bytes(bytes);
        let mut parts = Buffered::new(rows);
        if let Some(sorter) = sorter {
            sorter.finish(&mut |row| parts.write(row))?;
        }
        parts.finish()
    }
}
