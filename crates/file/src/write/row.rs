//! Stage 4, rows: rows of named fields, as CSV or as JSON lines.

use crate::grid::CELLS;

/// A format of output rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Plain text; each job documents its rows.
    #[default]
    Text,
    /// Comma-separated values (RFC 4180 with LF line ends) with a header.
    Csv,
    /// JSON lines: one object per row.
    Jsonl,
    /// An array of NumPy (`.npy`) with the shape `(N, 81)`: 81 bytes per row, the digits of a grid, 0 for a blank. With
    /// two grids per row, a puzzle and its solution, the shape is `(N, 2, 81)`. The output must be a file that is not
    /// compressed, because the header, which comes first, has the number of rows.
    Npy,
}

impl Format {
    /// Whether rows have columns with names.
    pub(crate) fn has_columns(self) -> bool {
        matches!(self, Format::Csv | Format::Jsonl)
    }
}

/// Appends a grid of [`Format::Npy`]. Characters other than digits are blanks.
#[inline(always)]
pub fn push_npy_row(text: &mut Vec<u8>, cells: &[u8; CELLS]) {
    let digit = |byte: u8| {
        let digit = byte.wrapping_sub(b'0');
        if digit <= 9 { digit } else { 0 }
    };
    text.extend_from_slice(&cells.map(digit));
}

/// The size of the header of an array of NumPy, see `numpy.lib.format`.
pub(crate) const NPY_HEADER: usize = 128;

/// The header of an array of bytes with this number of rows, each with this number of grids. Its size does not depend
/// on them.
pub(crate) fn npy_header(rows: u64, grids: usize) -> Vec<u8> {
    let start = b"\x93NUMPY\x01\x00\x76\x00";
    let inner = if grids == 1 { String::new() } else { format!("{grids}, ") };
    let fields = format!("{{'descr': '|u1', 'fortran_order': False, 'shape': ({rows}, {inner}{CELLS}), }}");
    [start, format!("{fields:<0$}\n", NPY_HEADER - 1 - start.len()).as_bytes()].concat()
}

/// A writer of one row of CSV or JSON. All rows of an output must have the same fields in the same order.
///
/// Most methods are inlined, so that the compiler tests the format once per row and knows the lengths of names.
pub struct Row<'a> {
    text: &'a mut Vec<u8>,
    /// The start of the row.
    start: usize,
    is_json: bool,
    is_empty: bool,
}

impl<'a> Row<'a> {
    /// Starts a row at the end of `text`.
    #[inline(always)]
    pub fn start(text: &'a mut Vec<u8>, format: Format) -> Row<'a> {
        let (start, is_json) = (text.len(), format == Format::Jsonl);
        if is_json {
            text.push(b'{');
        }
        Row { text, start, is_json, is_empty: true }
    }

    #[inline(always)]
    fn name(&mut self, name: &str) {
        if !self.is_empty {
            self.text.push(b',');
        }
        self.is_empty = false;
        if self.is_json {
            // Column names of the input may need escapes.
            serde_json::to_writer(&mut *self.text, name).expect("a vector accepts all writes");
            self.text.push(b':');
        }
    }

    /// A field of arbitrary text, quoted or escaped as needed.
    pub fn string(&mut self, name: &str, value: &str) -> &mut Self {
        self.name(name);
        if self.is_json {
            serde_json::to_writer(&mut *self.text, value).expect("a vector accepts all writes");
        } else {
            self.push_field(value.as_bytes());
        }
        self
    }

    /// A field of CSV with arbitrary bytes, quoted as needed. In JSON, bytes that are not UTF-8 are replaced.
    pub fn bytes(&mut self, name: &str, value: &[u8]) -> &mut Self {
        if self.is_json {
            return self.string(name, &String::from_utf8_lossy(value));
        }
        self.name(name);
        self.push_field(value);
        self
    }

    fn push_field(&mut self, value: &[u8]) {
        // The fold examines all bytes, which is vectorised and faster than stopping at the first match.
        let has_special = value.iter().fold(false, |any, byte| any | matches!(byte, b'"' | b',' | b'\n' | b'\r'));
        if has_special {
            push_quoted(self.text, value);
        } else {
            self.text.extend_from_slice(value);
        }
    }

    /// A field with a value that is JSON already, or a field of CSV without quotes.
    pub fn json(&mut self, name: &str, value: &[u8]) -> &mut Self {
        self.name(name);
        self.text.extend_from_slice(value);
        self
    }

    /// A field of text that never needs quotes or escapes: cells, digits, words.
    #[inline(always)]
    pub fn word(&mut self, name: &str, value: &[u8]) -> &mut Self {
        self.name(name);
        if self.is_json {
            self.text.push(b'"');
        }
        // Most are grids, and a copy of constant length is a few moves.
        match <&[u8; CELLS]>::try_from(value) {
            Ok(cells) => self.text.extend_from_slice(cells),
            Err(_) => self.text.extend_from_slice(value),
        }
        if self.is_json {
            self.text.push(b'"');
        }
        self
    }

    /// A number in decimal.
    #[inline(always)]
    pub fn number(&mut self, name: &str, value: u64) -> &mut Self {
        self.name(name);
        push_number(self.text, value);
        self
    }

    /// A number in tenths, with one decimal.
    pub fn tenths(&mut self, name: &str, value: u64) -> &mut Self {
        self.number(name, value / 10);
        self.text.extend_from_slice(&[b'.', b'0' + (value % 10) as u8]);
        self
    }

    /// `true` or `false`.
    pub fn flag(&mut self, name: &str, value: bool) -> &mut Self {
        self.json(name, if value { b"true" } else { b"false" })
    }

    /// No value: an empty field in CSV, `null` in JSON.
    pub fn missing(&mut self, name: &str) -> &mut Self {
        self.json(name, if self.is_json { b"null" } else { b"" })
    }

    /// A number, or no value.
    pub fn maybe_number(&mut self, name: &str, value: Option<u64>) -> &mut Self {
        match value {
            Some(value) => self.number(name, value),
            None => self.missing(name),
        }
    }

    /// Ends the row.
    #[inline(always)]
    pub fn end(&mut self) {
        // Without quotes, a row of one field may be read as a blank line.
        if self.text[self.start..].iter().all(u8::is_ascii_whitespace) {
            self.text.splice(self.start..self.start, *b"\"");
            self.text.push(b'"');
        }
        self.text.extend_from_slice(if self.is_json { b"}\n" } else { b"\n" });
    }
}

/// Appends a quoted CSV field.
#[cold]
fn push_quoted(text: &mut Vec<u8>, field: &[u8]) {
    text.push(b'"');
    for &byte in field {
        text.extend_from_slice(if byte == b'"' { b"\"\"" } else { std::slice::from_ref(&byte) });
    }
    text.push(b'"');
}

/// Appends a number in decimal.
pub fn push_number(text: &mut Vec<u8>, number: u64) {
    text.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}
