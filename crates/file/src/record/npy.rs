//! Stage 2, records: **npy**, an array of NumPy with 81 numbers for each puzzle.
//!
//! Version 1 to 3, C order, integers of any size or floats of 4 or 8 bytes, both byte orders; shapes `(81,)`, `(9, 9)`,
//! `(N, 81)`, `(N, 9, 9)`, each also with a last 1, and `(N, 2, 81)`, `(N, 2, 9, 9)` with solutions. 0 is a blank, or
//! the number of [`InputOptions::blank_number`]; the digits are the nine numbers after it. A number that is not one of
//! ten makes its record invalid. Records have no lines: the number of the record takes the place of the line number.
//!
//! The header is a dictionary of Python, as documented in `numpy.lib.format`.

use std::borrow::Cow;

use super::format::{Division, Format, Record};
use super::options::InputOptions;
use super::{Records, mark};
use crate::escape::escape;
use crate::grid::{CELLS, Cell, Puzzle, PuzzleError};
use crate::refusal::Refusal;
use crate::simd::{Kernel, Simd, SimdLevel};

/// The type and the number of the records of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Npy {
    kind: Kind,
    /// The number of bytes of a number: 1, 2, 4 or 8.
    size: usize,
    /// Whether each record has two grids: a puzzle and its solution.
    pub has_solutions: bool,
    big_endian: bool,
    /// The number of records.
    count: u64,
    /// The number of a blank.
    blank: i8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Unsigned,
    Signed,
    Float,
}

pub const MAGIC: &[u8] = b"\x93NUMPY";

/// Reads the header of the array that starts with `head`. Returns the array and the size of the header.
///
/// # Errors
/// If the array does not consist of puzzles.
pub fn open(head: &[u8], options: &InputOptions) -> Result<(Npy, usize), Refusal> {
    let damaged = || Refusal::new("the header of the NumPy array is damaged");
    let (start, length) = match *head {
        [_, _, _, _, _, _, 1, _, a, b, ..] => (10, usize::from(u16::from_le_bytes([a, b]))),
        [_, _, _, _, _, _, 2 | 3, _, a, b, c, d, ..] => (12, u32::from_le_bytes([a, b, c, d]) as usize),
        _ => return Err(damaged()),
    };
    let header = head.strip_prefix(MAGIC).and_then(|_| head.get(start..)?.get(..length)).ok_or_else(damaged)?;
    let header = String::from_utf8_lossy(header);
    let field = |name: &str| {
        let (_, rest) = header.split_once(&format!("'{name}'"))?;
        rest.trim_ascii_start().strip_prefix(':').map(str::trim_ascii_start)
    };
    let descr = field("descr").ok_or_else(damaged)?;
    let dtype = descr.strip_prefix('\'').and_then(|rest| rest.split_once('\'')).map_or(descr, |(dtype, _)| dtype);
    let shape = field("shape").and_then(|rest| rest.strip_prefix('(')?.split_once(')'));
    let (shape, _) = shape.ok_or_else(damaged)?;
    let refused = |what: String| {
        let refusal = Refusal::new(format!("a NumPy array {what}"));
        let numbers = shape.split(',').filter_map(|number| number.trim_ascii().parse::<u64>().ok());
        let has_puzzles = numbers.fold(1, u64::wrapping_mul) % CELLS as u64 == 0 && !dtype.contains('O');
        if has_puzzles { refusal.with_command(AS_TEXT) } else { refusal }
    };
    let Some((kind, size)) = kind_of(dtype) else {
        let refusal = refused(format!("of type {}", escape(dtype)));
        let is_text = dtype.get(1..2).is_some_and(|kind| matches!(kind, "U" | "S"));
        return Err(if is_text { refusal.with_command(AS_STRINGS) } else { refusal });
    };
    if !field("fortran_order").is_some_and(|order| order.starts_with("False")) {
        return Err(refused("in Fortran order".to_owned()));
    }
    let (count, has_solutions) = count(shape).ok_or_else(|| refused(format!("of shape ({})", escape(shape))))?;
    let blank = options.blank_number.unwrap_or(0);
    let array = Npy { kind, size, has_solutions, big_endian: dtype.starts_with('>'), count, blank };
    count.checked_mul(array.record_bytes() as u64).ok_or_else(damaged)?;
    Ok((array, start + length))
}

/// Commands that make lines of an array: of numbers, and of strings.
const AS_TEXT: &str = "python3 -c \"import numpy, sys; numpy.savetxt(sys.stdout, \
                       numpy.load(sys.argv[1]).reshape(-1, 81), '%d', '')\" {} | rapidoku ... -";
const AS_STRINGS: &str = "python3 -c \"import numpy, sys; print(*numpy.load(sys.argv[1]).astype(str).ravel(), \
                          sep='\\n')\" {} | rapidoku ... -";

/// The kind and the size of numbers of a type such as `<i8`.
fn kind_of(dtype: &str) -> Option<(Kind, usize)> {
    let kind = match dtype.as_bytes().get(1)? {
        b'u' => Kind::Unsigned,
        b'i' => Kind::Signed,
        b'f' => Kind::Float,
        _ => return None,
    };
    let size = dtype.get(2..)?.parse().ok()?;
    let smallest = if kind == Kind::Float { 4 } else { 1 };
    (matches!(size, 1 | 2 | 4 | 8) && size >= smallest).then_some((kind, size))
}

/// The number of records of an array of this shape, and whether each has a solution.
fn count(shape: &str) -> Option<(u64, bool)> {
    let numbers = shape.split(',').map(str::trim_ascii).filter(|number| !number.is_empty());
    let mut numbers: Vec<u64> = numbers.map(|number| number.parse().ok()).collect::<Option<_>>()?;
    numbers.pop_if(|last| *last == 1);
    match numbers[..] {
        [81] | [9, 9] => Some((1, false)),
        [count, 81] | [count, 9, 9] => Some((count, false)),
        [count, 2, 81] | [count, 2, 9, 9] => Some((count, true)),
        _ => None,
    }
}

impl Npy {
    /// The number of bytes of a record.
    fn record_bytes(self) -> usize {
        self.grid_bytes() * if self.has_solutions { 2 } else { 1 }
    }

    /// The number of records in a part of a batch.
    pub fn count_records(self, part: &[u8]) -> u64 {
        (part.len() / self.record_bytes()) as u64
    }

    /// The number of bytes of a grid, the first of which is the puzzle.
    fn grid_bytes(self) -> usize {
        self.size * CELLS
    }

    /// The numbers of a grid. A float of 64 bits has all those that are near digits.
    fn numbers(self, grid: &[u8]) -> impl Iterator<Item = f64> {
        grid.chunks_exact(self.size).map(move |bytes| {
            let byte = |place: usize| bytes[if self.big_endian { place } else { self.size - 1 - place }];
            let filled = if self.kind == Kind::Signed && byte(0) > 0x7F { u64::MAX } else { 0 };
            let bits = (0..self.size).fold(filled, |bits, place| bits << 8 | u64::from(byte(place)));
            match (self.kind, self.size) {
                (Kind::Unsigned, _) => bits as f64,
                (Kind::Signed, _) => bits as i64 as f64,
                (Kind::Float, 4) => f32::from_bits(bits as u32).into(),
                (Kind::Float, _) => f64::from_bits(bits),
            }
        })
    }

    /// The puzzle of a grid.
    #[inline(never)]
    fn parse(self, grid: &[u8]) -> Result<Puzzle, PuzzleError> {
        let mut cells = [0; CELLS];
        let mut numbers = self.numbers(grid);
        for (at, cell) in (0..).zip(&mut cells) {
            let digit = numbers.next().map_or(f64::NAN, |number| number - f64::from(self.blank));
            *cell = digit as u8;
            if f64::from(*cell) != digit || *cell > 9 {
                return Err(PuzzleError::BadNumber(Cell(at)));
            }
        }
        Ok(Puzzle::of_cells(cells))
    }

    /// The bytes of the puzzle and of the solution of a record.
    fn grids(self, record: &[u8]) -> (&[u8], Option<&[u8]>) {
        let (puzzle, rest) = record.split_at(self.grid_bytes().min(record.len()));
        (puzzle, self.has_solutions.then(|| &rest[..self.grid_bytes().min(rest.len())]))
    }

    /// The digits of a grid, with 0 for a blank, or else its numbers, separated by spaces.
    fn text(self, grid: &[u8]) -> Cow<'_, [u8]> {
        Cow::Owned(match self.parse(grid) {
            Ok(puzzle) => puzzle.cells().iter().map(|digit| b'0' + digit).collect(),
            Err(_) => self.numbers(grid).map(|number| format!("{number} ")).collect::<String>().trim_end().into(),
        })
    }
}

impl Format for Npy {
    fn division(&self) -> Division {
        Division::Never("arrays")
    }

    fn record<'t>(&self, record: &'t [u8]) -> Record<'t> {
        let (puzzle, _) = self.grids(record);
        Record { length: self.record_bytes(), line: 0, cells: self.parse(puzzle).map(|_| self.text(puzzle)) }
    }

    fn read(&self, level: SimdLevel, text: &[u8], records: &mut Records, limit: usize) -> usize {
        let size = self.record_bytes();
        let count = limit.min(text.len().div_ceil(size));
        records.clear_counts();
        // Old puzzles are overwritten, which takes less time than to clear them first.
        records.puzzles.resize(count, Puzzle::EMPTY);
        records.starts.clear();
        records.starts.extend((0..count).map(|k| super::to_offset(k * size)));
        records.lines = count as u64;
        level.run(ReadNumbers { array: *self, text, records });
        (count * size).min(text.len())
    }

    fn last_boundary(&self, text: &[u8]) -> Option<usize> {
        let end = text.len() / self.record_bytes() * self.record_bytes();
        (end > 0).then_some(end)
    }

    fn puzzle_text<'t>(&self, record: &'t [u8]) -> Cow<'t, [u8]> {
        self.text(self.grids(record).0)
    }

    fn values<'t>(&self, record: &'t [u8], _: bool, values: &mut Vec<Cow<'t, [u8]>>) {
        values.clear();
        if let (puzzle, Some(solution)) = self.grids(record) {
            values.extend([puzzle, solution].map(|grid| self.text(grid)));
        }
    }

    fn solution<'t>(&self, record: &'t [u8]) -> Option<Cow<'t, [u8]>> {
        self.grids(record).1.map(|grid| self.text(grid))
    }

    fn expected(&self) -> Option<u64> {
        Some(self.count * self.record_bytes() as u64)
    }
}

/// The parser as a kernel: the same code is compiled for each instruction set.
struct ReadNumbers<'a> {
    array: Npy,
    text: &'a [u8],
    records: &'a mut Records,
}

impl ReadNumbers<'_> {
    /// Reads all records, in which a number has `N` bytes. `digit` converts the bytes, from the lowest to the highest,
    /// and says whether nothing is lost. Without branches in the inner loop, so that LLVM uses vectors.
    #[inline(always)]
    fn read<const N: usize>(self, digit: impl Fn([u8; N]) -> (u8, bool)) {
        let ReadNumbers { array, text, records } = self;
        let Records { puzzles, not_puzzles, complete_grids, .. } = records;
        for (k, (puzzle, record)) in (0..).zip(puzzles.iter_mut().zip(text.chunks(array.record_bytes()))) {
            let (grid, _) = array.grids(record);
            let mut is_valid = false;
            if let Ok(numbers) = <&[[u8; N]; CELLS]>::try_from(grid.as_chunks().0) {
                let mut most = 0;
                is_valid = array.blank == 0;
                for (cell, number) in puzzle.cells_mut().iter_mut().zip(numbers) {
                    let mut bytes = *number;
                    if array.big_endian {
                        bytes.reverse();
                    }
                    let (value, is_whole) = digit(bytes);
                    *cell = value;
                    is_valid &= is_whole;
                    most = most.max(value);
                }
                is_valid &= most <= 9;
            }
            if !is_valid {
                *puzzle = array.parse(grid).unwrap_or_else(|_| {
                    mark(not_puzzles, k);
                    Puzzle::CLASHING
                });
            }
            *complete_grids += u64::from(super::is_complete(puzzle));
        }
    }
}

/// A number as a byte, and whether the byte is that number.
macro_rules! digit {
    ($type:ty) => {
        |bytes| {
            let number = <$type>::from_le_bytes(bytes);
            (number as u8, <$type>::from(number as u8) == number)
        }
    };
}

impl Kernel for ReadNumbers<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        // Digits are not negative, so signed numbers are read as unsigned ones.
        match (self.array.kind, self.array.size) {
            (Kind::Float, 4) => self.read(digit!(f32)),
            (Kind::Float, _) => self.read(digit!(f64)),
            (_, 1) => self.read(digit!(u8)),
            (_, 2) => self.read(digit!(u16)),
            (_, 4) => self.read(digit!(u32)),
            _ => self.read(digit!(u64)),
        }
    }
}
