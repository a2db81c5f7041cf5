//! Stages 1 and 2: shards, the equal parts into which several processes divide the inputs of a run.
//!
//! The bytes of all inputs, one after the other, are divided. A record belongs to the shard in which its first byte is,
//! so each process has to find the first record that starts at or after an offset:
//!
//! * Lines and JSON: the next line.
//! * CSV: the next row. A line may be within a quoted field, and only the rows before it tell. But if no well-formed
//!   row can have this line in quotes, then a row starts here: a quote before is open, and one line. Most lines of
//!   puzzles are such. From the last one before the offset, or else from the start of the input, the rows are counted.
//! * Grids: a row of nine cells does not tell how many rows of its grid precede it, so they are not divided.
//!
//! The format is always that of the start of an input.

use std::io::{self, BufRead, BufReader, SeekFrom};
use std::ops::Range;

use memchr::memrchr_iter;

use super::Layout;
use super::format::Division;
use super::quotes::{self, Chain, Row};
use super::stream::too_long;
use crate::error::Error;
use crate::read::{Divisible, Input};

/// One of several equal parts of the inputs of a run, see [`Run::shard`](super::super::Run::shard).
///
/// Shard `i` of `n` has the records that start in the bytes from `(i - 1) * size / n` to `i * size / n` of all inputs,
/// one after the other. The outputs of all shards, one after the other, are the output of a run without shards: only
/// shard 1 writes the header. A shard without records writes an empty output.
///
/// All inputs must be files that are neither compressed nor pipes, and must not change between the runs. Grids of nine
/// lines cannot be divided, nor can jobs that [need numbers](super::super::Needs::numbers).
///
/// ```
/// use rapidoku::Solver;
/// use rapidoku::file::{Output, Run, Shard, SolveRows};
///
/// let folder = tempfile::tempdir()?;
/// let [input, output] = ["puzzles.txt", "solved.txt"].map(|name| folder.path().join(name));
/// let puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// std::fs::write(&input, format!("{puzzle}\n").repeat(10))?;
/// let mut records = Vec::new();
/// for shard in 1..=4 {
///     let run = Run { shard: Shard::new(shard, 4), ..Run::default() }.input(&input);
///     let output = Output::create(&output)?;
///     records.push(run.output(output).start(&SolveRows::new(Solver::new()), &mut |_| {})?.records);
/// }
/// assert_eq!(records, [3, 2, 3, 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shard {
    index: u64,
    count: u64,
}

impl Shard {
    /// Shard `index` of `count`, from 1. `None` unless `1 <= index <= count`.
    pub fn new(index: u64, count: u64) -> Option<Shard> {
        (1..=count).contains(&index).then_some(Shard { index, count })
    }

    /// Whether the output has a header, if the format has one.
    pub(crate) fn writes_header(self) -> bool {
        self.index == 1
    }

    /// The part of each input, given their [sizes](Input::size).
    ///
    /// # Errors
    /// When an input has no size.
    pub(crate) fn parts(self, inputs: &[Input], sizes: &[Option<u64>]) -> Result<Vec<Part>, Error> {
        let sized = inputs.iter().zip(sizes).map(|(input, size)| size.ok_or_else(|| not_divisible(input)));
        let sizes = sized.collect::<Result<Vec<u64>, _>>()?;
        let total = sizes.iter().fold(0, |total: u64, size| total.saturating_add(*size));
        let bound = |index: u64| (u128::from(index) * u128::from(total) / u128::from(self.count)) as u64;
        let range = bound(self.index - 1)..bound(self.index);
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

impl Part {
    /// The bytes of the records that start in this part. The first record of the input starts at `first`.
    ///
    /// # Errors
    /// When the input cannot be read, or has a record that is too long for its layout.
    pub fn records(&self, layout: &Layout, first: u64, input: &mut dyn Divisible) -> io::Result<Range<u64>> {
        if self.range.is_empty() {
            return Ok(first..first);
        }
        let division = layout.format().division();
        let mut start = |at: u64| match division {
            _ if at <= first => Ok(first),
            _ if at >= self.size => Ok(self.size),
            Division::Rows(delimiter) => row_start(first, self.size, at, delimiter, input),
            _ => line_start(at, input).map(|line| line.min(self.size)),
        };
        Ok(start(self.range.start)?..start(self.range.end)?)
    }
}

/// The number of bytes of a table that are read at once.
const WINDOW: u64 = 4 << 20;
/// A row and its line end have at most this many bytes.
const LONGEST: u64 = quotes::MAX_ROW as u64 + 2;
/// The number of lines before an offset that are tried.
const LINES: usize = 64;

/// The start of the first line at or after `at`, which is not at the start of the input.
fn line_start(at: u64, input: &mut dyn Divisible) -> io::Result<u64> {
    input.seek(SeekFrom::Start(at - 1))?;
    Ok(at - 1 + BufReader::new(input).skip_until(b'\n')? as u64)
}

/// Reads a range of the bytes of an input, which must not end before it does.
fn read_range(range: Range<u64>, input: &mut dyn Divisible) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; (range.end - range.start) as usize];
    input.seek(SeekFrom::Start(range.start))?;
    input.read_exact(&mut bytes).map(|()| bytes)
}

/// The start of the first row at or after `at`, in a table of this size whose first row starts at `first`.
fn row_start(first: u64, size: u64, at: u64, delimiter: u8, input: &mut dyn Divisible) -> io::Result<u64> {
    // The last of some lines up to `at` that cannot be within quotes of a well-formed row.
    let begin = at.saturating_sub(LONGEST).max(first);
    let text = read_range(begin..size.min(at + LONGEST), input)?;
    let mut lines = memrchr_iter(b'\n', &text[..(at - begin) as usize]).take(LINES).map(|end| end + 1);
    let certain = lines.find(|line| {
        // Rows that are within quotes at the same line break go on in the same way.
        let within_quotes = [b"\"\n", &text[*line..]].concat();
        !matches!(quotes::row(&within_quotes, 0, delimiter, &mut Chain::default()).0, Row::End(_))
    });
    let mut row = certain.map_or(first, |line| begin + line as u64);
    while row < at {
        let ahead = WINDOW.min(at - row);
        let end = size.min(row + ahead + LONGEST);
        let text = read_range(row..end, input)?;
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
