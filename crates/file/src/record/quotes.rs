//! Stage 2, records: where the rows of CSV end. Quoted fields may contain line breaks.
//!
//! A field starts after a delimiter and spaces. If its first byte is `"`, it ends with the next `"` that is not
//! doubled; then only spaces may precede the delimiter or the end of the line. In other fields quotes are ordinary
//! characters. The quotes of a row are wrong if one is not closed, if text follows it, or if a field with line breaks
//! has 81 cells in a row (it has swallowed a record) or ends more than [`MAX_ROW`] bytes after the start of the row. A
//! row with wrong quotes is one line. (RFC 4180, with these limits.)
//!
//! Whether a row that starts somewhere is well-formed may depend on a megabyte after it, and its neighbours may depend
//! on the same bytes. A [`Chain`] keeps what has been found out, so a text takes linear time: once two rows are both
//! within quotes at the same line break, they go on in the same way.

use std::borrow::Cow;

use memchr::{memchr, memchr2, memrchr};

use super::cells::has_long_run;

/// The most bytes from the start of a row to the end of its last field with a line break.
pub const MAX_ROW: usize = 1 << 20;

/// What starts at an offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Row {
    /// A well-formed row that ends before this offset: with its line feed, or with the text.
    End(usize),
    /// The quotes are wrong: the row is the first line.
    Wrong,
    /// The text ends within quotes. At the end of an input, they are wrong.
    Open,
}

/// Rows that go on within quotes after a line.
#[derive(Clone, Copy, Debug, Default)]
pub struct Chain {
    /// The offset of the first line feed within quotes.
    from: usize,
    /// Up to here all line feeds are within quotes, and the fields that have ended are well-formed.
    at: usize,
    /// How the rows end, if that is known.
    end: Option<Row>,
}

/// The row at `start` and the offset after it. `chain` belongs to the same text, and `start` is not before earlier
/// ones.
#[inline]
pub fn row(text: &[u8], start: usize, delimiter: u8, chain: &mut Chain) -> (Row, usize) {
    // Most rows have no quotes.
    let row = match memchr2(b'\n', b'"', &text[start..]) {
        None => Row::End(text.len()),
        Some(length) if text[start + length] == b'\n' => Row::End(start + length + 1),
        Some(_) => quoted_row(text, start, delimiter, chain),
    };
    match row {
        Row::End(end) => (row, end),
        _ => (row, memchr(b'\n', &text[start..]).map_or(text.len(), |length| start + length + 1)),
    }
}

#[cold]
fn quoted_row(text: &[u8], start: usize, delimiter: u8, chain: &mut Chain) -> Row {
    match line(text, start, delimiter) {
        Ok(row) => row,
        Err(line_feed) => {
            if !(chain.from..chain.at).contains(&line_feed) {
                *chain = Chain { from: line_feed, at: line_feed + 1, end: None };
            }
            chain.follow(text, start, delimiter)
        }
    }
}

impl Chain {
    /// How the row at `start` ends, which is on this chain.
    fn follow(&mut self, text: &[u8], start: usize, delimiter: u8) -> Row {
        while self.end.is_none() {
            // The rest of a field with a line break.
            let length = memchr(b'"', &text[self.at..]);
            let quote = length.map_or(text.len(), |length| self.at + length);
            if has_long_run(&text[self.at..quote]) {
                self.end = Some(Row::Wrong);
                break;
            }
            self.at = quote;
            if quote >= start + MAX_ROW {
                return Row::Wrong;
            }
            if length.is_none() {
                return Row::Open;
            }
            if text.get(quote + 1) == Some(&b'"') {
                self.at = quote + 2;
                continue;
            }
            match field_end(text, quote + 1, delimiter) {
                Ok(after) | Err(Row::End(after)) if after > start + MAX_ROW => return Row::Wrong,
                Err(row) => self.end = Some(row),
                Ok(after) => match line(text, after, delimiter) {
                    Ok(row) => self.end = Some(row),
                    Err(line_feed) => self.at = line_feed + 1,
                },
            }
        }
        self.end.unwrap_or(Row::Wrong)
    }
}

/// The offset after the delimiter that follows the closing quote before `at`, or how the row ends there.
fn field_end(text: &[u8], at: usize, delimiter: u8) -> Result<usize, Row> {
    let at = at + spaces(&text[at..], delimiter);
    match text[at..] {
        [] | [b'\r'] => Err(Row::End(text.len())),
        [b'\n', ..] => Err(Row::End(at + 1)),
        [b'\r', b'\n', ..] => Err(Row::End(at + 2)),
        [byte, ..] if byte == delimiter => Ok(at + 1),
        _ => Err(Row::Wrong),
    }
}

/// The number of spaces at the start of a text, unless they separate fields.
fn spaces(text: &[u8], delimiter: u8) -> usize {
    if delimiter == b' ' { 0 } else { text.iter().take_while(|&&byte| byte == b' ').count() }
}

/// How the row ends that goes on with the line in which a field starts at `field`; or the offset of the line feed, if
/// that is within quotes.
fn line(text: &[u8], mut field: usize, delimiter: u8) -> Result<Row, usize> {
    let line_feed = memchr(b'\n', &text[field..]).map(|length| field + length);
    let (mut at, end) = (field, line_feed.unwrap_or(text.len()));
    while let Some(length) = memchr(b'"', &text[at..end]) {
        let quote = at + length;
        at = quote + 1;
        if !starts_field(&text[field..quote], delimiter) {
            continue;
        }
        let Some(closing) = closing_quote(&text[..end], at) else {
            let is_wrong = line_feed.is_some() && has_long_run(&text[quote..end]);
            return if is_wrong { Ok(Row::Wrong) } else { line_feed.map_or(Ok(Row::Open), Err) };
        };
        match field_end(text, closing + 1, delimiter) {
            Ok(after) => (field, at) = (after, after),
            Err(row) => return Ok(row),
        }
    }
    Ok(Row::End(line_feed.map_or(end, |at| at + 1)))
}

/// Whether a field starts after these fields of the same line: nothing but spaces is between a delimiter and it.
fn starts_field(before: &[u8], delimiter: u8) -> bool {
    let last = before.iter().rev().find(|&&byte| byte != b' ' || delimiter == b' ');
    last.is_none_or(|&byte| byte == delimiter)
}

/// The quote that closes a field, of which `at` is the offset after its first quote.
fn closing_quote(text: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += memchr(b'"', &text[at..])?;
        if text.get(at + 1) != Some(&b'"') {
            return Some(at);
        }
        at += 2;
    }
}

/// The end of the last row that is complete whatever follows `text`, which starts with a row. A row that is too long is
/// not complete.
pub fn last_boundary(text: &[u8], delimiter: u8) -> Option<usize> {
    let lines = &text[..memrchr(b'\n', text)? + 1];
    let (mut at, mut chain) = (0, Chain::default());
    // Lines without quotes need no look unless one may be too long.
    if text.len() <= MAX_ROW + 1 {
        let Some(quote) = memchr(b'"', lines) else { return Some(lines.len()) };
        at = memrchr(b'\n', &text[..quote]).map_or(0, |before| before + 1);
    }
    while at < lines.len() {
        let (row, end) = row(text, at, delimiter, &mut chain);
        if row == Row::Open || end > lines.len() || end - at > MAX_ROW + 1 {
            break;
        }
        at = end;
    }
    (at > 0).then_some(at)
}

/// A field of a well-formed row: the offset of its content, and this, without quotes and the spaces around and within
/// them.
pub type Field<'t> = (usize, Cow<'t, [u8]>);

/// The fields of a well-formed row, which may have its line end.
pub fn fields(row: &[u8], delimiter: u8) -> impl Iterator<Item = Field<'_>> {
    let row = row.strip_suffix(b"\n").unwrap_or(row);
    let row = row.strip_suffix(b"\r").unwrap_or(row);
    let mut next = Some(0);
    std::iter::from_fn(move || {
        let mut start = next?;
        start += spaces(&row[start..], delimiter);
        let end_from = |at: usize| memchr(delimiter, &row[at..]).map(|length| at + length);
        let (mut end, is_doubled);
        if row.get(start) == Some(&b'"') {
            start += 1;
            end = closing_quote(row, start).unwrap_or(row.len());
            next = end_from(end).map(|end| end + 1);
            is_doubled = memchr(b'"', &row[start..end]).is_some();
        } else {
            let found = end_from(start);
            next = found.map(|end| end + 1);
            end = found.unwrap_or(row.len());
            is_doubled = false;
        }
        let field = &row[start..end];
        end = start + field.iter().rposition(|&byte| byte != b' ').map_or(0, |last| last + 1);
        start += row[start..end].iter().take_while(|&&byte| byte == b' ').count();
        let content = &row[start..end];
        let mut is_second = false;
        let is_kept = |byte: &u8| {
            is_second = *byte == b'"' && !is_second;
            *byte != b'"' || is_second
        };
        Some((start, if is_doubled { content.iter().copied().filter(is_kept).collect() } else { content.into() }))
    })
}
