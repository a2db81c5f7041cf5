//! Stage 2, records: conversion of text to puzzles. All syntax rules are here.
//!
//! A text is a sequence of lines, each ended by LF or CRLF; the last one may end with the text instead. A byte order mark
//! at the start is skipped. A text has one of several layouts, recognised from its content (`recognise.rs`) or given by the
//! user ([`InputOptions`]):
//!
//! * lines: a puzzle at the start of each line (`lines.rs`);
//! * rows: a puzzle in a field of each line (CSV and similar formats, `rows.rs`), as clues or as pencilmarks
//!   (`pencilmarks.rs`), or in a field for each cell (`spread.rs`); quoted fields may contain line breaks (`quotes.rs`);
//! * objects: a puzzle in a member of an object of JSON in each line (`objects.rs`);
//! * elements of a document of JSON, which become such lines (`elements.rs`);
//! * grids: a puzzle in nine lines (`grids.rs`);
//! * candidate grids: pencilmarks in nine lines, as lists of candidates (`candidate_grids.rs`);
//! * games: a puzzle in each element of OpenSudoku XML (`opensudoku.rs`);
//! * an array of NumPy: 81 numbers, or a string, for each puzzle (`array.rs`). It is no text.
//!
//! # Lines
//!
//! * A line that is blank (only spaces, tabs and carriage returns) or starts with `#` is not a record, and no ruler (`rulers.rs`) is one.
//!   Nor is what ends a list in source code (`];`) or a table (`(12 rows)`).
//! * Every other line is a record. It is a puzzle if its first 81 bytes are cells (`1` to `9`, or one of the blanks
//!   `.` `0` `-` `_` `*` `?` `x` `X`) and then the line ends, or a separator follows: a space, tab, comma or semicolon.
//!   The rest of the line is ignored, unless it is another puzzle and most lines have no such rest: then the record is
//!   [`PuzzleError::TooLong`].
//! * Otherwise the record is invalid. The reason is the first error from the left: a byte among the first 81 that is not
//!   a cell, or after them neither a cell nor a separator ([`PuzzleError::BadCharacter`]), a line that ends before the 81st cell
//!   ([`PuzzleError::TooShort`]), or a cell after it ([`PuzzleError::TooLong`]).
//!
//! The solvers detect clues that clash, not this module.
//!
//! Up to 16 spaces or tabs may precede the cells, and a byte order mark before them. A complete grid is no puzzle if what may be
//! one follows it ([`PuzzleError::CompleteGrid`]).
//!
//! So the first 197 bytes of a line, and whether it is blank, determine its record. The stream reader relies on this to
//! skip the rest of long lines in bounded memory.

mod array;
pub mod batch;
mod candidate_grids;
mod cell_names;
mod cells;
mod choose;
mod elements;
mod ends;
mod foreign;
mod format;
mod grids;
mod head;
mod input_options;
mod layout;
mod lines;
mod nine_lines;
mod notation;
mod objects;
mod opensudoku;
mod pencilmarks;
mod quotes;
mod recognise;
mod rows;
mod rulers;
mod shard;
mod spread;
mod stream;
mod view;

use memchr::memchr;

use crate::file::bytes::{BYTE_ORDER_MARK, is_record, is_whitespace};
use crate::grid::{CELLS, Candidates, Puzzle, PuzzleError, Solution};
pub use crate::grid::{is_separator, parse_line};
use crate::outcome::{Outcomes, PuzzleSlice, Status};
use crate::simd::{self, Kernel, Simd, SimdLevel};
use crate::verify::{self, Flaw};
pub(super) use choose::find_name;
pub use foreign::{has_possible_puzzle, long_runs};
pub(in crate::file) use head::check_start;
pub use input_options::{ColumnRef, InputFormat, InputOptions};
pub use layout::Layout;
use notation::Content;
pub(super) use recognise::Counted;
#[cfg(test)]
use recognise::recognise;
pub use shard::Shard;
pub use view::BatchView;

/// The number of bytes at the start of a line that determine its record, unless all of them are blank: a puzzle, and after a complete
/// grid perhaps another one.
const HEAD: usize = lines::INDENT + BYTE_ORDER_MARK.len() + 2 * CELLS + 16;

/// Buffers grow by this many records at a time.
const GROWTH: usize = 64;
/// The number of records that [`Records::read_part`] reads at once, or up to [`GROWTH`] more. It bounds the memory of a
/// worker: a batch may have a record in every two bytes. A batch of valid puzzles has fewer records.
const PART: usize = 8192;
/// Text is prefetched this many bytes ahead, about 50 records.
const PREFETCH_DISTANCE: usize = 4096;

/// Takes the place of a record that is not a puzzle in [`Records::puzzles`]. Its clues clash, so a solver rejects it without a
/// search. It is no mark: a puzzle may have the same clues.
const CLASHING: Puzzle = {
    let mut cells = [0; CELLS];
    (cells[0], cells[1]) = (1, 1);
    Puzzle(cells)
};

/// The records of a batch, in order. Record `k` has index `k` in all slices.
#[derive(Debug, Default)]
pub struct Records {
    /// One puzzle per record, [`CLASHING`] for those that are not puzzles.
    pub(super) puzzles: Vec<Puzzle>,
    /// A bit for each record that is not a puzzle, up to the last one of them. Valid records cost nothing.
    not_puzzles: Vec<u64>,
    /// One entry per record if the text has pencilmarks, otherwise empty.
    pub(super) pencilmarks: Vec<Candidates>,
    /// The offset of each record in the text.
    pub(super) starts: Vec<u32>,
    /// The number of lines of the text, including those that are not records.
    pub(super) lines: u64,
    /// The number of puzzles that are complete grids.
    pub(super) complete_grids: u64,
    /// Whether there may be complete grids among the records that were read last.
    may_be_complete: bool,
    /// The number of comments that contain a puzzle, or what resembles one.
    pub(super) commented: u64,
    /// The width in lanes of the vectors of the last parser; zero for layouts that need no vectors. Results do not depend
    /// on it, so a test has to look at it.
    #[cfg(test)]
    pub(super) parser_lanes: usize,
}

impl Records {
    /// Reads all records of `text`, which has a puzzle per line. The previous records are lost.
    ///
    /// # Panics
    /// When a record starts beyond 4 GiB.
    #[doc(hidden)]
    pub fn read(&mut self, text: &[u8]) {
        self.read_as(Layout::lines(), text, SimdLevel::detect());
    }

    /// Reads all records of `text`, which starts between records of this layout. The previous records are lost.
    ///
    /// # Panics
    /// When a record starts beyond 4 GiB.
    #[doc(hidden)]
    pub fn read_as(&mut self, layout: &Layout, text: &[u8], level: SimdLevel) {
        self.read_up_to(usize::MAX, layout, text, level);
    }

    /// Reads the first records of `text`, about [`PART`]. Returns the number of bytes read.
    pub(super) fn read_part(&mut self, layout: &Layout, text: &[u8], level: SimdLevel) -> usize {
        self.read_up_to(PART, layout, text, level)
    }

    fn read_up_to(&mut self, limit: usize, layout: &Layout, text: &[u8], level: SimdLevel) -> usize {
        self.pencilmarks.clear();
        self.not_puzzles.clear();
        (self.lines, self.commented) = (0, 0);
        #[cfg(test)]
        {
            self.parser_lanes = 0;
        }
        // Fast readers say whether there may be complete grids, because another pass over the puzzles would read them from memory.
        self.may_be_complete = true;
        let length = layout.format().read(level, text, self, limit);
        self.complete_grids = 0;
        if self.may_be_complete {
            self.find_complete_grids(layout, text);
        }
        length
    }

    /// Counts the complete grids, except those that are not the puzzles of their records.
    fn find_complete_grids(&mut self, layout: &Layout, text: &[u8]) {
        let mut from = 0;
        while let Some(k) = self.puzzles[from..].iter().position(is_complete) {
            self.check_complete_grid(layout, text, from + k);
            from += k + 1;
        }
    }

    #[cold]
    fn check_complete_grid(&mut self, layout: &Layout, text: &[u8], k: usize) {
        let format = layout.format();
        let start = self.starts[k] as usize;
        if format.may_be_solution(text, start) && format.record(text, start).cells.is_err() {
            self.puzzles[k] = CLASHING;
            self.set_not_puzzle(k);
        } else {
            self.complete_grids += 1;
        }
    }

    /// Appends record `k` of other records of the same kind.
    ///
    /// # Panics
    /// When there is no such record.
    #[doc(hidden)]
    pub fn push_from(&mut self, other: &Records, k: usize) {
        if !other.is_puzzle(k) {
            self.set_not_puzzle(self.puzzles.len());
        }
        self.puzzles.push(other.puzzles[k]);
        self.pencilmarks.extend(other.pencilmarks.get(k));
        self.starts.extend(other.starts.get(k));
    }

    /// The number of records.
    pub fn len(&self) -> usize {
        self.puzzles.len()
    }

    /// Whether there are no records.
    pub fn is_empty(&self) -> bool {
        self.puzzles.is_empty()
    }

    /// The puzzles in the form in which they were given: clues, or candidates for pencilmarks. Pass them to a
    /// [`BatchSolver`](super::BatchSolver).
    pub fn puzzle_slice(&self) -> PuzzleSlice<'_> {
        if self.pencilmarks.is_empty() {
            PuzzleSlice::Clues(&self.puzzles)
        } else {
            PuzzleSlice::Candidates(&self.pencilmarks)
        }
    }

    /// Whether record `k` is a puzzle. Its clues may clash.
    ///
    /// # Panics
    /// When there is no such record.
    #[inline]
    pub fn is_puzzle(&self, k: usize) -> bool {
        assert!(k < self.puzzles.len(), "there is a record {k}");
        self.not_puzzles.get(k / 64).is_none_or(|bits| bits >> (k % 64) & 1 == 0)
    }

    /// The number of puzzles with `0` beside another blank.
    pub(super) fn mixed_blanks(&self, layout: &Layout, text: &[u8]) -> u64 {
        let is_mixed = |&(k, &start): &(usize, &u32)| {
            let Some(cells) = layout.cells_of_puzzle(text, start as usize).filter(|_| self.is_puzzle(k))
            else {
                return false;
            };
            cells.len() == CELLS && cells.contains(&b'0') && !cells.iter().all(u8::is_ascii_digit)
        };
        self.starts.iter().enumerate().filter(is_mixed).count() as u64
    }

    /// The number of puzzles of which a spreadsheet may have rounded the digits: the clues are within 15 of them.
    pub(super) fn rounded(&self) -> u64 {
        let is_rounded = |Puzzle(cells): &&Puzzle| {
            let (first, last) =
                (cells.iter().position(|&digit| digit > 0), cells.iter().rposition(|&digit| digit > 0));
            first.zip(last).is_some_and(|(first, last)| (9..15).contains(&(last - first)))
        };
        self.puzzles.iter().filter(is_rounded).count() as u64
    }

    /// The records that are not puzzles, in order.
    fn not_puzzles(&self) -> impl Iterator<Item = usize> {
        (0..).zip(&self.not_puzzles).flat_map(|(word, &bits)| {
            (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| 64 * word + bit)
        })
    }

    /// Sets the status of the records that are not puzzles, for jobs that solve nothing.
    pub fn mark_invalid(&self, outcomes: &mut Outcomes) {
        self.not_puzzles().for_each(|k| outcomes.set_status(k, Status::Invalid));
    }

    /// The clues of each record: of pencilmarks, the cells with a single candidate. Clues that clash for records that [are
    /// not puzzles](Records::is_puzzle).
    pub fn puzzles(&self) -> &[Puzzle] {
        &self.puzzles
    }

    /// The pencilmarks of each record; empty if the records are given as clues.
    pub fn pencilmarks(&self) -> &[Candidates] {
        &self.pencilmarks
    }

    /// The candidates of record `k`: its pencilmarks, or those that its clues leave.
    ///
    /// # Panics
    /// When there is no such record.
    pub fn candidates(&self, k: usize) -> Candidates {
        self.pencilmarks.get(k).copied().unwrap_or_else(|| (&self.puzzles[k]).into())
    }

    /// The offset in bytes of each record in [`BatchView::text`](super::BatchView::text).
    pub fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// The number of lines of the text, including those that are not records.
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// Checks that `solution` solves record `k`.
    ///
    /// # Errors
    /// The first [`Flaw`].
    ///
    /// # Panics
    /// When there is no such record.
    pub fn check(&self, k: usize, solution: &Solution) -> Result<(), Flaw> {
        match self.pencilmarks.get(k) {
            Some(candidates) => verify::check_candidates(candidates, solution),
            None => verify::check(&self.puzzles[k], solution),
        }
    }

    /// Reads the first `limit` records of `text`, or up to [`GROWTH`] more. Returns the number of bytes read.
    fn read_lines(&mut self, level: SimdLevel, text: &[u8], format: &impl LineFormat, limit: usize) -> usize {
        level.run(ReadLines { records: self, text, format, limit })
    }

    #[inline(always)]
    fn read_lines_with<S: Simd>(
        &mut self,
        s: S,
        text: &[u8],
        format: &impl LineFormat,
        limit: usize,
    ) -> usize {
        let (mut at, mut n) = (0, 0);
        let mut may_be_complete = false;
        while at < text.len() {
            let line = &text[at..];
            simd::prefetch(text, at + PREFETCH_DISTANCE);
            simd::prefetch(text, at + PREFETCH_DISTANCE + 64);
            // The buffers grow in steps: a capacity check per record costs a good part of its parsing time.
            if n == self.puzzles.len() {
                if n >= limit {
                    break;
                }
                self.puzzles.resize(n + GROWTH, Puzzle::EMPTY);
                self.starts.resize(n + GROWTH, 0);
            }
            self.starts[n] = to_offset(at);
            // The puzzle is parsed in place: copying it costs more than parsing it.
            if let Some(next) = format.read_plain(s, line, &mut self.puzzles[n]) {
                may_be_complete |= has_full_start(&self.puzzles[n]);
                (at, n) = (at + next, n + 1);
            } else {
                let line = &line[..format.record_length(line)];
                if format.is_record(line) {
                    match format.parse(line) {
                        Ok(puzzle) => {
                            may_be_complete |= has_full_start(&puzzle);
                            self.puzzles[n] = puzzle;
                        }
                        Err(_) => {
                            self.puzzles[n] = CLASHING;
                            self.set_not_puzzle(n);
                        }
                    }
                    n += 1;
                } else if line.starts_with(b"#") && has_possible_puzzle(line) {
                    self.commented += 1;
                }
                at += line.len() + 1;
                self.lines += line_feeds(line);
            }
            self.lines += 1;
        }
        self.puzzles.truncate(n);
        self.starts.truncate(n);
        self.may_be_complete = may_be_complete;
        at.min(text.len())
    }

    fn read_pencilmarks(
        &mut self,
        format: &impl LineFormat,
        candidates: &dyn Fn(&[u8]) -> Result<Candidates, PuzzleError>,
        text: &[u8],
        limit: usize,
    ) -> usize {
        self.clear();
        let mut at = 0;
        while at < text.len() && self.len() < limit {
            let row = &text[at..][..format.record_length(&text[at..])];
            if format.is_record(row) {
                self.push_pencilmarks(at, candidates(row).ok());
            }
            at += row.len() + 1;
            self.lines += 1 + line_feeds(row);
        }
        at.min(text.len())
    }

    fn clear(&mut self) {
        self.puzzles.clear();
        self.not_puzzles.clear();
        self.starts.clear();
    }

    /// The offset of each record of a text that starts at `from`, and its puzzle if it is one.
    #[cfg(test)]
    pub(super) fn listed(&self, from: usize) -> Vec<(usize, Option<Puzzle>)> {
        let puzzle = |k| self.is_puzzle(k).then_some(self.puzzles[k]);
        (0..self.len()).map(|k| (self.starts[k] as usize + from, puzzle(k))).collect()
    }

    /// Adds a record. `None` is not a puzzle.
    #[inline(always)]
    fn push(&mut self, start: usize, puzzle: Option<Puzzle>) {
        if puzzle.is_none() {
            self.set_not_puzzle(self.puzzles.len());
        }
        self.puzzles.push(puzzle.unwrap_or(CLASHING));
        self.starts.push(to_offset(start));
    }

    fn push_pencilmarks(&mut self, start: usize, candidates: Option<Candidates>) {
        self.push(start, candidates.map(|candidates| candidates.clues()));
        self.pencilmarks.push(candidates.unwrap_or((&CLASHING).into()));
    }

    #[cold]
    fn set_not_puzzle(&mut self, k: usize) {
        set_bit(&mut self.not_puzzles, k);
    }
}

/// Sets bit `k`, and appends words up to it.
#[cold]
fn set_bit(bits: &mut Vec<u64>, k: usize) {
    bits.resize(bits.len().max(k / 64 + 1), 0);
    bits[k / 64] |= 1 << (k % 64);
}

/// Whether a puzzle has no blank in its first cells, as few puzzles with blanks do.
#[inline(always)]
fn has_full_start(puzzle: &Puzzle) -> bool {
    // After the subtraction, the lowest zero has its high bit set, and no digit before it has.
    let first = u64::from_le_bytes(puzzle.0[..8].try_into().expect("eight cells"));
    first.wrapping_sub(0x0101_0101_0101_0101) & 0x8080_8080_8080_8080 == 0
}

/// Whether a puzzle has no blanks.
fn is_complete(puzzle: &Puzzle) -> bool {
    has_full_start(puzzle) && !puzzle.0.contains(&0)
}

/// Whether a puzzle is a complete grid of the digits 0 to 8, as labels of neural networks are.
fn is_zero_based(puzzle: &Puzzle) -> bool {
    !puzzle.0.contains(&9) && Puzzle(puzzle.0.map(|digit| digit + 1)).clash().is_none()
}

/// A layout with one record per line, except that rows may have line breaks within quotes.
trait LineFormat {
    /// The fast path: reads the record at the start of `text`, which is one line, and returns the offset of the next line,
    /// or `None` if [`LineFormat::parse`] has to decide. Must be `#[inline(always)]`.
    fn read_plain<S: Simd>(&self, s: S, text: &[u8], puzzle: &mut Puzzle) -> Option<usize>;

    /// The length of the record (without its last line feed) at the start of `text`.
    fn record_length(&self, text: &[u8]) -> usize;

    /// Parses a record without its last line feed.
    fn parse(&self, line: &[u8]) -> Result<Puzzle, PuzzleError>;

    /// Whether a line or row is a record.
    fn is_record(&self, line: &[u8]) -> bool {
        is_record(line)
    }
}

/// The parser as a kernel: the same code is compiled for each instruction set. Wide vectors halve the time per record.
struct ReadLines<'a, F> {
    records: &'a mut Records,
    text: &'a [u8],
    format: &'a F,
    limit: usize,
}

impl<F: LineFormat> Kernel for ReadLines<'_, F> {
    type Output = usize;

    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> usize {
        #[cfg(test)]
        {
            self.records.parser_lanes = S::LANES;
        }
        self.records.read_lines_with(s, self.text, self.format, self.limit)
    }
}

/// Converts an offset in a batch.
#[inline(always)]
fn to_offset(at: usize) -> u32 {
    u32::try_from(at).expect("batches start their records below 4 GiB")
}

/// The line (without its line feed) that starts at `start`; empty if that is beyond the text.
pub fn line_at(text: &[u8], start: usize) -> &[u8] {
    let line = text.get(start..).unwrap_or_default();
    &line[..memchr(b'\n', line).unwrap_or(line.len())]
}

/// Whether a text alone is a puzzle in any notation.
pub fn reads_as_puzzle(text: &[u8]) -> bool {
    matches!(Content::of(text), Content::Open { .. } | Content::Complete) || pencilmarks::looks_like(text)
}

/// The number of lines of a text, including a last one without a line feed.
fn count_lines(text: &[u8]) -> u64 {
    let has_open_line = text.last().is_some_and(|&byte| byte != b'\n');
    line_feeds(text) + u64::from(has_open_line)
}

fn line_feeds(text: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', text).count() as u64
}
