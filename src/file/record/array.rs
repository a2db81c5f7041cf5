//! Stage 2, records: puzzles in arrays of NumPy (`.npy`), 81 numbers or a string of 81 cells for each.
//!
//! An array of numbers has the shape `(N, 81)` or `(N, 9, 9)` in C order, or that of one puzzle; an array of strings has the
//! shape `(N,)`. A last dimension of 1 may follow. With solutions the shape is `(N, 2, 81)`, `(N, 2, 9, 9)` or `(N, 2)`: the second
//! grid of a record is the solution of the first one, and the layout is a table of two columns. Numbers are integers of any
//! size and byte order, or floats. A blank is 0, or else -1 or NaN; a record with both is invalid, because its digits may start at 0. [`InputOptions::blank_number`] tells that
//! the digits start at another number. Records have no lines: the number of the record in the array takes the place of the
//! line number.
//!
//! The header is a dictionary of Python, as documented in `numpy.lib.format`. Records have a constant size, so nothing has
//! to be searched for to split them.

use std::borrow::Cow;
use std::fmt;
use std::io;
use std::sync::LazyLock;

use super::choose::check_others;
use super::foreign::{Rejection, RejectionKind};
use super::format::{Division, Format, Record};
use super::input_options::InputOptions;
use super::{CLASHING, Records, set_bit};
use crate::grid::{CELLS, Cell, Puzzle, PuzzleError, parse_field};
use crate::simd::{Kernel, Simd, SimdLevel};

/// The type and the number of the records of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Array {
    kind: Kind,
    /// The number of bytes of a number or character: 1, 2, 4 or 8.
    size: usize,
    /// The number of numbers or characters of a grid: 81, or more characters.
    length: usize,
    /// Whether each record has two grids: a puzzle and its solution.
    has_solutions: bool,
    big_endian: bool,
    /// The number of puzzles.
    count: u64,
    /// The number of a blank, if the user gives it.
    blank: Option<i8>,
}

/// A kind of elements. An element of text is a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Unsigned,
    Signed,
    Float,
    /// Characters of one byte.
    Bytes,
    /// Code points of four bytes.
    Unicode,
}

/// A number of an array.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Number {
    /// Those beyond the range of `i64` are its largest one.
    Integer(i64),
    /// One that is not an integer.
    Float(f64),
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Integer(number) => number.fmt(f),
            Number::Float(number) => number.fmt(f),
        }
    }
}

/// The maximal number of characters of a string. A batch must hold a record.
const MAX_LENGTH: usize = 1 << 16;

/// The columns of an array with solutions.
static COLUMNS: LazyLock<[String; 2]> = LazyLock::new(|| ["puzzle".to_owned(), "solution".to_owned()]);

const MAGIC: &[u8] = b"\x93NUMPY";

/// Whether a file is an array.
pub(super) fn looks_like(head: &[u8]) -> bool {
    head.starts_with(MAGIC)
}

/// Reads the header of the array that starts with `head`. Returns the array and the size of the header.
///
/// # Errors
/// If the array does not consist of puzzles. In an archive, such an array is skipped, unless its first records show that the
/// number of a blank is another one.
pub(super) fn recognise(head: &[u8], options: &InputOptions) -> Result<(Array, usize), Rejection> {
    let reject = |reason: String| Rejection { reason, kind: RejectionKind::Document };
    let (header, skipped_bytes) = header(head).map_err(|reason| reject(format!("NumPy array: {reason}")))?;
    let array = parse(header)?;
    let array = Array { blank: options.blank_number, ..array };
    array.check_numbers(&head[skipped_bytes..])?;
    Ok((array, skipped_bytes))
}

/// The text of the header, and the offset of the data.
fn header(head: &[u8]) -> Result<(&[u8], usize), String> {
    let (start, length) = match *head {
        [_, _, _, _, _, _, 1, _, a, b, ..] => (10, usize::from(u16::from_le_bytes([a, b]))),
        [_, _, _, _, _, _, 2 | 3, _, a, b, c, d, ..] => (12, u32::from_le_bytes([a, b, c, d]) as usize),
        [_, _, _, _, _, _, major @ (0 | 4..), ..] => {
            return Err(format!("unknown version {major} of the header"));
        }
        _ => return Err("incomplete header".to_owned()),
    };
    let header = head.get(start..).and_then(|rest| rest.get(..length));
    header.map(|header| (header, start + length)).ok_or_else(|| "incomplete header".to_owned())
}

/// Reads a header such as `{'descr': '<i8', 'fortran_order': False, 'shape': (3, 81), }`.
fn parse(header: &[u8]) -> Result<Array, Rejection> {
    let (kind, reason) = match fields(header) {
        Ok((array, false)) => return Ok(array),
        // It may have puzzles, so an archive with it is an error.
        Ok((_, true)) => (
            RejectionKind::Unsupported,
            "Fortran order; convert it with numpy.ascontiguousarray(ARRAY)".to_owned(),
        ),
        Err(reason) => (RejectionKind::Document, reason),
    };
    Err(Rejection { reason: format!("unsupported NumPy array: {reason}"), kind })
}

/// The array of a header, and whether it is in Fortran order.
fn fields(header: &[u8]) -> Result<(Array, bool), String> {
    let header = String::from_utf8_lossy(header);
    let field = |name: &str| {
        let (_, rest) = header.split_once(&format!("'{name}'"))?;
        rest.trim_ascii_start().strip_prefix(':').map(str::trim_ascii_start)
    };
    let missing = |name| format!("the header has no '{name}'");
    let descr = field("descr").ok_or_else(|| missing("descr"))?;
    let dtype = descr.strip_prefix('\'').and_then(|rest| rest.split_once('\'')).map(|(dtype, _)| dtype);
    let dtype = dtype.ok_or("records of several fields; convert each field that has puzzles")?;
    let (kind, size, length) = element(dtype)?;
    let big_endian = match dtype.as_bytes()[0] {
        b'<' => false,
        b'>' => true,
        _ if size == 1 => false,
        _ => return Err(format!("type '{dtype}' without a byte order")),
    };
    let is_fortran = match field("fortran_order").ok_or_else(|| missing("fortran_order"))? {
        order if order.starts_with("False") => false,
        order if order.starts_with("True") => true,
        _ => return Err("the header has no order".to_owned()),
    };
    let shape = field("shape").and_then(|rest| rest.strip_prefix('(')?.split_once(')'));
    let (shape, _) = shape.ok_or_else(|| missing("shape"))?;
    let (count, has_solutions) = count(shape, length == 1)?;
    let array =
        Array { kind, size, length: length.max(CELLS), has_solutions, big_endian, count, blank: None };
    if count.checked_mul(array.record_bytes() as u64).is_none() {
        return Err(format!("{count} puzzles"));
    }
    Ok((array, is_fortran))
}

/// The kind of the elements of this type, the number of bytes of a number or character, and their number.
fn element(dtype: &str) -> Result<(Kind, usize, usize), String> {
    let number = dtype.get(2..).and_then(|number| number.parse().ok());
    let (kind, size, length) = match (dtype.as_bytes().get(1), number) {
        (Some(b'u'), Some(size @ (1 | 2 | 4 | 8))) => (Kind::Unsigned, size, 1),
        (Some(b'i'), Some(size @ (1 | 2 | 4 | 8))) => (Kind::Signed, size, 1),
        (Some(b'f'), Some(size @ (2 | 4 | 8))) => (Kind::Float, size, 1),
        (Some(b'S' | b'a'), Some(length)) => (Kind::Bytes, 1, length),
        (Some(b'U'), Some(length)) => (Kind::Unicode, 4, length),
        (Some(b'O'), _) => {
            return Err("objects of Python; save it as numpy.array(ARRAY.tolist())".to_owned());
        }
        _ => return Err(format!("type '{dtype}' instead of integers, floats or strings")),
    };
    match length {
        // A string for each cell, if the shape agrees.
        1 | CELLS.. if length <= MAX_LENGTH => Ok((kind, size, length)),
        _ => Err(format!("type '{dtype}': strings of {length} characters, but a puzzle has {CELLS}")),
    }
}

/// The number of puzzles of an array of this shape, and whether each has a solution.
fn count(shape: &str, element_is_cell: bool) -> Result<(u64, bool), String> {
    let numbers = shape.split(',').map(str::trim_ascii).filter(|number| !number.is_empty());
    // Python 2 wrote `81L`.
    let numbers: Result<Vec<u64>, _> =
        numbers.map(|number| number.strip_suffix('L').unwrap_or(number).parse()).collect();
    let numbers = numbers.unwrap_or_default();
    let numbers = match &numbers[..] {
        [first @ .., _, 1] => &numbers[..first.len() + 1],
        numbers => numbers,
    };
    let shape = shape.trim_ascii();
    match (element_is_cell, numbers) {
        (true, [81] | [9, 9]) => Ok((1, false)),
        (true, &[count, 81] | &[count, 9, 9]) | (false, &[count]) => Ok((count, false)),
        (true, &[count, 2, 81] | &[count, 2, 9, 9]) | (false, &[count, 2]) => Ok((count, true)),
        (true, [_, 162]) => Err(format!(
            "shape ({shape}), two grids in each row; if the puzzle comes first, save ARRAY.reshape(-1, 2, 81)"
        )),
        (true, _) => Err(format!("shape ({shape}) instead of (N, 81), (N, 9, 9) or (N, 2, 81)")),
        (false, _) => Err(format!("shape ({shape}) instead of (N,), with a string for each puzzle")),
    }
}

/// The value of a float of two bytes.
fn half(bits: u16) -> f64 {
    let (exponent, fraction) = (i32::from(bits >> 10 & 0x1F), f64::from(bits & 0x3FF));
    let magnitude = match exponent {
        0 => fraction / f64::from(1 << 24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1024.0 + fraction) * 2_f64.powi(exponent - 25),
    };
    if bits >> 15 == 0 { magnitude } else { -magnitude }
}

impl Array {
    /// The number of bytes of a record.
    pub(crate) fn record_bytes(self) -> usize {
        self.grid_bytes() * if self.has_solutions { 2 } else { 1 }
    }

    /// The number of bytes of a grid, the first of which is the puzzle.
    fn grid_bytes(self) -> usize {
        self.size * self.length
    }

    /// Checks that the first records do not look like a mask, or like puzzles or solutions whose digits do not start at 1.
    ///
    /// # Errors
    /// When they do.
    fn check_numbers(self, data: &[u8]) -> Result<(), Rejection> {
        if self.blank.is_some() || self.has_strings() {
            return Ok(());
        }
        let (mut least, mut most, mut has_other_blanks) = (i64::MAX, i64::MIN, false);
        for number in data.chunks_exact(self.record_bytes()).flat_map(|record| self.numbers(record)) {
            match number {
                Number::Integer(-1) => has_other_blanks = true,
                Number::Integer(number) => (least, most) = (least.min(number), most.max(number)),
                Number::Float(number) => has_other_blanks |= number.is_nan(),
            }
        }
        let is_zero_based =
            |record| self.parse(self.bytes(record, 0)).is_ok_and(|puzzle| super::is_zero_based(&puzzle));
        let (kind, reason) = match (least, most) {
            (1.., 10) if !has_other_blanks => (
                RejectionKind::Unsupported,
                "numbers up to 10 without a 0; if 1 is a blank and 2 to 10 are the digits, use --blank-number 1",
            ),
            (0, ..=8) if has_other_blanks => (
                RejectionKind::Unsupported,
                "numbers 0 to 8 beside blanks; if 0 to 8 are the digits, use --blank-number -1",
            ),
            (0, 1) if !has_other_blanks => (
                RejectionKind::Document,
                "the numbers 0 and 1 alone, as in a mask; --blank-number 0 reads them as puzzles",
            ),
            (0, 8 | 9) if data.chunks_exact(self.record_bytes()).all(is_zero_based) => (
                RejectionKind::Solutions,
                "complete grids of the numbers 0 to 8; if 0 to 8 are the digits, use --blank-number -1",
            ),
            _ => return Ok(()),
        };
        let reason = format!("unsupported NumPy array: {reason}");
        Err(Rejection { reason, kind })
    }

    fn has_strings(self) -> bool {
        matches!(self.kind, Kind::Bytes | Kind::Unicode)
    }

    /// The bytes of the grid at `start`; fewer than [`Array::grid_bytes`] at the end of a text that is cut off.
    pub(super) fn bytes(self, text: &[u8], start: usize) -> &[u8] {
        let rest = text.get(start..).unwrap_or_default();
        &rest[..rest.len().min(self.grid_bytes())]
    }

    /// The bytes of the solution of the record at `start`.
    fn solution_bytes(self, text: &[u8], start: usize) -> Option<&[u8]> {
        self.has_solutions.then(|| self.bytes(text, start.saturating_add(self.grid_bytes())))
    }

    /// The cells of a grid: those of its string, or digits with 0 for a blank.
    fn cells(self, grid: &[u8]) -> Result<Cow<'_, [u8]>, PuzzleError> {
        self.parse(grid).map(|puzzle| match self.has_strings() {
            true => self.string(grid),
            false => puzzle.cells().iter().map(|digit| b'0' + digit).collect(),
        })
    }

    /// The string of a grid, or its numbers, separated by spaces.
    fn grid_text(self, grid: &[u8]) -> Cow<'_, [u8]> {
        if self.has_strings() {
            return self.string(grid);
        }
        let numbers: Vec<String> = self.numbers(grid).map(|number| number.to_string()).collect();
        Cow::Owned(numbers.join(" ").into_bytes())
    }

    /// The bits of the numbers or characters of a record, with the sign extended.
    fn elements(self, record: &[u8]) -> impl Iterator<Item = u64> {
        record.chunks_exact(self.size).map(move |bytes| {
            let byte = |place: usize| bytes[if self.big_endian { place } else { self.size - 1 - place }];
            let is_negative = self.kind == Kind::Signed && byte(0) > 0x7F;
            let filled = if is_negative { u64::MAX } else { 0 };
            (0..self.size).fold(filled, |bits, place| bits << 8 | u64::from(byte(place)))
        })
    }

    /// The numbers of a record.
    fn numbers(self, record: &[u8]) -> impl Iterator<Item = Number> {
        let float = move |bits: u64| match self.size {
            2 => half(bits as u16),
            4 => f32::from_bits(bits as u32).into(),
            _ => f64::from_bits(bits),
        };
        self.elements(record).map(move |bits| match self.kind {
            Kind::Signed => Number::Integer(bits as i64),
            Kind::Float if float(bits).fract() == 0.0 => Number::Integer(float(bits) as i64),
            Kind::Float => Number::Float(float(bits)),
            _ => Number::Integer(i64::try_from(bits).unwrap_or(i64::MAX)),
        })
    }

    /// The string of a record without spaces around it. NumPy fills strings with zeros.
    fn string(self, record: &[u8]) -> Cow<'_, [u8]> {
        fn trim(text: &[u8]) -> &[u8] {
            let end = text.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
            text[..end].trim_ascii()
        }
        if self.kind == Kind::Bytes {
            return Cow::Borrowed(trim(record));
        }
        let character = |bits: u64| u32::try_from(bits).ok().and_then(char::from_u32);
        let characters =
            self.elements(record).map(|bits| character(bits).unwrap_or(char::REPLACEMENT_CHARACTER));
        Cow::Owned(trim(characters.collect::<String>().as_bytes()).to_vec())
    }

    /// The puzzle of a record.
    fn parse(self, record: &[u8]) -> Result<Puzzle, PuzzleError> {
        if self.has_strings() {
            return parse_field(&self.string(record));
        }
        // Bytes are the digits, in most arrays.
        if let Ok(cells) = <[u8; CELLS]>::try_from(record)
            && self.blank.unwrap_or(0) == 0
            && cells.iter().all(|&digit| digit <= 9)
        {
            return Ok(Puzzle(cells));
        }
        let mut cells = [0; CELLS];
        let (mut count, mut zero, mut has_other_blanks) = (0, None, false);
        for (index, number) in (0..).zip(self.numbers(record)) {
            let cell = Cell(index);
            count += 1;
            let number = match number {
                Number::Float(number) if !number.is_nan() => return Err(PuzzleError::NotInteger(cell)),
                Number::Integer(number) if number != -1 || self.blank.is_some() => number,
                _ => {
                    has_other_blanks = true;
                    continue;
                }
            };
            match number.checked_sub(self.blank.unwrap_or(0).into()) {
                Some(digit @ 0..=9) => cells[usize::from(index)] = digit as u8,
                _ => return Err(PuzzleError::BadNumber { cell, number }),
            }
            zero = zero.or((number == 0).then_some(cell));
        }
        match zero.filter(|_| has_other_blanks && self.blank.is_none()) {
            _ if count < CELLS as u32 => Err(PuzzleError::TooShort { cells: count }),
            Some(cell) => Err(PuzzleError::ZeroBesideBlanks(cell)),
            None => Ok(Puzzle(cells)),
        }
    }
}

impl Format for Array {
    fn name(&self) -> &'static str {
        "NumPy array"
    }

    fn division(&self) -> Division {
        Division::Never("arrays")
    }

    fn record<'t>(&self, text: &'t [u8], start: usize) -> Record<'t> {
        // A solution that is missing is a grid without digits.
        let is_given = |grid: &Cow<[u8]>| grid.iter().any(|byte| (b'1'..=b'9').contains(byte));
        let others =
            || self.solution(text, start).map(|(_, grid)| grid).filter(is_given).into_iter().collect();
        let cells = self.cells(self.bytes(text, start)).and_then(|cells| {
            check_others(&cells, others)?;
            Ok(cells)
        });
        Record { end: start.saturating_add(self.record_bytes()), line: start, cells }
    }

    fn read(&self, level: SimdLevel, text: &[u8], records: &mut Records, limit: usize) -> usize {
        let size = self.record_bytes();
        let count = limit.min(text.len().div_ceil(size));
        records.puzzles.resize(count, Puzzle::EMPTY);
        records.not_puzzles.clear();
        records.starts.clear();
        records.starts.extend((0..count).map(|k| super::to_offset(k * size)));
        records.lines = count as u64;
        let Records { puzzles, not_puzzles, may_be_complete, .. } = records;
        *may_be_complete = false;
        level.run(ReadArray { array: *self, text, puzzles, not_puzzles, may_be_complete });
        (count * size).min(text.len())
    }

    fn may_be_solution(&self, _: &[u8], _: usize) -> bool {
        self.has_solutions
    }

    fn last_boundary(&self, text: &[u8]) -> Option<usize> {
        let end = text.len() / self.record_bytes() * self.record_bytes();
        (end > 0).then_some(end)
    }

    fn puzzle_text<'t>(&self, text: &'t [u8], start: usize) -> Cow<'t, [u8]> {
        self.grid_text(self.bytes(text, start))
    }

    fn columns(&self) -> Option<&[String]> {
        self.has_solutions.then_some(&COLUMNS[..])
    }

    fn values<'t>(&self, text: &'t [u8], start: usize, _: bool, values: &mut Vec<Cow<'t, [u8]>>) {
        values.clear();
        let grids = [Some(self.bytes(text, start)), self.solution_bytes(text, start)];
        let value = |grid: &'t [u8]| self.cells(grid).unwrap_or_else(|_| self.grid_text(grid));
        values.extend(grids.into_iter().flatten().filter(|_| self.has_solutions).map(value));
    }

    fn has_solution(&self) -> bool {
        self.has_solutions
    }

    /// The offset counts grids of 81 cells, because a message has it as the column of an error.
    fn solution<'t>(&self, text: &'t [u8], start: usize) -> Option<(usize, Cow<'t, [u8]>)> {
        let grid = self.solution_bytes(text, start)?;
        Some((CELLS, self.cells(grid).unwrap_or_else(|_| self.grid_text(grid))))
    }

    fn has_lines(&self) -> bool {
        false
    }

    fn count_lines(&self, part: &[u8]) -> u64 {
        (part.len() / self.record_bytes()) as u64
    }

    fn expected(&self) -> Option<u64> {
        Some(self.count * self.record_bytes() as u64)
    }

    fn check_expected(&self, expected: u64, batch: Option<&[u8]>) -> io::Result<u64> {
        let bytes = batch.map_or(0, <[u8]>::len);
        let error = |reason: &str| {
            let reason = format!("{reason}: according to its header it has {} puzzles", self.count);
            Err(io::Error::new(io::ErrorKind::InvalidData, reason))
        };
        match expected.checked_sub(bytes as u64) {
            None => error("bytes follow the array"),
            Some(left) if !bytes.is_multiple_of(self.record_bytes()) || (batch.is_none() && left > 0) => {
                error("truncated NumPy array")
            }
            Some(left) => Ok(left),
        }
    }
}

/// The parser as a kernel: the same code is compiled for each instruction set.
struct ReadArray<'a> {
    array: Array,
    text: &'a [u8],
    puzzles: &'a mut [Puzzle],
    not_puzzles: &'a mut Vec<u64>,
    /// See [`Records`].
    may_be_complete: &'a mut bool,
}

/// Reads record `k` one element at a time.
#[cold]
fn read_slowly(array: Array, record: &[u8], k: usize, puzzle: &mut Puzzle, not_puzzles: &mut Vec<u64>) {
    *puzzle = array.parse(record).unwrap_or_else(|_| {
        set_bit(not_puzzles, k);
        CLASHING
    });
}

/// A loop over all records, for one type of integers. A number is valid if it is at most 9 as an unsigned one. Without branches
/// in the inner loops, so that LLVM uses vectors.
macro_rules! read {
    ($reader:expr, $type:ty, $from_bytes:ident) => {{
        const SIZE: usize = size_of::<$type>();
        let ReadArray { array, text, puzzles, not_puzzles, may_be_complete } = $reader;
        for (k, (puzzle, record)) in (0..).zip(puzzles.iter_mut().zip(text.chunks(array.record_bytes()))) {
            let record = array.bytes(record, 0);
            let Ok(numbers) = <&[[u8; SIZE]; CELLS]>::try_from(record.as_chunks().0) else {
                read_slowly(array, record, k, puzzle, not_puzzles);
                continue;
            };
            let mut bits: $type = 0;
            for (cell, number) in puzzle.0.iter_mut().zip(numbers) {
                let number = <$type>::$from_bytes(*number);
                *cell = number as u8;
                // A byte needs no check of its high bits.
                if SIZE > 1 {
                    bits |= number;
                }
            }
            let most = puzzle.0.iter().fold(0, |most, &cell| cell.max(most));
            if bits > 15 || most > 9 {
                read_slowly(array, record, k, puzzle, not_puzzles);
            }
            *may_be_complete |= super::has_full_start(puzzle);
        }
    }};
}

/// The same for floats. One that is at most 9 and an integer equals the byte to which it is converted.
macro_rules! read_floats {
    ($reader:expr, $type:ty, $from_bytes:ident) => {{
        const SIZE: usize = size_of::<$type>();
        let ReadArray { array, text, puzzles, not_puzzles, may_be_complete } = $reader;
        for (k, (puzzle, record)) in (0..).zip(puzzles.iter_mut().zip(text.chunks(array.record_bytes()))) {
            let record = array.bytes(record, 0);
            let Ok(numbers) = <&[[u8; SIZE]; CELLS]>::try_from(record.as_chunks().0) else {
                read_slowly(array, record, k, puzzle, not_puzzles);
                continue;
            };
            let mut is_valid = true;
            for (cell, number) in puzzle.0.iter_mut().zip(numbers) {
                let number = <$type>::$from_bytes(*number);
                *cell = number as u8;
                is_valid &= <$type>::from(*cell) == number && *cell <= 9;
            }
            if !is_valid {
                read_slowly(array, record, k, puzzle, not_puzzles);
            }
            *may_be_complete |= super::has_full_start(puzzle);
        }
    }};
}

impl Kernel for ReadArray<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let Array { kind, size, big_endian, blank, .. } = self.array;
        let kind = if blank.is_some_and(|blank| blank != 0) { None } else { Some(kind) };
        match (kind, size, big_endian) {
            (Some(Kind::Unsigned | Kind::Signed), 1, _) => read!(self, u8, from_le_bytes),
            (Some(Kind::Unsigned | Kind::Signed), 2, false) => read!(self, u16, from_le_bytes),
            (Some(Kind::Unsigned | Kind::Signed), 2, true) => read!(self, u16, from_be_bytes),
            (Some(Kind::Unsigned | Kind::Signed), 4, false) => read!(self, u32, from_le_bytes),
            (Some(Kind::Unsigned | Kind::Signed), 4, true) => read!(self, u32, from_be_bytes),
            (Some(Kind::Unsigned | Kind::Signed), _, false) => read!(self, u64, from_le_bytes),
            (Some(Kind::Unsigned | Kind::Signed), _, true) => read!(self, u64, from_be_bytes),
            (Some(Kind::Float), 4, false) => read_floats!(self, f32, from_le_bytes),
            (Some(Kind::Float), 4, true) => read_floats!(self, f32, from_be_bytes),
            (Some(Kind::Float), 8, false) => read_floats!(self, f64, from_le_bytes),
            (Some(Kind::Float), 8, true) => read_floats!(self, f64, from_be_bytes),
            _ => {
                *self.may_be_complete = true;
                let records = self.text.chunks(self.array.record_bytes());
                for (k, (puzzle, record)) in (0..).zip(self.puzzles.iter_mut().zip(records)) {
                    read_slowly(self.array, self.array.bytes(record, 0), k, puzzle, self.not_puzzles);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn head(version: u8, header: &str) -> Vec<u8> {
        let length = (header.len() as u32).to_le_bytes();
        let length = if version == 1 { &length[..2] } else { &length };
        [MAGIC, &[version, 0], length, header.as_bytes()].concat()
    }

    /// The bits of an integer as a float of two bytes; not a number if it has more digits.
    fn half_of(number: i64) -> i64 {
        let magnitude = number.unsigned_abs();
        let sign = i64::from(number < 0) << 15;
        match magnitude {
            0 => 0,
            1..=2048 => {
                let exponent = i64::from(magnitude.ilog2());
                let fraction = (magnitude << 10 >> exponent) as i64 & 0x3FF;
                sign | (exponent + 15) << 10 | fraction
            }
            _ => 0x7E00,
        }
    }

    fn array(descr: &str, shape: &str) -> Result<Array, String> {
        let header = format!("{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}");
        parse(header.as_bytes()).map_err(|rejection| rejection.reason)
    }

    #[test]
    fn headers_of_all_versions_are_read() {
        let header = "{'descr': '>i4', 'fortran_order': False, 'shape': (3, 9, 9), }       \n";
        for version in 1..=3 {
            let bytes = head(version, header);
            let recognised = recognise(&[&bytes[..], &[0; 9]].concat(), &InputOptions::default()).unwrap();
            assert_eq!(
                recognised,
                (
                    Array {
                        kind: Kind::Signed,
                        size: 4,
                        length: 81,
                        has_solutions: false,
                        big_endian: true,
                        count: 3,
                        blank: None
                    },
                    bytes.len()
                )
            );
            for cut in [7, 9, 12, bytes.len() - 1] {
                let error = recognise(&bytes[..cut], &InputOptions::default()).unwrap_err();
                assert_eq!(error.reason, "NumPy array: incomplete header", "{cut}");
            }
        }
        assert_eq!(array("'|u1'", "(0L, 81L)").unwrap().count, 0);
        assert!(
            recognise(&head(4, header), &InputOptions::default())
                .unwrap_err()
                .reason
                .contains("unknown version 4")
        );
    }

    #[test]
    fn other_arrays_are_rejected() {
        for (descr, shape, reason) in [
            ("'<f16'", "(2, 81)", "type '<f16' instead of integers, floats or strings"),
            ("'|b1'", "(2, 81)", "type '|b1' instead of integers, floats or strings"),
            ("'|O'", "(2,)", "objects of Python; save it as numpy.array(ARRAY.tolist())"),
            ("'<U80'", "(2,)", "type '<U80': strings of 80 characters, but a puzzle has 81"),
            ("'|S9'", "(2, 9)", "type '|S9': strings of 9 characters, but a puzzle has 81"),
            ("'|S0'", "(2,)", "strings of 0 characters"),
            ("'<U99999999999999999'", "(2,)", "strings of 99999999999999999 characters"),
            ("'<U81'", "(2, 81)", "shape (2, 81) instead of (N,), with a string"),
            ("'<U81'", "()", "shape () instead of (N,)"),
            ("'|i4'", "(2, 81)", "without a byte order"),
            ("''", "(2, 81)", "type ''"),
            ("[('a', '<i4')]", "(2, 81)", "records of several fields"),
            ("'<i4'", "(80,)", "shape (80,) instead of (N, 81)"),
            (
                "'<i4'",
                "(2, 162)",
                "shape (2, 162), two grids in each row; if the puzzle comes first, save ARRAY.reshape(-1, 2, 81)",
            ),
            ("'<i4'", "(2, 3, 81)", "shape (2, 3, 81) instead"),
            ("'<i4'", "()", "shape () instead"),
            ("'<i4'", "(2, 9)", "shape (2, 9) instead"),
            ("'<i4'", "(2, 9, 9, 2)", "shape (2, 9, 9, 2) instead"),
            ("'<i4'", "(2, 9, 9, 1, 1)", "shape (2, 9, 9, 1, 1) instead"),
            ("'<i4'", "(-2, 81)", "shape (-2, 81) instead"),
            ("'<i4'", "(18446744073709551615, 81)", "18446744073709551615 puzzles"),
            ("'<i4'", "(2, 81", "no 'shape'"),
        ] {
            let error = array(descr, shape).unwrap_err();
            assert!(error.contains(reason), "{error}");
        }
        let order = |order: &str| {
            parse(format!("{{'descr': '<i4', 'fortran_order': {order}, 'shape': (1, 81)}}").as_bytes())
        };
        assert!(order("True").unwrap_err().reason.contains("Fortran order"));
        assert!(order("0").is_err() && order("False").is_ok());
    }

    #[test]
    fn shapes_give_the_number_of_puzzles() {
        for (descr, shape, count) in [
            ("'<i4'", "(81,)", 1),
            ("'<i4'", "(81, 1)", 1),
            ("'<i4'", "(9, 9)", 1),
            ("'<i4'", "(9, 9, 1)", 1),
            ("'<f2'", "(9, 9, 9)", 9),
            ("'<f4'", "(3, 81, 1)", 3),
            ("'<f8'", "(3, 9, 9, 1)", 3),
            ("'<U81'", "(81,)", 81),
            ("'|S81'", "(3, 1)", 3),
            ("'|a90'", "(1,)", 1),
            ("'<U1'", "(3, 81)", 3),
            ("'|S1'", "(81,)", 1),
        ] {
            let found = array(descr, shape).map(|array| (array.count, array.has_solutions));
            assert_eq!(found, Ok((count, false)), "{descr} {shape}");
        }
        for (descr, shape, bytes) in
            [("'<i4'", "(3, 2, 81)", 648), ("'|u1'", "(3, 2, 9, 9, 1)", 162), ("'<U81'", "(3, 2)", 648)]
        {
            let array = array(descr, shape).unwrap();
            assert_eq!((array.count, array.has_solutions, array.record_bytes()), (3, true, bytes), "{shape}");
        }
    }

    #[test]
    fn the_second_grid_of_a_record_is_its_solution() {
        let array = Array { count: 2, ..array("'|u1'", "(2, 2, 81)").unwrap() };
        let mut text = [[1; 81], [2; 81], [3; 81], [4; 81]].concat();
        text[81 * 3 + 1] = 77;
        for level in SimdLevel::available() {
            let mut records = Records::default();
            assert_eq!(array.read(level, &text, &mut records, 9), text.len());
            assert_eq!(records.starts, [0, 162]);
            assert_eq!(records.puzzles, [Puzzle([1; 81]), Puzzle([3; 81])]);
        }
        let mut values = Vec::new();
        array.values(&text, 0, false, &mut values);
        assert_eq!(values, [vec![b'1'; 81], vec![b'2'; 81]]);
        assert_eq!(array.solution(&text, 0).unwrap().1, vec![b'2'; 81]);
        assert!(array.solution(&text, 162).unwrap().1.starts_with(b"4 77 4 4"));
    }

    #[test]
    fn floats_of_two_bytes_have_the_values_of_ieee_754() {
        let values = [0x0000, 0x8000, 0x3C00, 0x4880, 0xBC00, 0x3800, 0x0001, 0x7BFF, 0x7C00, 0xFC00];
        let expected =
            [0.0, 0.0, 1.0, 9.0, -1.0, 0.5, 2_f64.powi(-24), 65504.0, f64::INFINITY, f64::NEG_INFINITY];
        assert_eq!(values.map(half), expected);
        assert!(half(0x7E00).is_nan());
    }

    #[test]
    fn the_first_records_tell_whether_digits_start_at_another_number() {
        let header = head(1, "{'descr': '|i1', 'fortran_order': False, 'shape': (2, 81), }");
        let read = |first: [i8; 3], second: [i8; 3], options: &InputOptions| {
            let record = |numbers: [i8; 3]| numbers.repeat(27).iter().map(|&number| number as u8).collect();
            let records: [Vec<u8>; 2] = [record(first), record(second)];
            let (array, start) = recognise(&[&header[..], &records.concat()].concat(), options)
                .map_err(|rejection| rejection.reason)?;
            assert_eq!(start, header.len());
            Ok(records.map(|record| array.parse(&record).map(|puzzle| puzzle.0[..3].to_vec())))
        };
        let auto = InputOptions::default();
        let with = |blank: i8| InputOptions::default().blank_number(blank);
        let error: Result<_, String> = read([1, 2, 1], [1, 10, 1], &auto);
        assert!(error.unwrap_err().ends_with("use --blank-number 1"));
        let error = read([-1, 0, 8], [-1, 1, 5], &auto);
        assert!(error.unwrap_err().ends_with("use --blank-number -1"));
        assert_eq!(read([1, 2, 1], [1, 10, 1], &with(1)), Ok([Ok(vec![0, 1, 0]), Ok(vec![0, 9, 0])]));
        assert_eq!(read([-1, 0, 8], [-1, 1, 5], &with(-1)), Ok([Ok(vec![0, 1, 9]), Ok(vec![0, 2, 6])]));
        let bad = |number| Err(PuzzleError::BadNumber { cell: Cell(0), number });
        assert_eq!(read([-1, 2, 3], [10, 1, 1], &with(0)), Ok([bad(-1), bad(10)]));
        assert_eq!(read([0, 2, 3], [-1, 9, 1], &auto), Ok([Ok(vec![0, 2, 3]), Ok(vec![0, 9, 1])]));
        let mixed = read([-1, 0, 3], [9, 1, 10], &auto);
        assert_eq!(
            mixed,
            Ok([
                Err(PuzzleError::ZeroBesideBlanks(Cell(1))),
                Err(PuzzleError::BadNumber { cell: Cell(2), number: 10 })
            ])
        );
    }

    proptest! {
        #[test]
        fn no_header_panics(header: Vec<u8>, version in 0..5_u8, text in "[{}':,()0-9 <>iu]{0,60}") {
            let _ = recognise(&[MAGIC, &[version, 0], &header].concat(), &InputOptions::default());
            let _ = recognise(&head(version, &text), &InputOptions::default());
            let _ = parse(&header);
        }

        #[test]
        fn all_records_are_read_as_one_at_a_time(
            size in prop::sample::select(vec![1_usize, 2, 4, 8]),
            big_endian: bool,
            has_solutions: bool,
            kind in prop::sample::select(vec![Kind::Unsigned, Kind::Signed, Kind::Float]),
            blank in prop::sample::select(vec![None, None, Some(0), Some(1), Some(-1)]),
            numbers in prop::collection::vec(prop_oneof![300 => 0..10_i64, 1 => any::<i64>(), 1 => -1..11_i64], 0..400),
            cut in 0..8_usize,
        ) {
            let size = if kind == Kind::Float { size.max(2) } else { size };
            let array = Array { kind, size, length: CELLS, big_endian, count: 9, blank, has_solutions };
            let bits = |number: &i64| match (kind, size) {
                (Kind::Float, 2) => half_of(*number),
                (Kind::Float, 4) => i64::from((*number as f32).to_bits()),
                (Kind::Float, _) => (*number as f64).to_bits() as i64,
                _ => *number,
            };
            let mut text: Vec<u8> = numbers.iter().map(bits).flat_map(|number| match big_endian {
                true => number.to_be_bytes()[8 - size..].to_vec(),
                false => number.to_le_bytes()[..size].to_vec(),
            }).collect();
            text.truncate(text.len().saturating_sub(cut));
            for level in SimdLevel::available() {
                let mut records = Records::default();
                let mut at = 0;
                while at < text.len() {
                    let read = array.read(level, &text[at..], &mut records, 2);
                    prop_assert!(read > 0 && records.len() <= 2);
                    for (start, puzzle) in records.listed(at) {
                        prop_assert_eq!(puzzle, array.parse(array.bytes(&text, start)).ok());
                    }
                    at += read;
                }
                prop_assert_eq!(at, text.len());
            }
            let kept = |number: i64| match (size, kind) {
                (2, Kind::Float) if number.abs() > 2048 => Number::Float(f64::NAN),
                (4, Kind::Float) => Number::Integer(number as f32 as i64),
                (8, Kind::Float) => Number::Integer(number as f64 as i64),
                (1, Kind::Signed) => Number::Integer((number as i8).into()),
                (1, _) => Number::Integer((number as u8).into()),
                (2, Kind::Unsigned) => Number::Integer((number as u16).into()),
                (2, Kind::Signed) => Number::Integer((number as i16).into()),
                (4, Kind::Unsigned) => Number::Integer((number as u32).into()),
                (4, _) => Number::Integer((number as i32).into()),
                (8, Kind::Unsigned) => Number::Integer(i64::try_from(number as u64).unwrap_or(i64::MAX)),
                _ => Number::Integer(number),
            };
            let read: Vec<String> = array.numbers(array.bytes(&text, 0)).map(|number| number.to_string()).collect();
            let expected: Vec<String> = numbers.iter().map(|number| kept(*number).to_string()).collect();
            prop_assert_eq!(&read[..], &expected[..read.len()]);
        }
    }

    #[test]
    fn the_size_must_be_that_of_the_header() {
        let array = array("'|u1'", "(3, 81)").unwrap();
        assert_eq!(array.expected(), Some(243));
        assert_eq!(array.check_expected(243, Some(&[0; 162])).unwrap(), 81);
        assert_eq!(array.check_expected(0, None).unwrap(), 0);
        for (left, batch, reason) in [
            (243, Some(&[0; 80][..]), "truncated"),
            (81, None, "truncated"),
            (81, Some(&[0; 162]), "bytes follow the array"),
        ] {
            let error = array.check_expected(left, batch).unwrap_err().to_string();
            assert!(error.contains(reason) && error.ends_with("it has 3 puzzles"), "{error}");
        }
    }
}
