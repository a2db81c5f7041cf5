use rapidoku::file::{InputFormat, InputOptions};
use rapidoku::{Candidates, Puzzle};

use crate::bytes::Bytes;
use crate::{oracle, reading};

/// Formats of other programs are made from known puzzles: tables with a column per cell, candidate grids, OpenSudoku XML. Each
/// record must have the puzzle that was put into it.
pub fn foreign(bytes: &[u8]) {
    let mut bytes = Bytes(bytes);
    match bytes.below(3) {
        0 => spread(&mut bytes),
        1 => candidates(&mut bytes),
        _ => games(&mut bytes),
    }
}

/// Compares records with the offsets and the digits, `None` for a record that is no puzzle.
fn compare(text: &[u8], format: &InputOptions, expected: Vec<(usize, Option<[u8; 81]>)>) {
    let records = reading::read_in_all_ways(text, format).unwrap();
    assert_eq!(records.len(), expected.len(), "{}", text.escape_ascii());
    for (record, (start, digits)) in records.iter().zip(expected) {
        assert_eq!(record.start, start as u64, "{}", text.escape_ascii());
        let (puzzle, is_invalid) = match digits {
            None => (None, true),
            Some(cells) => (Some(Puzzle::from_cells(cells).unwrap()), oracle::clashes(&oracle::sets(&cells))),
        };
        assert_eq!((record.puzzle, record.reason.is_some()), (puzzle, is_invalid), "{}", text.escape_ascii());
    }
}

fn spread(bytes: &mut Bytes) {
    let delimiter = [",", ";", "\t"][usize::from(bytes.below(3))];
    let line_end = if bytes.flag() { "\r\n" } else { "\n" };
    let (before, after) = (usize::from(bytes.below(3)), usize::from(bytes.below(3)));
    // The columns must be in the first rows.
    let names: Vec<String> = (0..before + 81 + after).map(|number| format!("c{number}")).collect();
    let first: Vec<&str> = (0..before + 81 + after).map(|at| if at == before { "1" } else { "" }).collect();
    let mut text = names.join(delimiter) + line_end;
    let mut digits = [0; 81];
    digits[0] = 1;
    let mut expected = vec![(text.len(), Some(digits))];
    text += &(first.join(delimiter) + line_end);
    while !bytes.is_empty() && expected.len() < 20 {
        let start = text.len();
        let clues = bytes.clues();
        let mut is_puzzle = true;
        let mut fields: Vec<String> = vec!["x".to_owned(); before];
        for clue in clues {
            let digit = char::from(b'0' + clue);
            fields.push(match bytes.byte() {
                0 if clue == 0 => String::new(),
                1 if clue == 0 => ".".to_owned(),
                2 => format!(" {digit}"),
                3 => format!("\"{digit}\""),
                4 => format!("{digit}.0"),
                5 => {
                    is_puzzle = false;
                    ["1.5", "10", "a", "-2", ".0"][usize::from(bytes.below(5))].to_owned()
                }
                _ => digit.to_string(),
            });
        }
        fields.extend(vec!["\"a b\"".to_owned(); after]);
        if bytes.below(16) == 15 {
            fields.truncate(before + usize::from(bytes.below(81)).max(1));
            is_puzzle = false;
        }
        let row = fields.join(delimiter);
        // Such a line is no record.
        if row.trim_matches(|c| matches!(c, ' ' | '\t' | '\r')).is_empty() {
            continue;
        }
        text += &(row + line_end);
        expected.push((start, is_puzzle.then_some(clues)));
    }
    let column = (before + 1).to_string();
    let format =
        InputOptions::default().format(if delimiter == "\t" { InputFormat::Tsv } else { InputFormat::Csv });
    let format = format.delimiter(delimiter.as_bytes()[0]).column(column.parse::<usize>().unwrap() - 1);
    compare(text.as_bytes(), &format, expected);
}

fn candidates(bytes: &mut Bytes) {
    let line_end = if bytes.flag() { "\r\n" } else { "\n" };
    let has_frame = bytes.flag();
    let mut text = String::new();
    let mut expected = Vec::new();
    while !bytes.is_empty() && expected.len() < 20 {
        let sets = bytes.sets();
        let style = bytes.byte();
        text += ["", "# 12 345\n", "Grid 1\n", "\n", "*------*\n", ".--.--.\n"][usize::from(style) % 6];
        let mut start = None;
        let mut is_puzzle = true;
        for (number, row) in sets.chunks(9).enumerate() {
            if has_frame && number % 3 == 0 {
                text += [":------+------+------:", "|---+---|", "───┼───"][usize::from(style / 8) % 3];
                text += line_end;
            }
            let mut groups: Vec<String> = Vec::new();
            for set in row {
                let digits: String =
                    (1..=9).filter(|digit| set >> (digit - 1) & 1 == 1).map(|d| d.to_string()).collect();
                groups.push(match (set.count_ones(), style % 4) {
                    (0, _) => "-".to_owned(),
                    (9, 0) => ".".to_owned(),
                    (9, 1) => "0".to_owned(),
                    (1, 2) => format!("u{digits}"),
                    _ => digits,
                });
            }
            if bytes.byte() == 255 {
                is_puzzle = false;
                // A line of dashes would be a rule.
                groups[0] = "1".to_owned();
                match bytes.below(3) {
                    0 => _ = groups.pop(),
                    1 => groups.push("1".to_owned()),
                    _ => groups[4] = "11".to_owned(),
                }
            }
            start = start.or(Some(text.len()));
            text += &match has_frame {
                true => format!("| {} |", groups.join(" | ")),
                false => groups.join(["  ", "\t", " "][usize::from(style) % 3]),
            };
            text += line_end;
        }
        expected.push((start.unwrap(), is_puzzle.then_some(sets)));
    }
    let format = InputOptions::default().format(InputFormat::Candidates);
    let records = reading::read_in_all_ways(text.as_bytes(), &format).unwrap();
    assert_eq!(records.len(), expected.len(), "{text}");
    for (record, (start, sets)) in records.iter().zip(expected) {
        assert_eq!(record.start, start as u64, "{text}");
        assert_eq!(record.pencilmarks, sets.map(|sets| Candidates::from_cells(sets).unwrap()), "{text}");
    }
}

fn games(bytes: &mut Bytes) {
    let mut text = "<opensudoku>\n".to_owned();
    let mut expected = Vec::new();
    while !bytes.is_empty() && expected.len() < 20 {
        text += [
            "",
            "<!-- <game data='1'/> -->",
            "<name>a</name>\n",
            "<?x <game?>",
            "<![CDATA[<game]]>",
            "<gamer data='1'>",
        ][usize::from(bytes.below(6))];
        let start = text.len();
        let mut clues = bytes.clues();
        let mut digits: String = clues.iter().map(|&clue| char::from(b'0' + clue)).collect();
        let mut is_puzzle = true;
        match bytes.below(8) {
            // A state: cells that the player filled are no clues.
            0 => {
                let filled = bytes.byte();
                let cells = clues.iter_mut().enumerate().map(|(at, clue)| {
                    let digit = *clue;
                    let is_clue = digit > 0 && (at as u8) < filled;
                    *clue = if is_clue { digit } else { 0 };
                    format!("{digit}|0|{}|", u8::from(!is_clue))
                });
                digits = format!("version: 3&#10;{}", cells.collect::<String>());
            }
            1 => {
                digits.truncate(usize::from(bytes.below(81)));
                is_puzzle = false;
            }
            2 => {
                digits = "a".repeat(81);
                is_puzzle = false;
            }
            _ => {}
        }
        let quote = if bytes.flag() { '"' } else { '\'' };
        let name = ["data", "data ", "DATA"][usize::from(bytes.below(16)).saturating_sub(13)];
        is_puzzle &= name != "DATA";
        text += "<game ";
        text += ["", "state=\"0 > 1\" ", "note='data=\"1\"'\n"][usize::from(bytes.below(3))];
        text += &format!(
            "{name}={quote}{digits}{quote}{}",
            ["/>", ">", " />\n", "></game>"][usize::from(bytes.below(4))]
        );
        expected.push((start, is_puzzle.then_some(clues)));
    }
    text += "</opensudoku>";
    compare(text.as_bytes(), &InputOptions::default(), expected);
}
