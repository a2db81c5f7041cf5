//! Stage 2, records: conversion of text to puzzles. All syntax rules are here.
//!
//! There are five formats, each with one rule in a file of its own: `lines.rs`, `csv.rs` (with `quotes.rs`), `json.rs`
//! (with `elements.rs`), `grid.rs` and `npy.rs`. `cells.rs` says what a puzzle text is. The user declares the format,
//! or a list of tests on the start of the input decides (`detect.rs`); all else is refused with a command that helps
//! (`refuse.rs`). Afterwards each record is a pure function of its own bytes, and of the header of a table, so damage
//! stays where it is. `docs/inputs.md` has the same rules for users.
//!
//! A text is a sequence of lines, each ended by LF or CRLF; the last one may end with the text instead. A byte order
//! mark at the start is skipped. Records have at most 1 MiB; a longer one ends the run. The solvers detect clues that
//! clash, not this module.
//!
//! The machinery: `batch.rs` divides inputs into batches of complete records (`stream.rs`), or the part of a
//! shard (`shard.rs`); [`Records`] has the puzzles of a batch.

pub mod batch;
mod cells;
mod csv;
mod detect;
mod elements;
mod format;
mod grid;
mod json;
mod layout;
mod lines;
mod npy;
mod options;
mod quotes;
mod refuse;
mod remedy;
mod shard;
mod stream;

use std::borrow::Cow;

use memchr::{memchr, memchr_iter};

use crate::cancel::CancelToken;
use crate::grid::{Candidates, Puzzle, Solution};
use crate::outcome::{Outcomes, PuzzleSlice, Status};
use crate::simd::{self, Kernel, Simd, SimdLevel};
use crate::verify::{self, Flaw};
pub use cells::has_long_run;
pub use layout::Layout;
pub(crate) use layout::NOTE;
pub use options::{ColumnRef, InputFormat, InputOptions};
use quotes::Chain;
pub(crate) use refuse::BYTE_ORDER_MARK;
pub use shard::Shard;

/// Buffers grow by this many records at a time.
const GROWTH: usize = 64;
/// The number of records that a worker reads at once, or up to [`GROWTH`] more. It bounds its memory: a batch may have
/// a record in every two bytes. A batch of valid puzzles has fewer records.
pub const PART: usize = 8192;
/// The number of bytes that choose the format.
pub const HEAD: usize = 64 << 10;
/// Text is prefetched this many bytes ahead, about 50 records.
const PREFETCH_DISTANCE: usize = 4096;

/// The records of a batch, in order. Record `k` has index `k` in all slices.
#[derive(Debug, Default)]
pub struct Records {
    /// One puzzle per record, with clues that clash for those that are not puzzles.
    pub(super) puzzles: Vec<Puzzle>,
    /// Whether each record is not a puzzle, up to the last one that is not. Valid records cost nothing.
    not_puzzles: Vec<bool>,
    /// One entry per record if the puzzles are given as pencilmarks, otherwise empty. Records of clues and of
    /// pencilmarks are in different parts of a batch.
    pub(super) pencilmarks: Vec<Candidates>,
    /// The offset of each record in the text.
    pub(super) starts: Vec<u32>,
    /// The number of lines of the text, including those that are not records.
    pub(super) lines: u64,
    /// The number of puzzles that are complete grids.
    pub(super) complete_grids: u64,
    /// The number of comments with 81 cells in a row.
    pub(super) commented: u64,
}

impl Records {
    /// Reads the first `limit` records of `text`, or a few more, but only up to the first one that is given in another
    /// form (clues or pencilmarks). The text starts between records of this layout. Returns the number of bytes read.
    /// The previous records are lost.
    ///
    /// # Panics
    /// When a record starts beyond 4 GiB.
    #[doc(hidden)]
    pub fn read(&mut self, layout: &Layout, text: &[u8], level: SimdLevel, limit: usize) -> usize {
        layout.format().read(level, text, self, limit)
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
        !self.not_puzzles.get(k).is_some_and(|is_marked| *is_marked)
    }

    /// Sets the status of the records that are not puzzles, for jobs that solve nothing.
    pub fn mark_invalid(&self, outcomes: &mut Outcomes) {
        let marked = (0..).zip(&self.not_puzzles).filter(|(_, is_marked)| **is_marked);
        marked.for_each(|(k, _)| outcomes.set_status(k, Status::Invalid));
    }

    /// The clues of each record: of pencilmarks, the cells with a single candidate. Clues that clash for records that
    /// [are not puzzles](Records::is_puzzle).
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

    /// Examines what starts at `at`: if it is a record, it becomes record `n`. Returns the offset after it and whether
    /// it is one, or `None` for a record in another form than those before.
    #[cold]
    fn read_slowly<F: LineFormat>(
        &mut self,
        text: &[u8],
        at: usize,
        n: usize,
        format: &F,
        chain: &mut Chain,
    ) -> Option<(usize, bool)> {
        let end = format.record_end(text, at, chain);
        let lines = &text[at..end];
        let is_record = format.is_record(lines);
        if is_record {
            let has_marks = !self.pencilmarks.is_empty();
            let (puzzle, marks) = match format.record(lines).cells.and_then(|cells| cells::parse(&cells)) {
                Ok((_, marks)) if n > 0 && marks.is_some() != has_marks => return None,
                Ok(found) => found,
                Err(_) => {
                    mark(&mut self.not_puzzles, n);
                    (Puzzle::CLASHING, has_marks.then(|| (&Puzzle::CLASHING).into()))
                }
            };
            self.puzzles[n] = puzzle;
            self.pencilmarks.extend(marks);
            self.complete_grids += u64::from(is_complete(&puzzle));
        } else {
            self.commented += u64::from(format.is_comment(lines) && has_long_run(lines));
        }
        self.lines += line_feeds(lines) + u64::from(!lines.ends_with(b"\n"));
        Some((end, is_record))
    }

    fn clear_counts(&mut self) {
        self.not_puzzles.clear();
        self.pencilmarks.clear();
        (self.lines, self.commented, self.complete_grids) = (0, 0, 0);
    }

    /// Adds a record of clues. `None` is not a puzzle.
    fn push(&mut self, start: usize, puzzle: Option<Puzzle>) {
        if puzzle.is_none() {
            mark(&mut self.not_puzzles, self.puzzles.len());
        }
        let puzzle = puzzle.unwrap_or(Puzzle::CLASHING);
        self.complete_grids += u64::from(is_complete(&puzzle));
        self.puzzles.push(puzzle);
        self.starts.push(to_offset(start));
    }
}

/// A batch of records.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct BatchView<'a> {
    /// The bytes of the batch: complete records in input order, and what is between them.
    pub text: &'a [u8],
    /// The records of the batch.
    pub records: &'a Records,
    /// The layout of the input.
    pub layout: &'a Layout,
    /// The layout of the first input that has records or a header, whose header was written.
    pub first_layout: &'a Layout,
    /// The number of inputs before this one.
    pub input_index: usize,
    /// The name of the input.
    pub input: &'a str,
    /// The number of records before this batch, over all inputs. 0 unless the job [needs
    /// numbers](crate::Needs::numbers).
    pub records_before: u64,
    /// The number of lines before this batch in its input. 0 unless the job needs numbers.
    pub lines_before: u64,
    /// The token that cancels the run.
    pub cancel: &'a CancelToken,
}

impl<'a> BatchView<'a> {
    /// The bytes of record `k` and of what is between it and the next record, for the methods of [`Layout`].
    ///
    /// # Panics
    /// When there is no such record.
    pub fn record(&self, k: usize) -> &'a [u8] {
        let starts = self.records.starts();
        let end = starts.get(k + 1).map_or(self.text.len(), |&end| end as usize);
        &self.text[starts[k] as usize..end]
    }

    /// The 81 cells or 729 pencilmarks of record `k` as in the input; `None` if it is not a puzzle.
    ///
    /// # Panics
    /// When there is no such record.
    pub fn cells(&self, k: usize) -> Option<Cow<'a, [u8]>> {
        self.records.is_puzzle(k).then(|| self.layout.format().cells_of_puzzle(self.record(k))).flatten()
    }
}

/// Marks record `k`, after all those before it.
fn mark(marks: &mut Vec<bool>, k: usize) {
    marks.resize(k, false);
    marks.push(true);
}

/// Whether a puzzle has no blanks.
#[inline(always)]
fn is_complete(puzzle: &Puzzle) -> bool {
    // Few puzzles with blanks have none in their first cells. After the subtraction, the lowest zero has its high bit
    // set, and no digit before it has.
    let first = u64::from_le_bytes(puzzle.cells()[..8].try_into().expect("eight cells"));
    first.wrapping_sub(0x0101_0101_0101_0101) & 0x8080_8080_8080_8080 == 0 && !puzzle.cells().contains(&0)
}

/// A format of which each record is a line, or a row that may have several lines.
trait LineFormat: format::Format {
    /// Whether [`Format::record`](format::Format::record) has to check a complete grid.
    const CHECKS_COMPLETE: bool = false;

    /// The fast path: reads the record at the start of `text`, which is one line, and returns the offset of the next
    /// line, or `None` if [`Format::record`](format::Format::record) has to decide. Must be `#[inline(always)]`.
    fn read_plain<S: Simd>(&self, s: S, text: &[u8], puzzle: &mut Puzzle) -> Option<usize>;

    /// The offset after the record at `at`, with its line end if it has one. `Chain` is for CSV.
    fn record_end(&self, text: &[u8], at: usize, _: &mut Chain) -> usize {
        line_end(text, at)
    }

    /// Whether these lines are a record.
    fn is_record(&self, lines: &[u8]) -> bool {
        !is_blank(lines) && !self.is_comment(lines)
    }

    /// Whether a line that is not a record is a comment.
    fn is_comment(&self, _: &[u8]) -> bool {
        false
    }
}

/// Reads the first `limit` records of a text, or up to [`GROWTH`] more. Returns the number of bytes read.
///
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
        let ReadLines { records, text, format, limit } = self;
        records.clear_counts();
        let (mut at, mut n) = (0, 0);
        let mut chain = Chain::default();
        debug_assert_eq!(records.puzzles.len(), records.starts.len());
        // Counters in memory and checked indices would take a tenth of the instructions of plain records.
        let (mut slow, mut complete, mut are_clues) = (0, 0, true);
        while at < text.len() {
            // The buffers grow in steps: a capacity check per record costs a good part of its parsing time.
            if n == records.puzzles.len() {
                if n >= limit {
                    break;
                }
                records.puzzles.resize(n + GROWTH, Puzzle::EMPTY);
                records.starts.resize(n + GROWTH, 0);
            }
            // Plain records. The next one is not plain, or is the end of the text, or has no place.
            for (puzzle, start) in records.puzzles[n..].iter_mut().zip(&mut records.starts[n..]) {
                simd::prefetch(text, at + PREFETCH_DISTANCE);
                simd::prefetch(text, at + PREFETCH_DISTANCE + 64);
                *start = to_offset(at);
                // The puzzle is parsed in place: copying it costs more than parsing it.
                let plain = format.read_plain(s, &text[at..], puzzle);
                let has_no_blanks = is_complete(puzzle);
                let is_plain = are_clues && !(F::CHECKS_COMPLETE && has_no_blanks);
                let Some(length) = plain.filter(|_| is_plain) else { break };
                complete += u64::from(has_no_blanks);
                (at, n) = (at + length, n + 1);
            }
            if at == text.len() || n == records.puzzles.len() {
                continue;
            }
            let Some((end, is_record)) = records.read_slowly(text, at, n, format, &mut chain) else { break };
            are_clues = records.pencilmarks.is_empty();
            slow += usize::from(is_record);
            (at, n) = (end, n + usize::from(is_record));
        }
        records.lines += (n - slow) as u64;
        records.complete_grids += complete;
        records.puzzles.truncate(n);
        records.starts.truncate(n);
        at
    }
}

/// Converts an offset in a batch.
#[inline(always)]
fn to_offset(at: usize) -> u32 {
    u32::try_from(at).expect("batches start their records below 4 GiB")
}

/// Whether a byte is white space.
fn is_white(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0B | 0x0C)
}

/// Whether a line has white space only.
fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|byte| is_white(*byte))
}

/// A text without the white space around it.
fn trim(text: &[u8]) -> &[u8] {
    let start = text.iter().take_while(|byte| is_white(**byte)).count();
    let end = text.iter().rposition(|byte| !is_white(*byte)).map_or(start, |last| last + 1);
    &text[start..end]
}

/// The line at the start of a text, without its line end.
fn line_at(text: &[u8]) -> &[u8] {
    let line = &text[..memchr(b'\n', text).unwrap_or(text.len())];
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// The offset after the line at `start`, with its line feed if it has one.
fn line_end(text: &[u8], start: usize) -> usize {
    memchr(b'\n', &text[start..]).map_or(text.len(), |length| start + length + 1)
}

fn line_feeds(text: &[u8]) -> u64 {
    memchr_iter(b'\n', text).count() as u64
}
