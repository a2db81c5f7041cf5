use rapidoku::Puzzle;
use rapidoku::file::{InputFormat, InputOptions};

use crate::bytes::Bytes;
use crate::{oracle, reading};

/// An array of NumPy is made from known numbers, of any integer type: each record must have the puzzle that was put
/// into it, and is invalid if a number is not one of 0 to 9 (0 is given as the number of a blank). An array of another
/// size than its header says is an error.
pub fn arrays(bytes: &[u8]) {
    let mut bytes = Bytes(bytes);
    let size = 1 << bytes.below(4);
    let (big_endian, signed, version) = (bytes.flag(), bytes.flag(), 1 + bytes.below(3));
    let shape = if bytes.flag() { "81" } else { "9, 9" };
    let change = bytes.below(8);

    let (mut data, mut expected) = (Vec::new(), Vec::new());
    while !bytes.is_empty() && expected.len() < 40 {
        let mut numbers = bytes.clues().map(i64::from);
        let is_bad = bytes.below(8) == 7;
        if is_bad {
            // Numbers whose lowest byte is a digit are no digits either.
            let bad = [10, 255, -1, 0x105, -0xFB, i64::MIN, i64::MAX][usize::from(bytes.below(7))];
            numbers[usize::from(bytes.below(81))] = bad;
        }
        let in_range = |number: i64| {
            let kept = number.to_le_bytes();
            kept[0] <= 9 && kept[1..size].iter().all(|&byte| byte == 0)
        };
        let digits = numbers.iter().all(|&number| in_range(number)).then(|| numbers.map(|number| number as u8));
        expected.push(digits);
        for number in numbers {
            match big_endian {
                true => data.extend_from_slice(&number.to_be_bytes()[8 - size..]),
                false => data.extend_from_slice(&number.to_le_bytes()[..size]),
            }
        }
    }
    let descr = format!("{}{}{size}", if big_endian { '>' } else { '<' }, if signed { 'i' } else { 'u' });
    let count = expected.len();
    let mut header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({count}, {shape}), }}");
    header.push_str(&" ".repeat(usize::from(change)));
    header.push('\n');
    let length = (header.len() as u32).to_le_bytes();
    let length = if version == 1 { &length[..2] } else { &length };
    let start = [b"\x93NUMPY", &[version, 0][..], length, header.as_bytes()].concat();
    let mut text = [&start[..], &data].concat();
    match change {
        6 if !data.is_empty() => _ = text.pop(),
        7 => text.push(0),
        _ => {}
    }
    // Otherwise an array without a 9 is refused.
    let options = InputOptions { format: InputFormat::Npy, blank_number: Some(0), ..InputOptions::default() };
    let (records, error) = reading::read_in_all_ways(&text, &options);
    if text.len() != start.len() + data.len() {
        assert!(records.is_empty() && error.unwrap().contains("than its header says"));
        return;
    }
    assert_eq!(error, None);
    assert_eq!(records.len(), count);
    for (k, (record, digits)) in records.iter().zip(expected).enumerate() {
        assert_eq!(record.start, (start.len() + k * 81 * size) as u64);
        let (puzzle, is_invalid) = match digits {
            None => (None, true),
            Some(cells) => {
                let puzzle = Puzzle::from_cells(cells).unwrap().to_string();
                (Some(puzzle), oracle::clashes(&oracle::sets(&cells)))
            }
        };
        assert_eq!((&record.cells, record.reason.is_some()), (&puzzle, is_invalid));
    }
}
