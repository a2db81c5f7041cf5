//! Stage 2, records: the elements of an array in a document of JSON as JSON lines, and several puzzles in one line as lines.
//!
//! A document is an array, or an object with an array as a member, such as `{"puzzles": [...]}`. The elements of the first array with
//! puzzles are the records; `objects.rs` reads them. What follows the array is skipped. pandas writes `{"columns": [...], "index":
//! [...], "data": [...]}`, in which each element is an array of values.
//!
//! Between elements, commas become line feeds; within them, line breaks become spaces, which JSON permits. So each byte of the
//! document is one of the lines, and the document is read as a stream.

use serde_json::value::RawValue;

use super::Layout;
use super::foreign::{Rejection, RejectionKind};
use super::input_format::InputFormat;
use super::objects::{self, Shape};

/// How the bytes of an input become lines of records. Their number stays the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Conversion {
    /// They are after the bracket of an array.
    Elements,
    /// They are one line of puzzles with this byte between them.
    Separated(u8),
}

/// A conversion up to a place in the text.
pub(super) struct Converter {
    conversion: Conversion,
    scanner: Scanner,
}

impl Converter {
    pub fn new(conversion: Conversion) -> Converter {
        Converter { conversion, scanner: Scanner::default() }
    }

    /// Converts the next bytes. Returns the number of them that belong to records.
    pub fn convert(&mut self, bytes: &mut [u8]) -> usize {
        match self.conversion {
            Conversion::Elements => self.scanner.convert(bytes),
            Conversion::Separated(separator) => {
                bytes.iter_mut().filter(|byte| **byte == separator).for_each(|byte| *byte = b'\n');
                bytes.len()
            }
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
            if self.in_string {
                let is_escaped = std::mem::take(&mut self.is_escaped);
                match *byte {
                    b'\\' => self.is_escaped = !is_escaped,
                    b'"' if !is_escaped => self.in_string = false,
                    _ => {}
                }
                continue;
            }
            match *byte {
                b'"' => self.in_string = true,
                b'[' | b'{' => self.depth += 1,
                b']' | b'}' if self.depth > 0 => self.depth -= 1,
                b']' | b'}' => {
                    *byte = b'\n';
                    self.has_ended = true;
                    return at + 1;
                }
                b',' if self.depth == 0 => *byte = b'\n',
                b'\n' | b'\r' => *byte = b' ',
                _ => {}
            }
        }
        bytes.len()
    }
}

/// A recognised document: the layout of its elements, and the offset of the first one.
pub(super) struct Document {
    pub layout: Layout,
    pub start: usize,
}

/// Recognises a document of JSON. `None` if the text is something else.
///
/// # Errors
/// If no array in `head` has puzzles.
pub(super) fn recognise(
    head: &[u8],
    is_all: bool,
    format: &InputFormat,
) -> Option<Result<Document, Rejection>> {
    let text = head.trim_ascii_start();
    let before = head.len() - text.len();
    let recognised = |start: usize, shape: &Shape| {
        let mut lines = head[start..].to_vec();
        let mut scanner = Scanner::default();
        let length = scanner.convert(&mut lines);
        let layout = objects::recognise_as(shape, &lines[..length], is_all || scanner.has_ended, format);
        layout.map(|objects| Document { layout: objects.into(), start })
    };
    match text {
        [b'[', rest @ ..] if matches!(rest.trim_ascii_start(), [b'{' | b'[' | b'"', ..]) => {
            let shape = if rest.trim_ascii_start()[0] == b'{' { Shape::Object } else { Shape::Value };
            // An array of something else, such as numbers without commas, is no document of JSON.
            let mut values = serde_json::Deserializer::from_slice(rest).into_iter::<&RawValue>();
            let is_json =
                |value: Result<_, serde_json::Error>| value.map_or_else(|error| error.is_eof(), |_| true);
            values.next().is_some_and(is_json).then(|| recognised(before + 1, &shape))
        }
        [b'{', ..] => {
            let (mut names, mut result) = (None, None);
            for (name, start) in arrays(text)? {
                if name == "columns" {
                    names = strings(&text[start..]);
                    continue;
                }
                let shape = match (&names, text[start..].trim_ascii_start()) {
                    (_, [b'{', ..]) => Shape::Object,
                    (Some(names), [b'[', ..]) => Shape::Row(Vec::clone(names)),
                    (_, [b'[' | b'"', ..]) => Shape::Value,
                    _ => continue,
                };
                match recognised(before + start, &shape) {
                    Ok(document) => return Some(Ok(document)),
                    Err(rejection) => drop(result.get_or_insert(rejection)),
                }
            }
            let none = || Rejection {
                reason: "unsupported format: JSON without an array of objects, strings or grids".to_owned(),
                kind: RejectionKind::Document,
            };
            Some(Err(result.unwrap_or_else(none)))
        }
        _ => None,
    }
}

/// The names of the members of an object that are arrays, and the offsets after their brackets. The text may be cut. `None` if it
/// is no object with a member.
fn arrays(text: &[u8]) -> Option<Vec<(String, usize)>> {
    let mut arrays = Vec::new();
    let mut at = 1;
    while let Some((name, length)) = string(&text[at..]) {
        at += length;
        let value = text.get(at..)?.trim_ascii_start().strip_prefix(b":")?.trim_ascii_start();
        at = text.len() - value.len();
        if value.starts_with(b"[") {
            arrays.push((name, at + 1));
        }
        let mut scanner = Scanner::default();
        let mut copy = value.to_vec();
        // A value ends with a comma, as an element does.
        let end = copy.len().min(scanner.convert(&mut copy));
        let comma = copy[..end].iter().position(|&byte| byte == b'\n');
        match comma {
            Some(comma) if !scanner.has_ended || comma + 1 < end => at += comma + 1,
            _ => break,
        }
    }
    (at > 1).then_some(arrays)
}

/// The string at the start of a text, and the length with the white space before it.
fn string(text: &[u8]) -> Option<(String, usize)> {
    let rest = text.trim_ascii_start();
    let mut strings = serde_json::Deserializer::from_slice(rest).into_iter::<String>();
    let string = strings.next()?.ok()?;
    Some((string, text.len() - rest.len() + strings.byte_offset()))
}

/// The strings of the array with these elements.
fn strings(elements: &[u8]) -> Option<Vec<String>> {
    let text = [b"[", elements].concat();
    let mut arrays = serde_json::Deserializer::from_slice(&text).into_iter::<Vec<&RawValue>>();
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
    fn members_that_are_arrays_are_found() {
        let text = br#"{"a": 1, "b": [1, "x,"], "c": {"d": [2]}, "e" : [3], "f": [{"#;
        let found = arrays(text).unwrap();
        let found: Vec<_> = found.iter().map(|(name, at)| (&**name, text[*at])).collect();
        assert_eq!(found, [("b", b'1'), ("e", b'3'), ("f", b'{')]);
        assert_eq!(arrays(b"{x"), None);
        assert_eq!(
            strings(b"\"a\", \"b\\n\", 3], \"index\": ["),
            Some(vec!["a".into(), "b\n".into(), "3".into()])
        );
    }
}
