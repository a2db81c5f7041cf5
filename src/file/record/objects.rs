//! Stage 2, records: puzzles in JSON lines, one object per line.
//!
//! * The puzzle is a string with 81 cells or 729 pencilmarks, or a string or an array in any notation of `notation.rs`.
//! * A line that is not an object, or has no such member, is an invalid record. The whole line is checked, so that a
//!   truncated one is never taken for a puzzle.
//! * The members of the first objects are the columns, in the order of their appearance. An object may lack some of them,
//!   have them in another order, and have others. Of members with the same name, the last one counts.
//!
//! The fast path scans objects of ASCII strings without escapes, numbers, `true`, `false` and `null`. serde_json parses
//! all others.

use std::borrow::Cow;
use std::collections::BTreeMap;

use memchr::{memchr, memmem};
use serde_json::value::RawValue;

use super::choose::{Choice, check_others, find_name, ignore_derived, most, not_derived, tally};
use super::foreign::{Rejection, RejectionKind};
use super::format::{Division, Format, Record};
use super::input_options::{ColumnRef, InputOptions, SAMPLED_LINES};
use super::notation::{self, Content};
use super::{LineFormat, Records, line_at};
use crate::file::bytes::is_record;
use crate::grid::{CELLS, Candidates, Puzzle, PuzzleError, is_cell, parse_candidates};
use crate::simd::{Simd, SimdLevel};
use crate::text::convert;

/// What a line is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// An object with named members.
    Object,
    /// A value with the puzzle.
    Value,
    /// An array with a value for each of these columns.
    Row(Vec<String>),
    /// A name, and a value with the puzzle or an object with members: a member of an object.
    Pair,
}

/// The members of the objects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Objects {
    pub(super) shape: Shape,
    /// The names of the columns.
    pub(crate) names: Vec<String>,
    /// Index of the column of puzzles.
    pub(crate) puzzle: usize,
    /// Whether the puzzles are pencilmarks.
    pub(crate) pencilmarks: bool,
    /// Whether a complete grid beside another member that may be the puzzle is invalid.
    pub(super) checks_others: bool,
    /// Whether zeros are put before numbers, see [`InputOptions::pads`].
    pub(crate) pads: bool,
    /// Index of the column of solutions, if there is one.
    pub(crate) solution: Option<usize>,
}

/// A member of an object: its name, and its value as in the text.
struct Member<'t> {
    name: String,
    value: &'t [u8],
}

impl Objects {
    /// The text of the puzzle in a line, and its offset in the line if it is a part of it.
    pub(super) fn puzzle_of<'t>(&self, line: &'t [u8]) -> Result<(usize, Cow<'t, [u8]>), PuzzleError> {
        let value = self.value(line, self.puzzle)?.ok_or(PuzzleError::MissingText)?;
        let text = text_of(value).ok_or(PuzzleError::MissingText)?;
        let start = offset(line, value) + usize::from(value[0] == b'"');
        Ok(match text {
            Cow::Borrowed(text) => {
                let rest = text.trim_ascii_start();
                (start + text.len() - rest.len(), Cow::Borrowed(rest.trim_ascii_end()))
            }
            Cow::Owned(text) => (start, Cow::Owned(text.trim_ascii().to_vec())),
        })
    }

    /// The cells of the puzzle in a line.
    fn cells<'t>(&self, line: &'t [u8]) -> Result<Cow<'t, [u8]>, PuzzleError> {
        let (start, text) = self.puzzle_of(line)?;
        let moved = |invalid: PuzzleError| invalid.moved(start);
        let cells: Cow<[u8]> = match text {
            Cow::Borrowed(text) => notation::read_field(text, self.pads).map_err(moved)?,
            Cow::Owned(text) => notation::read_field(&text, self.pads).map_err(moved)?.into_owned().into(),
        };
        if self.checks_others {
            check_others(&cells, || {
                let mut values = Vec::new();
                self.members(line, false, &mut values);
                not_derived(&self.names, values)
            })?;
        }
        Ok(cells)
    }

    /// The pencilmarks of a line.
    pub(super) fn candidates(&self, line: &[u8]) -> Result<Candidates, PuzzleError> {
        let (start, text) = self.puzzle_of(line)?;
        parse_candidates(&text).map_err(|invalid| invalid.moved(start))
    }

    /// The value of a column as in the text.
    fn value<'t>(&self, line: &'t [u8], column: usize) -> Result<Option<&'t [u8]>, PuzzleError> {
        let name = self.names.get(column).ok_or(PuzzleError::MissingText)?;
        if self.shape != Shape::Object {
            return Ok(member_at(&self.shape.members(line)?, name));
        }
        let mut found = None;
        let is_plain = scan(line, |other, value| {
            if other == name.as_bytes() {
                found = Some(value);
            }
        });
        if is_plain.is_some() {
            return Ok(found);
        }
        Ok(member_at(&parse(line)?, name))
    }

    /// Replaces `values` by the values of all columns, and after them the members without a column, each as an object. If
    /// `as_json` is set they are as in the text; else strings are without quotes and escapes, and `null` is empty.
    pub(crate) fn members<'t>(&self, line: &'t [u8], as_json: bool, values: &mut Vec<Cow<'t, [u8]>>) {
        let mut next = 0;
        let reset = |values: &mut Vec<Cow<'t, [u8]>>| {
            values.clear();
            values.resize(self.names.len(), Cow::Borrowed(b""));
        };
        reset(values);
        let is_plain = match self.shape {
            Shape::Object => scan(line, |name, value| next = self.put(name, value, as_json, next, values)),
            _ => None,
        };
        if is_plain.is_none() {
            reset(values);
            for member in self.shape.members(line).unwrap_or_default() {
                next = self.put(member.name.as_bytes(), member.value, as_json, next, values);
            }
        }
    }

    /// Puts a member into its column, probably `next`. Returns the column after it.
    fn put<'t>(
        &self,
        name: &[u8],
        value: &'t [u8],
        as_json: bool,
        next: usize,
        values: &mut Vec<Cow<'t, [u8]>>,
    ) -> usize {
        let is_named = |other: &String| other.as_bytes() == name;
        let index = match self.names.get(next) {
            Some(other) if is_named(other) => Some(next),
            _ => self.names.iter().position(is_named),
        };
        if let Some(index) = index {
            values[index] = if as_json { Cow::Borrowed(value) } else { plain_text(value) };
            return index + 1;
        }
        let name = serde_json::to_string(&String::from_utf8_lossy(name)).unwrap_or_default();
        values.push([b"{", name.as_bytes(), b":", value, b"}"].concat().into());
        next
    }
}

impl Shape {
    /// The members of a line, in order.
    fn members<'t>(&self, line: &'t [u8]) -> Result<Vec<Member<'t>>, PuzzleError> {
        match self {
            Shape::Object => parse(line),
            Shape::Value => {
                read_json(line, |json| Ok(vec![(VALUE.to_owned(), serde_json::from_slice(json)?)]))
            }
            Shape::Pair => {
                let colon = end_of_name(line).ok_or(PuzzleError::MissingText)?;
                match line[colon + 1..].trim_ascii_start() {
                    object @ [b'{', ..] => parse(object),
                    value => Shape::Value.members(value),
                }
            }
            Shape::Row(names) => {
                let named = |(name, value): (&String, Member<'t>)| Member { name: name.clone(), ..value };
                Ok(names.iter().zip(parse_array(line)?).map(named).collect())
            }
        }
    }
}

/// The name of the column of lines that are values.
const VALUE: &str = "puzzle";

impl Format for Objects {
    fn name(&self) -> &'static str {
        if self.pencilmarks { "pencilmarks" } else { "JSON lines" }
    }

    fn division(&self) -> Division {
        Division::Lines
    }

    fn record<'t>(&self, text: &'t [u8], start: usize) -> Record<'t> {
        let line = line_at(text, start);
        let cells = match self.pencilmarks {
            true => self.candidates(line).and_then(|_| self.puzzle_of(line)).map(|(_, marks)| marks),
            false => self.cells(line),
        };
        Record { end: self.end(text, start), line: start, cells }
    }

    fn read(&self, level: SimdLevel, text: &[u8], records: &mut Records, limit: usize) -> usize {
        if self.pencilmarks {
            return records.read_pencilmarks(self, &|line| self.candidates(line), text, limit);
        }
        records.read_lines(level, text, self, limit)
    }

    fn cells_of_puzzle<'t>(&self, text: &'t [u8], start: usize) -> Option<Cow<'t, [u8]>> {
        let line = line_at(text, start);
        match self.puzzle_of(line).ok()? {
            (_, cells) if cells.len() == CELLS || self.pencilmarks => Some(cells),
            _ => self.cells(line).ok(),
        }
    }

    /// The text of the member, or the line if it has none.
    fn puzzle_text<'t>(&self, text: &'t [u8], start: usize) -> Cow<'t, [u8]> {
        let line = line_at(text, start);
        self.puzzle_of(line).map_or(Cow::Borrowed(line.trim_ascii_end()), |(_, puzzle)| puzzle)
    }

    fn has_pencilmarks(&self) -> bool {
        self.pencilmarks
    }

    fn may_be_solution(&self, _: &[u8], _: usize) -> bool {
        self.checks_others
    }

    fn columns(&self) -> Option<&[String]> {
        Some(&self.names)
    }

    fn values<'t>(&self, text: &'t [u8], start: usize, as_json: bool, values: &mut Vec<Cow<'t, [u8]>>) {
        self.members(line_at(text, start), as_json, values);
    }

    fn has_solution(&self) -> bool {
        self.solution.is_some()
    }

    fn solution<'t>(&self, text: &'t [u8], start: usize) -> Option<(usize, Cow<'t, [u8]>)> {
        let line = line_at(text, start);
        let value = self.value(line, self.solution?).ok()??;
        let text = text_of(value)?;
        let cells =
            notation::read_field(text.trim_ascii(), false).ok().map(|cells| cells.into_owned().into());
        Some((offset(line, value) + 1, cells.unwrap_or(text)))
    }
}

impl LineFormat for Objects {
    #[inline(always)]
    fn read_plain<S: Simd>(&self, s: S, text: &[u8], puzzle: &mut Puzzle) -> Option<usize> {
        let length = memchr(b'\n', text)?;
        if self.shape != Shape::Object {
            return None;
        }
        let mut found = None;
        let name = self.names.get(self.puzzle)?.as_bytes();
        scan(&text[..length], |other, value| {
            if other == name {
                found = Some(value);
            }
        })?;
        let cells = found?.strip_prefix(b"\"")?.strip_suffix(b"\"")?.try_into().ok()?;
        convert(s, cells, puzzle).then_some(length + 1)
    }

    fn record_length(&self, text: &[u8]) -> usize {
        line_at(text, 0).len()
    }

    fn parse(&self, line: &[u8]) -> Result<Puzzle, PuzzleError> {
        Puzzle::try_from(&*self.cells(line)?)
    }
}

/// The offset of a part of a line.
fn offset(line: &[u8], part: &[u8]) -> usize {
    (part.as_ptr() as usize).saturating_sub(line.as_ptr() as usize)
}

/// Calls `visit` with the name and the value of each member of a plain object. Returns `None` if the line is something
/// else.
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
    if matches!(token, b"true" | b"false" | b"null" | b"NaN" | b"Infinity" | b"-Infinity") {
        return true;
    }
    let digits = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut rest = token.strip_prefix(b"-").unwrap_or(token);
    let whole = digits(rest);
    if whole == 0 || (whole > 1 && rest[0] == b'0') {
        return false;
    }
    rest = &rest[whole..];
    if let Some(fraction) = rest.strip_prefix(b".") {
        let places = digits(fraction);
        if places == 0 {
            return false;
        }
        rest = &fraction[places..];
    }
    match rest {
        [] => true,
        [b'e' | b'E', b'+' | b'-', exponent @ ..] | [b'e' | b'E', exponent @ ..] => {
            !exponent.is_empty() && digits(exponent) == exponent.len()
        }
        _ => false,
    }
}

/// The members of any object, in order.
#[cold]
fn parse(line: &[u8]) -> Result<Vec<Member<'_>>, PuzzleError> {
    let mut members =
        read_json(line, |json| Ok(serde_json::from_slice::<BTreeMap<_, _>>(json)?.into_iter().collect()))?;
    members.sort_by_key(|member| member.value.as_ptr());
    Ok(members)
}

/// The elements of an array, with their numbers from 1 as names.
fn parse_array(line: &[u8]) -> Result<Vec<Member<'_>>, PuzzleError> {
    read_json(line, |json| {
        let values = serde_json::from_slice::<Vec<_>>(json)?;
        Ok((1..).map(|number: usize| number.to_string()).zip(values).collect())
    })
}

/// The members that `read` finds in a line of JSON, in which there may also be [numbers that JSON does not have](finite).
fn read_json<'t>(
    line: &'t [u8],
    read: impl for<'j> Fn(&'j [u8]) -> serde_json::Result<Vec<(String, &'j RawValue)>>,
) -> Result<Vec<Member<'t>>, PuzzleError> {
    let members = |json: &[u8], found: Vec<(String, &RawValue)>| {
        let member = |(name, value): (String, &RawValue)| {
            let start = offset(json, value.get().as_bytes());
            Member { name, value: &line[start..start + value.get().len()] }
        };
        found.into_iter().map(member).collect()
    };
    read(line).map(|found| members(line, found)).or_else(|error| {
        let finite = finite(line);
        read(&finite).map(|found| members(&finite, found)).map_err(|_| not_json(&error, line))
    })
}

/// A text with numbers of the same length in place of `NaN` and `Infinity`, which Python writes by default.
pub(super) fn finite(text: &[u8]) -> Vec<u8> {
    let mut finite = text.to_vec();
    for (word, number) in
        [(&b"NaN"[..], &b"0.0"[..]), (b"Infinity", b"0.000000"), (b"-Infinity", b"-0.000000")]
    {
        for at in memmem::find_iter(text, word) {
            // A word in a string between such bytes need not be kept: names are rarely so, and values are those of the line.
            let before = text[..at].trim_ascii_end().last();
            let after = text[at + word.len()..].trim_ascii_start().first();
            if before.is_none_or(|byte| b":,[".contains(byte))
                && after.is_none_or(|byte| b",]}".contains(byte))
            {
                finite[at..at + word.len()].copy_from_slice(number);
            }
        }
    }
    finite
}

fn not_json(error: &serde_json::Error, line: &[u8]) -> PuzzleError {
    // The error is at the end of the line if that is too short.
    let column = u32::try_from(error.column().clamp(1, line.len().max(1))).unwrap_or(u32::MAX);
    PuzzleError::NotJson { column }
}

/// The text of a string, or an array as it is.
fn text_of(value: &[u8]) -> Option<Cow<'_, [u8]>> {
    match value {
        [b'"', text @ .., b'"'] if memchr(b'\\', text).is_none() => Some(Cow::Borrowed(text)),
        [b'"', ..] => serde_json::from_slice(value).ok().map(|text: String| Cow::Owned(text.into_bytes())),
        [b'[', ..] => Some(Cow::Borrowed(value)),
        _ => None,
    }
}

/// The offset of the colon after the string at the start of a line.
fn end_of_name(line: &[u8]) -> Option<usize> {
    let mut strings = serde_json::Deserializer::from_slice(line).into_iter::<&RawValue>();
    let name = strings.next()?.ok()?;
    let rest = &line[strings.byte_offset()..];
    let spaces = rest.len() - rest.trim_ascii_start().len();
    (name.get().starts_with('"') && rest.get(spaces) == Some(&b':')).then(|| strings.byte_offset() + spaces)
}

/// A value for CSV.
fn plain_text(value: &[u8]) -> Cow<'_, [u8]> {
    match value {
        b"null" => Cow::Borrowed(b""),
        [b'"', ..] => text_of(value).unwrap_or(Cow::Borrowed(value)),
        _ => Cow::Borrowed(value),
    }
}

/// The shape of JSON lines, if a text starts like them: with an object, with an array that is a puzzle, or with two arrays of as many
/// values, one of which is a puzzle. The first line may also be another one, which is an invalid record, if half of the first lines
/// are objects.
pub(super) fn looks_like(text: &[u8]) -> Option<Shape> {
    let mut lines = text.split(|&byte| byte == b'\n').filter(|line| is_record(line));
    let others = lines.clone();
    let line = lines.next()?.trim_ascii();
    // The first 32 KiB of an input may be a part of a line.
    match line {
        [b'{', .., b'}'] if parse(line).is_ok() => Some(Shape::Object),
        [b'[', .., b']'] if notation::cells_of(line).is_some() && Shape::Value.members(line).is_ok() => {
            Some(Shape::Value)
        }
        [b'[', .., b']'] => {
            let values = |line| parse_array(line).ok().filter(|values| values.len() > 1);
            // The only line is compared with itself.
            let (first, second) = (values(line)?, values(lines.next().unwrap_or(line))?);
            let has_puzzle = second.iter().any(|member| is_puzzle(member.value));
            let names = first.iter().map(|member| member.name.clone());
            (has_puzzle && first.len() == second.len()).then(|| Shape::Row(names.collect()))
        }
        _ => are_half_objects(others.take(5)).then_some(Shape::Object),
    }
}

/// Whether half of the lines are objects, and some of them have puzzles. A block of code in Markdown may have such lines too, and a comment
/// before them is no damaged object.
fn are_half_objects<'t>(lines: impl Iterator<Item = &'t [u8]>) -> bool {
    let (mut count, mut objects, mut has_puzzle) = (0, 0, false);
    for line in lines {
        if line.starts_with(b"```") || line.starts_with(b"//") {
            return false;
        }
        let members = if line.trim_ascii().starts_with(b"{") { parse(line).ok() } else { None };
        count += 1;
        objects += usize::from(members.is_some());
        has_puzzle |= members.is_some_and(|members| members.iter().any(|member| is_puzzle(member.value)));
    }
    has_puzzle && 2 * objects >= count
}

/// Recognises the columns of the text that starts with `head`.
pub(super) fn recognise(head: &[u8], is_all: bool, options: &InputOptions) -> Result<Objects, Rejection> {
    recognise_as(&looks_like(head).unwrap_or(Shape::Object), head, is_all, options)
}

/// Recognises the columns of lines of this shape.
pub(super) fn recognise_as(
    shape: &Shape,
    head: &[u8],
    is_all: bool,
    options: &InputOptions,
) -> Result<Objects, Rejection> {
    let whole = if is_all { head.len() } else { memchr::memrchr(b'\n', head).map_or(0, |at| at + 1) };
    let lines = head[..whole].split(|&byte| byte == b'\n').filter(|line| is_record(line));
    let objects: Vec<_> = lines.take(SAMPLED_LINES).filter_map(|line| shape.members(line).ok()).collect();
    let mut names: Vec<String> = Vec::new();
    for member in objects.iter().flatten() {
        if names.iter().all(|name| *name != member.name) {
            names.push(member.name.clone());
        }
    }
    if names.is_empty() {
        let reason = "unsupported format: no line is an object of JSON".to_owned();
        return Err(Rejection { reason, kind: RejectionKind::Document });
    }
    // A path such as `metadata.puzzle` leads to a member of an object within.
    for column in [&options.column, &options.solution_column] {
        if let Some(ColumnRef::Name(path)) = column
            && find_name(&names, path).is_none()
            && objects.iter().any(|members| member_at(members, path).is_some())
        {
            names.push(path.clone());
        }
    }
    let rows: Vec<Vec<Vec<u8>>> = objects
        .iter()
        .map(|members| {
            let value = |name: &String| member_at(members, name).unwrap_or_default();
            let field = |name| text_of(value(name)).unwrap_or(Cow::Borrowed(value(name))).into_owned();
            names.iter().map(field).collect()
        })
        .collect();
    let marks = tally(&rows, true);
    let marked = most(&marks, |tally| tally.open);
    let mut tallies = if marked.is_empty() { tally(&rows, false) } else { marks };
    ignore_derived(&mut tallies, names.iter().map(|name| name.as_bytes()));
    let choice = Choice {
        rows: &rows,
        tallies: &tallies,
        width: names.len(),
        pencilmarks: !marked.is_empty(),
        names,
        header: Some("the objects have"),
    };
    let puzzle = match choice.puzzle(options) {
        Ok(puzzle) if choice.tallies.get(puzzle).is_some_and(|tally| tally.puzzles() > 0) => puzzle,
        Ok(puzzle) => reason_for_none(&objects, Some(&choice.names[puzzle])).map_or(Ok(puzzle), Err)?,
        Err(rejection) => return Err(reason_for_none(&objects, None).unwrap_or(rejection)),
    };
    let solution = choice.solution(options, puzzle)?;
    let pencilmarks = marked.contains(&puzzle);
    let checks_others = options.column.is_none() && !pencilmarks;
    Ok(Objects {
        checks_others,
        shape: shape.clone(),
        names: choice.names,
        puzzle,
        pencilmarks,
        pads: options.pads,
        solution,
    })
}

/// The value of the last member with a name, or at a path of names with dots between them.
fn member_at<'t>(members: &[Member<'t>], path: &str) -> Option<&'t [u8]> {
    if let Some(member) = members.iter().rfind(|member| member.name == path) {
        return Some(member.value);
    }
    let (name, rest) = path.split_once('.')?;
    let object = members.iter().rfind(|member| member.name == name)?.value;
    member_at(&parse(object).ok()?, rest)
}

/// The reason why the member with a name, or any member, has no puzzle in any object, if its value has some in another way.
fn reason_for_none(objects: &[Vec<Member>], name: Option<&str>) -> Option<Rejection> {
    objects.iter().find_map(|members| {
        let meant = || members.iter().filter(|member| name.is_none_or(|name| member.name == name));
        if meant().any(|member| is_puzzle(member.value)) {
            return None;
        }
        let is_cell = |member: &Member| notation::cell_of(&plain_text(member.value)).is_some();
        let mut paths = Vec::new();
        meant().for_each(|member| put_paths(member, "", &mut paths));
        let several =
            |list: String| format!("puzzles are in several objects within the object: {list}; {ONE_PATH}");
        let reason = match &paths[..] {
            [] if meant().filter(|member| is_cell(member)).count() >= CELLS => {
                "unsupported format: JSON with a member for each cell; convert it to CSV".to_owned()
            }
            [] => return meant().find_map(reason_for_list),
            [path] => format!("the puzzle is in an object within the object; --column {path} reads it"),
            [first, second] => several(format!("{first} and {second}")),
            [first, second, third] => several(format!("{first}, {second} and {third}")),
            [first, second, third, ..] => several(format!("{first}, {second}, {third}, ...")),
        };
        Some(Rejection { reason, kind: RejectionKind::Nested })
    })
}

const ONE_PATH: &str = "--column reads only one of them, so put the objects into an array";

/// Appends the paths of the puzzles in the object that is the value of a member, and in objects within.
fn put_paths(Member { name, value }: &Member, before: &str, paths: &mut Vec<String>) {
    let Ok(inner) = parse(value) else { return };
    for member in &inner {
        match is_puzzle(member.value) {
            true => paths.push(format!("{before}{name}.{}", member.name)),
            // serde_json bounds the depth.
            false => put_paths(member, &format!("{before}{name}."), paths),
        }
    }
}

/// The reason why a value is no puzzle, if it is a list of puzzles, or of cells that are objects.
fn reason_for_list(Member { name, value }: &Member) -> Option<Rejection> {
    if !value.starts_with(b"[") || is_puzzle(value) || !has_puzzles(value) {
        return reason_for_cells(name, value);
    }
    let reason =
        format!("unsupported format: '{name}' is a list of several puzzles; give each an object of its own");
    Some(Rejection { reason, kind: RejectionKind::Nested })
}

/// The reason why the value at the start of a text is no puzzle, if it is a list of cells that are objects.
pub(super) fn reason_for_cells(name: &str, text: &[u8]) -> Option<Rejection> {
    fn within(list: &[u8]) -> Option<&[u8]> {
        list.strip_prefix(b"[").map(<[u8]>::trim_ascii_start)
    }
    let mut list = text;
    while let Some(inner) = within(list).filter(|inner| inner.starts_with(b"[")) {
        list = inner;
    }
    within(list)?.starts_with(b"{").then_some(())?;
    let cells: Vec<&RawValue> = serde_json::Deserializer::from_slice(list).into_iter().next()?.ok()?;
    let is_cell = |cell: &&RawValue| cell.get().starts_with('{') && !has_puzzles(cell.get().as_bytes());
    if !matches!(cells.len(), 9 | CELLS) || !cells.iter().all(is_cell) {
        return None;
    }
    let reason = format!(
        "unsupported format: the cells in '{name}' are objects; write a digit for each, 0 for a blank"
    );
    Some(Rejection { reason, kind: RejectionKind::Nested })
}

/// The reason why an object, which has no puzzle as a member, has some in another way.
pub(super) fn reason_for_object(text: &[u8]) -> Option<Rejection> {
    reason_for_none(&[parse(text).ok()?], None)
}

/// The name of a member with more puzzles, if a text is one object with a puzzle and a list or an object that has others.
pub(super) fn more_puzzles(text: &[u8]) -> Option<String> {
    let members = parse(text).ok().filter(|members| members.iter().any(|member| is_puzzle(member.value)))?;
    // A list of one puzzle may be read as that puzzle.
    let is_list = |value: &[u8]| serde_json::from_slice::<[&RawValue; 1]>(value).is_ok() || !is_puzzle(value);
    let is_other = |Member { value, .. }: &Member| {
        matches!(value, [b'[' | b'{', ..]) && is_list(value) && has_puzzles(value)
    };
    members.into_iter().find(is_other).map(|member| member.name)
}

/// Whether a value is a puzzle with blanks.
fn is_puzzle(value: &[u8]) -> bool {
    text_of(value).is_some_and(|text| matches!(Content::of(&text), Content::Open { .. }))
}

/// Whether an object has a puzzle, or one at the path that the user gives.
fn has_puzzle(members: &[Member], options: &InputOptions) -> bool {
    match &options.column {
        Some(ColumnRef::Name(path)) => member_at(members, path).is_some_and(is_puzzle),
        _ => members.iter().any(|member| is_puzzle(member.value)),
    }
}

/// Whether the only line of a text is an object with a puzzle, instead of several that pandas has numbered from 0: our own rows have
/// numbers from 1 as names.
pub(super) fn is_row(text: &[u8], options: &InputOptions) -> bool {
    let is_number = |member: &Member| member.name.parse::<u64>().is_ok();
    let members = parse(text).ok().filter(|members| has_puzzle(members, options));
    let Some(members) = members else { return false };
    let is_possible = |member: &&Member| {
        text_of(member.value)
            .is_some_and(|text| matches!(Content::of(&text), Content::Open { .. } | Content::Damaged))
    };
    !members.first().is_some_and(is_number)
        || (members.iter().filter(is_possible).count() == 1
            && (members[0].name == "1" || !members.iter().all(is_number)))
}

/// Whether there are puzzles in a part of a document of JSON.
pub(super) fn has_puzzles(text: &[u8]) -> bool {
    let mut rest = Rest::default();
    text.iter().any(|&byte| rest.finds_puzzle(byte))
}

/// A part of a document of JSON. 81 cells with clues and blanks are a puzzle: a string, nine strings, a list, or nine lists.
#[derive(Default)]
pub(super) struct Rest {
    /// The letters, digits and signs since the last other byte, up to more than there are in a puzzle.
    token: Vec<u8>,
    cells: usize,
    has_clue: bool,
    has_blank: bool,
}

impl Rest {
    /// Whether a puzzle ends with the next byte.
    pub fn finds_puzzle(&mut self, byte: u8) -> bool {
        if !b" \t\r\n,[]\"\\".contains(&byte) {
            if self.token.len() <= CELLS {
                self.token.push(byte);
            }
            return false;
        }
        let token = std::mem::take(&mut self.token);
        // A line feed in a string is an escape.
        let token = token.strip_prefix(b"n").filter(|row| row.len() == 9).unwrap_or(&token);
        let is_clue = |byte: &u8| (b'1'..=b'9').contains(byte);
        match (token, token.len()) {
            (_, 0) => {}
            (b"null" | b"-1", _) => (self.cells, self.has_blank) = (self.cells + 1, true),
            (_, 1 | 9 | CELLS) if token.iter().all(|&byte| is_cell(byte)) => {
                self.cells += token.len();
                self.has_clue |= token.iter().any(is_clue);
                self.has_blank |= !token.iter().all(is_clue);
            }
            _ => *self = Rest::default(),
        }
        let ends = byte == b']' || (byte == b'"' && token.len() > 1);
        let is_puzzle = self.cells == CELLS && self.has_clue && self.has_blank;
        if byte == b']' && (!self.cells.is_multiple_of(9) || self.cells >= CELLS) {
            *self = Rest::default();
        }
        ends && is_puzzle
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Lines that are objects, or nearly.
    fn line() -> impl Strategy<Value = String> {
        let value = prop_oneof![
            "\"[a-c.0-9 ]{0,5}\"",
            "-?(0|[1-9][0-9]{0,2})(\\.[0-9]{1,2})?([eE][+-]?[0-9])?",
            "true|false|null|\\[1, 2\\]|\\{\"a\":\\{\\}\\}|01|1\\.|-|\\.5|tru|\"\\\\u0035\"|\"é\"|\"\\\\\"\"",
            "1e|2E\\+|3e4a|4e-a|NaN|-?Infinity|-NaN|Inf",
        ];
        let member = ("[ab]", value, "[ :]{0,1}").prop_map(|(name, value, odd)| {
            format!("\"{name}\"{odd}: {value}{}", if odd == ":" { "" } else { &odd })
        });
        let members = prop::collection::vec(member, 0..4);
        (members, "[ ,}\r]{0,1}").prop_map(|(members, odd)| format!("{{{}}}{odd}", members.join(", ")))
    }

    proptest! {
        #[test]
        fn the_fast_path_agrees_with_the_parser(line in line()) {
            let mut found = Vec::new();
            let is_plain = scan(line.as_bytes(), |name, value| found.push((name.to_vec(), value.to_vec())));
            if is_plain.is_some() {
                let members = parse(line.as_bytes());
                prop_assert!(members.is_ok(), "{}", line);
                let mut last = Vec::new();
                for (at, (name, value)) in found.iter().enumerate() {
                    if found[at + 1..].iter().all(|(other, _)| other != name) {
                        last.push((name.clone(), value.clone()));
                    }
                }
                let members = members.unwrap_or_default();
                let members = members.iter().map(|member| (member.name.clone().into_bytes(), member.value.to_vec()));
                prop_assert_eq!(last, members.collect::<Vec<_>>());
            } else if let Ok(members) = parse(line.as_bytes()) {
                // Only what the fast path does not support is left to the parser: also in members that do not count.
                let after_start = &line.as_bytes()[1..];
                let is_rare = after_start.iter().any(|byte| b"[{\\".contains(byte) || !byte.is_ascii());
                prop_assert!(members.is_empty() || is_rare, "{}", line);
            }
        }
    }

    fn objects(names: &[&str]) -> Objects {
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        Objects {
            shape: Shape::Object,
            names,
            puzzle: 0,
            pencilmarks: false,
            checks_others: false,
            pads: false,
            solution: None,
        }
    }

    #[test]
    fn values_keep_their_columns() {
        let objects = objects(&["puzzle", "id"]);
        let mut values = vec![Cow::Borrowed(&b"of another row"[..])];
        for (line, as_json, expected) in [
            ("{\"id\":7,\"puzzle\":\"12\"}", false, &["12", "7"][..]),
            ("{\"id\":7,\"puzzle\":\"12\"}", true, &["\"12\"", "7"]),
            ("{\"id\":null}", false, &["", ""]),
            ("{\"id\":null}", true, &["", "null"]),
            ("{\"id\":\"a\\\"b\",\"more\":[1]}", false, &["", "a\"b", "{\"more\":[1]}"]),
            ("{\"id\":1,\"id\":2}", false, &["", "2"]),
            ("{\"id\":1,\"id\":\"\\u0032\"}", false, &["", "2"]),
            ("{\"id\":1", false, &["", ""]),
        ] {
            objects.members(line.as_bytes(), as_json, &mut values);
            assert_eq!(values, expected.iter().map(|value| value.as_bytes()).collect::<Vec<_>>(), "{line}");
        }
    }

    #[test]
    fn puzzles_are_found_in_any_part_of_a_document() {
        let puzzle = format!("{}{}", "53..7....", "1".repeat(72));
        let rows: Vec<String> = (0..9).map(|row| format!("\"{}\"", &puzzle[9 * row..9 * row + 9])).collect();
        let numbers = |cells: &str| {
            let cells: Vec<String> = cells.replace('.', "0").chars().map(String::from).collect();
            format!("[{}]", cells.join(", "))
        };
        let lists: Vec<String> = (0..9).map(|row| numbers(&puzzle[9 * row..9 * row + 9])).collect();
        for text in [
            format!(",\"more\":[\"{puzzle}\"]"),
            format!("\n[{}]", rows.join(",")),
            format!(",\"a\":{}}}", numbers(&puzzle)),
            format!(", \"a\": [[{}]]", lists.join(",\n")),
            format!(",\"{}\"", rows.join("\\n").replace('"', "")),
        ] {
            let mut rest = Rest::default();
            assert!(text.bytes().any(|byte| rest.finds_puzzle(byte)), "{text}");
        }
        for text in [
            format!(",\"solutions\":[\"{0}\",\"{0}\"]", "1".repeat(81)),
            format!(",\"labels\":{}", numbers(&puzzle.repeat(2))),
            format!(",\"ids\":{:?}}}", (0..200).collect::<Vec<_>>()),
            ",\"a\":[\"0\",\"1\"]".repeat(100),
        ] {
            let mut rest = Rest::default();
            assert!(!text.bytes().any(|byte| rest.finds_puzzle(byte)), "{text}");
        }
    }

    #[test]
    fn errors_have_a_column() {
        let objects = objects(&["puzzle"]);
        let blank = ".".repeat(80);
        for (line, expected) in [
            ("{\"puzzle\":\"12".to_owned(), "not a JSON object: syntax error in column 13"),
            ("[]".to_owned(), "not a JSON object: syntax error in column 1"),
            ("{\"puzzle\":7}".to_owned(), "no member of the object is a puzzle"),
            ("{\"quiz\":\"7\"}".to_owned(), "no member of the object is a puzzle"),
            (format!("{{\"puzzle\":\"{blank}!\"}}"), "bad character '!' in column 92"),
            (format!("{{\"puzzle\":\"{blank}\"}}"), "too short: 80 cells instead of 81"),
            (format!("{{\"puzzle\":\"{blank}1\"}} 2"), "not a JSON object: syntax error in column 96"),
            ("{\"puzzle\":[1,2,10]}".to_owned(), "too short: 3 cells instead of 81"),
            ("{\"puzzle\":[[1,2],[0]]}".to_owned(), "too short: 3 cells instead of 81"),
        ] {
            let error = objects.record(line.as_bytes(), 0).error().expect("it is invalid");
            assert_eq!(error.to_string(), expected, "{line}");
        }
        let digits = vec!["5"; 1].into_iter().chain(vec!["0"; 80]).collect::<Vec<_>>().join(", ");
        let line = format!("{{\"puzzle\":[{digits}]}}");
        assert_eq!(LineFormat::parse(&objects, line.as_bytes()).unwrap().clue_count(), 1);
    }
}
