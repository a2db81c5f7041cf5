//! Stage 2, records: detection of inputs that are not text with puzzles, so that they fail with one message instead of
//! one invalid record per line.

use memchr::{memchr, memmem};

use crate::file::bytes::{BYTE_ORDER_MARK, is_record};
use crate::file::error::Error;
use crate::grid::{CELLS, is_cell, parse_line};

/// The reason why an input is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Rejection {
    /// The reason, and advice if there is any.
    pub reason: String,
    pub kind: RejectionKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum RejectionKind {
    /// A format that may contain puzzles, but is not supported.
    Unsupported,
    /// The layout is ambiguous or contradicts the options.
    Mismatch,
    /// The puzzles are at places in an object from which only the user can choose.
    Nested,
    /// Something else than a text of puzzles.
    Document,
    /// Complete grids that are not puzzles. They may be the solutions of another file.
    Solutions,
    /// No line of the part that was examined resembles a puzzle.
    NoPuzzles,
}

impl Rejection {
    /// The error for the input with this name.
    pub fn of(self, name: &str) -> Error {
        Error::Format { name: name.to_owned(), reason: self.reason }
    }
}

impl From<String> for Rejection {
    fn from(reason: String) -> Rejection {
        Rejection { reason, kind: RejectionKind::Mismatch }
    }
}

/// A format with magic bytes.
struct Format {
    offset: usize,
    magic: &'static [u8],
    name: &'static str,
    /// A way to convert it.
    advice: &'static str,
}

const fn format(offset: usize, magic: &'static [u8], name: &'static str, advice: &'static str) -> Format {
    Format { offset, magic, name, advice }
}

/// Formats that may contain puzzles. Magic bytes that begin with a word have more bytes, because a table may have the word at
/// the same place.
const FORMATS: [Format; 14] = [
    format(0, b"\xFD7zXZ\0", "xz compression", "decompress it with xz -dc"),
    format(4, b"1AY&SY", "bzip2 compression", "decompress it with bzip2 -dc"),
    format(0, b"\x04\x22\x4D\x18", "lz4 compression", "decompress it with lz4 -dc"),
    format(0, b"7z\xBC\xAF\x27\x1C", "7z archive", "extract it with 7z e -so"),
    format(0, b"Rar!\x1A\x07", "RAR archive", "extract it with unrar p -inul"),
    format(257, b"ustar\0", "tar archive", "extract it with tar -xO"),
    format(257, b"ustar  \0", "tar archive", "extract it with tar -xO"),
    format(0, b"PAR1\x15", "Parquet file", "convert it to CSV"),
    format(0, b"ARROW1\0\0", "Arrow file", "convert it to CSV"),
    format(0, b"\x89HDF\r\n\x1A\n", "HDF5 file", "convert it to CSV"),
    format(0, b"SQLite format 3\0", "SQLite database", "export the table as CSV"),
    format(0, b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "document of an old Office program", "save it as CSV"),
    format(0, b"%PDF-", "PDF document", "convert it to text"),
    format(0, b"\x80\x04\x95", "Python pickle", "convert it to CSV"),
];

/// The start of a block of code in Markdown, after another line.
const FENCE: &[u8] = b"\n```";

/// Detects an unsupported format.
pub(super) fn detect(head: &[u8]) -> Result<(), Rejection> {
    let matches =
        |format: &&Format| head.get(format.offset..).is_some_and(|head| head.starts_with(format.magic));
    if let Some(Format { name, advice, .. }) = FORMATS.iter().find(matches) {
        let reason = format!("unsupported format: {name}; {advice}");
        return Err(Rejection { reason, kind: RejectionKind::Unsupported });
    }
    // The last byte may be the first one of CRLF.
    let start = &head[..head.len().saturating_sub(1)];
    if memchr(b'\r', start).is_some() && memchr(b'\n', head).is_none() && memchr(0, head).is_none() {
        let reason = "unsupported line ends: carriage returns; convert them with tr '\\r' '\\n'".to_owned();
        return Err(Rejection { reason, kind: RejectionKind::Unsupported });
    }
    Ok(())
}

/// Detects documents with other markup. They may have puzzles somewhere, but not in any layout.
pub(super) fn detect_markup(head: &[u8]) -> Result<(), Rejection> {
    let markup = |reason: &str| Rejection { reason: reason.to_owned(), kind: RejectionKind::Document };
    let text = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head).trim_ascii_start();
    let after = |bracket: &[u8]| text.strip_prefix(bracket).map(<[u8]>::trim_ascii_start);
    // So programs write a missing value.
    let has_missing_value =
        [&b"<NA>"[..], b"<na>", b"<null>", b"<NULL>"].iter().any(|value| text.starts_with(value));
    if matches!(after(b"{"), Some([b'"' | b'}', ..])) || after(b"[").is_some_and(is_array) {
        let reason = "unsupported format: JSON without an array of objects, strings or grids";
        return Err(markup(reason));
    }
    if text.starts_with(&FENCE[1..]) || memmem::find(text, FENCE).is_some() {
        return Err(markup("unsupported format: Markdown document; save its puzzles as text"));
    }
    match text {
        [b'<', b'?', ..] => Err(markup("unsupported format: XML document; save it as CSV")),
        [b'<', b'!' | b'/' | b'a'..=b'z' | b'A'..=b'Z', ..] if !has_missing_value => {
            Err(markup("unsupported format: HTML or XML document; save it as text or CSV"))
        }
        _ => Ok(()),
    }
}

/// Detects lines of several rows in parentheses, as in statements of SQL: only one would be read.
pub(super) fn detect_tuples(text: &[u8]) -> Result<(), Rejection> {
    let is_puzzle = |run: &[u8]| run.len() == CELLS && !run.iter().all(|byte| (b'1'..=b'9').contains(byte));
    let has_puzzle = |row: &&[u8]| row.split(|&byte| !is_cell(byte)).any(is_puzzle);
    for (number, line) in (1..).zip(text.split(|&byte| byte == b'\n')) {
        let rows = line.split(|&byte| byte == b'(').filter(has_puzzle);
        if rows.clone().count() < 2 || !rows.clone().all(|row| memchr(b')', row).is_some()) {
            continue;
        }
        let reason = format!(
            "unsupported format: several puzzles in line {number}, each in parentheses; give each a line with sed 's/), *(/)\\n(/g'"
        );
        return Err(Rejection { reason, kind: RejectionKind::Unsupported });
    }
    Ok(())
}

/// Whether a text goes on like an array of JSON after its bracket. Titles of grids are in brackets too.
fn is_array(text: &[u8]) -> bool {
    match text {
        [b'{' | b'[' | b'"', ..] => true,
        _ => {
            let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
            digits > 0 && text[digits..].trim_ascii_start().starts_with(b",")
        }
    }
}

/// The probable reason why a text that starts with `head`, which has no puzzle, is not one of puzzles. `Ok` if it has no
/// records, or a line that [resembles](resembles_puzzle) a puzzle.
pub(super) fn examine(head: &[u8]) -> Result<(), Rejection> {
    let reject = |kind, reason: &str| Err(Rejection { reason: reason.to_owned(), kind });
    match head {
        [0xFF, 0xFE, 0, 0, ..] | [0, 0, 0xFE, 0xFF, ..] => {
            let reason = "unsupported encoding: UTF-32; convert it with iconv -f UTF-32 -t UTF-8";
            return reject(RejectionKind::Unsupported, reason);
        }
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] | [1..128, 0, 1..128, 0, ..] | [0, 1..128, 0, 1..128, ..] => {
            let reason = "unsupported encoding: UTF-16; convert it with iconv -f UTF-16 -t UTF-8";
            return reject(RejectionKind::Unsupported, reason);
        }
        _ if memchr(0, head).is_some() && head.iter().all(|&byte| byte <= 9) => {
            let reason = "unsupported format: binary digits (bytes 0 to 9); convert them to text";
            return reject(RejectionKind::Unsupported, reason);
        }
        _ if memchr(0, head).is_some() => {
            return reject(RejectionKind::Document, "unrecognised format: binary data");
        }
        _ => {}
    }
    if has_possible_puzzle(head) {
        return Ok(());
    }
    if head
        .windows(5)
        .any(|bytes| matches!(bytes, [b'0'..=b'9', b'e' | b'E', b'+', b'7' | b'8', b'0'..=b'9']))
    {
        let reason = "unrecognised format: numbers such as 1.5e+80; a program took puzzles for numbers, and most digits are lost";
        return reject(RejectionKind::NoPuzzles, reason);
    }
    let mut records = (1..).zip(head.split(|&byte| byte == b'\n')).filter(|(_, line)| is_record(line));
    match records.next().map(|(number, line)| (number, parse_line(line))) {
        Some((number, Err(error))) => {
            let reason = "unrecognised format: no puzzles found";
            reject(
                RejectionKind::NoPuzzles,
                &format!("{reason} (line {number}: {error}); see --input-format"),
            )
        }
        _ => Ok(()),
    }
}

/// Whether a line of a text resembles a puzzle.
pub fn has_possible_puzzle(text: &[u8]) -> bool {
    text.split(|&byte| byte == b'\n').any(resembles_puzzle)
}

/// The runs of cells that are as long as in a puzzle with one bad character.
pub fn long_runs(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|&byte| !is_cell(byte)).filter(|run| run.len() >= CELLS / 2)
}

/// Whether a line may be meant as a puzzle: it has a long run of cells, and a clue among them. Lines of dashes or dots have none.
fn resembles_puzzle(line: &[u8]) -> bool {
    long_runs(line).any(|run| run.iter().any(|byte| (b'1'..=b'9').contains(byte)))
}
