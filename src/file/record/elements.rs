//! Stage 2, records: an array of JSON as a whole document becomes lines with one element each.
//!
//! Line breaks within an element become spaces. Empty lines keep the numbers of lines as in the document, as far as possible. A
//! document that is cut or damaged, or goes on after the array, is an error after the elements before that place.

use std::io::{self, Read};

use serde::Deserialize;
use serde_json::value::RawValue;

use super::ends::{MAX_RECORD, too_long};
use super::json::{as_utf8, has_unique_names};
use super::{is_white, line_feeds};

/// Bytes of the document that are read at once.
const CHUNK: usize = 64 << 10;

/// A reader of the lines.
pub struct Elements<R> {
    document: R,
    /// What has been read of the document, from the first element that has not been written.
    text: Vec<u8>,
    lines: io::Cursor<Vec<u8>>,
    splitter: Splitter,
    has_ended: bool,
    failure: Option<io::Error>,
}

impl<R: Read> Elements<R> {
    pub fn new(document: R) -> Elements<R> {
        let (text, lines, splitter) = (Vec::new(), io::Cursor::default(), Splitter::default());
        Elements { document, text, lines, splitter, has_ended: false, failure: None }
    }
}

impl<R: Read> Read for Elements<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.lines.read(into)?;
            if read > 0 || into.is_empty() {
                return Ok(read);
            }
            if let Some(failure) = self.failure.take() {
                self.has_ended = true;
                return Err(failure);
            }
            if self.has_ended {
                return Ok(0);
            }
            // An element that is not complete yet is examined again, so the text grows by half.
            let more = CHUNK.max(self.text.len() / 2);
            self.has_ended = self.document.by_ref().take(more as u64).read_to_end(&mut self.text)? < more;
            self.lines.set_position(0);
            self.lines.get_mut().clear();
            let split = self.splitter.split(&self.text, self.has_ended, self.lines.get_mut());
            match split {
                Ok(length) if self.text.len() - length > MAX_RECORD => self.failure = Some(too_long()),
                Ok(length) => _ = self.text.drain(..length),
                Err(failure) => self.failure = Some(failure),
            }
        }
    }
}

/// What comes next in the document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// The bracket that starts the array.
    #[default]
    Start,
    /// An element, or the end of the array if it is empty.
    First,
    Element,
    /// A comma, or the end of the array.
    Comma,
    /// White space.
    End,
}

/// Splits a document into elements.
#[derive(Debug, Default)]
pub struct Splitter {
    state: State,
    /// The numbers of line feeds of the document before the rest, and of those that have been written.
    document_lines: u64,
    written_lines: u64,
    /// The offset in the document of the last element that has been written, and of the rest.
    pub last: u64,
    at: u64,
}

impl Splitter {
    /// Appends the complete elements of a part of the document to `lines`. Returns the number of bytes that need not be examined
    /// again. `is_all` says whether the document ends with the part.
    ///
    /// # Errors
    /// When the document is damaged. The elements before that place have been written.
    pub fn split(&mut self, text: &[u8], is_all: bool, lines: &mut Vec<u8>) -> io::Result<usize> {
        let json = as_utf8(text);
        let mut at = 0;
        let result = loop {
            let is_outside = matches!(self.state, State::Start | State::End);
            let is_space =
                |byte: u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r') || (is_outside && is_white(byte));
            let spaces = text[at..].iter().take_while(|byte| is_space(**byte)).count();
            self.document_lines += line_feeds(&text[at..at + spaces]);
            at += spaces;
            let Some(&byte) = text.get(at) else {
                break if is_all && self.state != State::End { Err(invalid(NO_END)) } else { Ok(at) };
            };
            (self.state, at) = match (self.state, byte) {
                (State::Start, b'[') => (State::First, at + 1),
                (State::First | State::Comma, b']') => (State::End, at + 1),
                (State::Comma, b',') => (State::Element, at + 1),
                (State::First | State::Element, _) => {
                    let value =
                        <&RawValue>::deserialize(&mut serde_json::Deserializer::from_str(&json[at..]));
                    let is_cut = value.as_ref().is_err_and(serde_json::Error::is_eof);
                    let length = value.map_or_else(|_| number_length(&text[at..]), |value| value.get().len());
                    // A number at the end of the text may go on.
                    if !is_all && (is_cut || at + length == text.len()) {
                        break Ok(at);
                    }
                    let element = &text[at..at + length];
                    if element.is_empty() || !has_unique_names(element) {
                        let reason = if is_cut { NO_END } else { DAMAGED };
                        break Err(invalid(reason));
                    }
                    self.write(element, self.at + at as u64, lines);
                    (State::Comma, at + length)
                }
                (State::End, _) => break Err(invalid("text follows the array of JSON")),
                _ => break Err(invalid(DAMAGED)),
            };
        };
        self.at += at as u64;
        result
    }

    fn write(&mut self, element: &[u8], at: u64, lines: &mut Vec<u8>) {
        let missing = self.document_lines.saturating_sub(self.written_lines);
        lines.resize(lines.len() + missing as usize, b'\n');
        let start = lines.len();
        lines.extend_from_slice(element);
        for byte in lines[start..].iter_mut().filter(|byte| matches!(**byte, b'\n' | b'\r')) {
            self.document_lines += u64::from(*byte == b'\n');
            *byte = b' ';
        }
        lines.push(b'\n');
        self.written_lines += missing + 1;
        self.last = at;
    }
}

/// The length of the number at the start of a text, without a fraction or an exponent that is not complete.
fn number_length(text: &[u8]) -> usize {
    let digits = |at: usize| text[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let start = usize::from(text.starts_with(b"-"));
    match (if text[start..].starts_with(b"0") { 1 } else { digits(start) }, start) {
        (0, _) => 0,
        (whole, start) => match text.get(start + whole) {
            Some(b'.') if digits(start + whole + 1) > 0 => start + whole + 1 + digits(start + whole + 1),
            _ => start + whole,
        },
    }
}

const NO_END: &str = "the array of JSON has no end";
const DAMAGED: &str = "the array of JSON is damaged";

fn invalid(reason: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_become_lines_and_keep_their_line_numbers() {
        for (document, expected) in [
            ("[]", ""),
            (" [ 1,\"a,]\\\"\", [2,\n3] , {\"a\": {}}]\n", "1\n\"a,]\\\"\"\n[2, 3]\n{\"a\": {}}\n"),
            ("[\n{\"a\":\n1},\n\nnull\n]", "\n{\"a\": 1}\n\n\nnull\n"),
        ] {
            let mut lines = String::new();
            Elements::new(document.as_bytes()).read_to_string(&mut lines).unwrap();
            assert_eq!(lines, expected, "{document}");
        }
    }
}
