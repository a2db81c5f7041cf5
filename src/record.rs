//! Stage 2, records: one line <-> one puzzle. Every syntax rule is here.
//!
//! A text is a sequence of lines, each ended by LF or CRLF; the last one may end with the text instead.
//! A byte order mark at the very start is skipped.
//!
//! * A line that is blank (nothing but spaces, tabs and carriage returns) or starts with `#` is no record.
//! * Every other line is a record. It is a puzzle when its first 81 bytes are cells (`1` to `9`, or one
//!   of the blanks `.` `0` `-` `_` `*` `?` `x` `X`) and then the line ends or a separator follows:
//!   a space, tab, comma or semicolon, after which anything may stand.
//! * Otherwise the record is invalid, and the first trouble from the left is the reason: a byte among the
//!   first 81 that is no cell ([`Invalid::BadCharacter`]), the end of the line before the 81st cell
//!   ([`Invalid::TooShort`]), or something else than a separator after it ([`Invalid::TooLong`]).
//!
//! Whether the clues of a puzzle clash is found by the engines, not here.
//!
//! It follows that the fate of a line is settled by its first 84 bytes and by whether it is
//! blank. The streaming reader relies on this to pass over lines of any length in bounded memory.

use memchr::memchr;

use crate::grid::{CELLS, Invalid, Puzzle};
use crate::simd::{self, Kernel, Level, Simd};

/// So many bytes from the start of a line tell what it is, unless all of them are blank.
pub(crate) const HEAD: usize = CELLS + 3;

/// So many bytes before they are read, text is asked for: some 50 records.
const AHEAD: usize = 4096;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// The records of a batch, in order. Meant to be kept and reused.
#[derive(Debug, Default)]
pub struct Records {
    /// One puzzle per record, [`Puzzle::MALFORMED`] for those that are none.
    pub puzzles: Vec<Puzzle>,
    /// Where in the text the line of each record starts.
    pub starts: Vec<u32>,
    /// Lines of the text, with those that are no records.
    pub lines: u64,
}

impl Records {
    /// Reads all records of `text`, which starts at the start of a line. Forgets those read before.
    ///
    /// # Panics
    /// When a record starts beyond 4 GiB.
    pub fn read(&mut self, text: &[u8]) {
        self.puzzles.clear();
        self.starts.clear();
        self.lines = 0;
        Level::detect().run(Read { records: self, text });
    }

    #[inline(always)]
    fn read_lines(&mut self, text: &[u8]) {
        let mut at = 0;
        while at < text.len() {
            let line = &text[at..];
            simd::prefetch(text, at + AHEAD);
            simd::prefetch(text, at + AHEAD + 64);
            // The puzzle is made in its place: to copy it there costs more than to make it.
            self.push(at, Puzzle::EMPTY);
            let last = self.puzzles.len() - 1;
            if let Some(next) = read_plain(line, &mut self.puzzles[last]) {
                at += next;
            } else {
                self.puzzles.pop();
                self.starts.pop();
                let end = memchr(b'\n', line);
                let line = &line[..end.unwrap_or(line.len())];
                if is_record(line) {
                    self.push(at, parse(line).unwrap_or(Puzzle::MALFORMED));
                }
                at += line.len() + 1;
            }
            self.lines += 1;
        }
    }

    #[inline(always)]
    fn push(&mut self, start: usize, puzzle: Puzzle) {
        self.puzzles.push(puzzle);
        self.starts.push(u32::try_from(start).expect("batches start their records below 4 GiB"));
    }
}

/// The same code compiled for each instruction set, as wide vectors read a record in half the time.
struct Read<'a> {
    records: &'a mut Records,
    text: &'a [u8],
}

impl Kernel for Read<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        self.records.read_lines(self.text);
    }
}

/// Reads one record: a line without its line feed.
///
/// # Errors
/// The first trouble from the left. A clash of clues is none: see [`Puzzle::clash`].
pub fn parse(line: &[u8]) -> Result<Puzzle, Invalid> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let mut puzzle = Puzzle::EMPTY;
    if let Some((cells, rest)) = line.split_first_chunk()
        && convert(cells, &mut puzzle)
    {
        let may_end = rest.first().is_none_or(|&byte| is_separator(byte));
        return if may_end { Ok(puzzle) } else { Err(Invalid::TooLong) };
    }
    match (1..).zip(line).find(|&(_, &byte)| !is_cell(byte)) {
        Some((column, &byte)) => Err(Invalid::BadCharacter { column, byte }),
        None => Err(Invalid::TooShort { cells: line.len() as u32 }),
    }
}

/// The line (without its line feed) that starts at `start` of `text`.
pub(crate) fn line_at(text: &[u8], start: usize) -> &[u8] {
    let line = &text[start..];
    &line[..memchr(b'\n', line).unwrap_or(line.len())]
}

/// `text`, which is the beginning of an input, without its byte order mark.
pub(crate) fn skip_byte_order_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text)
}

/// Whether a line that consists of such bytes is no record.
pub(crate) fn is_white(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r')
}

fn is_record(line: &[u8]) -> bool {
    !line.starts_with(b"#") && !line.iter().all(|&byte| is_white(byte))
}

pub(crate) fn is_separator(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b',' | b';')
}

#[inline(always)]
fn is_cell(byte: u8) -> bool {
    byte.is_ascii_digit() | is_blank_cell(byte)
}

/// Whether it is a blank other than `0`.
#[inline(always)]
fn is_blank_cell(byte: u8) -> bool {
    // Bitwise or: a chain of comparisons without branches is what vectorises.
    (byte == b'.') | (byte == b'-') | (byte == b'_') | (byte == b'*') | (byte == b'?') | (byte | 0x20 == b'x')
}

/// The fast path: if `text` starts with a puzzle and the end of its line is near or marked by a
/// separator, that puzzle and where the next line starts. `None` says nothing, [`parse`] decides.
#[inline(always)]
fn read_plain(text: &[u8], puzzle: &mut Puzzle) -> Option<usize> {
    let (cells, rest) = text.split_first_chunk::<CELLS>()?;
    let end = match *rest.first()? {
        b'\n' => 0,
        b'\r' if rest.get(1) == Some(&b'\n') => 1,
        byte if is_separator(byte) => memchr(b'\n', rest)?,
        _ => return None,
    };
    convert(cells, puzzle).then_some(CELLS + end + 1)
}

/// All cells at once, without a branch in the loops, so that the compiler can use vectors; `false` when
/// some are none.
#[inline(always)]
fn convert(text: &[u8; CELLS], puzzle: &mut Puzzle) -> bool {
    // Nearly all files have the blanks `.` or `0`; not to ask for the others takes half the time.
    let mut unusual = 0;
    for (cell, &byte) in puzzle.0.iter_mut().zip(text) {
        let digit = byte.wrapping_sub(b'0');
        *cell = if digit <= 9 { digit } else { 0 };
        unusual |= ((digit > 9) & (byte != b'.')) as u8;
    }
    unusual == 0 || text.iter().fold(true, |all, &byte| all & is_cell(byte))
}
