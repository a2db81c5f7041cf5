use rapidoku::file::{InputFormat, InputOptions};
use rapidoku::{Candidates, Puzzle};

use crate::bytes::Bytes;
use crate::{oracle, reading, reference};

/// A table is made from known fields, with or without quotes, and read: each record must have the puzzle and the solution
/// that were put into it.
pub fn tables(bytes: &[u8]) {
    let mut bytes = Bytes(bytes);
    let delimiter = b",;\t|"[usize::from(bytes.below(4))];
    let columns = 1 + usize::from(bytes.below(5));
    let puzzle = usize::from(bytes.byte()) % columns;
    let solution = Some(usize::from(bytes.byte()) % 8).filter(|&column| column < columns && column != puzzle);
    let (has_header, has_marks) = (bytes.flag(), bytes.flag());
    let line_end: &[u8] = if bytes.flag() { b"\r\n" } else { b"\n" };
    let is_quoted = bytes.below(4);

    let form = if has_marks { InputFormat::Pencilmarks } else { InputFormat::Csv };
    let mut format = InputOptions::default().format(form).delimiter(delimiter).no_header(!has_header);
    format = if has_header { format.column("the puzzle") } else { format.column(puzzle) };
    if let Some(column) = solution {
        format = format.solution_column(column);
    }
    let (mut text, mut expected) = (Vec::new(), Vec::new());
    if has_header {
        for column in 0..columns {
            let name = if column == puzzle { "the puzzle".to_owned() } else { format!("name {column}") };
            push_field(&mut text, column, name.as_bytes(), delimiter, is_quoted == 3);
        }
        text.extend_from_slice(line_end);
    }
    let (mut is_first, mut is_plain) = (true, true);
    while !bytes.is_empty() && expected.len() < 40 {
        // A column must be in some row, so the first row has all.
        let fields = if is_first { columns } else { usize::from(bytes.below(8)).min(columns) };
        is_first = false;
        let start = text.len();
        let (mut cells, mut answer) = (None, None);
        for column in 0..fields {
            let field =
                if column == puzzle { puzzle_field(&mut bytes, has_marks) } else { other_field(&mut bytes) };
            push_field(&mut text, column, &field, delimiter, is_quoted & 1 == 1 || bytes.below(8) == 7);
            if column == puzzle {
                cells = Some(field);
            } else if Some(column) == solution {
                answer = Some(field);
            }
        }
        // The row as it stands in the file: without fields it is blank, and it may look like a comment.
        let is_puzzle = |cells: &Vec<u8>| !has_marks && reference::field(cells.trim_ascii()).is_some();
        let is_comment = text[start..].first() == Some(&b'#') && !cells.as_ref().is_some_and(is_puzzle);
        let is_skipped = reference::is_skipped(&text[start..]);
        // What would be skipped is a row if it has the tabs of all columns. Without a header, their number is that of other rows.
        let has_all_columns = delimiter == b'\t' && columns > 1 && fields == columns;
        is_plain &= has_header || !is_skipped || delimiter != b'\t';
        if !is_comment && (!is_skipped || has_all_columns) {
            let cells = cells.unwrap_or_default();
            // In a notation that the reference does not know.
            let plain = cells.trim_ascii();
            is_plain &= !plain.iter().any(|byte| b"'\"=[](){}/|,;\t \n".contains(byte)) || plain.len() < 81;
            // A ruler.
            is_plain &=
                plain.len() < 81 || plain[0].is_ascii_digit() || plain.iter().any(|byte| *byte != plain[0]);
            let read = if has_marks {
                let sets = reference::pencilmarks(&cells);
                sets.map(|sets| (Puzzle::EMPTY, Some(Candidates::from_cells(sets).unwrap())))
            } else {
                reference::field(plain).map(|cells| (Puzzle::from_cells(cells).unwrap(), None))
            };
            expected.push((start as u64, read, answer));
        }
        text.extend_from_slice(line_end);
    }
    if bytes.flag() && !expected.is_empty() && text.len() > line_end.len() {
        text.truncate(text.len() - line_end.len());
    }
    // Files of other formats are rejected by their first bytes; a column is looked for in the rows that there are.
    let is_other = text.first().is_some_and(|byte| !b"123456789.,;|\t\"tn".contains(byte));
    if !is_plain
        || is_other
        || reading::has_magic(&text)
        || text.len() > 32 << 10
        || (!has_header && expected.len() < 2)
    {
        return;
    }
    let records = match reading::read_in_all_ways(&text, &format) {
        Ok(records) => records,
        Err(message) => return assert!(expected.is_empty() || message.contains("no column"), "{message}"),
    };
    assert_eq!(records.len(), expected.len(), "{}", text.escape_ascii());
    for (record, (start, read, answer)) in records.iter().zip(expected) {
        assert_eq!(record.start, start);
        match read {
            None => assert_eq!(record.puzzle, None),
            Some((_, Some(candidates))) => assert_eq!(record.pencilmarks, Some(candidates)),
            Some((puzzle, None)) => {
                let clashes = oracle::clashes(&oracle::sets(puzzle.cells()));
                assert_eq!((record.puzzle, record.reason.is_some()), (Some(puzzle), clashes));
            }
        }
        // Doubled quotes stay as they are in this column, because solutions have none.
        if let Some(answer) = answer.filter(|answer| !answer.contains(&b'"')) {
            assert_eq!(record.solution.as_deref(), Some(&answer[..]));
        }
    }
}

/// A puzzle, or nearly one.
fn puzzle_field(bytes: &mut Bytes, has_marks: bool) -> Vec<u8> {
    let kind = bytes.byte();
    let mut field: Vec<u8> = if has_marks {
        let blank = b".0"[usize::from(kind & 1)];
        let mark = |set: u16, at: usize| if set >> at & 1 == 1 { b'1' + at as u8 } else { blank };
        bytes.sets().iter().flat_map(|&set| (0..9).map(move |at| mark(set, at))).collect()
    } else {
        let blank = b".0-_*?xX"[usize::from(kind & 7)];
        bytes.clues().iter().map(|&clue| if clue == 0 { blank } else { b'0' + clue }).collect()
    };
    match kind >> 4 {
        0 => field.truncate(usize::from(bytes.byte())),
        1 => field.extend(other_field(bytes)),
        2 => {
            let at = usize::from(bytes.byte()) % field.len();
            field[at] = printable(bytes.byte());
        }
        _ => {}
    }
    field
}

fn other_field(bytes: &mut Bytes) -> Vec<u8> {
    let length = usize::from(bytes.below(24));
    if length == 23 {
        return oracle::SOLVED.to_vec();
    }
    bytes.take(length).iter().map(|&byte| printable(byte)).collect()
}

/// Any byte but those that end lines.
fn printable(byte: u8) -> u8 {
    if byte == b'\n' || byte == b'\r' { b' ' } else { byte }
}

/// Appends a field, in quotes if it needs them.
fn push_field(text: &mut Vec<u8>, column: usize, field: &[u8], delimiter: u8, is_quoted: bool) {
    if column > 0 {
        text.push(delimiter);
    }
    if !is_quoted && !field.contains(&delimiter) && !field.contains(&b'"') {
        return text.extend_from_slice(field);
    }
    text.push(b'"');
    for &byte in field {
        text.extend_from_slice(if byte == b'"' { b"\"\"" } else { std::slice::from_ref(&byte) });
    }
    text.push(b'"');
}
