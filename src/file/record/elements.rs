//! Stage 2, records: an array of JSON as a whole document becomes lines with one element each.
//!
//! Line breaks within an element become spaces. Empty lines keep the numbers of lines as in the document, as far as possible. A
//! document that is cut or damaged, or goes on after the array, is an error after the elements before that place.

use std::io::{self, Read};

use memchr::{memchr_iter, memchr2};

use super::ends::{MAX_RECORD, too_long};
use super::is_white;
use super::json::is_json;

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
        let mut at = 0;
        let result = loop {
            let rest = &text[at..];
            let is_outside = matches!(self.state, State::Start | State::End);
            let is_space =
                |byte: u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r') || (is_outside && is_white(byte));
            let spaces = rest.iter().take_while(|byte| is_space(**byte)).count();
            self.document_lines += memchr_iter(b'\n', &rest[..spaces]).count() as u64;
            at += spaces;
            let rest = &rest[spaces..];
            let Some(&byte) = rest.first() else {
                break if is_all && self.state != State::End { Err(cut()) } else { Ok(at) };
            };
            (self.state, at) = match (self.state, byte) {
                (State::Start, b'[') => (State::First, at + 1),
                (State::First | State::Comma, b']') => (State::End, at + 1),
                (State::Comma, b',') => (State::Element, at + 1),
                (State::First | State::Element, _) => match value_length(rest) {
                    Some(length) if length < rest.len() || is_all => {
                        let element = &rest[..length];
                        if length == 0 || !is_json(element) {
                            break Err(damaged());
                        }
                        self.write(element, self.at + at as u64, lines);
                        (State::Comma, at + length)
                    }
                    _ if is_all => break Err(cut()),
                    _ => break Ok(at),
                },
                (State::End, _) => break Err(invalid("text follows the array of JSON")),
                _ => break Err(damaged()),
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

/// The length of the value at the start of a text, if it ends there. For a value that is not JSON, any length.
fn value_length(text: &[u8]) -> Option<usize> {
    let mut depth = 0_usize;
    let mut at = 0;
    loop {
        match *text.get(at)? {
            b'"' => at += string_length(&text[at..])?,
            b'[' | b'{' => (depth, at) = (depth + 1, at + 1),
            b']' | b'}' if depth > 0 => (depth, at) = (depth - 1, at + 1),
            _ if depth > 0 => {
                at += 1;
                continue;
            }
            _ => return Some(scalar_length(text)),
        }
        if depth == 0 {
            return Some(at);
        }
    }
}

/// The length of the word or number at the start of a text.
fn scalar_length(text: &[u8]) -> usize {
    if let Some(word) = [&b"null"[..], b"true", b"false"].into_iter().find(|word| text.starts_with(word)) {
        return word.len();
    }
    let digits =
        |at: usize| text[at.min(text.len())..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let start = usize::from(text.starts_with(b"-"));
    let mut at = start + if text.get(start) == Some(&b'0') { 1 } else { digits(start) };
    if at > start && text.get(at) == Some(&b'.') && digits(at + 1) > 0 {
        at += 1 + digits(at + 1);
    }
    if at > start && matches!(text.get(at), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(text.get(at + 1), Some(b'+' | b'-')));
        let length = digits(at + 1 + sign);
        at += if length > 0 { 1 + sign + length } else { 0 };
    }
    at
}

/// The length of the string at the start of a text.
fn string_length(text: &[u8]) -> Option<usize> {
    let mut at = 1;
    loop {
        at += memchr2(b'"', b'\\', &text[at..])?;
        if text[at] == b'"' {
            return Some(at + 1);
        }
        at += 2;
        text.get(at)?;
    }
}

fn invalid(reason: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, reason)
}

fn cut() -> io::Error {
    invalid("the array of JSON has no end")
}

fn damaged() -> io::Error {
    invalid("the array of JSON is damaged")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns its bytes one by one.
    struct Drip<'a>(&'a [u8]);

    impl Read for Drip<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            (&self.0[..self.0.len().min(1)]).read(into).inspect(|&read| self.0 = &self.0[read..])
        }
    }

    fn lines(document: &str) -> (String, Option<String>) {
        let mut lines = String::new();
        let error = Elements::new(Drip(document.as_bytes())).read_to_string(&mut lines).err();
        (lines, error.map(|error| error.to_string()))
    }

    #[test]
    fn elements_become_lines_and_keep_their_line_numbers() {
        for (document, expected) in [
            ("[]", ""),
            (" [ 1,\"a,]\\\"\", [2,\n3] , {\"a\": {}}]\n", "1\n\"a,]\\\"\"\n[2, 3]\n{\"a\": {}}\n"),
            ("[\n{\"a\":\n1},\n\nnull\n]", "\n{\"a\": 1}\n\n\nnull\n"),
        ] {
            assert_eq!(lines(document), (expected.to_owned(), None), "{document}");
        }
    }

    #[test]
    fn damage_is_an_error_after_the_elements_before_it() {
        for (document, expected, error) in [
            ("[1", "1\n", "the array of JSON has no end"),
            ("[1,", "1\n", "the array of JSON has no end"),
            ("[1,\"a", "1\n", "the array of JSON has no end"),
            ("[1,]", "1\n", "the array of JSON is damaged"),
            ("[1 2]", "1\n", "the array of JSON is damaged"),
            ("[1,{\"a\":1,\"a\":2},3]", "1\n", "the array of JSON is damaged"),
            ("[1,NaN]", "1\n", "the array of JSON is damaged"),
            ("[1,-2.5e1\"", "1\n-2.5e1\n", "the array of JSON is damaged"),
            ("[1] 2", "1\n", "text follows the array of JSON"),
        ] {
            assert_eq!(lines(document), (expected.to_owned(), Some(error.to_owned())), "{document}");
        }
    }
}
