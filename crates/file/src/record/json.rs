//! Stage 2, records: **json**, a value in each line.
//!
//! A value is an object, with puzzle and solution in members (the columns are those of the first object), or the puzzle
//! itself. The puzzle is a string (a puzzle text, white space around it ignored), an array of 81 integers, or an array
//! of nine arrays of nine integers; 0 or `null`, not both, is a blank. All else is an invalid record, such as a line
//! that is not JSON, or has a member twice.
//!
//! A whole document that is an array of values becomes such lines, see `elements.rs`.
//!
//! The fast path scans objects of ASCII strings without escapes, numbers, `true`, `false` and `null`. It takes 0.7 of
//! the time that serde_json or sonic-rs take to find one member and to check the others. serde_json parses all other
//! lines.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;

use memchr::memchr;
use serde::de::{Deserialize, Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::cells::{check_others, puzzle_text};
use super::format::{Division, Format, Record};
use super::{LineFormat, ReadLines, Records, line_at, line_end, trim};
use crate::grid::{CELLS, Puzzle, PuzzleError};
use crate::simd::{Simd, SimdLevel};
use crate::text::convert;

/// Values of JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Json {
    /// The members of the first object.
    pub names: Vec<String>,
    /// Index of the member with the puzzle.
    pub puzzle: usize,
    /// Index of the member with the solution, if there is one.
    pub solution: Option<usize>,
    /// Whether the user named the member with the puzzle.
    pub is_named: bool,
    /// Whether the lines are the elements of an array.
    pub is_document: bool,
}

/// The name of a member of an object, and its value as in the text.
pub type Member<'t> = (Cow<'t, [u8]>, &'t [u8]);

/// A value: the members of an object, or any other value as in the text.
#[derive(Debug)]
pub enum Value<'t> {
    Object(Vec<Member<'t>>),
    Other(&'t [u8]),
}

/// Parses a line.
///
/// # Errors
/// [`PuzzleError::NotJson`].
pub fn parse(line: &[u8]) -> Result<Value<'_>, PuzzleError> {
    let mut members = Vec::new();
    let is_plain = scan(line, |name, value| members.push((Cow::Borrowed(name), value)));
    match is_plain {
        Some(()) => Ok(Value::Object(members)),
        None => parse_any(line).map_err(|error| {
            let column = error.column().clamp(1, line.len().max(1));
            PuzzleError::NotJson { column: u32::try_from(column).unwrap_or(u32::MAX) }
        }),
    }
}

#[cold]
fn parse_any(line: &[u8]) -> serde_json::Result<Value<'_>> {
    let text = as_utf8(line);
    let json = text.trim_matches([' ', '\t', '\n', '\r', '\x0b', '\x0c']);
    check_names(json)?;
    let slice = |part: &str| {
        let start = part.as_ptr() as usize - text.as_ptr() as usize;
        &line[start..start + part.len()]
    };
    if !json.starts_with('{') {
        return Ok(Value::Other(slice(json)));
    }
    let Members(members) = serde_json::from_str(json)?;
    let members = members.into_iter().map(|(name, value)| (text_of(slice(name.get())), slice(value.get())));
    Ok(Value::Object(members.collect()))
}

/// A text as UTF-8 of the same length. Bytes that are not UTF-8 are of no importance outside of the puzzle.
pub fn as_utf8(text: &[u8]) -> Cow<'_, str> {
    let ascii = || text.iter().map(|byte| if byte.is_ascii() { char::from(*byte) } else { '?' }).collect();
    str::from_utf8(text).map_or_else(|_| Cow::Owned(ascii()), Cow::Borrowed)
}

/// Checks that a value is JSON, and that no object in it has a member twice.
fn check_names(value: &str) -> serde_json::Result<()> {
    let values = match value.as_bytes().first() {
        Some(b'{') => {
            let Members(members) = serde_json::from_str(value)?;
            let names: BTreeSet<_> = members.iter().map(|(name, _)| text_of(name.get().as_bytes())).collect();
            if names.len() < members.len() {
                return Err(serde_json::Error::custom("a member twice"));
            }
            members.into_iter().map(|(_, value)| value).collect()
        }
        Some(b'[') if value.contains('{') => serde_json::from_str::<Vec<&RawValue>>(value)?,
        _ => return serde_json::from_str::<&RawValue>(value).map(drop),
    };
    values.into_iter().try_for_each(|value| check_names(value.get()))
}

/// The names and values of an object, in order.
struct Members<'t>(Vec<(&'t RawValue, &'t RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Members(Vec::new()))
    }
}

impl<'de> Visitor<'de> for Members<'de> {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<Self, A::Error> {
        while let Some(member) = map.next_entry()? {
            self.0.push(member);
        }
        Ok(self)
    }
}

/// Whether a value of JSON has no object with a member twice.
pub fn has_unique_names(value: &[u8]) -> bool {
    scan(value, |_, _| ()).is_some() || check_names(&as_utf8(value)).is_ok()
}

/// The cells of a value that is a puzzle.
pub fn puzzle_of(value: &[u8]) -> Result<Cow<'_, [u8]>, PuzzleError> {
    match value.first() {
        Some(b'"') => puzzle_text(Cow::Owned(trim(&text_of(value)).to_vec()), false),
        Some(b'[') => cells_of_array(value).map(Cow::Owned),
        _ => Err(PuzzleError::NotCells),
    }
}

/// The cells of an array of integers, or of nine arrays; 0 for a blank.
fn cells_of_array(value: &[u8]) -> Result<Vec<u8>, PuzzleError> {
    let flat = |value: &[u8]| serde_json::from_slice::<Vec<Option<u8>>>(value).ok();
    let nested = |value: &[u8]| {
        let rows: Vec<Vec<Option<u8>>> = serde_json::from_slice(value).ok()?;
        (rows.len() == 9 && rows.iter().all(|row| row.len() == 9)).then(|| rows.concat())
    };
    let numbers = flat(value).or_else(|| nested(value));
    let is_cell = |number: &Option<u8>| number.is_none_or(|number| number <= 9);
    let numbers = numbers.filter(|numbers| numbers.len() == CELLS && numbers.iter().all(is_cell));
    let numbers = numbers.ok_or(PuzzleError::NotCells)?;
    if numbers.contains(&None) && numbers.contains(&Some(0)) {
        return Err(PuzzleError::MixedBlanks);
    }
    Ok(numbers.iter().map(|number| b'0' + number.unwrap_or(0)).collect())
}

/// The text of a string, or another value as it is.
fn text_of(value: &[u8]) -> Cow<'_, [u8]> {
    match value {
        [b'"', text @ .., b'"'] if memchr(b'\\', text).is_none() => Cow::Borrowed(text),
        [b'"', ..] => {
            serde_json::from_slice::<String>(value).map_or(Cow::Borrowed(value), |text| Cow::Owned(text.into_bytes()))
        }
        _ => Cow::Borrowed(value),
    }
}

impl Json {
    /// The puzzle of a line.
    fn cells<'t>(&self, line: &'t [u8]) -> Result<Cow<'t, [u8]>, PuzzleError> {
        let puzzle = |value: &'t [u8]| {
            let start = value.as_ptr() as usize - line.as_ptr() as usize + 1;
            puzzle_of(value).map_err(|error| error.moved(start))
        };
        let members = match parse(line)? {
            Value::Object(members) => members,
            Value::Other(value) => return puzzle(value),
        };
        let cells = puzzle(self.member(&members, self.puzzle).ok_or(PuzzleError::MissingMember)?)?;
        let solution = self.solution.map(|column| self.names[column].as_bytes());
        let others = members.iter().filter(|(name, _)| !self.is_named || solution == Some(name));
        let others = others.filter_map(|(_, value)| puzzle_of(value).ok());
        check_others(&cells, others)?;
        Ok(cells)
    }

    /// The puzzle of a plain object, if it is a string.
    #[inline(always)]
    fn plain_puzzle<'t>(&self, line: &'t [u8]) -> Option<&'t [u8]> {
        let wanted = self.names.get(self.puzzle)?.as_bytes();
        let mut found = None;
        scan(line, |name, value| {
            if name == wanted {
                found = Some(value);
            }
        })?;
        found?.strip_prefix(b"\"")?.strip_suffix(b"\"")
    }

    /// The value of a column.
    fn member<'t>(&self, members: &[Member<'t>], column: usize) -> Option<&'t [u8]> {
        let name = self.names[column].as_bytes();
        members.iter().find(|member| *member.0 == *name).map(|(_, value)| *value)
    }
}

impl Format for Json {
    fn division(&self) -> Division {
        if self.is_document { Division::Never("arrays of JSON") } else { Division::Lines }
    }

    fn record<'t>(&self, record: &'t [u8]) -> Record<'t> {
        Record { length: line_end(record, 0), line: 0, cells: self.cells(line_at(record)) }
    }

    fn read(&self, level: SimdLevel, text: &[u8], records: &mut Records, limit: usize) -> usize {
        level.run(ReadLines { records, text, format: self, limit })
    }

    fn cells_of_puzzle<'t>(&self, record: &'t [u8]) -> Option<Cow<'t, [u8]>> {
        // 81 bytes that are a puzzle text, and do not start with a space, are the cells.
        let plain = self.plain_puzzle(line_at(record)).filter(|text| text.len() == CELLS && text[0] != b' ');
        plain.map(Cow::Borrowed).or_else(|| self.record(record).cells.ok())
    }

    /// The text of the member, or the line if it has none.
    fn puzzle_text<'t>(&self, record: &'t [u8]) -> Cow<'t, [u8]> {
        let line = line_at(record);
        match parse(line) {
            Ok(Value::Object(members)) => self.member(&members, self.puzzle).map_or(line.into(), text_of),
            _ => line.into(),
        }
    }

    /// The members that are columns. With `as_json` they are as in the text, and empty if the object has no such
    /// member.
    fn values<'t>(&self, record: &'t [u8], as_json: bool, values: &mut Vec<Cow<'t, [u8]>>) {
        values.clear();
        values.resize(self.names.len(), Cow::Borrowed(b""));
        let text = |value: &'t [u8]| match value {
            value if as_json => Cow::Borrowed(value),
            b"null" => Cow::Borrowed(&b""[..]),
            value => text_of(value),
        };
        let mut next = 0;
        match parse(line_at(record)) {
            Ok(Value::Object(members)) => members.into_iter().for_each(|(member, value)| {
                // The members of most objects have the same order.
                let is_named = |name: &String| name.as_bytes() == &*member;
                let column = match self.names.get(next) {
                    Some(name) if is_named(name) => Some(next),
                    _ => self.names.iter().position(is_named),
                };
                if let Some(column) = column {
                    (values[column], next) = (text(value), column + 1);
                }
            }),
            Ok(Value::Other(value)) => values[self.puzzle] = text(value),
            Err(_) => {
                let line = line_at(record);
                let quoted = || serde_json::to_string(&String::from_utf8_lossy(line)).unwrap_or_default();
                values[self.puzzle] = if as_json { quoted().into_bytes().into() } else { line.into() };
            }
        }
    }

    fn solution<'t>(&self, record: &'t [u8]) -> Option<Cow<'t, [u8]>> {
        let Ok(Value::Object(members)) = parse(line_at(record)) else { return None };
        let value = self.member(&members, self.solution?).filter(|value| value != b"null")?;
        Some(puzzle_of(value).unwrap_or_else(|_| text_of(value)))
    }
}

impl LineFormat for Json {
    const CHECKS_COMPLETE: bool = true;

    #[inline(always)]
    fn read_plain<S: Simd>(&self, s: S, text: &[u8], puzzle: &mut Puzzle) -> Option<usize> {
        let length = memchr(b'\n', text)?;
        let cells = self.plain_puzzle(&text[..length])?.try_into().ok()?;
        convert(s, cells, puzzle).then_some(length + 1)
    }
}

/// The most members of a plain object.
const MEMBERS: usize = 8;

/// Calls `visit` with the name and the value of each member of a plain object. Returns `None` if the line is something
/// else, or has a member twice.
#[inline(always)]
fn scan<'t>(line: &'t [u8], mut visit: impl FnMut(&'t [u8], &'t [u8])) -> Option<()> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let is_plain = |byte: u8| (b' '..=b'~').contains(&byte) & (byte != b'\\');
    if !line.iter().fold(true, |all, &byte| all & is_plain(byte)) {
        return None;
    }
    let spaces = |at: usize| at + line[at..].iter().take_while(|&&byte| byte == b' ').count();
    let string_end = |at: usize| match line.get(at) {
        Some(b'"') => Some(at + 2 + memchr(b'"', &line[at + 1..])?),
        _ => None,
    };
    let start = if line.first() == Some(&b'{') { 0 } else { spaces(0) };
    if line.get(start) != Some(&b'{') {
        return None;
    }
    let mut at = spaces(start + 1);
    let (mut names, mut count) = ([&b""[..]; MEMBERS], 0);
    loop {
        let name_end = string_end(at)?;
        let name = &line[at + 1..name_end - 1];
        at = spaces(name_end);
        if line.get(at) != Some(&b':') {
            return None;
        }
        at = spaces(at + 1);
        let end = match line.get(at)? {
            b'"' => string_end(at)?,
            _ => {
                let is_end = |byte: &u8| matches!(byte, b',' | b'}' | b' ');
                let end = at + line[at..].iter().position(is_end)?;
                if !is_scalar(&line[at..end]) {
                    return None;
                }
                end
            }
        };
        if count == MEMBERS || names[..count].contains(&name) {
            return None;
        }
        (names[count], count) = (name, count + 1);
        visit(name, &line[at..end]);
        at = spaces(end);
        match line.get(at)? {
            b',' => at = spaces(at + 1),
            b'}' if spaces(at + 1) == line.len() => return Some(()),
            _ => return None,
        }
    }
}

/// Whether a token is a number, `true`, `false` or `null`.
fn is_scalar(token: &[u8]) -> bool {
    // Nearly all numbers are whole ones of a few digits.
    match token {
        [b'1'..=b'9', rest @ ..] if rest.iter().all(u8::is_ascii_digit) => true,
        _ => serde_json::from_slice::<IgnoredAny>(token).is_ok(),
    }
}
