//! Stage 2, records: puzzles in OpenSudoku XML, one in the attribute `data` of each element `game`.
//!
//! A record is the tag of such an element, wherever it is. `data` has 81 digits, or the state of a game:
//! `version: N`, and three or four values for each cell, each followed by `|`. Of these, the first is the digit and the last
//! is 0 for a clue.
//!
//! This is no parser of XML: it finds tags, comments, instructions and CDATA sections, and does not check that the document
//! is well-formed. A parser would have to read the document from its start to its end, but batches are read independently.
//! A tag also ends before the next `<`, so a damaged one affects no others. Entities are not replaced, because digits need
//! none; only the line feed of a state is usually written as one.

use std::borrow::Cow;
use std::io;

use memchr::{memchr, memchr3, memmem, memrchr};

use super::format::{Division, Format, Record};
use super::{Records, line_feeds};
use crate::grid::{CELLS, Puzzle, PuzzleError, parse_field};
use crate::simd::SimdLevel;

/// A piece of markup and its position.
struct Markup {
    start: usize,
    end: usize,
    is_game: bool,
}

/// Whether a text is a document of OpenSudoku.
pub(super) fn looks_like(head: &[u8]) -> bool {
    head.trim_ascii_start().starts_with(b"<") && memmem::find(head, b"<opensudoku").is_some()
}

/// The first piece of markup at or after `at`. The last one of a text may be incomplete; it then ends with the text.
fn next_markup(text: &[u8], at: usize) -> Option<(Markup, bool)> {
    let start = at + memchr(b'<', text.get(at..)?)?;
    let rest = &text[start..];
    let after = |opening: &[u8], closing: &[u8]| {
        let length = opening.len();
        rest.starts_with(opening)
            .then(|| memmem::find(&rest[length..], closing).map(|at| length + at + closing.len()))
    };
    let special =
        after(b"<!--", b"-->").or_else(|| after(b"<![CDATA[", b"]]>")).or_else(|| after(b"<?", b"?>"));
    let length = special.unwrap_or_else(|| tag_length(rest));
    let ends_name = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>');
    let is_game = rest.starts_with(b"<game") && rest.get(5).is_some_and(ends_name);
    let end = length.map_or(text.len(), |length| start + length);
    Some((Markup { start, end, is_game }, length.is_some()))
}

/// The length of the tag at the start of a text.
fn tag_length(text: &[u8]) -> Option<usize> {
    let mut at = 1;
    loop {
        at += text[at..].iter().position(|byte| matches!(byte, b'>' | b'<' | b'"' | b'\''))?;
        match text[at] {
            b'>' => return Some(at + 1),
            b'<' => return Some(at),
            quote => {
                let end = at + 1 + memchr3(quote, b'<', b'<', &text[at + 1..])?;
                at = if text[end] == b'<' { end } else { end + 1 };
            }
        }
    }
}

/// The first element of a game at or after `at`, which must not be within markup.
fn next_game(text: &[u8], mut at: usize) -> Option<Markup> {
    loop {
        let (markup, _) = next_markup(text, at)?;
        if markup.is_game {
            return Some(markup);
        }
        at = markup.end;
    }
}

/// The first record at or after `at`.
fn next(text: &[u8], at: usize) -> Option<Record<'_>> {
    next_game(text, at).map(|markup| read_game(text, &markup))
}

/// Puzzles in OpenSudoku XML.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpenSudoku {
    /// Whether an end tag must follow. Games without a document are read too.
    is_document: bool,
}

impl OpenSudoku {
    /// The format of the text that starts with `head`.
    pub(super) fn of(head: &[u8]) -> OpenSudoku {
        OpenSudoku { is_document: looks_like(head) }
    }
}

impl Format for OpenSudoku {
    fn name(&self) -> &'static str {
        "OpenSudoku XML"
    }

    fn division(&self) -> Division {
        Division::Never("XML documents")
    }

    fn record<'t>(&self, text: &'t [u8], start: usize) -> Record<'t> {
        next(text, start).unwrap_or(Record {
            end: text.len(),
            line: start,
            cells: Err(PuzzleError::MissingData),
        })
    }

    fn read(&self, _: SimdLevel, text: &[u8], records: &mut Records, limit: usize) -> usize {
        records.clear();
        let mut at = 0;
        while records.len() < limit {
            let Some(game) = next_game(text, at) else {
                at = text.len();
                break;
            };
            let record = read_game(text, &game);
            records.push(game.start, record.cells.ok().and_then(|cells| Puzzle::try_from(&*cells).ok()));
            at = game.end;
        }
        // A batch may end within a line.
        records.lines = line_feeds(&text[..at]);
        at
    }

    /// The end of the last markup that is complete whatever follows `text`.
    fn last_boundary(&self, text: &[u8]) -> Option<usize> {
        let mut at = 0;
        let end = loop {
            match next_markup(text, at) {
                None => break text.len(),
                Some((markup, false)) => break markup.start,
                Some((markup, true)) => at = markup.end,
            }
        };
        (end > 0).then_some(end)
    }

    fn has_lines(&self) -> bool {
        false
    }

    fn expected(&self) -> Option<u64> {
        self.is_document.then_some(1)
    }

    /// A batch ends between tags.
    fn check_expected(&self, expected: u64, batch: Option<&[u8]>) -> io::Result<u64> {
        match batch {
            Some(text) if memmem::find(text, b"</opensudoku").is_some() => Ok(0),
            None if expected > 0 => {
                let reason = "truncated XML: there is no </opensudoku> at its end";
                Err(io::Error::new(io::ErrorKind::UnexpectedEof, reason))
            }
            _ => Ok(expected),
        }
    }
}

fn read_game<'t>(text: &'t [u8], markup: &Markup) -> Record<'t> {
    let Markup { start, end, .. } = *markup;
    let Some((offset, data)) = data(&text[start..end]) else {
        return Record { end, line: start, cells: Err(PuzzleError::MissingData) };
    };
    let state = data.strip_prefix(b"version: ").map(clues_of_state);
    let cells = state.map_or(Cow::Borrowed(data), Cow::Owned);
    match parse_field(&cells) {
        Ok(_) => Record { end, line: start, cells: Ok(cells) },
        Err(error) => {
            let line = memrchr(b'\n', &text[..start + offset]).map_or(0, |at| at + 1).max(start);
            Record { end, line, cells: Err(error.moved(start + offset - line)) }
        }
    }
}

/// The value of the attribute `data` of a tag, and its offset.
fn data(tag: &[u8]) -> Option<(usize, &[u8])> {
    let mut at = "<game".len();
    loop {
        let quote = at + tag.get(at..)?.iter().position(|byte| matches!(byte, b'"' | b'\''))?;
        let length = memchr(tag[quote], &tag[quote + 1..])?;
        let name = tag[at..quote].trim_ascii().strip_suffix(b"=").map(<[u8]>::trim_ascii);
        if name == Some(b"data") {
            return Some((quote + 1, &tag[quote + 1..quote + 1 + length]));
        }
        at = quote + length + 2;
    }
}

/// The clues of a state without its prefix.
fn clues_of_state(state: &[u8]) -> Vec<u8> {
    let digits = state.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let values = state[digits..].trim_ascii_start();
    let values = values.strip_prefix(b"&#10;").or(values.strip_prefix(b"&#xA;")).unwrap_or(values);
    let values: Vec<&[u8]> = values.split(|&byte| byte == b'|').filter(|value| !value.is_empty()).collect();
    let per_cell = if values.len() > 3 * CELLS { 4 } else { 3 };
    let clue = |cell: &[&[u8]]| match cell {
        [[digit], .., b"0"] => *digit,
        _ => b'0',
    };
    values.chunks(per_cell).map(clue).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const PUZZLE: &str = "530070000600195000098000060800060003400803001700020006060000280000419005000080079";

    #[test]
    fn games_are_found_wherever_they_are() {
        let state = |version: u8| {
            let notes = ["", "-|", "0|", "511|", "0|12|"][usize::from(version)];
            let cells = PUZZLE.chars().map(|digit| format!("{digit}|{notes}{}|", u8::from(digit == '0')));
            format!("version: {version}&#10;{}", cells.collect::<String>())
        };
        for (tag, expected) in [
            (format!("<game data=\"{PUZZLE}\"/>"), Ok(())),
            (format!("<game\n  created='1' note=\"a > b\" data = '{PUZZLE}'\n></game>"), Ok(())),
            (format!("<game data=\"{}\" />", state(1)), Ok(())),
            (format!("<game data=\"{}\" />", state(4)), Ok(())),
            (format!("<game data=\"{}\" />", state(2).replace("&#10;", "\n")), Ok(())),
            ("<game/>".to_owned(), Err("no attribute 'data' with the puzzle")),
            (format!("<game other=\"{PUZZLE}\">"), Err("no attribute 'data' with the puzzle")),
            (format!("<game data=\"{}\"", &PUZZLE[..40]), Err("too short: 40 cells instead of 81")),
            (format!("<game data=\"{PUZZLE}"), Err("no attribute 'data' with the puzzle")),
            (format!("<game data=\"a{}\"/>", &PUZZLE[1..]), Err("bad character 'a' in column 13")),
        ] {
            let before = "<?xml version=\"1.0\"?><!-- <game data=\"1\"/> --><games>\n<![CDATA[<game>]]>";
            let text = format!("{before}{tag}");
            let game = next(text.as_bytes(), 0).unwrap();
            assert_eq!(next_game(text.as_bytes(), 0).unwrap().start, before.len(), "{tag}");
            let read = game.cells.map(|cells| assert_eq!(&*cells, PUZZLE.as_bytes()));
            assert_eq!(read.map_err(|error| error.to_string()), expected.map_err(str::to_owned), "{tag}");
            assert!(next(text.as_bytes(), game.end).is_none());
        }
    }

    proptest! {
        #[test]
        fn splits_give_the_same_records(
            pieces in prop::collection::vec(prop_oneof![
                3 => Just(format!("<game data=\"{PUZZLE}\"/>\n")),
                1 => Just(format!("<game name='a<b' data='{PUZZLE}'>")),
                4 => "<game|<game |data=|\"|'|>|/>|<!--|-->|<\\?|\\?>|<!\\[CDATA\\[|\\]\\]>|<a |\n|[0-9]{81}|x",
            ], 0..24),
            at: prop::sample::Index,
        ) {
            let text = pieces.concat().into_bytes();
            let read = |text: &[u8], from: usize| {
                let mut records = Records::default();
                assert_eq!(OpenSudoku::default().read(SimdLevel::PORTABLE, text, &mut records, usize::MAX), text.len());
                records.listed(from)
            };
            let whole = read(&text, 0);
            if let Some(cut) = OpenSudoku::default().last_boundary(&text[..at.index(text.len() + 1)]) {
                let (head, tail) = text.split_at(cut);
                prop_assert_eq!([read(head, 0), read(tail, cut)].concat(), whole);
            }
        }
    }
}
