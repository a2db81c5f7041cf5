//! Stage 2, records: the elements of an array in a document of JSON as JSON lines, and several puzzles in one line as lines.
//!
//! A document is an array, or an object with an array as a member, such as `{"puzzles": [...]}`, possibly in objects within. The
//! elements of the array with puzzles are the records; `objects.rs` reads them. If only complete grids are found, they are those of
//! the first array. What is before and after the array is skipped, but an error if it has more puzzles. pandas writes
//! `{"columns": [...], "index": [...], "data": [...]}`, in which each element is an array of values, or
//! `{"puzzle": {"0": ..., "1": ...}, ...}` or `{"0": {"puzzle": ...}, ...}`, in which each member is a record.
//! Grids, and objects of several lines, that follow one another or are alone become a line each.
//!
//! Between elements, commas become line feeds; within them, line breaks become spaces, which JSON permits. So each byte of the
//! document is one of the lines, and the document is read as a stream.

use std::io;

use memchr::memchr;
use serde_json::value::RawValue;

use super::foreign::{Rejection, RejectionKind};
use super::input_options::{InputOptions, SAMPLE};
use super::notation::cells_of;
use super::objects::{self, Rest, Shape, has_puzzles};
use super::{Layout, Records, grids};
use crate::simd::SimdLevel;

/// How the bytes of an input become lines of records. Their number stays the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Conversion {
    /// They are after the bracket of an array.
    Elements,
    /// They are values of several lines each, one after another.
    Values,
    /// They are one line of puzzles with this byte between them.
    Separated(u8),
}

/// A conversion up to a place in the text.
pub(super) struct Converter {
    conversion: Conversion,
    scanner: Scanner,
    rest: Rest,
}

/// The message about puzzles `before` or `after` the array that is read.
fn more_puzzles(place: &str) -> String {
    format!("more puzzles {place} the array of JSON that is read; extract each array")
}

impl Converter {
    pub fn new(conversion: Conversion) -> Converter {
        Converter { conversion, scanner: Scanner::default(), rest: Rest::default() }
    }

    /// Converts the next bytes. Returns the number of them that belong to records.
    pub fn convert(&mut self, bytes: &mut [u8]) -> usize {
        match self.conversion {
            Conversion::Elements => self.scanner.convert(bytes),
            Conversion::Separated(separator) => {
                bytes.iter_mut().filter(|byte| **byte == separator).for_each(|byte| *byte = b'\n');
                bytes.len()
            }
            Conversion::Values => {
                for byte in &mut *bytes {
                    if matches!(self.scanner.next(*byte), Place::Break) && self.scanner.depth > 0 {
                        *byte = b' ';
                    }
                }
                // Text between the values belongs to records, which are invalid.
                self.scanner.has_ended = false;
                bytes.len()
            }
        }
    }

    /// Examines the next bytes after the end of the array.
    ///
    /// # Errors
    /// When they have puzzles.
    pub fn check_rest(&mut self, bytes: &[u8]) -> io::Result<()> {
        match bytes.iter().any(|&byte| self.rest.finds_puzzle(byte)) {
            false => Ok(()),
            true => Err(io::Error::new(io::ErrorKind::InvalidData, more_puzzles("after"))),
        }
    }

    /// Whether the array has ended. What follows belongs to no record.
    pub fn has_ended(&self) -> bool {
        self.scanner.has_ended
    }

    /// Whether the text may end here.
    pub fn may_end(&self) -> bool {
        self.conversion != Conversion::Elements || self.scanner.has_ended
    }
}

/// The position in an array.
#[derive(Default)]
struct Scanner {
    /// The number of open brackets and braces within the array.
    depth: usize,
    in_string: bool,
    is_escaped: bool,
    has_ended: bool,
}

impl Scanner {
    /// Turns the next bytes of an array into those of lines. Returns the number of bytes up to the end of the array.
    fn convert(&mut self, bytes: &mut [u8]) -> usize {
        for (at, byte) in bytes.iter_mut().enumerate() {
            match self.next(*byte) {
                Place::Within => {}
                Place::Break => *byte = b' ',
                Place::Comma => *byte = b'\n',
                Place::End => {
                    *byte = b'\n';
                    return at + 1;
                }
            }
        }
        bytes.len()
    }

    fn next(&mut self, byte: u8) -> Place {
        if self.in_string {
            let is_escaped = std::mem::take(&mut self.is_escaped);
            match byte {
                // No string of JSON has one. If its quote was lost, only this record is invalid.
                b'\n' => {
                    self.in_string = false;
                    return Place::Break;
                }
                b'\\' => self.is_escaped = !is_escaped,
                b'"' if !is_escaped => self.in_string = false,
                _ => {}
            }
            return Place::Within;
        }
        match byte {
            b'"' => self.in_string = true,
            b'[' | b'{' => self.depth += 1,
            b']' | b'}' if self.depth > 0 => self.depth -= 1,
            b']' | b'}' => {
                self.has_ended = true;
                return Place::End;
            }
            b',' if self.depth == 0 => return Place::Comma,
            b'\n' | b'\r' => return Place::Break,
            _ => {}
        }
        Place::Within
    }
}

/// Where a byte is.
enum Place {
    /// In an element.
    Within,
    /// Between lines, in an element or not.
    Break,
    /// Between elements.
    Comma,
    /// At the end of the array.
    End,
}

/// A recognised document: the layout of its elements, the offset of the first one, and how they become lines.
pub(super) struct Document {
    pub layout: Layout,
    pub start: usize,
    pub conversion: Conversion,
}

/// Recognises a document of JSON. `None` if the text is something else.
///
/// # Errors
/// If no array in `head` has puzzles.
pub(super) fn recognise(
    head: &[u8],
    is_all: bool,
    options: &InputOptions,
) -> Option<Result<Document, Rejection>> {
    let text = head.trim_ascii_start();
    let before = head.len() - text.len();
    // Most texts are no JSON. Only others are copied and parsed.
    if !matches!(text, [b'[' | b'{', ..]) {
        return None;
    }
    if has_unquoted_name(text) {
        let reason = "not JSON: names without double quotes; write it with json.dumps or JSON.stringify";
        return Some(Err(Rejection { reason: reason.to_owned(), kind: RejectionKind::Document }));
    }
    if is_all
        && options.column.is_none()
        && text.starts_with(b"{")
        && let Some(name) = objects::more_puzzles(text)
    {
        let reason = format!(
            "more puzzles in '{name}' of the object with a puzzle; extract them, or name the puzzle that is read with --column"
        );
        return Some(Err(Rejection { reason, kind: RejectionKind::Nested }));
    }
    if let Some(shape) = shape_of_values(text, is_all, options) {
        let (conversion, mut lines) = (Conversion::Values, text.to_vec());
        Converter::new(conversion).convert(&mut lines);
        let layout = objects::recognise_as(&shape, &lines, is_all, options);
        return Some(layout.map(|objects| Document {
            layout: Layout::of(objects),
            start: before,
            conversion,
        }));
    }
    match text {
        // Rows of a grid in brackets.
        [b'[', rest @ ..] if grids::starts_with_row(text) && rest.trim_ascii_start().starts_with(b"[") => {
            None
        }
        [b'[', rest @ ..] if matches!(rest.trim_ascii_start(), [b'{' | b'[' | b'"', ..]) => {
            let shape = if rest.trim_ascii_start()[0] == b'{' { Shape::Object } else { Shape::Value };
            // An array of something else, such as numbers without commas, is no document of JSON.
            let is_json =
                first_value(rest).is_some_and(|value| value.map_or_else(|error| error.is_eof(), |_| true));
            is_json.then(|| {
                recognise_array(head, before + 1, shape, is_all, options).map(|found| found.document)
            })
        }
        // One line is JSON lines.
        [b'{', ..] if is_all && objects::is_row(text, options) => None,
        [b'{', ..] => Some(recognise_object(head, collections(text, DEPTH)?, is_all, options)),
        _ => None,
    }
}

/// Whether a text starts like an object or an array of objects of Python or JavaScript, whose names need no double quotes.
fn has_unquoted_name(text: &[u8]) -> bool {
    let object = text.strip_prefix(b"[").map_or(text, <[u8]>::trim_ascii_start);
    let Some(inner) = object.strip_prefix(b"{").map(<[u8]>::trim_ascii_start) else { return false };
    let rest = inner.strip_prefix(b"'").unwrap_or(inner);
    let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$');
    let after = &rest[rest.iter().take_while(is_name).count()..];
    let after = if rest.len() < inner.len() { after.strip_prefix(b"'").unwrap_or_default() } else { after };
    // A row of a table may start with a brace.
    let line = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let ends_like_object = line.trim_ascii_end().last().is_some_and(|byte| b"{}[],".contains(byte));
    after.len() < rest.len() && after.trim_ascii_start().starts_with(b":") && ends_like_object
}

/// Objects within objects that are searched.
const DEPTH: usize = 4;

/// A document, and what its records are.
struct Found {
    document: Document,
    contents: Contents,
}

/// What the records in the head of a document are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Contents {
    /// No puzzles.
    Other,
    /// Complete grids.
    Complete,
    /// Puzzles.
    Open,
}

/// Recognises the layout of the array whose elements start at `start`.
fn recognise_array(
    head: &[u8],
    start: usize,
    shape: Shape,
    is_all: bool,
    options: &InputOptions,
) -> Result<Found, Rejection> {
    let mut scanner = Scanner::default();
    let end = head[start..].iter().position(|&byte| matches!(scanner.next(byte), Place::End));
    let mut lines = head[start..end.map_or(head.len(), |end| start + end + 1)].to_vec();
    Scanner::default().convert(&mut lines);
    // An element may have several values, one of which is the puzzle.
    let shape = match shape {
        Shape::Value => objects::looks_like(&lines).unwrap_or(shape),
        _ => shape,
    };
    let layout = Layout::of(objects::recognise_as(&shape, &lines, is_all || scanner.has_ended, options)?);
    let mut records = Records::default();
    records.read_as(&layout, &lines, SimdLevel::detect());
    let puzzles = (0..records.len()).filter(|&k| records.is_puzzle(k)).count() as u64;
    let contents = match puzzles {
        0 => Contents::Other,
        _ if puzzles == records.complete_grids => Contents::Complete,
        _ => Contents::Open,
    };
    Ok(Found { document: Document { layout, start, conversion: Conversion::Elements }, contents })
}

/// Recognises the layout of the array with puzzles among the arrays and objects of an object.
///
/// # Errors
/// If there is none. Also if there is none with blanks, but the text is cut: then more of it has to be examined.
fn recognise_object(
    head: &[u8],
    collections: Vec<(String, usize)>,
    is_all: bool,
    options: &InputOptions,
) -> Result<Document, Rejection> {
    let before = head.len() - head.trim_ascii_start().len();
    let (mut names, mut best, mut rejections) = (None, None::<Found>, Vec::new());
    for (name, start) in collections.into_iter().map(|(name, start)| (name, before + start)) {
        if name == "columns" {
            names = strings(&head[start - 1..]);
            continue;
        }
        if let Some(rejection) = objects::reason_for_cells(&name, &head[start - 1..]) {
            rejections.push(rejection);
            continue;
        }
        let shape = match (&names, head[start - 1], head[start..].trim_ascii_start()) {
            (_, b'{', rest) if has_number(rest) => Shape::Pair,
            (_, b'[', [b'{', ..]) => Shape::Object,
            (Some(names), b'[', [b'[', ..]) => Shape::Row(Vec::clone(names)),
            (_, b'[', [b'[' | b'"', ..]) => Shape::Value,
            _ => continue,
        };
        match recognise_array(head, start, shape, is_all, options) {
            Ok(found) if best.as_ref().is_none_or(|best| best.contents < found.contents) => {
                best = Some(found)
            }
            Ok(_) => {}
            Err(rejection) => rejections.push(rejection),
        }
    }
    let is_cut = !is_all && head.len() <= SAMPLE;
    let has_advice = rejections.iter().any(|rejection| rejection.kind == RejectionKind::Nested);
    let found = best.filter(|best| best.contents == Contents::Open || !(is_cut || has_advice));
    let Some(Found { document, .. }) = found else { return Err(best_reason(rejections, head)) };
    match has_puzzles(&head[..document.start]) {
        false => Ok(document),
        true => Err(Rejection { reason: more_puzzles("before"), kind: RejectionKind::Nested }),
    }
}

/// The reason why an object has no array that can be read. One that names the place of a puzzle is the best.
fn best_reason(mut rejections: Vec<Rejection>, object: &[u8]) -> Rejection {
    rejections.sort_by_key(|rejection| rejection.kind != RejectionKind::Nested);
    let reason = rejections.into_iter().next();
    match reason.as_ref().map(|rejection| rejection.kind) {
        Some(RejectionKind::Nested) => reason,
        _ => objects::reason_for_object(object).or(reason),
    }
    .unwrap_or_else(|| Rejection {
        reason: "unsupported format: JSON without an array of objects, strings or grids".to_owned(),
        kind: RejectionKind::Document,
    })
}

/// The shape of the values in a text that is one puzzle, as an object of several lines or as a list, or several of these without
/// commas between them.
fn shape_of_values(text: &[u8], is_all: bool, options: &InputOptions) -> Option<Shape> {
    let (value, rest) = text.split_at(first_value(text)?.ok()?);
    let rest = rest.trim_ascii_start();
    let is_alone = rest.is_empty() && is_all;
    let is_several = rest.first() == text.first();
    // Objects in a line each are JSON lines.
    let has_lines = memchr(b'\n', value).is_some();
    match value {
        [b'[', ..] if (is_alone || (is_several && has_lines)) && !grids::starts_with_row(value) => {
            cells_of(value).map(|_| Shape::Value)
        }
        [b'{', ..] if has_lines => {
            let is_row = match is_several {
                true => !has_number(&value[1..]),
                false => is_alone && objects::is_row(value, options),
            };
            is_row.then_some(Shape::Object)
        }
        _ => None,
    }
}

/// The length of the value of JSON at the start of a text.
fn first_value(text: &[u8]) -> Option<serde_json::Result<usize>> {
    let json = objects::finite(text);
    let mut values = serde_json::Deserializer::from_slice(&json).into_iter::<&RawValue>();
    let value = values.next()?;
    Some(value.map(|_| values.byte_offset()))
}

/// Whether the first name in a text is a number: the members of the object are those of a column of pandas.
fn has_number(text: &[u8]) -> bool {
    string(text).is_some_and(|(name, _)| name.parse::<u64>().is_ok())
}

/// The names of the members of an object that are arrays or objects, and the offsets after their brackets or braces; also of objects
/// within, up to this depth. The object itself is the first one if its names are numbers. The text may be cut. `None` if it is no
/// object with a member.
fn collections(text: &[u8], depth: usize) -> Option<Vec<(String, usize)>> {
    let mut found = Vec::new();
    if has_number(&text[1..]) {
        found.push((String::new(), 1));
    }
    let mut at = 1;
    while let Some((name, length)) = string(&text[at..]) {
        at += length;
        let value = text.get(at..)?.trim_ascii_start().strip_prefix(b":")?.trim_ascii_start();
        at = text.len() - value.len();
        if matches!(value, [b'[' | b'{', ..]) {
            found.push((name, at + 1));
        }
        if value.starts_with(b"{") && depth > 0 {
            let within = collections(value, depth - 1).unwrap_or_default();
            found.extend(
                within
                    .into_iter()
                    .filter(|(name, _)| !name.is_empty())
                    .map(|(name, start)| (name, at + start)),
            );
        }
        // A value ends with a comma, as an element does.
        let mut scanner = Scanner::default();
        let end = value.iter().position(|&byte| matches!(scanner.next(byte), Place::Comma | Place::End));
        match end {
            Some(end) if !scanner.has_ended => at += end + 1,
            _ => break,
        }
    }
    (at > 1).then_some(found)
}

/// The string at the start of a text, and the length with the white space before it.
fn string(text: &[u8]) -> Option<(String, usize)> {
    let rest = text.trim_ascii_start();
    let mut strings = serde_json::Deserializer::from_slice(rest).into_iter::<String>();
    let string = strings.next()?.ok()?;
    Some((string, text.len() - rest.len() + strings.byte_offset()))
}

/// The strings of the array at the start of a text.
fn strings(text: &[u8]) -> Option<Vec<String>> {
    let mut arrays = serde_json::Deserializer::from_slice(text).into_iter::<Vec<&RawValue>>();
    let values = arrays.next()?.ok()?;
    Some(
        values
            .iter()
            .map(|value| serde_json::from_str(value.get()).unwrap_or(value.get().to_owned()))
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Converts elements in pieces. Returns the lines, and whether the array has ended.
    fn lines(elements: &str, piece: usize) -> (String, bool) {
        let (mut scanner, mut bytes) = (Scanner::default(), elements.as_bytes().to_vec());
        let mut lines = Vec::new();
        for piece in bytes.chunks_mut(piece) {
            if !scanner.has_ended {
                let length = scanner.convert(piece);
                lines.extend_from_slice(&piece[..length]);
            }
        }
        (String::from_utf8(lines).unwrap(), scanner.has_ended)
    }

    #[test]
    fn elements_become_lines() {
        for (elements, expected) in [
            ("]", "\n"),
            ("1, 2]", "1\n 2\n"),
            (
                "\n  {\"a\": [1, 2],\n \"b\": \"],\\\"\"},\r\n [3,4]\n] , \"more\"]",
                "   {\"a\": [1, 2],  \"b\": \"],\\\"\"}\n   [3,4] \n",
            ),
            ("\"\\\\\", 5]", "\"\\\\\"\n 5\n"),
        ] {
            for piece in [1, 3, 100] {
                assert_eq!(lines(elements, piece), (expected.to_owned(), true), "{elements}");
            }
        }
        assert!(!lines("1, [2]", 100).1);
    }

    #[test]
    fn values_of_several_lines_become_one_line_each() {
        let text = "{\"a\": [1,\r\n 2]\n}\n[\n3]\n]\n{\"lost: 4\n}\n{\"b\":\n\"{\"}\n";
        let expected = "{\"a\": [1,   2] }\n[ 3]\n]\n{\"lost: 4 }\n{\"b\": \"{\"}\n";
        for piece in [1, 3, 100] {
            let (mut converter, mut bytes) = (Converter::new(Conversion::Values), text.as_bytes().to_vec());
            for piece in bytes.chunks_mut(piece) {
                assert_eq!(converter.convert(piece), piece.len());
            }
            assert_eq!(String::from_utf8_lossy(&bytes), expected);
            assert!(!converter.has_ended() && converter.may_end());
        }
    }

    #[test]
    fn members_that_are_arrays_or_objects_are_found() {
        let text = br#"{"a": 1, "b": [1, "x,"], "c": {"d": [2]}, "e" : [3], "f": [{"#;
        let found = collections(text, DEPTH).unwrap();
        let found: Vec<_> = found.iter().map(|(name, at)| (&**name, text[*at])).collect();
        assert_eq!(found, [("b", b'1'), ("c", b'"'), ("d", b'2'), ("e", b'3'), ("f", b'{')]);
        let found = collections(br#"{"0": {"a": [1]}}"#, DEPTH).unwrap();
        assert_eq!(found, [(String::new(), 1), ("0".to_owned(), 7), ("a".to_owned(), 13)]);
        assert_eq!(collections(b"{x", DEPTH), None);
        assert_eq!(
            strings(b"[\"a\", \"b\\n\", 3], \"index\": ["),
            Some(vec!["a".into(), "b\n".into(), "3".into()])
        );
    }
}
