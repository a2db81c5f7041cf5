//! Stage 2, records: inputs that are refused, and the messages, which are all here.
//!
//! A message says what the input looks like and has, in a line of its own, a command that works. `FILE` stands for the name of the
//! input.

use std::io;

use memchr::{memchr, memchr_iter};

use super::cells::{has_long_run, puzzle_text};
use super::csv::values_of;
use super::detect::{DELIMITERS, HEAD};
use super::{Layout, is_blank, line_at};
use crate::grid::{CELLS, is_cell};

pub const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// First bytes of data that is not text, with its name and a command that makes text of it. Compressed data is decompressed once, before
/// this table is used.
const MAGIC: [(&[u8], &str, &str); 25] = [
    (b"\x1F\x8B", "gzip data in compressed data", "gzip -dc FILE | rapidoku ... -"),
    (b"\x28\xB5\x2F\xFD", "zstd data in compressed data", "zstd -dc FILE | rapidoku ... -"),
    (b"PK\x03\x04", "a zip archive in compressed data", "decompress it once"),
    (b"PK\x05\x06", "an empty zip archive", "unzip -l FILE"),
    (b"\xFD7zXZ\0", "xz data", "xz -dc FILE | rapidoku ... -"),
    (b"BZh", "bzip2 data", "bzip2 -dc FILE | rapidoku ... -"),
    (b"7z\xBC\xAF", "a 7z archive", "7z e -so FILE | rapidoku ... -"),
    (b"Rar!", "a rar archive", "unrar p -inul FILE | rapidoku ... -"),
    (b"\x5D\0\0", "lzma data", "xz --format=lzma -dc FILE | rapidoku ... -"),
    (b"PAR1", "Parquet", "duckdb -csv -c \"FROM read_parquet('FILE')\" | rapidoku ... -"),
    (b"ARROW1", "Arrow", FEATHER),
    (b"FEA1", "Feather", FEATHER),
    (b"\xD0\xCF\x11\xE0", "an Excel workbook", "soffice --headless --convert-to csv FILE"),
    (
        b"SQLite format 3\0",
        "an SQLite database",
        "sqlite3 -csv -header FILE 'SELECT * FROM TABLE' | rapidoku ... -",
    ),
    (b"\x89HDF", "HDF5", SAVE),
    (b"%PDF", "a PDF document", "pdftotext -layout FILE - | rapidoku ... -"),
    (b"\x80\x02", "a pickle of Python", SAVE),
    (b"\x80\x03", "a pickle of Python", SAVE),
    (b"\x80\x04", "a pickle of Python", SAVE),
    (b"\x80\x05", "a pickle of Python", SAVE),
    (b"\0\0\xFE\xFF", "UTF-32", "iconv -f UTF-32 -t UTF-8 FILE | rapidoku ... -"),
    (b"\xFF\xFE\0\0", "UTF-32", "iconv -f UTF-32 -t UTF-8 FILE | rapidoku ... -"),
    (b"\xFF\xFE", "UTF-16", "iconv -f UTF-16 -t UTF-8 FILE | rapidoku ... -"),
    (b"\xFE\xFF", "UTF-16", "iconv -f UTF-16 -t UTF-8 FILE | rapidoku ... -"),
    (b"Obj\x01", "Avro", SAVE),
];
const FEATHER: &str = "python3 -c \"import pandas; print(pandas.read_feather('FILE').to_csv(index=False), end='')\" | rapidoku ... -";
const SAVE: &str =
    "write it with numpy.save('puzzles.npy', ARRAY), or a data frame with to_csv('puzzles.csv', index=False)";

/// A message with a command.
fn refusal(what: &str, command: &str) -> String {
    format!("{what}\n  {command}")
}

/// The reason why an input that starts with these bytes is no text, if it is none.
pub fn foreign(bytes: &[u8]) -> Option<String> {
    if let Some((_, name, command)) = MAGIC.iter().find(|(magic, ..)| bytes.starts_with(magic)) {
        return Some(refusal(&format!("unsupported: {name}"), command));
    }
    let head = &bytes[..bytes.len().min(HEAD)];
    if memchr(0, head).is_some() {
        let is_tar = head.get(257..262) == Some(b"ustar");
        return Some(match is_tar {
            true => refusal("unsupported: a tar archive", "tar -xOf FILE NAME | rapidoku ... -"),
            false => "unsupported: binary data".to_owned(),
        });
    }
    let has_other_ends = memchr(b'\r', head).is_some() && memchr(b'\n', head).is_none();
    has_other_ends.then(|| refusal("the lines end with CR alone", "tr '\\r' '\\n' < FILE | rapidoku ... -"))
}

pub const NO_NINE: &str = "a NumPy array without a 9 at its start; if 0 is a blank and the digits are 1 to 9: --blank-number 0; if \
                           the digits are 0 to 8 and -1 is a blank: --blank-number -1";
pub const BAD_HEADER: &str =
    "the header has wrong quotes, or 81 cells in a row\n  rapidoku ... --no-header --column N FILE";
pub const DENSE_GRIDS: &str = "grids without a blank line or a title between them; if each has nine lines:\n  \
                               paste -d '\\0' - - - - - - - - - < FILE | rapidoku ... -";
pub const SOLUTIONS_AMONG_GRIDS: &str = "some grids are complete, perhaps the solutions of others\n  \
                                         rapidoku ... --input-format grid FILE";
pub const STATE_OF_A_GAME: &str = "a section in brackets other than [Puzzle], perhaps the state of a game\n  \
                                   rapidoku ... --input-format grid FILE";

/// The reason why an input has no puzzle at its start, of which the first record starts after some lines.
pub fn no_puzzle(layout: &Layout, record: &[u8], lines_before: u64) -> String {
    let (at, reason) = match layout.diagnose(record) {
        Some((at, reason)) => (at, reason.to_string()),
        None => (0, String::new()),
    };
    let line = lines_before + 1 + layout.count_lines(&record[..at]);
    let name = layout.name();
    let advice = hint(record).unwrap_or_else(|| format!("rapidoku ... --input-format {name} FILE"));
    refusal(&format!("no puzzle at the start, read as {name}; line {line}: {reason}"), &advice)
}

pub fn damaged_array(damage: &io::Error) -> String {
    refusal(&damage.to_string(), "rapidoku ... --input-format json FILE")
}

/// The reason why a text is refused whose first puzzle is not in the first five lines.
pub fn late_puzzle(text: &[u8]) -> String {
    let is_puzzle = |line: &[u8]| {
        let cells = line.iter().take_while(|byte| is_cell(**byte)).count();
        cells == CELLS
    };
    let before = text.split(|&byte| byte == b'\n').position(is_puzzle).unwrap_or(0);
    refusal(
        &format!("text before the first puzzle, in line {}", before + 1),
        &format!("tail -n +{} FILE | rapidoku ... -", before + 1),
    )
}

/// The reason why a text is none of the formats.
pub fn unrecognised(head: &[u8]) -> String {
    let first = head.split(|&byte| byte == b'\n').find(|line| !is_blank(line) && !line.starts_with(b"#"));
    let first = line_at(first.unwrap_or_default());
    if let Some(command) = hint(head) {
        return command;
    }
    let shown = String::from_utf8_lossy(&first[..first.len().min(60)]).into_owned();
    format!(
        "not one of the formats lines, csv, json, grid and npy; the first line is '{shown}'\n  docs/inputs.md describes the formats, \
         and how to convert others"
    )
}

/// What a text looks like that is none of the formats, and a command that helps.
fn hint(text: &[u8]) -> Option<String> {
    let mut lines = text
        .split(|&byte| byte == b'\n')
        .map(line_at)
        .filter(|line| !is_blank(line) && !line.starts_with(b"#"));
    let (first, second) = (lines.next()?, lines.next().unwrap_or_default());
    if let Some(advice) = table_hint(first, second) {
        return Some(advice);
    }
    let digits = first.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if (70..CELLS).contains(&digits) {
        return Some(refusal("zeros at the start of the puzzles may be lost", "rapidoku ... --pad FILE"));
    }
    let grep = "grep -oE '[0-9.]{81}' FILE | rapidoku ... -";
    match (text.trim_ascii_start().first(), has_long_run(text)) {
        (Some(b'<'), true) => Some(refusal("XML or HTML", grep)),
        (Some(b'<'), false) => Some("XML or HTML without a puzzle of 81 characters at its start".to_owned()),
        (_, true) => Some(refusal("puzzles within other text", grep)),
        _ => list_hint(first).or(list_hint(second)),
    }
}

/// The same for a table, of which these are the first two lines.
fn table_hint(first: &[u8], second: &[u8]) -> Option<String> {
    for delimiter in DELIMITERS.into_iter().chain([b' ']) {
        let split = |line| values_of(line, delimiter).unwrap_or_default();
        let (names, fields) = (split(first), split(second));
        let column = |fields: &[std::borrow::Cow<[u8]>]| {
            fields
                .iter()
                .position(|field| puzzle_text(field, false).is_ok() || puzzle_text(field, true).is_ok())
        };
        let option = if delimiter == b' ' { "--delimiter ' ' " } else { "" };
        if let Some(column) = column(&names) {
            let command = format!("rapidoku ... {option}--no-header --column {} FILE", column + 1);
            return Some(refusal("a table without a header, or with the puzzle in another column", &command));
        }
        if let Some(column) = column(&fields).filter(|column| *column < names.len()) {
            let name = String::from_utf8_lossy(&names[column]).into_owned();
            let command = format!("rapidoku ... {option}--column '{name}' FILE");
            return Some(refusal(
                "no column has one of the names of puzzles, such as 'puzzle' or 'quizzes'",
                &command,
            ));
        }
        let cells = |fields: &[std::borrow::Cow<[u8]>]| {
            fields.iter().filter(|field| matches!(field[..], [byte] if is_cell(byte))).count()
        };
        if fields.len().max(names.len()) >= CELLS && cells(&fields).max(cells(&names)) >= CELLS / 2 {
            let skip = if cells(&names) < CELLS / 2 { "tail -n +2 FILE" } else { "cat FILE" };
            let byte = if delimiter == b'\t' { "\\t".to_owned() } else { char::from(delimiter).to_string() };
            return Some(refusal(
                "a column for each cell",
                &format!("{skip} | tr -d '{byte}' | rapidoku ... -"),
            ));
        }
    }
    None
}

/// The same for a line with a list of numbers.
fn list_hint(line: &[u8]) -> Option<String> {
    let digits = line.iter().filter(|byte| byte.is_ascii_digit()).count();
    let brackets =
        memchr_iter(b'[', line).count() + memchr_iter(b'{', line).count() + memchr_iter(b'(', line).count();
    (digits >= CELLS && brackets > 0)
        .then(|| refusal("a list of numbers for each puzzle", "tr -cd '0-9\\n' < FILE | rapidoku ... -"))
}

pub fn several_delimiters(found: &[u8]) -> String {
    let shown =
        found.iter().map(|byte| format!("'{}'", byte.escape_ascii())).collect::<Vec<_>>().join(" and ");
    let first = if found[0] == b'\t' { "tab".to_owned() } else { format!("'{}'", char::from(found[0])) };
    refusal(
        &format!("the first line has several delimiters: {shown}"),
        &format!("rapidoku ... --delimiter {first} FILE"),
    )
}

/// The reason why there is no column of puzzles, or of this name, or there are `several`.
pub fn column(name: Option<&str>, are_several: bool, header: Option<&[String]>) -> String {
    let Some(columns) = header else {
        return refusal(
            "without a header, the column of the puzzles must be given",
            "rapidoku ... --no-header --column 1 FILE",
        );
    };
    let which = name.map_or_else(|| "with a name of puzzles".to_owned(), |name| format!("'{name}'"));
    let found = if are_several { "several columns" } else { "no column" };
    let listed = columns.iter().take(20).map(String::as_str).collect::<Vec<_>>().join(", ");
    refusal(
        &format!("{found} {which}; the columns are {listed}"),
        "rapidoku ... --column NAME FILE, or its number from 1",
    )
}
