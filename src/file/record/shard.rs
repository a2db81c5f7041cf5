//! Stages 1 and 2: shards, the equal parts into which several processes divide the inputs of a run.
//!
//! The bytes of all inputs, one after the other, are divided. A record belongs to the shard in which its first byte is, so
//! each process has to find the first record that starts at or after an offset:
//!
//! * Lines and JSON: the next line.
//! * CSV: the next row. A line may be within a quoted field, and only the rows before it tell. The line breaks of a row are within
//!   1 MiB, so the row that contains the start of a window of 4 MiB before the offset ends in its first MiB or is one line from there
//!   on. If the rows from every line there lead to the same row at or after the offset, it is the one. Without quotes they always do,
//!   and with quotes they do unless every line is well-formed both within and outside of quotes. Then the rows are counted
//!   from the start of the input.
//! * Grids: a row of nine cells does not tell how many rows of its grid precede it, so they are not divided.
//!
//! The format is always that of the start of an input.

use std::io;
use std::ops::Range;

use memchr::{memchr, memchr_iter};

use super::Layout;
use super::ends::too_long;
use super::format::Division;
use super::quotes::{self, Chain};
use crate::file::error::Error;
use crate::file::read::{Divisible, Input};

/// One of several equal parts of the inputs of a run, see [`Run::shard`](super::super::Run::shard).
///
/// Shard `i` of `n` has the records that start in the bytes from `(i - 1) * size / n` to `i * size / n` of all inputs, one
/// after the other. The outputs of all shards, one after the other, are the output of a run without shards: only shard 1
/// writes the header. A shard without records writes an empty output.
///
/// All inputs must be files that are neither compressed nor pipes, and must not change between the runs. Grids of nine lines
/// cannot be divided, nor can jobs that [need numbers](super::super::Needs::numbers).
///
/// ```
/// use rapidoku::Solver;
/// use rapidoku::file::{Output, Run, Shard, SolveRows, Unfinished};
///
/// let folder = tempfile::tempdir()?;
/// let [input, output] = ["puzzles.txt", "solved.txt"].map(|name| folder.path().join(name));
/// let puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// std::fs::write(&input, format!("{puzzle}\n").repeat(10))?;
/// let mut records = Vec::new();
/// for shard in 1..=4 {
///     let run = Run::default().input(&input).shard(Shard::new(shard, 4).expect("1 <= shard <= 4"));
///     let output = Output::create(&output, &Unfinished::default())?;
///     records.push(run.output(output).start(&SolveRows::new(Solver::new()), &mut |_| {})?.records);
/// }
/// assert_eq!(records, [3, 2, 3, 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shard {
    index: u64,
    count: u64,
    with_header: bool,
}

impl Shard {
    /// Shard `index` of `count`, from 1. `None` unless `1 <= index <= count`.
    pub fn new(index: u64, count: u64) -> Option<Shard> {
        (1..=count).contains(&index).then_some(Shard { index, count, with_header: false })
    }

    /// Whether it is shard 1.
    #[doc(hidden)]
    pub fn is_first(&self) -> bool {
        self.index == 1
    }

    /// Sets whether the output has a header even if this is not shard 1. The default is `false`.
    pub fn with_header(mut self, with_header: bool) -> Shard {
        self.with_header = with_header;
        self
    }

    /// Whether the output has a header, if the format has one.
    pub(in crate::file) fn writes_header(self) -> bool {
        self.with_header || self.index == 1
    }

    /// The bytes of this shard, of `total`.
    fn range(self, total: u64) -> Range<u64> {
        let bound = |index: u64| (u128::from(index) * u128::from(total) / u128::from(self.count)) as u64;
        bound(self.index - 1)..bound(self.index)
    }

    /// The part of each input, given their [sizes](Input::size).
    ///
    /// # Errors
    /// When an input has no size.
    pub(in crate::file) fn parts(self, inputs: &[Input], sizes: &[Option<u64>]) -> Result<Vec<Part>, Error> {
        let sized = inputs.iter().zip(sizes).map(|(input, size)| size.ok_or_else(|| not_divisible(input)));
        let sizes = sized.collect::<Result<Vec<u64>, _>>()?;
        let range = self.range(sizes.iter().fold(0, |total, size| total.saturating_add(*size)));
        let mut before = 0_u64;
        let parts = sizes.into_iter().map(|size| {
            let within = |at: u64| at.saturating_sub(before).min(size);
            let part = Part { range: within(range.start)..within(range.end), size };
            before = before.saturating_add(size);
            part
        });
        Ok(parts.collect())
    }
}

fn not_divisible(input: &Input) -> Error {
    let is_file = matches!(input, Input::File(path) if path.is_file());
    let reason = match input {
        Input::Stdin => "standard input cannot be divided into shards; name a file instead",
        _ if is_file => "a compressed file cannot be divided into shards; decompress it first",
        _ => "only regular files can be divided into shards",
    };
    Error::Format { name: input.name(), reason: reason.to_owned() }
}

/// The part of an input that belongs to a shard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The bytes in which records of the shard start.
    pub range: Range<u64>,
    /// The size of the input.
    pub size: u64,
}

/// The number of bytes before an offset in which the rows of a table are tried, and the maximal length of a row of several
/// lines.
#[derive(Clone, Copy)]
struct Bounds {
    window: u64,
    longest: u64,
}

const BOUNDS: Bounds = Bounds { window: 4 << 20, longest: quotes::MAX_ROW as u64 };

impl Part {
    /// The bytes of the records that start in this part. The first record of the input starts at `first`.
    ///
    /// # Errors
    /// When the input cannot be read, or has a record that is too long for its layout.
    pub fn records(&self, layout: &Layout, first: u64, input: &mut Divisible) -> io::Result<Range<u64>> {
        if self.range.is_empty() {
            return Ok(first..first);
        }
        let division = layout.format().division();
        let mut start = |at: u64| match division {
            _ if at <= first => Ok(first),
            _ if at >= self.size => Ok(self.size),
            Division::Rows(delimiter) => row_start(first, self.size, at, delimiter, BOUNDS, input),
            _ => line_start(self.size, at, input),
        };
        Ok(start(self.range.start)?..start(self.range.end)?)
    }

    /// Whether this part has the header, if there is one.
    pub fn has_header(&self) -> bool {
        self.range.start == 0 && self.range.end > 0
    }
}

/// The start of the first line at or after `at`, which is not at the start of the input.
fn line_start(size: u64, at: u64, input: &mut Divisible) -> io::Result<u64> {
    let (mut from, mut length) = (at - 1, 4 << 10);
    while from < size {
        let end = size.min(from + length);
        if let Some(line) = memchr(b'\n', &input.read_range(from..end)?) {
            return Ok(from + line as u64 + 1);
        }
        (from, length) = (end, (2 * length).min(1 << 20));
    }
    Ok(size)
}

/// The start of the first row at or after `at`, in a table of this size whose first row starts at `first`.
fn row_start(
    first: u64,
    size: u64,
    at: u64,
    delimiter: u8,
    bounds: Bounds,
    input: &mut Divisible,
) -> io::Result<u64> {
    let Bounds { window, longest } = bounds;
    let begin = at.saturating_sub(window).max(first);
    if begin > first {
        let text = input.read_range(begin..size.min(at + longest + 2))?;
        let is_rest = begin + text.len() as u64 == size;
        let found = common_row(&text, is_rest, (at - begin) as usize, delimiter, longest as usize)?;
        if let Some(found) = found {
            return Ok(begin + found as u64);
        }
    }
    let mut row = first;
    while row < at {
        let ahead = window.min(at - row);
        let end = size.min(row + ahead + longest + 2);
        let text = input.read_range(row..end)?;
        let (mut next, mut chain) = (0, Chain::default());
        while (next as u64) < ahead {
            next = quotes::row(&text, next, delimiter, &mut chain).1;
        }
        if end < size && text[..next].last() != Some(&b'\n') {
            return Err(too_long());
        }
        row += next as u64;
    }
    Ok(row)
}

/// The first row at or after `at` to which the rows from every line lead that may be a row, near the start of `text`. `None`
/// if they lead to several. `text` may start within a row, and contains the end of the last row before `at`. `is_rest` tells
/// whether the table ends with it.
fn common_row(
    text: &[u8],
    is_rest: bool,
    at: usize,
    delimiter: u8,
    longest: usize,
) -> io::Result<Option<usize>> {
    let lines: Vec<usize> =
        memchr_iter(b'\n', &text[..at]).map(|end| end + 1).filter(|line| *line < at).collect();
    let Some(&earliest) = lines.first() else { return Ok(None) };
    let latest = earliest + longest;
    if latest >= at {
        return Ok(None);
    }
    let mut chain = Chain::default();
    let ends: Vec<usize> =
        lines.iter().map(|line| quotes::row(text, *line, delimiter, &mut chain).1).collect();
    if !is_rest && ends.contains(&text.len()) {
        return Err(too_long());
    }
    // The row at or after `at` to which the row at each line leads, from the last line to the first one.
    let mut found: Vec<usize> = Vec::with_capacity(lines.len());
    for end in ends.into_iter().rev() {
        let row = match lines.binary_search(&end) {
            Ok(index) => found[lines.len() - 1 - index],
            Err(_) => end,
        };
        found.push(row);
    }
    let candidates = lines.partition_point(|line| *line <= latest);
    let reached = &found[lines.len() - candidates..];
    Ok(reached.iter().all(|row| *row == reached[0]).then_some(reached[0]))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn row_starts(text: &[u8], delimiter: u8) -> Vec<u64> {
        let (mut starts, mut at, mut chain) = (Vec::new(), 0, Chain::default());
        while at < text.len() {
            starts.push(at as u64);
            at = quotes::row(text, at, delimiter, &mut chain).1;
        }
        starts
    }

    /// The number of bytes that decide where rows end, wherever they start.
    fn longest(text: &[u8], delimiter: u8) -> u64 {
        let starts = memchr_iter(b'\n', text).map(|end| end + 1).chain([0]);
        let lengths = starts.map(|start| {
            let row = |text: &[u8]| quotes::row(text, 0, delimiter, &mut Chain::default());
            let (rest, whole) = (&text[start..], row(&text[start..]));
            let decides = |length: &usize| (*length..=rest.len()).all(|length| row(&rest[..length]) == whole);
            (0..=rest.len()).find(decides).unwrap_or(rest.len())
        });
        lengths.max().unwrap_or_default() as u64
    }

    fn input(text: &[u8]) -> Divisible {
        Divisible::Stream(Box::new(io::Cursor::new(text.to_vec())))
    }

    proptest! {
        #[test]
        fn rows_are_found_from_any_offset(
            text in prop_oneof![
                "[ab,\"\"\n\n#\r]{1,200}",
                "(a,\"\n\",b\n){1,30}",
                "(a,\"b\nc\",d\r\n|b\"\n|a,b\n|\"\n){1,40}",
            ],
            window in 1..80u64,
            delimiter in prop::sample::select(&b",; "[..]),
        ) {
            let text = text.as_bytes();
            let starts = row_starts(text, delimiter);
            let bounds = Bounds { window, longest: longest(text, delimiter) };
            let (mut input, size) = (input(text), text.len() as u64);
            for at in 1..text.len() as u64 {
                let expected = starts.iter().copied().find(|start| *start >= at).unwrap_or(text.len() as u64);
                let found = row_start(0, size, at, delimiter, bounds, &mut input).unwrap();
                prop_assert_eq!(found, expected, "from {}", at);
            }
        }
    }
}
