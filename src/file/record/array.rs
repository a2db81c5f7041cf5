//! Stage 2, records: puzzles in arrays of NumPy (`.npy`), 81 integers for each.
//!
//! The array has the shape `(N, 81)` or `(N, 9, 9)` in C order, with integers of any size and byte order; a blank is 0. A
//! record with another number than 0 to 9 is invalid. Records have no lines: the number of the record in the array takes
//! the place of the line number.
//!
//! The header is a dictionary of Python, as documented in `numpy.lib.format`. Records have a constant size, so nothing has
//! to be searched for to split them.

use std::borrow::Cow;
use std::io;

use super::foreign::{Rejection, RejectionKind};
use super::format::{Division, Format, Record};
use super::{CLASHING, Records, set_bit};
use crate::grid::{CELLS, Cell, Puzzle, PuzzleError};
use crate::simd::{Kernel, Simd, SimdLevel};

/// The type and the number of the records of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Array {
    /// The number of bytes of an integer: 1, 2, 4 or 8.
    size: usize,
    big_endian: bool,
    signed: bool,
    /// The number of puzzles.
    count: u64,
}

const MAGIC: &[u8] = b"\x93NUMPY";

/// Whether a file is an array.
pub(super) fn looks_like(head: &[u8]) -> bool {
    head.starts_with(MAGIC)
}

/// Reads the header of the array that starts with `head`. Returns the array and the size of the header.
///
/// # Errors
/// If the array does not consist of puzzles. In an archive, such an array is skipped.
pub(super) fn recognise(head: &[u8]) -> Result<(Array, usize), Rejection> {
    let reject = |reason: String| Rejection { reason, kind: RejectionKind::Document };
    let (header, skipped_bytes) = header(head).map_err(|reason| reject(format!("NumPy array: {reason}")))?;
    let array = parse(header).map_err(|reason| reject(format!("unsupported NumPy array: {reason}")))?;
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
fn parse(header: &[u8]) -> Result<Array, String> {
    let header = String::from_utf8_lossy(header);
    let field = |name: &str| {
        let (_, rest) = header.split_once(&format!("'{name}'"))?;
        rest.trim_ascii_start().strip_prefix(':').map(str::trim_ascii_start)
    };
    let missing = |name| format!("the header has no '{name}'");
    let descr = field("descr").ok_or_else(|| missing("descr"))?;
    let dtype = descr.strip_prefix('\'').and_then(|rest| rest.split_once('\'')).map(|(dtype, _)| dtype);
    let dtype = dtype.ok_or("records of several fields; convert each field that has puzzles")?;
    let (size, signed) = match dtype.get(1..) {
        Some("i1") => (1, true),
        Some("u1") => (1, false),
        Some("i2") => (2, true),
        Some("u2") => (2, false),
        Some("i4") => (4, true),
        Some("u4") => (4, false),
        Some("i8") => (8, true),
        Some("u8") => (8, false),
        _ => {
            return Err(format!("type '{dtype}' instead of integers; convert it with ARRAY.astype('uint8')"));
        }
    };
    let big_endian = match dtype.as_bytes()[0] {
        b'<' => false,
        b'>' => true,
        _ if size == 1 => false,
        _ => return Err(format!("type '{dtype}' without a byte order")),
    };
    match field("fortran_order").ok_or_else(|| missing("fortran_order"))? {
        order if order.starts_with("False") => {}
        order if order.starts_with("True") => {
            return Err("Fortran order; convert it with numpy.ascontiguousarray(ARRAY)".to_owned());
        }
        _ => return Err("the header has no order".to_owned()),
    }
    let shape = field("shape").and_then(|rest| rest.strip_prefix('(')?.split_once(')'));
    let (shape, _) = shape.ok_or_else(|| missing("shape"))?;
    let numbers = shape.split(',').map(str::trim_ascii).filter(|number| !number.is_empty());
    // Python 2 wrote `81L`.
    let numbers: Result<Vec<u64>, _> =
        numbers.map(|number| number.strip_suffix('L').unwrap_or(number).parse()).collect();
    let count = match numbers.as_deref() {
        Ok([count, 81] | [count, 9, 9]) => *count,
        _ => return Err(format!("shape ({}) instead of (N, 81) or (N, 9, 9)", shape.trim_ascii())),
    };
    if count.checked_mul((size * CELLS) as u64).is_none() {
        return Err(format!("{count} puzzles"));
    }
    Ok(Array { size, big_endian, signed, count })
}

impl Array {
    /// The number of bytes of a record.
    pub(crate) fn record_bytes(self) -> usize {
        self.size * CELLS
    }

    /// The bytes of the record at `start`; fewer than [`Array::record_bytes`] at the end of a text that is cut off.
    pub(super) fn record(self, text: &[u8], start: usize) -> &[u8] {
        let rest = text.get(start..).unwrap_or_default();
        &rest[..rest.len().min(self.record_bytes())]
    }

    /// The numbers of the record at `start`. Those beyond the range of `i64` are its largest one.
    pub(super) fn numbers(self, text: &[u8], start: usize) -> impl Iterator<Item = i64> {
        let number = move |bytes: &[u8]| {
            let byte = |place: usize| bytes[if self.big_endian { place } else { self.size - 1 - place }];
            let is_negative = self.signed && byte(0) > 0x7F;
            let filled = if is_negative { u64::MAX } else { 0 };
            let bits = (0..self.size).fold(filled, |bits, place| bits << 8 | u64::from(byte(place)));
            if is_negative { bits as i64 } else { i64::try_from(bits).unwrap_or(i64::MAX) }
        };
        self.record(text, start).chunks_exact(self.size).map(number)
    }

    /// The puzzle at `start`.
    pub(super) fn parse(self, text: &[u8], start: usize) -> Result<Puzzle, PuzzleError> {
        let mut cells = [0; CELLS];
        let mut count = 0;
        for (index, number) in (0..).zip(self.numbers(text, start)) {
            match u8::try_from(number) {
                Ok(digit) if digit <= 9 => cells[usize::from(index)] = digit,
                _ => return Err(PuzzleError::BadNumber { cell: Cell(index), number }),
            }
            count += 1;
        }
        if count < CELLS as u32 {
            return Err(PuzzleError::TooShort { cells: count });
        }
        Ok(Puzzle(cells))
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
        let cells = self.parse(text, start);
        let cells = cells.map(|puzzle| puzzle.cells().iter().map(|digit| b'0' + digit).collect());
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
        let Records { puzzles, not_puzzles, .. } = records;
        level.run(ReadArray { array: *self, text, puzzles, not_puzzles });
        (count * size).min(text.len())
    }

    fn last_boundary(&self, text: &[u8]) -> Option<usize> {
        let end = text.len() / self.record_bytes() * self.record_bytes();
        (end > 0).then_some(end)
    }

    /// The numbers, separated by spaces.
    fn puzzle_text<'t>(&self, text: &'t [u8], start: usize) -> Cow<'t, [u8]> {
        let numbers: Vec<String> = self.numbers(text, start).map(|number| number.to_string()).collect();
        Cow::Owned(numbers.join(" ").into_bytes())
    }

    fn has_lines(&self) -> bool {
        false
    }

    fn count_lines(&self, part: &[u8]) -> u64 {
        (part.len() / self.record_bytes()) as u64
    }

    fn expected_bytes(&self) -> Option<u64> {
        Some(self.count * self.record_bytes() as u64)
    }

    fn check_size(&self, expected: u64, batch: Option<usize>) -> io::Result<u64> {
        let bytes = batch.unwrap_or(0);
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
}

/// A loop over all records, for one type of integers. A number is valid if it is at most 9 as an unsigned one. Without branches
/// in the inner loops, so that LLVM uses vectors.
macro_rules! read {
    ($reader:expr, $type:ty, $from_bytes:ident) => {{
        const SIZE: usize = size_of::<$type>();
        for (k, (puzzle, record)) in
            (0..).zip($reader.puzzles.iter_mut().zip($reader.text.chunks(SIZE * CELLS)))
        {
            let Ok(numbers) = <&[[u8; SIZE]; CELLS]>::try_from(record.as_chunks().0) else {
                *puzzle = CLASHING;
                set_bit($reader.not_puzzles, k);
                continue;
            };
            let mut bits: $type = 0;
            for (cell, number) in puzzle.0.iter_mut().zip(numbers) {
                let number = <$type>::$from_bytes(*number);
                *cell = number as u8;
                bits |= number;
            }
            let most = puzzle.0.iter().fold(0, |most, &cell| cell.max(most));
            if bits > 15 || most > 9 {
                *puzzle = CLASHING;
                set_bit($reader.not_puzzles, k);
            }
        }
    }};
}

impl Kernel for ReadArray<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        match (self.array.size, self.array.big_endian) {
            (1, _) => read!(self, u8, from_le_bytes),
            (2, false) => read!(self, u16, from_le_bytes),
            (2, true) => read!(self, u16, from_be_bytes),
            (4, false) => read!(self, u32, from_le_bytes),
            (4, true) => read!(self, u32, from_be_bytes),
            (_, false) => read!(self, u64, from_le_bytes),
            (_, true) => read!(self, u64, from_be_bytes),
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

    fn array(descr: &str, shape: &str) -> Result<Array, String> {
        parse(format!("{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}").as_bytes())
    }

    #[test]
    fn headers_of_all_versions_are_read() {
        let header = "{'descr': '>i4', 'fortran_order': False, 'shape': (3, 9, 9), }       \n";
        for version in 1..=3 {
            let bytes = head(version, header);
            let recognised = recognise(&[&bytes[..], &[0; 9]].concat()).unwrap();
            assert_eq!(
                recognised,
                (Array { size: 4, big_endian: true, signed: true, count: 3 }, bytes.len())
            );
            for cut in [7, 9, 12, bytes.len() - 1] {
                let error = recognise(&bytes[..cut]).unwrap_err();
                assert_eq!(error.reason, "NumPy array: incomplete header", "{cut}");
            }
        }
        assert_eq!(array("'|u1'", "(0L, 81L)").unwrap().count, 0);
        assert!(recognise(&head(4, header)).unwrap_err().reason.contains("unknown version 4"));
    }

    #[test]
    fn other_arrays_are_rejected() {
        for (descr, shape, reason) in [
            ("'<f8'", "(2, 81)", "type '<f8' instead of integers"),
            ("'|b1'", "(2, 81)", "type '|b1' instead of integers"),
            ("'<U81'", "(2, 81)", "type '<U81' instead of integers"),
            ("'|i4'", "(2, 81)", "without a byte order"),
            ("''", "(2, 81)", "type ''"),
            ("[('a', '<i4')]", "(2, 81)", "records of several fields"),
            ("'<i4'", "(81,)", "shape (81,) instead of (N, 81)"),
            ("'<i4'", "()", "shape () instead"),
            ("'<i4'", "(2, 9)", "shape (2, 9) instead"),
            ("'<i4'", "(2, 9, 9, 1)", "shape (2, 9, 9, 1) instead"),
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
        assert!(order("True").unwrap_err().contains("Fortran order"));
        assert!(order("0").is_err() && order("False").is_ok());
    }

    proptest! {
        #[test]
        fn no_header_panics(header: Vec<u8>, version in 0..5_u8, text in "[{}':,()0-9 <>iu]{0,60}") {
            let _ = recognise(&[MAGIC, &[version, 0], &header].concat());
            let _ = recognise(&head(version, &text));
            let _ = parse(&header);
        }

        #[test]
        fn all_records_are_read_as_one_at_a_time(
            size in prop::sample::select(vec![1_usize, 2, 4, 8]),
            big_endian: bool,
            signed: bool,
            numbers in prop::collection::vec(prop_oneof![300 => 0..10_i64, 1 => any::<i64>(), 1 => -1..11_i64], 0..400),
            cut in 0..8_usize,
        ) {
            let array = Array { size, big_endian, signed, count: 9 };
            let mut text: Vec<u8> = numbers.iter().flat_map(|number| match big_endian {
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
                        prop_assert_eq!(puzzle, array.parse(&text, start).ok());
                    }
                    at += read;
                }
                prop_assert_eq!(at, text.len());
            }
            let kept = |number: i64| match (size, signed) {
                (1, true) => i64::from(number as i8),
                (1, false) => i64::from(number as u8),
                (2, true) => i64::from(number as i16),
                (2, false) => i64::from(number as u16),
                (4, true) => i64::from(number as i32),
                (4, false) => i64::from(number as u32),
                (_, true) => number,
                (_, false) => i64::try_from(number as u64).unwrap_or(i64::MAX),
            };
            let read: Vec<i64> = array.numbers(&text, 0).collect();
            prop_assert_eq!(&read[..], &numbers.iter().map(|number| kept(*number)).collect::<Vec<_>>()[..read.len()]);
        }
    }

    #[test]
    fn the_size_must_be_that_of_the_header() {
        let array = Array { size: 1, big_endian: false, signed: false, count: 3 };
        assert_eq!(array.expected_bytes(), Some(243));
        assert_eq!(array.check_size(243, Some(162)).unwrap(), 81);
        assert_eq!(array.check_size(0, None).unwrap(), 0);
        for (left, batch, reason) in
            [(243, Some(80), "truncated"), (81, None, "truncated"), (81, Some(162), "bytes follow the array")]
        {
            let error = array.check_size(left, batch).unwrap_err().to_string();
            assert!(error.contains(reason) && error.ends_with("it has 3 puzzles"), "{error}");
        }
    }
}
