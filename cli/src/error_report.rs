//! `--errors FILE`: every invalid record as a line of JSON.

use rapidoku::file::internal::Row;
use rapidoku::file::{Error, Format, InvalidRecord, Output};

/// Writes invalid records to a file, if one was given.
pub struct ErrorReport {
    output: Option<Output>,
    /// Whether the numbers of records and lines are unknown.
    pub is_shard: bool,
    /// Lines that are not yet written.
    buffer: Vec<u8>,
    /// The first failure to write, which [`ErrorReport::finish`] returns.
    failure: Option<Error>,
}

/// Lines are written in chunks of at least this many bytes.
const CHUNK_BYTES: usize = 64 << 10;

impl ErrorReport {
    pub fn new(output: Option<Output>, is_shard: bool) -> ErrorReport {
        ErrorReport { output, is_shard, buffer: Vec::new(), failure: None }
    }

    /// Adds a line for an invalid record. A failure to write is kept for [`ErrorReport::finish`].
    pub fn add(&mut self, record: &InvalidRecord) {
        let &InvalidRecord { input, record, line, byte_offset, reason, .. } = record;
        if self.output.is_none() || self.failure.is_some() {
            return;
        }
        let mut row = Row::start(&mut self.buffer, Format::Jsonl);
        row.string("input", input);
        if !self.is_shard {
            row.number("record", record).number("line", line);
        }
        row.number("byte_offset", byte_offset);
        if let Some(column) = reason.column() {
            row.number("column", column.into());
        }
        row.string("reason", &reason.to_string()).end();
        if self.buffer.len() >= CHUNK_BYTES {
            self.failure = self.flush().err();
        }
    }

    fn flush(&mut self) -> Result<(), Error> {
        if let Some(output) = &mut self.output {
            output.write(&self.buffer)?;
        }
        self.buffer.clear();
        Ok(())
    }

    /// Writes the last lines and moves the file to its name.
    pub fn finish(mut self) -> Result<(), Error> {
        self.failure.take().map_or(Ok(()), Err)?;
        self.flush()?;
        self.output.map_or(Ok(()), Output::finish)
    }
}
