use rapidoku::Puzzle;
use rapidoku::file::{InputFormat, InputOptions};

use crate::bytes::Bytes;
use crate::{oracle, reading, reference};

/// JSON lines are made from known members, with spaces and escapes, in any order, and read: each record must have the
/// puzzle and the solution that were put into it.
pub fn objects(bytes: &[u8]) {
    let mut bytes = Bytes(bytes);
    let line_end: &[u8] = if bytes.flag() { b"\r\n" } else { b"\n" };
    let ends = bytes.flag();
    let format =
        InputOptions::default().format(InputFormat::Jsonl).column("the puzzle").solution_column("answer");

    // The columns must be in the first objects.
    let blank = ".".repeat(81);
    let mut text = format!("{{\"the puzzle\":\"{blank}\",\"answer\":\"\"}}").into_bytes();
    text.extend_from_slice(line_end);
    let mut expected = vec![(0, Some([0; 81]), Some(Vec::new()))];
    while !bytes.is_empty() && expected.len() < 40 {
        let start = text.len();
        let (mut puzzle, mut answer) = (None, None);
        push_spaces(&mut text, &mut bytes);
        text.push(b'{');
        let members = usize::from(bytes.below(6));
        for member in 0..members {
            if member > 0 {
                text.push(b',');
            }
            push_spaces(&mut text, &mut bytes);
            let name: &[u8] =
                [&b"the puzzle"[..], b"answer", b"other", b"The Puzzle"][usize::from(bytes.below(4))];
            push_string(&mut text, name, &mut bytes);
            push_spaces(&mut text, &mut bytes);
            text.push(b':');
            push_spaces(&mut text, &mut bytes);
            let value = push_value(&mut text, &mut bytes);
            push_spaces(&mut text, &mut bytes);
            // Of members with the same name, the last one counts.
            match name {
                b"the puzzle" => puzzle = value,
                b"answer" => answer = value,
                _ => {}
            }
        }
        text.push(b'}');
        if bytes.below(16) == 15 {
            // Not an object any more, because something is missing or there is too much.
            if bytes.flag() {
                text.pop();
            } else {
                text.push(b',');
            }
            (puzzle, answer) = (None, None);
        }
        expected.push((start as u64, puzzle.and_then(|cells| reference::field(&cells)), answer));
        text.extend_from_slice(line_end);
    }
    if ends {
        text.truncate(text.len() - line_end.len());
    }
    let records = reading::read_in_all_ways(&text, &format).unwrap();
    assert_eq!(records.len(), expected.len(), "{}", text.escape_ascii());
    for (record, (start, puzzle, answer)) in records.iter().zip(expected) {
        assert_eq!(record.start, start);
        let (read, is_invalid) = match puzzle {
            None => (None, true),
            Some(cells) => (Some(Puzzle::from_cells(cells).unwrap()), oracle::clashes(&oracle::sets(&cells))),
        };
        assert_eq!((record.puzzle, record.reason.is_some()), (read, is_invalid), "{}", text.escape_ascii());
        // An array that is no grid is as in the text.
        let solution = record.solution.clone().map(|text| match text.starts_with(b"[") {
            true => text.into_iter().filter(u8::is_ascii_digit).collect(),
            false => text,
        });
        assert_eq!(solution, answer, "{}", text.escape_ascii());
    }
}

/// Spaces that JSON permits between tokens.
fn push_spaces(text: &mut Vec<u8>, bytes: &mut Bytes) {
    let kind = bytes.byte();
    if kind >= 224 {
        text.extend_from_slice([&b" "[..], b"  ", b"\t", b" \t "][usize::from(kind & 3)]);
    }
}

/// Appends a value. Returns it as a text, if it is a string or an array of digits.
fn push_value(text: &mut Vec<u8>, bytes: &mut Bytes) -> Option<Vec<u8>> {
    match bytes.below(8) {
        0 => {
            let value =
                [&b"null"[..], b"true", b"-1.5e3", b"0", b"{}", b"{\"the puzzle\":\"1\"}", b"[null]", b"12"];
            text.extend_from_slice(value[usize::from(bytes.below(8))]);
            None
        }
        1 => {
            let content: String = bytes.take(6).iter().map(|&byte| char::from(byte)).collect();
            push_string(text, content.as_bytes(), bytes);
            Some(content.into_bytes())
        }
        kind => {
            let blank = b".0-_*?xX"[usize::from(bytes.below(8))];
            let mut clues = bytes.clues().to_vec();
            if bytes.below(16) == 15 {
                clues.truncate(usize::from(bytes.below(90)));
            }
            if kind > 3 {
                let cells: Vec<u8> =
                    clues.iter().map(|&clue| if clue == 0 { blank } else { b'0' + clue }).collect();
                push_string(text, &cells, bytes);
                return Some(cells);
            }
            // An array of digits, or of rows.
            let cells: Vec<u8> = clues.iter().map(|clue| b'0' + clue).collect();
            let rows: Vec<_> = cells.chunks(if kind == 3 { 9 } else { 90 }).collect();
            let row = |row: &[u8]| {
                let digits: Vec<_> = row.iter().map(|&digit| char::from(digit).to_string()).collect();
                format!("[{}]", digits.join(if row.len() > 80 { "," } else { ", " }))
            };
            let rows: Vec<_> = rows.into_iter().map(row).collect();
            let array = if kind == 3 { format!("[{}]", rows.join(",")) } else { rows.concat() };
            text.extend_from_slice(if array.is_empty() { b"[]" } else { array.as_bytes() });
            Some(cells)
        }
    }
}

/// Appends a string, with escapes where they are necessary and in other places.
fn push_string(text: &mut Vec<u8>, content: &[u8], bytes: &mut Bytes) {
    let escapes = bytes.byte();
    text.push(b'"');
    for (at, char) in str::from_utf8(content).unwrap().chars().enumerate() {
        match char {
            '"' | '\\' => text.extend([b'\\', char as u8]),
            '\n' => text.extend_from_slice(b"\\n"),
            _ if char < ' ' || (escapes >= 192 && at % 64 == usize::from(escapes & 63)) => {
                text.extend_from_slice(format!("\\u{:04x}", char as u32).as_bytes());
            }
            _ => text.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    text.push(b'"');
}
