//! Stage 2, records: inputs that are refused, and the messages, which are all here.
//!
//! A message says what the input looks like. If it has no command of its own, `remedy.rs` looks for one.

use memchr::memchr;

use super::{HEAD, Layout, is_blank, line_at};
use crate::escape::escape;
use crate::refusal::{EXCEL, Refusal, pandas};

pub const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// First bytes of data that is not text, with its name and a command that makes text of it. Compressed data is
/// decompressed once, before this table is used.
const MAGIC: [(&[u8], &str, &str); 17] = [
    (b"\x1F\x8B", "gzip data in compressed data", "gzip -dc {} | gzip -dc | rapidoku ... -"),
    (b"\x28\xB5\x2F\xFD", "zstd data in compressed data", "zstd -dc {} | zstd -dc | rapidoku ... -"),
    (b"PK\x03\x04", "a zip archive in compressed data", "decompress it once"),
    (b"\xFD7zXZ\0", "xz data", "xz -dc {} | rapidoku ... -"),
    (b"BZh", "bzip2 data", "bzip2 -dc {} | rapidoku ... -"),
    (b"7z\xBC\xAF", "a 7z archive", "7z e -so {} | rapidoku ... -"),
    (b"PAR1", "Parquet", PARQUET),
    (b"ARROW1", "Arrow", FEATHER),
    (b"\xD0\xCF\x11\xE0", "an Excel workbook", EXCEL),
    (b"SQLite format 3\0", "an SQLite database", "sqlite3 -csv -header {} 'SELECT * FROM TABLE' | rapidoku ... -"),
    (b"\x89HDF", "HDF5", SAVE),
    (b"%PDF", "a PDF document", "pdftotext -layout {} - | rapidoku ... -"),
    (b"\x80", "a pickle of Python", SAVE),
    (b"\0\0\xFE\xFF", "UTF-32", "iconv -f UTF-32 -t UTF-8 {} | rapidoku ... -"),
    (b"\xFF\xFE\0\0", "UTF-32", "iconv -f UTF-32 -t UTF-8 {} | rapidoku ... -"),
    (b"\xFF\xFE", "UTF-16", "iconv -f UTF-16 -t UTF-8 {} | rapidoku ... -"),
    (b"\xFE\xFF", "UTF-16", "iconv -f UTF-16 -t UTF-8 {} | rapidoku ... -"),
];
const PARQUET: &str = pandas!("read_parquet");
const FEATHER: &str = pandas!("read_feather");
const SAVE: &str =
    "save it with numpy.save('puzzles.npy', ARRAY), or a data frame with to_csv('puzzles.csv', index=False)";

/// The reason why an input that starts with these bytes is no text, if it is none.
pub fn foreign(bytes: &[u8]) -> Option<Refusal> {
    if let Some((_, name, command)) = MAGIC.iter().find(|(magic, ..)| bytes.starts_with(magic)) {
        return Some(Refusal::new(format!("unsupported: {name}")).with_command(command));
    }
    let head = &bytes[..bytes.len().min(HEAD)];
    if head.get(257..262) == Some(b"ustar") {
        let tar = Refusal::new("unsupported: a tar archive");
        return Some(tar.with_command("tar -xOf {} NAME | rapidoku ... -"));
    }
    if memchr(0, head).is_some() {
        return Some(Refusal::new("unsupported: binary data"));
    }
    let has_other_ends = memchr(b'\r', head).is_some() && memchr(b'\n', head).is_none();
    has_other_ends
        .then(|| Refusal::new("the lines end with CR alone").with_command("tr '\\r' '\\n' < {} | rapidoku ... -"))
}

pub const NO_NINE: &str = "no puzzle at the start has a 9; are the digits 0 to 8, and is -1 a blank?";
pub const BAD_HEADER: &str = "the first line is no header: it has wrong quotes, or 81 cells in a row";
pub const DENSE_GRIDS: &str = "no blank line or title separates the grids";
pub const SOLUTIONS: &str = "only some of the grids are complete; are these solutions of others?";
pub const SECTIONS: &str = "a section in brackets that is not [Puzzle]; is it the state of a game?";

/// The reason why an input has no puzzle at its start, of which the first record starts after some lines.
pub fn no_puzzle(layout: &Layout, record: &[u8], lines_before: u64) -> Refusal {
    let (at, reason) = layout.diagnose(record).map(|(at, reason)| (at, reason.to_string())).unwrap_or_default();
    let number = lines_before + 1 + layout.count_lines(&record[..at]);
    let place = if layout.is_text() { "line" } else { "record" };
    let name = layout.name();
    Refusal::new(format!("no puzzle at the start, read as {name}; {place} {number}: {reason}"))
        .with_options("", &format!(" --input-format {name}"))
}

/// The reason why a text is refused whose first puzzle is after other lines.
pub fn late_puzzle(lines: u64) -> Refusal {
    let s = if lines == 1 { "" } else { "s" };
    Refusal::new(format!("{lines} line{s} of other text before the first puzzle"))
        .with_command(&format!("tail -n +{} {{}} | rapidoku ... -", lines + 1))
}

/// The reason why a text is none of the formats.
pub fn unrecognised(head: &[u8]) -> Refusal {
    let first = head.split(|&byte| byte == b'\n').map(line_at).find(|line| !is_blank(line)).unwrap_or_default();
    let shown = String::from_utf8_lossy(&first[..first.len().min(40)]);
    let more = if first.len() > 40 { "..." } else { "" };
    Refusal::new(format!(
        "no puzzle at the start of a line, no header with a name of puzzles; the first line is '{}{more}'",
        escape(&shown)
    ))
}

/// A delimiter as in the argument of its option.
pub fn delimiter_name(byte: u8) -> String {
    if byte == b'\t' { "tab".to_owned() } else { format!("'{}'", byte.escape_ascii()) }
}

pub fn several_delimiters(found: &[u8]) -> Refusal {
    let names: Vec<String> = found.iter().copied().map(delimiter_name).collect();
    Refusal::new(format!("the first line has several delimiters: {}", names.join(" and ")))
        .with_options("", &format!(" --delimiter {}", names[0]))
}

/// The reason why there is no column of puzzles, or of this name, or there are `several`.
pub fn column(name: Option<&str>, are_several: bool, header: Option<&[String]>) -> Refusal {
    let Some(columns) = header else {
        return Refusal::new("without a header, --column must give the number of the column of puzzles");
    };
    let which = name.map_or_else(|| "with a name of puzzles".to_owned(), |name| format!("'{}'", escape(name)));
    let found = if are_several { "several columns" } else { "no column" };
    let listed = columns.iter().take(9).map(|name| escape(name)).collect::<Vec<_>>().join(", ");
    let more = if columns.len() > 9 { ", ..." } else { "" };
    Refusal::new(format!("{found} {which}; the columns are {listed}{more}"))
}
