//! The page of `docs/inputs.md` as a slow reader, to compare the reader of the library with. It shares no code with it.

use std::collections::BTreeSet;

use rapidoku::file::{ColumnRef, InputFormat, InputOptions};

/// The options of an input.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// `lines`, `csv`, `json`, `grid`, or `npy`, which this reader does not read.
    pub format: Option<&'static str>,
    /// The column of the puzzles: a name, or a number from 1.
    pub column: Option<String>,
    /// That of the solutions.
    pub solution_column: Option<String>,
    /// The byte between fields.
    pub delimiter: Option<u8>,
    /// Whether the first row is a record.
    pub no_header: bool,
    /// Whether zeros are put before numbers.
    pub pad: bool,
}

/// The same options for the library.
impl From<&Options> for InputOptions {
    fn from(options: &Options) -> InputOptions {
        InputOptions {
            format: match options.format {
                None => InputFormat::Auto,
                Some("lines") => InputFormat::Lines,
                Some("csv") => InputFormat::Csv,
                Some("json") => InputFormat::Json,
                Some("npy") => InputFormat::Npy,
                Some(_) => InputFormat::Grid,
            },
            delimiter: options.delimiter,
            column: options.column.as_deref().map(ColumnRef::from_argument),
            solution_column: options.solution_column.as_deref().map(ColumnRef::from_argument),
            no_header: options.no_header,
            pads: options.pad,
            blank_number: None,
        }
    }
}

/// The cells of a record, with `.` for blanks, and its solution if it is a complete grid; nothing if the record is
/// invalid.
pub type Record = Option<(String, Option<String>)>;

/// What an input has.
#[derive(Debug, PartialEq, Eq)]
pub enum Content {
    /// All records.
    Records(Vec<Record>),
    /// The records before the input ends with an error. None if it is refused.
    Ended(Vec<Record>),
}

const HEAD: usize = 1 << 16;
const MAX_ROW: usize = 1 << 20;
const PUZZLES: [&str; 8] = ["puzzle", "puzzles", "quiz", "quizzes", "question", "sudoku", "unsolved", "givens"];
const SOLUTIONS: [&str; 5] = ["solution", "solutions", "answer", "answers", "solved"];

fn is_white(byte: u8) -> bool {
    b" \t\n\r\x0b\x0c".contains(&byte)
}

/// A text without such bytes at its ends.
fn strip_of(text: &[u8], is_stripped: impl Fn(u8) -> bool) -> &[u8] {
    let start = text.iter().position(|&byte| !is_stripped(byte)).unwrap_or(text.len());
    let end = text.iter().rposition(|&byte| !is_stripped(byte)).map_or(start, |last| last + 1);
    &text[start..end]
}

fn strip(text: &[u8]) -> &[u8] {
    strip_of(text, is_white)
}

fn strip_spaces(text: &[u8]) -> &[u8] {
    strip_of(text, |byte| byte == b' ')
}

fn is_cell(byte: u8) -> bool {
    b"0123456789._*?-xX".contains(&byte)
}

fn is_clue(byte: u8) -> bool {
    (b'1'..=b'9').contains(&byte)
}

/// The longest run of cells.
fn longest_run(text: &[u8]) -> usize {
    text.split(|&byte| !is_cell(byte)).map(<[u8]>::len).max().unwrap_or(0)
}

/// The offset and the content of each line.
fn lines(text: &[u8]) -> Vec<(usize, &[u8])> {
    let mut all = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let content = line.strip_suffix(b"\n").unwrap_or(line);
        all.push((start, content.strip_suffix(b"\r").unwrap_or(content)));
        start += line.len();
    }
    all
}

/// The cells of a puzzle text.
pub fn puzzle_text(text: &[u8], pad: bool) -> Option<String> {
    let padded = [vec![b'0'; 81_usize.saturating_sub(text.len())], text.to_vec()].concat();
    let is_number = (70..=80).contains(&text.len()) && text.iter().all(u8::is_ascii_digit);
    let text = if pad && is_number { &padded } else { text };
    let is_in_place = |(place, &byte): (usize, &u8)| !is_clue(byte) || byte == b'1' + (place % 9) as u8;
    let is_puzzle = text.iter().all(|&byte| is_cell(byte))
        && (text.len() == 81 || (text.len() == 729 && text.iter().enumerate().all(is_in_place)));
    let blanks: BTreeSet<u8> = text.iter().copied().filter(|&byte| !is_clue(byte)).collect();
    if !is_puzzle || (blanks.contains(&b'0') && blanks.len() > 1) {
        return None;
    }
    Some(text.iter().map(|&byte| if is_clue(byte) { char::from(byte) } else { '.' }).collect())
}

fn complete(cells: Option<String>) -> Option<String> {
    cells.filter(|cells| cells.len() == 81 && !cells.contains('.'))
}

/// A record, unless it is a complete grid beside a puzzle with blanks.
fn unless_solution(cells: String, others: &[Option<String>], answer: Option<String>) -> Record {
    let is_open = |other: &Option<String>| other.as_ref().is_some_and(|other| other.len() == 81 && other.contains('.'));
    let is_solution = cells.len() == 81 && !cells.contains('.') && others.iter().any(is_open);
    (!is_solution).then_some((cells, complete(answer)))
}

// --- lines

fn is_separator(byte: u8) -> bool {
    b" \t,;:|#".contains(&byte)
}

fn field(text: &[u8]) -> &[u8] {
    text.split(|&byte| is_separator(byte)).next().unwrap()
}

fn line_puzzle(line: &[u8], pad: bool) -> Option<String> {
    let start = line.iter().position(|&byte| byte != b' ').unwrap_or(line.len());
    puzzle_text(field(&line[start..]), pad)
}

/// The record that is a line.
pub fn read_line(line: &[u8], pad: bool) -> Record {
    let start = line.iter().position(|&byte| byte != b' ').unwrap_or(line.len());
    let rest = &line[start + field(&line[start..]).len()..];
    let note = &rest[rest.iter().position(|&byte| !is_separator(byte)).unwrap_or(rest.len())..];
    let runs = note.split(|&byte| !is_cell(byte)).filter(|run| run.len() >= 81);
    let cells = line_puzzle(line, pad)?;
    let are_solutions = runs.into_iter().all(|run| run.len() == 81 && run.iter().all(|&byte| is_clue(byte)));
    are_solutions.then(|| (cells, complete(puzzle_text(field(note), false))))
}

fn is_significant(line: &[u8]) -> bool {
    !strip(line).is_empty() && line[0] != b'#'
}

// --- csv

/// The fields of the row at an offset, if its quotes are right, and the offset after it.
fn row(text: &[u8], start: usize, delimiter: u8) -> (Option<Vec<Vec<u8>>>, usize) {
    let line_end = text[start..].iter().position(|&byte| byte == b'\n').map_or(text.len(), |at| start + at + 1);
    let skip = |at: usize| {
        let spaces = text[at..].iter().take_while(|&&byte| byte == b' ' && delimiter != b' ').count();
        at + spaces
    };
    // The length of what ends a field.
    let end = |at: usize| match &text[at..] {
        [] | [b'\r'] => Some(text.len() - at),
        [b'\r', b'\n', ..] => Some(2),
        [b'\n', ..] => Some(1),
        [byte, ..] if *byte == delimiter => Some(1),
        _ => None,
    };
    let (mut fields, mut at) = (Vec::new(), start);
    loop {
        at = skip(at);
        let (from, mut value) = (at, Vec::new());
        if text.get(at) == Some(&b'"') {
            at += 1;
            loop {
                match text[at..] {
                    [] => return (None, line_end),
                    [b'"', b'"', ..] => (value, at) = ([&value[..], b"\""].concat(), at + 2),
                    [b'"', ..] => break,
                    [byte, ..] => (value, at) = ([&value[..], &[byte]].concat(), at + 1),
                }
            }
            at = skip(at + 1);
        } else {
            while end(at).is_none() {
                value.push(text[at]);
                at += 1;
            }
        }
        let Some(length) = end(at) else { return (None, line_end) };
        let content = &text[from..at];
        let is_too_long = at + length - start > MAX_ROW || longest_run(content) >= 81;
        if content.contains(&b'\n') && is_too_long {
            return (None, line_end);
        }
        fields.push(strip_spaces(&value).to_vec());
        let is_last = text.get(at) != Some(&delimiter);
        at += length;
        if is_last {
            return (Some(fields), at);
        }
    }
}

fn is_named(names: &[&str], field: &[u8]) -> bool {
    names.iter().any(|name| strip_spaces(field).eq_ignore_ascii_case(name.as_bytes()))
}

/// Whether a column with this name has the puzzles.
pub fn is_puzzle_name(name: &str) -> bool {
    is_named(&PUZZLES, name.as_bytes())
}

fn named_delimiters(line: &[u8], names: &[&str]) -> Vec<u8> {
    let has_name =
        |delimiter| row(line, 0, delimiter).0.is_some_and(|row| row.iter().any(|field| is_named(names, field)));
    let found: Vec<u8> = b",;\t|".iter().copied().filter(|d| line.contains(d) && has_name(*d)).collect();
    if found.is_empty() && has_name(b'\n') { vec![b','] } else { found }
}

fn delimiter_of(line: &[u8], options: &Options) -> Result<u8, ()> {
    let column = options.column.as_deref().filter(|column| column.parse::<usize>().is_err());
    let names = column.map_or_else(|| PUZZLES.to_vec(), |column| vec![column]);
    let mut found = if options.no_header { Vec::new() } else { named_delimiters(line, &names) };
    if found.is_empty() {
        found = b",;\t|".iter().copied().filter(|delimiter| line.contains(delimiter)).collect();
    }
    match found[..] {
        [] => Ok(b','),
        [delimiter] => Ok(delimiter),
        _ => Err(()),
    }
}

/// The index of the column that an option or one of the names gives.
fn column_of(
    option: Option<&String>,
    names: &[&str],
    header: Option<&[Vec<u8>]>,
    is_needed: bool,
) -> Result<Option<usize>, ()> {
    let number = option.and_then(|option| option.parse::<usize>().ok()).filter(|number| *number > 0);
    if let Some(number) = number.filter(|number| header.is_none_or(|header| *number <= header.len())) {
        return Ok(Some(number - 1));
    }
    let wanted = option.map(|option| vec![&**option]);
    let names = wanted.as_deref().unwrap_or(names);
    let header = header.unwrap_or_default();
    let named = |names: &[&str]| (0..header.len()).filter(|at| is_named(names, &header[*at])).collect::<Vec<usize>>();
    // Of several columns with names of solutions, the one called `solution`.
    match named(if !is_needed && named(&names[..1]).len() == 1 { &names[..1] } else { names })[..] {
        [index] => Ok(Some(index)),
        _ if is_needed || option.is_some() => Err(()),
        _ => Ok(None),
    }
}

fn read_row(
    fields: Option<Vec<Vec<u8>>>,
    width: usize,
    puzzle: usize,
    solution: Option<usize>,
    options: &Options,
) -> Record {
    let fields = fields.filter(|fields| fields.len() == width && puzzle < width)?;
    let text = |field: &Vec<u8>| if field.len() == 81 { puzzle_text(field, false) } else { None };
    let others: Vec<Option<String>> = fields.iter().map(text).collect();
    let answer =
        solution.filter(|column| *column != puzzle && *column < width).and_then(|column| others[column].clone());
    let named = [answer.clone()];
    let others = if options.column.is_some() { &named[..] } else { &others };
    unless_solution(puzzle_text(&fields[puzzle], options.pad)?, others, answer)
}

fn csv(text: &[u8], options: &Options) -> Result<Vec<(usize, Record)>, ()> {
    let is_first = |(_, line): &&(usize, &[u8])| !strip(line).is_empty() && (options.no_header || line[0] != b'#');
    let (mut at, line) = lines(text).iter().find(is_first).copied().unwrap_or((0, b""));
    let delimiter = options.delimiter.map_or_else(|| delimiter_of(line, options), Ok)?;
    let mut header = None;
    if !options.no_header {
        let (fields, end) = row(text, at, delimiter);
        if longest_run(&text[at..end]) >= 81 {
            return Err(());
        }
        header = Some(fields.ok_or(())?);
    }
    let puzzle = column_of(options.column.as_ref(), &PUZZLES, header.as_deref(), true)?.unwrap();
    let solution = column_of(options.solution_column.as_ref(), &SOLUTIONS, header.as_deref(), false)?;
    let (mut records, mut width) = (Vec::new(), 0);
    while at < text.len() {
        let (fields, end) = row(text, at, delimiter);
        let bytes = &text[at..end];
        let is_record = !strip(bytes).is_empty() || bytes.contains(&delimiter);
        if is_record && (fields.is_none() || fields != header) {
            if width == 0 {
                width = header.as_ref().or(fields.as_ref()).map_or(0, Vec::len);
            }
            records.push((at, read_row(fields, width, puzzle, solution, options)));
        }
        at = end;
    }
    Ok(records)
}

// --- json

#[derive(Clone, Debug)]
enum Json {
    Text(Vec<u8>),
    Integer(i64),
    Null,
    Other,
    Array(Vec<Json>),
    Object(Vec<(Vec<u8>, Json)>),
}

/// A parser of JSON, for text with any bytes in strings.
struct Parser<'t> {
    text: &'t [u8],
    at: usize,
}

impl Parser<'_> {
    fn spaces(&mut self) {
        while self.text.get(self.at).is_some_and(|byte| b" \t\r\n".contains(byte)) {
            self.at += 1;
        }
    }

    fn eat(&mut self, byte: u8) -> Option<()> {
        (self.text.get(self.at) == Some(&byte)).then(|| self.at += 1)
    }

    fn value(&mut self) -> Option<Json> {
        let rest = &self.text[self.at..];
        for (word, value) in [(&b"null"[..], Json::Null), (b"true", Json::Other), (b"false", Json::Other)] {
            if rest.starts_with(word) {
                self.at += word.len();
                return Some(value);
            }
        }
        match rest.first()? {
            b'"' => self.string().map(Json::Text),
            b'[' => self.list(b']', |parser| parser.value()).map(Json::Array),
            b'{' => {
                let member = |parser: &mut Self| {
                    let name = parser.string()?;
                    parser.spaces();
                    parser.eat(b':')?;
                    parser.spaces();
                    Some((name, parser.value()?))
                };
                let members = self.list(b'}', member)?;
                let names: BTreeSet<&Vec<u8>> = members.iter().map(|(name, _)| name).collect();
                (names.len() == members.len()).then_some(())?;
                Some(Json::Object(members))
            }
            _ => self.number(),
        }
    }

    fn list<T>(&mut self, end: u8, element: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        self.at += 1;
        self.spaces();
        let mut elements = Vec::new();
        if self.eat(end).is_some() {
            return Some(elements);
        }
        loop {
            elements.push(element(self)?);
            self.spaces();
            if self.eat(end).is_some() {
                return Some(elements);
            }
            self.eat(b',')?;
            self.spaces();
        }
    }

    fn string(&mut self) -> Option<Vec<u8>> {
        self.eat(b'"')?;
        let mut value = Vec::new();
        loop {
            let byte = *self.text.get(self.at)?;
            self.at += 1;
            match byte {
                b'"' => return Some(value),
                0..=0x1F => return None,
                b'\\' => {
                    let escape = *self.text.get(self.at)?;
                    self.at += 1;
                    let plain = b"\"\\/bfnrt".iter().position(|&known| known == escape);
                    if let Some(known) = plain {
                        value.push(b"\"\\/\x08\x0c\n\r\t"[known]);
                        continue;
                    }
                    let digits = self.text.get(self.at..self.at + 4).filter(|_| escape == b'u')?;
                    let code = u32::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()?;
                    digits.iter().all(u8::is_ascii_hexdigit).then(|| self.at += 4)?;
                    let shown = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
                    value.extend_from_slice(shown.to_string().as_bytes());
                }
                _ => value.push(byte),
            }
        }
    }

    fn number(&mut self) -> Option<Json> {
        let digits = |parser: &mut Self| {
            let start = parser.at;
            while parser.text.get(parser.at).is_some_and(u8::is_ascii_digit) {
                parser.at += 1;
            }
            (parser.at > start).then_some(parser.at - start)
        };
        let start = self.at;
        let _ = self.eat(b'-');
        if self.eat(b'0').is_none() {
            digits(self)?;
        }
        let integer = str::from_utf8(&self.text[start..self.at]).unwrap().parse().map_or(Json::Other, Json::Integer);
        // What is not complete does not belong to the number.
        let mut end = self.at;
        if self.eat(b'.').and_then(|()| digits(self)).is_some() {
            end = self.at;
        }
        self.at = end;
        if self.eat(b'e').or_else(|| self.eat(b'E')).is_some() {
            let _ = self.eat(b'+').or_else(|| self.eat(b'-'));
            end = digits(self).map_or(end, |_| self.at);
        }
        let is_integer = self.text[start..end].iter().all(|byte| *byte == b'-' || byte.is_ascii_digit());
        self.at = end;
        Some(if is_integer { integer } else { Json::Other })
    }
}

fn json_line(line: &[u8]) -> Option<Json> {
    let mut parser = Parser { text: strip(line), at: 0 };
    let value = parser.value()?;
    (parser.at == parser.text.len()).then_some(value)
}

fn json_puzzle(value: &Json) -> Option<String> {
    let rows = match value {
        Json::Text(text) => return puzzle_text(strip(text), false),
        Json::Array(rows) => rows,
        _ => return None,
    };
    let nested = |row: &Json| match row {
        Json::Array(cells) if cells.len() == 9 => Some(cells.clone()),
        _ => None,
    };
    let rows: Vec<Json> = match rows.iter().map(nested).collect::<Option<Vec<_>>>() {
        Some(nested) if nested.len() == 9 => nested.concat(),
        _ => rows.clone(),
    };
    let cell = |cell: &Json| match cell {
        Json::Null => Some('n'),
        Json::Integer(digit @ 0..=9) => char::from_digit(*digit as u32, 10),
        _ => None,
    };
    let cells: String = rows.iter().map(cell).collect::<Option<_>>()?;
    let is_puzzle = cells.len() == 81 && !(cells.contains('n') && cells.contains('0'));
    is_puzzle.then(|| cells.replace(['n', '0'], "."))
}

/// The offset of each value, and the value; the last one is an error if the document is damaged.
fn json_values(text: &[u8]) -> (Vec<(usize, Option<Json>)>, bool) {
    let start = text.len() - text.iter().skip_while(|byte| is_white(**byte)).count();
    let first = lines(&text[start..]).first().map_or(&b""[..], |(_, line)| *line);
    let is_puzzle = json_line(first).is_some_and(|value| json_puzzle(&value).is_some());
    if !first.starts_with(b"[") || is_puzzle {
        let values = lines(text).into_iter().filter(|(_, line)| !strip(line).is_empty());
        return (values.map(|(at, line)| (at, json_line(line))).collect(), true);
    }
    let (mut values, mut parser) = (Vec::new(), Parser { text, at: start + 1 });
    parser.spaces();
    if text.get(parser.at) != Some(&b']') {
        loop {
            let at = parser.at;
            let Some(value) = parser.value() else { return (values, false) };
            values.push((at, Some(value)));
            parser.spaces();
            if parser.eat(b',').is_none() {
                break;
            }
            parser.spaces();
        }
    }
    let is_right = strip(&text[parser.at..]) == b"]";
    (values, is_right)
}

fn json(text: &[u8], options: &Options) -> Result<(Vec<(usize, Record)>, bool), ()> {
    let (values, is_right) = json_values(text);
    let is_object = |(at, value): &(usize, Option<Json>)| *at < HEAD && matches!(value, Some(Json::Object(_)));
    let mut columns: Option<(Vec<u8>, Option<Vec<u8>>)> =
        Some((b"puzzle".to_vec(), None)).filter(|_| !values.iter().any(is_object));
    let mut records = Vec::new();
    for (at, value) in values {
        let record = match &value {
            Some(Json::Object(members)) => {
                let names: Vec<Vec<u8>> = members.iter().map(|(name, _)| name.clone()).collect();
                let (puzzle, solution) = match &columns {
                    Some(columns) => columns.clone(),
                    None => {
                        let puzzle = column_of(options.column.as_ref(), &PUZZLES, Some(&names), true)?.unwrap();
                        let solution = column_of(options.solution_column.as_ref(), &SOLUTIONS, Some(&names), false)?;
                        let found = (names[puzzle].clone(), solution.map(|column| names[column].clone()));
                        columns.insert(found).clone()
                    }
                };
                let member = |name: &Vec<u8>| members.iter().find(|(other, _)| other == name).map(|(_, value)| value);
                let answer = solution.filter(|name| *name != puzzle);
                let answer = answer.and_then(|name| member(&name).and_then(json_puzzle));
                let all: Vec<Option<String>> = members.iter().map(|(_, value)| json_puzzle(value)).collect();
                let named = [answer.clone()];
                let others = if options.column.is_some() { &named[..] } else { &all };
                member(&puzzle).and_then(json_puzzle).and_then(|cells| unless_solution(cells, others, answer))
            }
            Some(value) => json_puzzle(value).map(|cells| (cells, None)),
            None => None,
        };
        records.push((at, record));
    }
    Ok((records, is_right))
}

// --- grid

/// The nine cells of a row; none for a broken row; nothing for another line.
fn grid_row(line: &[u8]) -> Option<Vec<u8>> {
    let is_between = |byte: u8| b" \t|,".contains(&byte);
    let is_row_cell = |byte: u8| is_cell(byte) && byte != b'-';
    let cells: Vec<u8> = line.iter().copied().filter(|&byte| !is_between(byte)).collect();
    if cells.len() == 9 && cells.iter().all(|&byte| is_row_cell(byte)) {
        return Some(cells);
    }
    let start = strip(line).get(..9);
    let is_broken = start.is_some_and(|start| start.iter().all(|&byte| is_row_cell(byte) || is_between(byte)))
        || longest_run(line) >= 81;
    (is_broken && !line.starts_with(b"#")).then(Vec::new)
}

fn is_rule(line: &[u8]) -> bool {
    line.len() >= 3 && line.iter().all(|byte| b"-+=|:* ".contains(byte)) && line.iter().any(|&byte| byte != b' ')
}

/// The offset and the rows of each run.
fn grid_runs(text: &[u8]) -> Vec<(usize, Vec<Vec<u8>>)> {
    let mut runs = Vec::new();
    let mut run: Option<(_, Vec<_>)> = None;
    for (at, line) in lines(text).into_iter().filter(|(_, line)| !is_rule(line)) {
        match grid_row(line) {
            Some(row) => run.get_or_insert((at, Vec::new())).1.push(row),
            None => runs.extend(run.take()),
        }
    }
    runs.extend(run);
    runs
}

fn read_grid(rows: &[Vec<u8>]) -> Record {
    let is_grid = rows.len() == 9 && rows.iter().all(|row| !row.is_empty());
    is_grid.then(|| puzzle_text(&rows.concat(), false)).flatten().map(|cells| (cells, None))
}

// --- which format

fn format_of(text: &[u8], options: &Options) -> Result<&'static str, ()> {
    let start: Vec<u8> = text.iter().copied().filter(|&byte| !is_white(byte)).take(2).collect();
    if start.first() == Some(&b'{')
        || (start.first() == Some(&b'[') && start.len() > 1 && b"{[\"]-0123456789".contains(&start[1]))
    {
        return Ok("json");
    }
    if options.column.is_some() || options.solution_column.is_some() || options.delimiter.is_some() || options.no_header
    {
        return Ok("csv");
    }
    let head: Vec<&[u8]> = lines(text).into_iter().filter(|(at, _)| *at < HEAD).map(|(_, line)| line).collect();
    let first = head.iter().find(|line| is_significant(line)).copied().unwrap_or_default();
    if !named_delimiters(first, &PUZZLES).is_empty() {
        return Ok("csv");
    }
    let mut significant = 0;
    for line in head {
        significant += usize::from(is_significant(line));
        if line_puzzle(line, options.pad).is_some() {
            return if significant > 5 { Err(()) } else { Ok("lines") };
        }
        if grid_row(line).is_some_and(|cells| !cells.is_empty()) && !is_rule(line) {
            return Ok("grid");
        }
    }
    Err(())
}

/// Whether the records that start in the head make another format more likely.
fn is_wrong_guess(format: &str, text: &[u8], head: &[Record]) -> bool {
    let puzzles: Vec<&String> = head.iter().flatten().map(|(cells, _)| cells).collect();
    if !head.is_empty() && puzzles.is_empty() {
        return true;
    }
    let complete = puzzles.iter().filter(|cells| !cells.contains('.')).count();
    let is_section = |line: &[u8]| {
        line.starts_with(b"[") && !line.get(..8).is_some_and(|start| start.eq_ignore_ascii_case(b"[puzzle]"))
    };
    format == "grid"
        && ((complete > 0 && complete < puzzles.len())
            || lines(text).iter().any(|(at, line)| *at < HEAD && is_section(line)))
}

/// What a text has. It is not one of those that are refused by their first bytes.
pub fn read(data: &[u8], options: &Options) -> Content {
    let text = data.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(data);
    let head = &text[..text.len().min(HEAD)];
    if head.contains(&0) || (head.contains(&b'\r') && !head.contains(&b'\n')) {
        return Content::Ended(Vec::new());
    }
    if strip(text).is_empty() {
        return Content::Records(Vec::new());
    }
    let refused = Content::Ended(Vec::new());
    let Ok(format) = options.format.map_or_else(|| format_of(text, options), Ok) else { return refused };
    let is_auto = options.format.is_none();
    if is_auto && format == "grid" && grid_runs(text).first().is_some_and(|(_, rows)| rows.len() > 9) {
        return refused;
    }
    let (records, is_right) = match format {
        "lines" => {
            let lines = lines(text).into_iter().filter(|(_, line)| is_significant(line));
            (lines.map(|(at, line)| (at, read_line(line, options.pad))).collect(), true)
        }
        "csv" => match csv(text, options) {
            Ok(records) => (records, true),
            Err(()) => return refused,
        },
        "json" => match json(text, options) {
            Ok(read) => read,
            Err(()) => return refused,
        },
        _ => (grid_runs(text).into_iter().map(|(at, rows)| (at, read_grid(&rows))).collect(), true),
    };
    let in_head: Vec<Record> =
        records.iter().take_while(|(at, _)| *at < HEAD).map(|(_, record)| record.clone()).collect();
    let is_damaged_head = !is_right && in_head.len() == records.len();
    let records: Vec<Record> = records.into_iter().map(|(_, record)| record).collect();
    if is_auto && (is_damaged_head || is_wrong_guess(format, text, &in_head)) {
        return refused;
    }
    if is_right { Content::Records(records) } else { Content::Ended(records) }
}
