//! `--errors FILE`: every invalid record as a line of JSON.

use std::path::Path;

use rapidoku::file::{Error, InvalidRecord, Output, Unfinished};
use serde::Serialize;

/// The file, if there is to be one.
pub struct Errors {
    output: Option<Output>,
    /// Lines that have not been written.
    text: Vec<u8>,
    failure: Option<Error>,
}

#[derive(Serialize)]
struct Line<'a> {
    input: &'a str,
    record: u64,
    line: u64,
    byte_offset: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u32>,
    reason: String,
}

/// Bytes that are written at a time.
const CHUNK: usize = 64 << 10;

impl Errors {
    pub fn create(path: Option<&Path>, unfinished: &Unfinished) -> Result<Errors, Error> {
        let output = path.map(|path| Output::create(path, unfinished)).transpose()?;
        Ok(Errors { output, text: Vec::new(), failure: None })
    }

    /// Writes a line for an invalid record; trouble is told in the end.
    pub fn add(&mut self, record: &InvalidRecord) {
        let &InvalidRecord { input, record, line, byte_offset, reason, .. } = record;
        if self.output.is_none() || self.failure.is_some() {
            return;
        }
        let row =
            Line { input, record, line, byte_offset, column: reason.column(), reason: reason.to_string() };
        serde_json::to_writer(&mut self.text, &row).expect("text in memory");
        self.text.push(b'\n');
        if self.text.len() >= CHUNK {
            self.failure = self.flush().err();
        }
    }

    fn flush(&mut self) -> Result<(), Error> {
        if let Some(output) = &mut self.output {
            output.write(&self.text)?;
        }
        self.text.clear();
        Ok(())
    }

    /// Gives the file its name.
    pub fn finish(mut self) -> Result<(), Error> {
        self.failure.take().map_or(Ok(()), Err)?;
        self.flush()?;
        self.output.map_or(Ok(()), Output::finish)
    }
}
