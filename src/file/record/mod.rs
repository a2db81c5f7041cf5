//! Stage 2, records: text <-> puzzles. Every syntax rule is here.
//!
//! A text is a sequence of lines, each ended by LF or CRLF; the last one may end with the text instead.
//! A byte order mark at the very start is skipped. Which of three layouts a text has is told by its
//! content (`recognise`) or by the user ([`InputFormat`]):
//!
//! * [`Layout::Lines`]: a puzzle at the start of each line.
//! * [`Layout::Rows`]: a puzzle in a field of each line (CSV and its relatives, rules in `rows.rs`), of clues or in
//!   pencilmarks (rules in `pencilmarks.rs`).
//! * [`Layout::Grids`]: a puzzle in nine lines (rules in `grids.rs`).
//!
//! # Lines
//!
//! * A line that is blank (nothing but spaces, tabs and carriage returns) or starts with `#` is no record.
//! * Every other line is a record. It is a puzzle when its first 81 bytes are cells (`1` to `9`, or one
//!   of the blanks `.` `0` `-` `_` `*` `?` `x` `X`) and then the line ends or a separator follows:
//!   a space, tab, comma or semicolon, after which anything may stand.
//! * Otherwise the record is invalid, and the first trouble from the left is the reason: a byte among the
//!   first 81 that is no cell ([`PuzzleError::BadCharacter`]), the end of the line before the 81st cell
//!   ([`PuzzleError::TooShort`]), or something else than a separator after it ([`PuzzleError::TooLong`]).
//!
//! Whether the clues of a puzzle clash is found by the engines, not here.
//!
//! It follows that the fate of such a line is settled by its first 84 bytes and by whether it is
//! blank. The streaming reader relies on this to pass over lines of any length in bounded memory.

pub mod batch;
mod cells;
mod foreign;
mod grids;
mod pencilmarks;
mod recognise;
mod rows;

use std::borrow::Cow;

use memchr::{memchr, memrchr};

use crate::grid::{CELLS, Candidates, Puzzle, PuzzleError, Solution};
pub use crate::grid::{is_separator, parse_line};
use crate::outcome::PuzzleSlice;
use crate::simd::{self, Kernel, Level, Simd};
use crate::verify::{self, Flaw};
pub use grids::Grids;
use recognise::is_delimiter;
pub use recognise::{ColumnRef, Form, InputFormat};
pub(super) use recognise::{Recognised, SAMPLE, find_name, recognise};
pub use rows::Rows;

/// So many bytes from the start of a line tell what it is, unless all of them are blank.
pub(crate) const HEAD: usize = CELLS + 3;

/// Records for which room is made at once.
const MORE: usize = 64;
/// So many bytes before they are read, text is asked for: some 50 records.
const AHEAD: usize = 4096;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Where the puzzles of a text stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Layout {
    /// At the start of each line.
    Lines,
    /// In a field of each line.
    Rows(Rows),
    /// In nine lines of nine cells.
    Grids(Grids),
}

impl Layout {
    /// Pencilmarks, and nothing else in a line.
    pub fn pencilmarks() -> Layout {
        let rows = Rows {
            delimiter: b',',
            puzzle: 0,
            pencilmarks: true,
            solution: None,
            names: Vec::new(),
            header: None,
        };
        Layout::Rows(rows)
    }

    /// What is wrong with the record at `start` of `text`, and where the line of the trouble starts. `None` if
    /// it is a puzzle without a clash.
    pub fn trouble(&self, text: &[u8], start: usize) -> Option<(usize, PuzzleError)> {
        let line = line_at(text, start);
        let read = match self {
            Layout::Lines => parse_line(line).map_err(|invalid| (start, invalid)),
            Layout::Rows(rows) if rows.pencilmarks => {
                rows.candidates(line).map(|candidates| candidates.clues()).map_err(|invalid| (start, invalid))
            }
            Layout::Rows(rows) => rows.parse(line).map_err(|invalid| (start, invalid)),
            Layout::Grids(grids) => grids.next(text, start)?.puzzle,
        };
        match read {
            Ok(puzzle) => puzzle.clash().map(|clash| (start, clash)),
            Err(trouble) => Some(trouble),
        }
    }

    /// The header of a table as it stands in the input, without its line end.
    pub fn header(&self) -> Option<&[u8]> {
        match self {
            Layout::Rows(rows) => rows.header.as_deref(),
            _ => None,
        }
    }

    /// Whether its puzzles are in pencilmarks.
    pub fn has_pencilmarks(&self) -> bool {
        matches!(self, Layout::Rows(Rows { pencilmarks: true, .. }))
    }

    /// The 81 cells of the record at `start` as they stand in `text` (in pencilmarks, if these are what it has), if
    /// it has them.
    pub fn cells<'t>(&self, text: &'t [u8], start: usize) -> Option<Cow<'t, [u8]>> {
        let line = line_at(text, start);
        match self {
            Layout::Lines => parse_line(line).ok().map(|_| Cow::Borrowed(&line[..CELLS])),
            Layout::Rows(rows) => {
                if rows.pencilmarks { rows.candidates(line).map(drop) } else { rows.parse(line).map(drop) }
                    .ok()?;
                rows.field(line, rows.puzzle).ok().map(|(_, cells)| Cow::Borrowed(cells))
            }
            Layout::Grids(grids) => {
                let grid = grids.next(text, start)?;
                grid.puzzle.is_ok().then_some(Cow::Owned(grid.cells))
            }
        }
    }

    /// The same of a record that is known to be a puzzle.
    pub fn cells_of_puzzle<'t>(&self, text: &'t [u8], start: usize) -> Option<Cow<'t, [u8]>> {
        match self {
            // An engine that only echoes takes every record for a puzzle.
            Layout::Lines => text.get(start..start + CELLS).map(Cow::Borrowed),
            Layout::Rows(rows) => {
                let (_, cells) = rows.field(line_at(text, start), rows.puzzle).ok()?;
                Some(Cow::Borrowed(cells))
            }
            Layout::Grids(_) => self.cells(text, start),
        }
    }

    /// The solution that a row of fields gives beside its puzzle, as it stands in `text`, and how many bytes of its
    /// line come before it.
    pub fn solution<'t>(&self, text: &'t [u8], start: usize) -> Option<(usize, &'t [u8])> {
        let Layout::Rows(rows) = self else { return None };
        rows.field(line_at(text, start), rows.solution?).ok()
    }

    /// The lines of the record at `start`, with the line feed of the last one if it has one.
    pub fn lines<'t>(&self, text: &'t [u8], start: usize) -> &'t [u8] {
        let end = match self {
            Layout::Lines | Layout::Rows(_) => start + line_at(text, start).len() + 1,
            Layout::Grids(grids) => grids.next(text, start).map_or(text.len(), |grid| grid.end),
        };
        &text[start..end.min(text.len())]
    }

    /// The end of the last record that is complete whatever follows `text`, which starts between records.
    pub(crate) fn last_cut(&self, text: &[u8]) -> Option<usize> {
        match self {
            Layout::Lines | Layout::Rows(_) => memrchr(b'\n', text).map(|at| at + 1),
            Layout::Grids(grids) => grids.last_cut(text),
        }
    }
}

/// The records of a batch, in order. Meant to be kept and reused.
#[derive(Debug, Default)]
pub struct Records {
    /// One puzzle per record, [`Puzzle::MALFORMED`] for those that are none.
    pub puzzles: Vec<Puzzle>,
    /// One per record if the text has pencilmarks, and else none. The puzzles are the clues among them then.
    pub pencilmarks: Vec<Candidates>,
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
        self.read_as(&Layout::Lines, text, Level::detect());
    }

    /// Reads all records of `text`, which starts between records of such a layout, with vectors of such a level. Forgets
    /// those read before.
    ///
    /// # Panics
    /// When a record starts beyond 4 GiB.
    pub fn read_as(&mut self, layout: &Layout, text: &[u8], level: Level) {
        self.pencilmarks.clear();
        self.lines = 0;
        match layout {
            Layout::Lines => level.run(Read { records: self, text, lined: &Lines }),
            Layout::Rows(rows) if rows.pencilmarks => self.read_pencilmarks(rows, text),
            Layout::Rows(rows) => level.run(Read { records: self, text, lined: rows }),
            Layout::Grids(grids) => grids.read(text, self),
        }
    }

    /// The puzzles as a solver takes them.
    pub fn given(&self) -> PuzzleSlice<'_> {
        if self.pencilmarks.is_empty() {
            PuzzleSlice::Clues(&self.puzzles)
        } else {
            PuzzleSlice::Candidates(&self.pencilmarks)
        }
    }

    /// The candidates of a record, be it of clues or in pencilmarks.
    pub fn candidates(&self, k: usize) -> Candidates {
        self.pencilmarks.get(k).copied().unwrap_or_else(|| (&self.puzzles[k]).into())
    }

    /// Whether `solution` is one of a record, be it of clues or in pencilmarks.
    ///
    /// # Errors
    /// The first [`Flaw`].
    pub fn check(&self, k: usize, solution: &Solution) -> Result<(), Flaw> {
        match self.pencilmarks.get(k) {
            Some(candidates) => verify::check_candidates(candidates, solution),
            None => verify::check(&self.puzzles[k], solution),
        }
    }

    #[inline(always)]
    fn read_lines<S: Simd>(&mut self, s: S, text: &[u8], lined: &impl Lined) {
        let (mut at, mut n) = (0, 0);
        while at < text.len() {
            let line = &text[at..];
            simd::prefetch(text, at + AHEAD);
            simd::prefetch(text, at + AHEAD + 64);
            // Room for many at a time: to ask whether there is some costs a good part of reading a record.
            if n == self.puzzles.len() {
                self.puzzles.resize(n + MORE, Puzzle::EMPTY);
                self.starts.resize(n + MORE, 0);
            }
            self.starts[n] = start_32(at);
            // The puzzle is made in its place: to copy it there costs more than to make it.
            if let Some(next) = lined.read_plain(s, line, &mut self.puzzles[n]) {
                (at, n) = (at + next, n + 1);
            } else {
                let end = memchr(b'\n', line);
                let line = &line[..end.unwrap_or(line.len())];
                if is_record(line) {
                    self.puzzles[n] = lined.parse(line).unwrap_or(Puzzle::MALFORMED);
                    n += 1;
                }
                at += line.len() + 1;
            }
            self.lines += 1;
        }
        self.puzzles.truncate(n);
        self.starts.truncate(n);
    }

    fn read_pencilmarks(&mut self, rows: &Rows, text: &[u8]) {
        self.forget();
        let mut at = 0;
        while at < text.len() {
            let line = line_at(text, at);
            if is_record(line) {
                let candidates = rows.candidates(line).unwrap_or((&Puzzle::MALFORMED).into());
                self.push(at, candidates.clues());
                self.pencilmarks.push(candidates);
            }
            at += line.len() + 1;
            self.lines += 1;
        }
    }

    fn forget(&mut self) {
        self.puzzles.clear();
        self.starts.clear();
    }

    #[inline(always)]
    fn push(&mut self, start: usize, puzzle: Puzzle) {
        self.puzzles.push(puzzle);
        self.starts.push(start_32(start));
    }
}

/// A layout with a record in each line.
trait Lined {
    /// The fast path: reads the record at the start of `text` and tells where the next line starts. `None` says
    /// nothing, [`Lined::parse`] decides. Must be `#[inline(always)]`.
    fn read_plain<S: Simd>(&self, s: S, text: &[u8], puzzle: &mut Puzzle) -> Option<usize>;

    /// The puzzle of a line without its line feed.
    fn parse(&self, line: &[u8]) -> Result<Puzzle, PuzzleError>;
}

/// See [`Layout::Lines`].
struct Lines;

impl Lined for Lines {
    #[inline(always)]
    fn read_plain<S: Simd>(&self, s: S, text: &[u8], puzzle: &mut Puzzle) -> Option<usize> {
        cells::read_plain(s, text, puzzle, is_separator)
    }

    fn parse(&self, line: &[u8]) -> Result<Puzzle, PuzzleError> {
        parse_line(line)
    }
}

/// The same code compiled for each instruction set, as wide vectors read a record in half the time.
struct Read<'a, L> {
    records: &'a mut Records,
    text: &'a [u8],
    lined: &'a L,
}

impl<L: Lined> Kernel for Read<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        self.records.read_lines(s, self.text, self.lined);
    }
}

/// Where a record starts, as [`Records`] keep it.
#[inline(always)]
fn start_32(at: usize) -> u32 {
    u32::try_from(at).expect("batches start their records below 4 GiB")
}

/// The line (without its line feed) that starts at `start` of `text`.
pub fn line_at(text: &[u8], start: usize) -> &[u8] {
    let line = &text[start..];
    &line[..memchr(b'\n', line).unwrap_or(line.len())]
}

/// `text`, which is the beginning of an input, without its byte order mark.
pub fn skip_byte_order_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text)
}

/// Whether a line that consists of such bytes is no record.
pub(crate) fn is_white(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r')
}

fn is_record(line: &[u8]) -> bool {
    !line.starts_with(b"#") && !line.iter().all(|&byte| is_white(byte))
}

/// How many lines a text has; the last one may go without a line feed.
fn lines_of(text: &[u8]) -> u64 {
    let open = text.last().is_some_and(|&byte| byte != b'\n');
    memchr::memchr_iter(b'\n', text).count() as u64 + u64::from(open)
}
