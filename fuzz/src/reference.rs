//! Slow readers of the formats, one byte after the other. Nothing here uses code of the library.

#[path = "../../tests/it/record_lines.rs"]
mod record_lines;
pub use record_lines::{is_record, is_skipped};

/// A line without its line feed, and its offset.
pub fn lines(text: &[u8]) -> Vec<(usize, &[u8])> {
    let mut lines = Vec::new();
    let mut start = 0;
    for at in 0..=text.len() {
        if at == text.len() || text[at] == b'\n' {
            if at < text.len() || start < at {
                lines.push((start, &text[start..at]));
            }
            start = at + 1;
        }
    }
    lines
}

/// The line without a carriage return at its end.
pub fn without_return(line: &[u8]) -> &[u8] {
    if line.last() == Some(&b'\r') { &line[..line.len() - 1] } else { line }
}

/// The digit of a byte, 0 for a blank.
pub fn cell(byte: u8) -> Option<u8> {
    match byte {
        b'1'..=b'9' => Some(byte - b'0'),
        b'.' | b'0' | b'-' | b'_' | b'*' | b'?' | b'x' | b'X' => Some(0),
        _ => None,
    }
}

/// The 81 cells of a field that has nothing else.
pub fn field(bytes: &[u8]) -> Option<[u8; 81]> {
    let cells: Option<Vec<u8>> = bytes.iter().map(|&byte| cell(byte)).collect();
    cells?.try_into().ok()
}

/// The puzzle at the start of a line: 81 cells, and then the end or a separator.
pub fn line(line: &[u8]) -> Option<[u8; 81]> {
    let line = without_return(line);
    let ends = line.get(81).is_none_or(|byte| b" \t,;".contains(byte));
    field(line.get(..81)?).filter(|_| ends)
}

/// The same after a byte order mark and up to 16 spaces or tabs.
pub fn indented_line(record: &[u8]) -> Option<[u8; 81]> {
    let record = record.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(record);
    let spaces = (0..16).take_while(|&at| matches!(record.get(at), Some(b' ' | b'\t'))).count();
    line(&record[spaces..])
}

/// Whether a line is a number, a date, a time or a rating.
fn is_number(line: &[u8]) -> bool {
    let line = std::str::from_utf8(line).unwrap_or("x").trim_matches(|c: char| c.is_ascii_whitespace());
    // The shape of the line, with 9 for each digit.
    let shape: String = line.chars().map(|c| if c.is_ascii_digit() { '9' } else { c }).collect();
    let number = shape.trim_end_matches(['.', ':']);
    let ends = shape.len() - number.len() < 2;
    let dates = ["-", "/", "."].iter().any(|between| {
        let parts: Vec<usize> = shape.split(between).map(str::len).collect();
        let is_short = |length: usize| length == 1 || length == 2;
        let is_date = matches!(parts[..], [a, b, 4] | [4, a, b] if is_short(a) && is_short(b));
        is_date && shape.matches('9').count() + 2 == shape.len()
    });
    let times = ["9:99", "99:99", "9:99:99", "99:99:99"].contains(&&*shape);
    let is_rating = |rating: &str| {
        let parts: Vec<&str> = rating.split('.').collect();
        matches!(parts[..], [a, b] if ["9", "99"].contains(&a) && ["9", "99"].contains(&b))
    };
    let ratings = (2..4).contains(&shape.split('/').count()) && shape.split('/').all(is_rating);
    (ends && shape.len() < 9 && !number.is_empty() && number.bytes().all(|byte| byte == b'9'))
        || dates
        || times
        || ["9.9", "99.9"].contains(&&*shape)
        || ratings
}

/// The candidates of 729 pencilmarks.
pub fn pencilmarks(bytes: &[u8]) -> Option<[u16; 81]> {
    if bytes.len() != 729 {
        return None;
    }
    let mut sets = [0; 81];
    for (at, &byte) in bytes.iter().enumerate() {
        match byte {
            b'.' | b'0' => {}
            _ if usize::from(byte) == usize::from(b'1') + at % 9 => sets[at / 9] |= 1 << (at % 9),
            _ => return None,
        }
    }
    Some(sets)
}

/// A line of a grid.
enum GridLine {
    Blank,
    /// A comment or a rule.
    Ignored,
    Title,
    /// The bytes that should be nine cells.
    Row(Vec<u8>),
}

/// The records of grids of nine lines: the offset of the first row, and the cells if it is a puzzle.
pub fn grids(text: &[u8]) -> Vec<(usize, Option<[u8; 81]>)> {
    let blanks_are_rows = lines(text).iter().any(|(_, line)| {
        let cells = visible(line);
        is_row(&cells)
            && cells.iter().any(u8::is_ascii_digit)
            && cells.iter().any(|byte| b"-*".contains(byte))
    });
    let lines: Vec<_> = lines(text)
        .into_iter()
        .map(|(start, line)| (start, line, grid_line(line, blanks_are_rows)))
        .collect();
    let mut records = Vec::new();
    // The rows of the open record, and whether lines are those of a player's progress.
    let (mut rows, mut in_state): (Vec<(usize, Vec<u8>)>, bool) = (Vec::new(), false);
    let mut at = 0;
    while let Some((start, line, kind)) = lines.get(at) {
        at += 1;
        match kind {
            GridLine::Blank if rows.len() % 3 != 0 => close(&mut rows, &mut records),
            GridLine::Blank | GridLine::Ignored => {}
            GridLine::Title => {
                close(&mut rows, &mut records);
                let name = line.trim_ascii().to_ascii_lowercase();
                in_state = name == b"[state]" || name == b"[pencilmarks]";
            }
            GridLine::Row(cells) if rows.is_empty() && is_grid_title(line, cells, &lines[at..]) => {}
            GridLine::Row(_) if in_state => {}
            GridLine::Row(cells) => {
                rows.push((*start, cells.clone()));
                if rows.len() == 9 {
                    if rows_after(&lines[at..], 9) == 10 {
                        // Ten rows: an invalid record.
                        rows.push((*start, cells.clone()));
                        let is_tenth =
                            |(_, _, kind): &(usize, &[u8], GridLine)| matches!(kind, GridLine::Row(_));
                        at += 1 + lines[at..].iter().position(is_tenth).unwrap();
                    }
                    close(&mut rows, &mut records);
                }
            }
        }
    }
    close(&mut rows, &mut records);
    records
}

fn grid_line(line: &[u8], blanks_are_rows: bool) -> GridLine {
    // Eight tabs between nine cells, some of which may be empty.
    let fields: Vec<Vec<u8>> = line.split(|&byte| byte == b'\t').map(visible).collect();
    let is_cell = |field: &Vec<u8>| field.len() < 2 && field.iter().all(|&byte| cell(byte).is_some());
    if fields.len() == 9
        && fields.iter().all(is_cell)
        && !line.iter().any(|&byte| byte == b'|' || byte >= 128)
    {
        return GridLine::Row(fields.iter().map(|field| field.first().copied().unwrap_or(b'.')).collect());
    }
    let cells = visible(line);
    let is_all = |bytes: &[u8]| cells.iter().all(|byte| bytes.contains(byte));
    let has_run =
        || line.windows(3).any(|run| ["---", "===", "***", "___"].iter().any(|rule| rule.as_bytes() == run));
    match cells.first() {
        None if line.iter().any(|&byte| byte == b'|' || byte >= 128) => GridLine::Ignored,
        None => GridLine::Blank,
        Some(b'#') => GridLine::Ignored,
        Some(&byte) if byte == b'[' || (byte.is_ascii_alphabetic() && cell(byte).is_none()) => {
            GridLine::Title
        }
        _ if is_all(b"-+=*") && !(blanks_are_rows && cells.len() == 9 && is_all(b"-*")) => GridLine::Ignored,
        _ if cells.len() > 9 && is_all(b"-+=*.:`_x") && has_run() => GridLine::Ignored,
        _ => GridLine::Row(cells),
    }
}

/// Whether bytes are nine cells.
fn is_row(cells: &[u8]) -> bool {
    cells.len() == 9 && cells.iter().all(|&byte| cell(byte).is_some())
}

/// Whether a row is a title if nine rows follow it: the numbers of columns, or a date of nine characters.
fn may_be_title(line: &[u8], cells: &[u8]) -> bool {
    [&b"012345678"[..], b"123456789"].contains(&cells) || (line.len() < 12 && is_number(line))
}

/// Whether a row before the first one of a record is a title, with these lines after it.
fn is_grid_title(line: &[u8], cells: &[u8], after: &[(usize, &[u8], GridLine)]) -> bool {
    let has_nine = || rows_after(after, 0) == 9;
    if is_row(cells) {
        return may_be_title(line, cells) && has_nine();
    }
    let is_words = cells.iter().any(|&byte| cell(byte).is_none())
        && line.iter().filter(|&&byte| cell(byte).is_some()).count() < 5
        && !matches!(after.first(), Some((_, _, GridLine::Row(_) | GridLine::Ignored)));
    is_number(line) || is_words || has_nine()
}

/// The number of rows without a gap, after `count` others, up to eleven.
fn rows_after(lines: &[(usize, &[u8], GridLine)], mut count: usize) -> usize {
    for (_, line, kind) in lines {
        match kind {
            GridLine::Ignored => {}
            GridLine::Blank if count.is_multiple_of(3) && count < 9 => {}
            GridLine::Row(cells) if is_row(cells) && !(count == 9 && may_be_title(line, cells)) => count += 1,
            _ => break,
        }
        if count == 11 {
            break;
        }
    }
    count
}

/// Ends the open record, if there is one.
fn close(rows: &mut Vec<(usize, Vec<u8>)>, records: &mut Vec<(usize, Option<[u8; 81]>)>) {
    if let Some(&(start, _)) = rows.first() {
        let is_square = rows.len() == 9 && rows.iter().all(|(_, row)| row.len() == 9);
        let cells: Vec<u8> = rows.drain(..).flat_map(|(_, row)| row).collect();
        records.push((start, if is_square { field(&cells) } else { None }));
    }
}

/// The bytes of a line of a grid that are not spaces or frames.
fn visible(line: &[u8]) -> Vec<u8> {
    line.iter().copied().filter(|&byte| byte < 128 && !b" \t\r|\x0C\x1A".contains(&byte)).collect()
}
