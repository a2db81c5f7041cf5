//! Stage 2, records: 81 cells in other notations than 81 characters.
//!
//! The text of a field, of a member of JSON, or of a row of a grid is a list of elements:
//!
//! * Commas, semicolons and tabs separate elements, and so do spaces, line breaks, bars and slashes; tabs are spaces if there are
//!   commas. Brackets, parentheses and braces have no meaning, but innermost lists must have the same length. So the lists of Python,
//!   Java, JSON and NumPy are read, nested or not.
//! * The escape `\n` is a line break.
//! * An element in quotes ends with its quotes. `=` before quotes, and an apostrophe at the start, are those of spreadsheets.
//! * An element is a cell: a digit, a blank character, a number such as `5.0`, or one of the notations of a missing value:
//!   `-1`, `null`, `None`, `nan`, `NA`, nothing between two commas.
//! * 81 elements of one cell, nine of nine cells and one of 81 cells are a puzzle. Nothing else is.

use std::borrow::Cow;

use memchr::{memchr, memchr2, memchr2_iter, memmem};

use super::foreign::long_runs;
use crate::grid::{CELLS, PuzzleError, is_cell, parse_field};

/// Words that are no elements: those of NumPy around a list.
const IGNORED: [&[u8]; 6] = [b"array", b"tensor", b"np.array", b"numpy.array", b"uint8", b"int64"];

/// Elements that mean a blank.
const MISSING: [&[u8]; 7] = [b"-1", b"null", b"none", b"nan", b"na", b"<na>", b"undefined"];

/// The elements of a text.
struct Elements<'t> {
    all: Vec<&'t [u8]>,
    /// Whether a comma is the last byte, so that one more element, which is empty, may follow.
    is_open: bool,
    /// If the innermost lists have different lengths, the first one that is not nine.
    ragged: Option<usize>,
}

/// The cell of an element.
pub(super) fn cell_of(element: &[u8]) -> Option<u8> {
    match element {
        [] => return Some(b'.'),
        [byte] => return is_cell(*byte).then_some(*byte),
        _ => {}
    }
    let number = match element.iter().position(|&byte| byte | 0x20 == b'e') {
        Some(at) if matches!(element[at + 1..], [b'+', b'0', b'0'] | [b'0']) => &element[..at],
        _ => element,
    };
    let whole = match number.iter().position(|&byte| byte == b'.') {
        Some(at) if at > 0 && number[at + 1..].iter().all(|&byte| byte == b'0') => &number[..at],
        _ => number,
    };
    match whole {
        [digit] if digit.is_ascii_digit() => Some(*digit),
        word => is_missing(word).then_some(b'.'),
    }
}

/// Whether a field is empty or has a word for a missing value.
pub(super) fn is_missing(field: &[u8]) -> bool {
    let field = field.trim_ascii();
    field.is_empty() || MISSING.iter().any(|missing| missing.eq_ignore_ascii_case(field))
}

impl<'t> Elements<'t> {
    fn of(text: &'t [u8]) -> Elements<'t> {
        // The end of a statement.
        let text = match text.trim_ascii_end() {
            [statement @ .., b';' | b'.'] if matches!(statement.last(), Some(b')' | b']' | b'}')) => {
                statement
            }
            _ => text,
        };
        let (mut all, mut lists) = (Vec::with_capacity(9), Vec::new());
        // The number of elements before the innermost open list.
        let mut list_start = None;
        let tab_is_space = memchr2(b',', b';', text).is_some();
        let mut at = 0;
        // Whether an element must come before the next comma.
        let mut is_open = true;
        let start = text.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(text.len());
        if text[start..].starts_with(b"=") {
            at = start + 1;
        }
        let is_formula = at > 0;
        while let Some(&byte) = text.get(at) {
            match byte {
                b'\t' if tab_is_space => at += 1,
                b',' | b';' | b'\t' => {
                    if is_open {
                        all.push(&text[at..at]);
                    }
                    (is_open, at) = (true, at + 1);
                }
                b'[' | b'(' | b'{' => (list_start, at) = (Some(all.len()), at + 1),
                b']' | b')' | b'}' => {
                    lists.extend(list_start.take().map(|start| all.len() - start));
                    (is_open, at) = (false, at + 1);
                }
                b' ' | b'\r' | b'|' | b'/' => at += 1,
                b'\n' => (is_open, at) = (false, at + 1),
                b'\\' if matches!(text.get(at + 1), Some(b'n' | b'r' | b't')) => {
                    (is_open, at) = (false, at + 2)
                }
                b'"' | b'\'' => {
                    let inner = &text[at + 1..];
                    // Quotes of CSV within quotes are doubled.
                    if is_formula && inner.starts_with(b"\"") {
                        at += 1;
                    } else if let Some(length) = inner.iter().position(|&other| other == byte) {
                        all.push(inner[..length].trim_ascii());
                        (is_open, at) = (false, at + length + 2);
                    } else {
                        at += 1;
                    }
                }
                _ => {
                    let ends = |byte: &u8| b",;\t \r|/[({\n])}\"'\\".contains(byte);
                    let rest = text[at + 1..].iter();
                    let length = 1 + rest.take_while(|byte| !ends(byte)).count();
                    let element = &text[at..at + length];
                    if !IGNORED.contains(&element) && !element.starts_with(b"dtype=") {
                        all.push(element);
                        is_open = false;
                    }
                    at += length;
                }
            }
        }
        let is_ragged = lists.iter().any(|length| *length != lists[0]);
        let ragged = lists.iter().copied().find(|length| is_ragged && *length != 9);
        Elements { is_open: is_open && !all.is_empty(), all, ragged }
    }

    /// The reason why a list is no puzzle. `None` if there is no other than that of a text which is no list.
    fn error(&self, list: &[u8]) -> Option<PuzzleError> {
        let length = if self.all.len() == 9 { 9 } else { 1 };
        let is_bad = |element: &&&[u8]| match length {
            1 => cell_of(element).is_none(),
            _ => element.len() == 9 && !element.iter().all(|&byte| is_cell(byte)),
        };
        match self.all.len() as u32 {
            9 | 81 => match self.all.iter().find(is_bad) {
                Some(element) => {
                    // Of a number, the digit that is too much.
                    let at =
                        element.iter().position(|&byte| !is_cell(byte)).unwrap_or(element.len().min(2) - 1);
                    let column = element.as_ptr() as usize - list.as_ptr() as usize + at + 1;
                    Some(PuzzleError::BadCharacter { column: column as u32, byte: element[at] })
                }
                None => self.ragged.map(|cells| PuzzleError::RowLength { cells: cells as u32 }),
            },
            cells @ ..81 => Some(PuzzleError::TooShort { cells }),
            _ => Some(PuzzleError::TooLong),
        }
    }

    /// The cells of `count` elements.
    fn cells<const N: usize>(&mut self) -> Option<[u8; N]> {
        if self.all.len() + 1 == N && self.is_open {
            self.all.push(b"");
        }
        let mut cells = [0; N];
        if self.all.len() != N || self.ragged.is_some() {
            return None;
        }
        for (cell, element) in cells.iter_mut().zip(&self.all) {
            *cell = cell_of(element)?;
        }
        Some(cells)
    }
}

/// The 81 cells of a text.
pub(super) fn cells_of(text: &[u8]) -> Option<[u8; CELLS]> {
    let mut elements = Elements::of(text);
    // A quote alone is one that was not closed.
    if text.len() == CELLS + 1 && memchr(b'"', text).is_some() {
        return None;
    }
    if matches!(elements.all.len(), 1 | 9)
        && elements.all.iter().all(|element| element.len() == CELLS / elements.all.len())
    {
        let cells: [u8; CELLS] = elements.all.concat().try_into().ok()?;
        // One element with a comma after it has an empty one beside it.
        let is_one = elements.all.len() == 9 || !elements.is_open;
        return (is_one && cells.iter().all(|&byte| is_cell(byte))).then_some(cells);
    }
    elements.cells()
}

/// The 81 cells of a field in any notation.
///
/// # Errors
/// As [`parse_field`]. Digits alone, but too few, are [`PuzzleError::LostZeros`], unless `pads` puts the zeros back, and numbers in
/// scientific notation are [`PuzzleError::LostDigits`].
pub(super) fn read_field(field: &[u8], pads: bool) -> Result<Cow<'_, [u8]>, PuzzleError> {
    let error = match parse_field(field) {
        Ok(_) => return Ok(Cow::Borrowed(field)),
        Err(error) => error,
    };
    if let Some(cells) = cells_of(field) {
        return Ok(Cow::Owned(cells.to_vec()));
    }
    match field.len() {
        // Grids have four blanks or more, but a complete row of blanks is rare.
        length @ 70..CELLS if field.iter().all(u8::is_ascii_digit) && field.contains(&b'0') => match pads {
            true => Ok(Cow::Owned([&b"000000000000"[..CELLS - length], field].concat())),
            false => Err(PuzzleError::LostZeros { cells: length as u32 }),
        },
        _ if is_scientific(field) => Err(PuzzleError::LostDigits),
        _ if field.starts_with(b"[") => Err(Elements::of(field).error(field).unwrap_or(error)),
        _ => Err(error),
    }
}

/// The nine cells of a row of a grid. The first row may come after the name of the grid, in brackets.
pub(super) fn row_of(line: &[u8]) -> Option<[u8; 9]> {
    let row = |elements: Elements| match elements.all[..] {
        [element] if element.len() == 9 && element.iter().all(|&byte| is_cell(byte)) => {
            element.try_into().ok()
        }
        _ => { elements }.cells(),
    };
    row(Elements::of(line)).or_else(|| {
        let is_name = line.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_');
        // Nine digits in brackets may be a number.
        let is_list = |list: &&[u8]| list.iter().any(|byte| b", \"'".contains(byte));
        let lists = memchr2_iter(b'[', b'{', line).map(|at| &line[at..]).take(6).filter(is_list);
        { lists }.find_map(|list| row(Elements::of(list))).filter(|_| is_name)
    })
}

/// Whether cells are a complete grid.
pub(super) fn is_complete(cells: &[u8]) -> bool {
    cells.len() == CELLS && cells.iter().all(|byte| (b'1'..=b'9').contains(byte))
}

/// What a field may be, for the recognition of formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// 81 cells with blanks among them.
    Open {
        blanks: usize,
    },
    /// A complete grid.
    Complete,
    /// No puzzle, but probably meant as one: it has a long run of cells, many elements that are cells, digits with one
    /// other character, or letters in place of digits.
    Damaged,
    Other,
}

impl Content {
    pub fn of(field: &[u8]) -> Content {
        let field = field.trim_ascii();
        let cells = match <[u8; CELLS]>::try_from(field) {
            Ok(cells) if cells.iter().all(|&byte| is_cell(byte)) => Some(cells),
            _ => cells_of(field),
        };
        let is_blank = |byte: &&u8| !(b'1'..=b'9').contains(*byte);
        match cells.map(|cells| cells.iter().filter(is_blank).count()) {
            Some(0) => Content::Complete,
            Some(blanks) => Content::Open { blanks },
            None if is_damaged(field) => Content::Damaged,
            None => Content::Other,
        }
    }
}

/// Whether a field without a puzzle resembles one.
fn is_damaged(field: &[u8]) -> bool {
    const SOME: usize = CELLS / 2;
    if field.len() < SOME {
        return is_scientific(field);
    }
    let is_clue = |byte: &u8| (b'1'..=b'9').contains(byte);
    let has_both = |run: &[u8]| run.iter().any(is_clue) && !run.iter().all(is_clue);
    if long_runs(field).any(has_both) {
        return true;
    }
    // Rows, or thirds of rows, with anything between them.
    let runs = field.split(|&byte| !is_cell(byte)).filter(|run| run.len() % 3 == 0);
    let rows = runs.collect::<Vec<_>>().concat();
    if rows.len() == CELLS && has_both(&rows) {
        return true;
    }
    // Cells one by one, also within text, and in strings of JSON.
    let separates = |byte: &u8| b",;\t \r\n|/[](){}\"'".contains(byte);
    let unescaped = unescaped(field);
    let mut list = Vec::new();
    for element in unescaped.split(separates).filter(|element| !element.is_empty()) {
        match cell_of(element) {
            Some(cell) => list.push(cell),
            None if list.len() < SOME => list.clear(),
            None => break,
        }
    }
    if list.len() >= SOME && has_both(&list) {
        return true;
    }
    // A list of about 81 numbers, booleans or lists, some of which are no cells.
    let is_about_all = |count| (CELLS - 5..CELLS + 10).contains(&count);
    let elements = Elements::of(field).all;
    let is_value = |element: &&[u8]| {
        let is_boolean = [&b"true"[..], b"false"].iter().any(|word| word.eq_ignore_ascii_case(element));
        is_boolean || element.iter().all(u8::is_ascii_digit) || cell_of(element).is_some()
    };
    let clues = elements.iter().filter(|element| matches!(element, [byte] if is_clue(byte))).count();
    let is_list = is_about_all(elements.len())
        && clues < elements.len()
        && (clues >= 9 || elements.iter().all(is_value));
    let commas = field.iter().filter(|&&byte| byte == b',').count();
    if is_list || (is_about_all(commas + 1) && clues >= 17 && clues <= commas) {
        return true;
    }
    // One other character may stand for the blanks, and letters for the digits.
    let is_letter = |byte: &u8| matches!(byte | 0x20, b'a'..=b'i');
    kind_of_others(field, is_clue).is_some() || kind_of_others(field, is_letter).is_some_and(is_cell)
}

/// Whether a field is a number of 71 to 81 digits in scientific notation, such as `4.0009E+80`: a puzzle of which a program kept only
/// the first digits.
fn is_scientific(field: &[u8]) -> bool {
    let Some(at) = field.iter().position(|&byte| byte | 0x20 == b'e') else { return false };
    let is_mantissa = |text: &[u8]| text.iter().all(|byte| byte.is_ascii_digit() || b".,".contains(byte));
    let exponent = field[at + 1..].strip_prefix(b"+").unwrap_or(&field[at + 1..]);
    at > 0 && is_mantissa(&field[..at]) && matches!(exponent, [b'7', b'0'..=b'9'] | b"80")
}

/// A text with spaces for the line feeds of a string of JSON.
fn unescaped(text: &[u8]) -> Vec<u8> {
    let mut text = text.to_vec();
    while let Some(at) = memmem::find(&text, b"\\n") {
        text[at..at + 2].fill(b' ');
    }
    text
}

/// The first byte of the character between digits, if there is one such character.
fn kind_of_others(field: &[u8], is_digit: impl Fn(&u8) -> bool) -> Option<u8> {
    let mut others: Vec<u8> = field.iter().copied().filter(|byte| !is_digit(byte)).collect();
    let has_both = !others.is_empty() && others.len() < field.len();
    others.sort_unstable();
    others.dedup();
    let is_character = others.len() == 1 || (others.len() < 5 && !others.iter().any(u8::is_ascii));
    (has_both && is_character).then(|| others[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUZZLE: &str = "4....9.....7.63.25...4.8..6.4...2.....3..6.7.....3...8.9.......8.....16415.....92";

    fn list(blank: &str, between: &str) -> String {
        let cells = PUZZLE.chars().map(|cell| if cell == '.' { blank.to_owned() } else { cell.to_string() });
        cells.collect::<Vec<_>>().join(between)
    }

    fn rows(of_row: impl Fn(&str) -> String) -> Vec<String> {
        (0..9).map(|row| of_row(&PUZZLE[9 * row..9 * row + 9])).collect()
    }

    #[test]
    fn notations_of_other_programs() {
        let spaced = |row: &str| row.chars().map(String::from).collect::<Vec<_>>().join(" ");
        let quoted = |row: &str| format!("['{}']", spaced(row).replace(' ', "', '"));
        for text in [
            PUZZLE.to_owned(),
            format!("=\"{PUZZLE}\""),
            format!("'{PUZZLE}"),
            format!("[{PUZZLE}]"),
            format!("[{}]", list("0", ", ")),
            list("", ";"),
            format!("'{PUZZLE}');"),
            list("", ","),
            list("_", "\t"),
            format!("[{}]", list("null", ",")),
            format!("[{}]", list("-1", ", ")),
            format!("[{}]", list("nan", " ")),
            format!("array([{}], dtype=int64)", list("0.", ", ")),
            format!("tensor([{}])", list("0", ", ")),
            list("0.000000000000000000e+00", " "),
            rows(str::to_owned).join("\n"),
            rows(str::to_owned).join(","),
            rows(str::to_owned).join("/"),
            rows(str::to_owned).join("\\n"),
            format!("[[{}]]", rows(|row| spaced(row).replace('.', "0")).join("]\n [")),
            format!("[{}]", rows(quoted).join(",\n")),
            format!("[{}]", rows(spaced).join("; ")),
            format!("{{{}}}", rows(|row| format!("{{{}}}", spaced(row).replace(' ', ", "))).join(", ")),
        ] {
            let cells = cells_of(text.as_bytes()).unwrap_or_else(|| panic!("{text}"));
            let cells = cells.map(|byte| if byte == b'0' || byte == b'_' { b'.' } else { byte });
            assert_eq!(String::from_utf8_lossy(&cells), PUZZLE, "{text}");
        }
    }

    #[test]
    fn other_lists_are_no_puzzles() {
        for text in [
            "",
            &PUZZLE[1..],
            &format!("{PUZZLE}1"),
            &format!("\"{PUZZLE}"),
            &format!("{PUZZLE},"),
            &format!("{PUZZLE} 5"),
            &format!("puzzle: {PUZZLE}"),
            &list("0", ",")[2..],
            &format!("{},0", list("0", ",")),
            &list("10", ","),
            &list("0.5", ","),
            &rows(str::to_owned)[1..].join(","),
            &rows(|row| format!("{row}1")).join(","),
        ] {
            assert_eq!(cells_of(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn rows_of_nine() {
        for (line, row) in [
            ("4,0,0,0,0,9,0,0,0", "400009000"),
            ("4;;;;;9;;;", "4....9..."),
            ("[[4 0 0 0 0 9 0 0 0]", "400009000"),
            ("    [4,0,0,0,0,9,0,0,0],", "400009000"),
            ("[\"4\", \".\", \" \", \"\", \".\", \"9\", \".\", \".\", \".\"],", "4....9..."),
            ("\"400009000\",", "400009000"),
        ] {
            assert_eq!(
                row_of(line.as_bytes()).map(|row| row.to_vec()),
                Some(row.as_bytes().to_vec()),
                "{line}"
            );
        }
        for line in
            ["board = [", "]", "4,0,0,0,0,9,0,0", "4,0,0,0,0,9,0,0,0,0", "1,2,3,4,5,6,7,8,10", "21-03-2006"]
        {
            assert_eq!(row_of(line.as_bytes()), None, "{line}");
        }
    }

    #[test]
    fn contents_of_fields() {
        const OPEN: Content = Content::Open { blanks: 55 };
        let complete = "461529783987163425235478916748952631513846279629731548396214857872395164154687392";
        let zeros = PUZZLE.replace('.', "0");
        for (field, content) in [
            (PUZZLE, OPEN),
            (&format!(" {PUZZLE} "), OPEN),
            (&list("0", ", "), OPEN),
            (complete, Content::Complete),
            (&zeros[3..], Content::Damaged),
            (&format!("Solve {PUZZLE}!"), Content::Damaged),
            (&PUZZLE.replace('.', "o"), Content::Damaged),
            (&rows(|row| format!("row {row}")).join("\\"), Content::Damaged),
            (&rows(|row| [&row[..3], &row[3..6], &row[6..]].join("!")).join("+"), Content::Damaged),
            ("4.00009000007063E+80", Content::Damaged),
            ("4,2e+73", Content::Damaged),
            ("4.2e+69", Content::Other),
            ("4.2e-73", Content::Other),
            (&PUZZLE.replace('.', " "), Content::Damaged),
            (&PUZZLE.replace('.', "·"), Content::Damaged),
            (&list("10", ","), Content::Damaged),
            (&list("[]", ","), Content::Damaged),
            (&list("false", ", ").replace(|c: char| c.is_ascii_digit(), "true"), Content::Damaged),
            (&list("0", " ").replace(' ', "0 "), Content::Damaged),
            (
                "D....I.....G.FC.BE...D.H..F.D...B.....C..F.G.....C...H.I.......H.....AFDAE.....IB",
                Content::Damaged,
            ),
            (&complete[..80], Content::Other),
            ("................................................", Content::Other),
            ("A sentence of more than forty characters, with 9 digits: 123456.", Content::Other),
            ("", Content::Other),
        ] {
            assert_eq!(Content::of(field.as_bytes()), content, "{field}");
        }
    }
}
