//! Stage 2, records: an array of JSON as a whole document becomes lines with one element each.
//!
//! Line breaks within an element become spaces. Empty lines keep the numbers of lines as in the document, as far as
//! possible. A document that is cut or damaged, or goes on after the array, is an error after the elements before that
//! place.

use std::io::{self, Read};

use super::json::has_unique_names;
use super::stream::{MAX_RECORD, too_long};
use super::{is_white, line_feeds};
use crate::read::{Chunks, read_up_to};

/// Bytes of the document that are read at once.
const CHUNK: usize = 64 << 10;

/// A reader of the lines.
pub fn elements(mut document: Box<dyn Read + Send>) -> impl Read + Send {
    let (mut chunk, mut splitter) = (Vec::new(), Splitter::default());
    // What follows the lines: the end, or a failure.
    let mut end = None;
    Chunks::new(move || {
        let mut lines = Vec::with_capacity(CHUNK);
        while lines.is_empty() {
            if let Some(end) = end.take() {
                return Result::map(end, |()| lines);
            }
            chunk.clear();
            let is_last = read_up_to(&mut document, CHUNK, &mut chunk)? < CHUNK;
            let split = splitter.split(&chunk, is_last, &mut lines);
            end = (is_last || split.is_err()).then_some(split);
        }
        Ok(lines)
    })
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
    /// The rest of an element: of a number or a word, or of brackets of this depth, or of a string within so many
    /// brackets.
    Word,
    Brackets(usize),
    String(usize),
    /// The second character of an escape in a string.
    Escape(usize),
    /// A comma, or the end of the array.
    Comma,
    /// White space.
    End,
}

use State::{Brackets, Comma, Element, End, Escape, First, Start, String, Word};

/// Splits a document into elements.
#[derive(Debug, Default)]
pub struct Splitter {
    state: State,
    element: Vec<u8>,
    /// The number of line feeds of the document that have been read, less those that have been written.
    missing_lines: i64,
    /// The number of bytes that have been read, and of those before the last element that has been written.
    at: u64,
    pub last: u64,
}

impl Splitter {
    /// Appends the elements that end in the next part of the document to `lines`. `is_last` says whether the document
    /// ends with it.
    ///
    /// # Errors
    /// When the document is damaged. The elements before that place have been written.
    pub fn split(&mut self, part: &[u8], is_last: bool, lines: &mut Vec<u8>) -> io::Result<()> {
        for &byte in part {
            let is_space = matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
            if self.state == Word && (is_space || matches!(byte, b',' | b']')) {
                self.write(lines)?;
            }
            let next = match (self.state, byte) {
                (Start | End, _) if is_white(byte) => self.state,
                (First | Element | Comma, _) if is_space => self.state,
                (Start, b'[') => First,
                (First | Comma, b']') => End,
                (Comma, b',') => Element,
                (First | Element, b'"') => String(0),
                (First | Element, b'[' | b'{') => Brackets(1),
                (First | Element | Word, _) => Word,
                (Brackets(depth), b'"') => String(depth),
                (Brackets(depth), b'[' | b'{') => Brackets(depth + 1),
                (Brackets(1), b']' | b'}') | (String(0), b'"') => Comma,
                (Brackets(depth), b']' | b'}') => Brackets(depth - 1),
                (String(depth), b'"') => Brackets(depth),
                (String(depth), b'\\') => Escape(depth),
                (Escape(depth), _) => String(depth),
                (Brackets(_) | String(_), _) => self.state,
                (End, _) => return Err(invalid("text follows the array of JSON")),
                (Start | Comma, _) => return Err(invalid(DAMAGED)),
            };
            let is_within = matches!(next, Word | Brackets(_) | String(_) | Escape(_));
            let is_end = next == Comma && matches!(self.state, Brackets(_) | String(_));
            (self.state, self.at) = (next, self.at + 1);
            if is_within || is_end {
                self.element.push(byte);
            } else {
                self.missing_lines += i64::from(byte == b'\n');
            }
            if is_end {
                self.write(lines)?;
            } else if self.element.len() > MAX_RECORD {
                return Err(too_long());
            }
        }
        if is_last && self.state == Word {
            self.write(lines)?;
        }
        if is_last && self.state != End { Err(invalid(NO_END)) } else { Ok(()) }
    }

    /// Writes the element, or the number or word at its start before what should be a comma.
    fn write(&mut self, lines: &mut Vec<u8>) -> io::Result<()> {
        let length = self.element.len();
        let is_value = |length: &usize| has_unique_names(&self.element[..*length]);
        let value = std::iter::once(length).chain((1..length.min(MAX_NUMBER)).rev()).find(is_value);
        self.element.truncate(value.ok_or_else(|| invalid(DAMAGED))?);
        self.last = self.at - length as u64;
        let missing = self.missing_lines.max(0);
        lines.resize(lines.len() + missing as usize, b'\n');
        self.missing_lines += line_feeds(&self.element) as i64 - missing - 1;
        lines.extend(self.element.drain(..).map(|byte| if matches!(byte, b'\n' | b'\r') { b' ' } else { byte }));
        lines.push(b'\n');
        self.state = Comma;
        if value == Some(length) { Ok(()) } else { Err(invalid(DAMAGED)) }
    }
}

/// Longer numbers and words before damage are not looked for.
const MAX_NUMBER: usize = 1 << 10;
const NO_END: &str = "the array of JSON has no end";
const DAMAGED: &str = "the array of JSON is damaged";

fn invalid(reason: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, reason)
}
