//! Rows of named fields, as CSV or as JSON lines.

use crate::grid::CELLS;

/// Form of an output of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// What is shortest to read; each job documents its own.
    Text,
    /// Fields separated by commas, under a header.
    Csv,
    /// A JSON object per line.
    Jsonl,
}

impl Format {
    /// `csv` where this is CSV.
    pub fn header(self, csv: &'static [u8]) -> &'static [u8] {
        if self == Format::Csv { csv } else { b"" }
    }
}

/// A row of CSV or JSON being written, inlined so that the form is tested once and lengths are known. All rows of an output must have the same fields in the same order.
pub struct Row<'a> {
    text: &'a mut Vec<u8>,
    is_json: bool,
    is_empty: bool,
}

impl<'a> Row<'a> {
    #[inline(always)]
    pub fn start(text: &'a mut Vec<u8>, format: Format) -> Row<'a> {
        let is_json = format == Format::Jsonl;
        if is_json {
            text.push(b'{');
        }
        Row { text, is_json, is_empty: true }
    }

    #[inline(always)]
    fn name(&mut self, name: &str) {
        if !self.is_empty {
            self.text.push(b',');
        }
        self.is_empty = false;
        if self.is_json {
            // Names of columns of the input may hold anything.
            serde_json::to_writer(&mut *self.text, name).expect("a string in memory");
            self.text.push(b':');
        }
    }

    /// Text that may hold anything.
    pub fn string(&mut self, name: &str, value: &str) -> &mut Self {
        self.name(name);
        if self.is_json {
            serde_json::to_writer(&mut *self.text, value).expect("a string in memory");
        // Every byte is looked at, for several at once is faster than to stop at the first.
        } else if value.bytes().fold(false, |any, byte| any | matches!(byte, b'"' | b',' | b'\n' | b'\r')) {
            push_quoted(self.text, value.as_bytes());
        } else {
            self.text.extend_from_slice(value.as_bytes());
        }
        self
    }

    /// Text that needs no quoting in either form: cells, digits, words.
    #[inline(always)]
    pub fn word(&mut self, name: &str, value: &[u8]) -> &mut Self {
        self.name(name);
        if self.is_json {
            self.text.push(b'"');
        }
        // Most are grids, and a copy of known length is a few moves.
        match <&[u8; CELLS]>::try_from(value) {
            Ok(cells) => self.text.extend_from_slice(cells),
            Err(_) => self.text.extend_from_slice(value),
        }
        if self.is_json {
            self.text.push(b'"');
        }
        self
    }

    #[inline(always)]
    pub fn number(&mut self, name: &str, value: u64) -> &mut Self {
        self.name(name);
        push_number(self.text, value);
        self
    }

    /// Without a value: an empty field of CSV, `null` of JSON.
    pub fn maybe_word(&mut self, name: &str, value: Option<&[u8]>) -> &mut Self {
        match value {
            Some(value) => self.word(name, value),
            None => {
                self.name(name);
                if self.is_json {
                    self.text.extend_from_slice(b"null");
                }
                self
            }
        }
    }

    pub fn maybe_number(&mut self, name: &str, value: Option<u64>) -> &mut Self {
        match value {
            Some(value) => self.number(name, value),
            None => self.maybe_word(name, None),
        }
    }

    pub fn maybe_flag(&mut self, name: &str, value: Option<bool>) -> &mut Self {
        let Some(value) = value else { return self.maybe_word(name, None) };
        self.name(name);
        self.text.extend_from_slice(if value { b"true" } else { b"false" });
        self
    }

    #[inline(always)]
    pub fn end(&mut self) {
        self.text.extend_from_slice(if self.is_json { b"}\n" } else { b"\n" });
    }
}

/// Appends a field of CSV that needs quotes.
#[cold]
fn push_quoted(text: &mut Vec<u8>, field: &[u8]) {
    let mut writer = csv_core::WriterBuilder::new().quote_style(csv_core::QuoteStyle::Always).build();
    let start = text.len();
    // Every byte may be doubled, and there are two quotes.
    text.resize(start + 2 * field.len() + 2, 0);
    let (_, _, written) = writer.field(field, &mut text[start..]);
    let (_, ended) = writer.finish(&mut text[start + written..]);
    text.truncate(start + written + ended);
}

/// Appends a number in decimal.
pub fn push_number(text: &mut Vec<u8>, number: u64) {
    text.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}
