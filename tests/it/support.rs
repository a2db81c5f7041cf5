//! Puzzles that several modules need, and an independent reading of which lines are records.

/// A puzzle with one solution.
pub const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// Its solution.
pub const SOLUTION: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
/// A puzzle without solution whose clues do not clash: nothing is left for the last cell of row 1.
pub const NO_SOLUTION: &str = "12345678.........9...............................................................";
/// Digit 1 twice in row 1.
pub const CLASH: &str = "1.......1........................................................................";

/// A puzzle with [`CLASH`].
pub fn clash() -> rapidoku::Puzzle {
    CLASH.parse().unwrap()
}

/// The nine rows of a puzzle.
pub fn rows(puzzle: &str) -> impl Iterator<Item = &str> {
    puzzle.as_bytes().chunks(9).map(|row| str::from_utf8(row).expect("ASCII"))
}

/// What 81 cells say as pencilmarks: one candidate for a clue, all nine for a blank.
pub fn pencilled(puzzle: &str) -> String {
    let cell = |cell: char| "123456789".replace(|digit| cell.is_ascii_digit() && digit != cell, ".");
    puzzle.chars().map(cell).collect()
}

/// The lines of a text that are records: line number and bytes. Slow, and shares nothing with the reader.
pub fn records(text: &[u8]) -> Vec<(usize, Vec<u8>)> {
    let text = if text.starts_with(&[0xEF, 0xBB, 0xBF]) { &text[3..] } else { text };
    let mut lines: Vec<Vec<u8>> = vec![Vec::new()];
    for &byte in text {
        match byte {
            b'\n' => lines.push(Vec::new()),
            _ => lines.last_mut().unwrap().push(byte),
        }
    }
    for line in &mut lines {
        if line.last() == Some(&b'\r') {
            line.pop();
        }
    }
    let is_record =
        |line: &[u8]| line.first() != Some(&b'#') && !line.iter().all(|byte| b" \t\r\x0b\x0c".contains(byte));
    (1..).zip(lines).filter(|(_, line)| is_record(line)).collect()
}

/// A text with lines of every kind, many enough for several batches of the smallest size.
pub fn messy_text() -> Vec<u8> {
    let mut text = b"\xEF\xBB\xBF".to_vec();
    for i in 0..400 {
        let digits = PUZZLE.replace('.', ["0", "-", "_", "*", "?", "x", "X", "."][i % 8]);
        let line = match i % 16 {
            1 => format!("{digits}\r\n"),
            2 => format!("{digits} {}\n", "w".repeat(i)),
            3 => format!("{digits},{SOLUTION}\r\n"),
            4 => "# a comment\n\n \t\n\r\n".to_owned(),
            5 => format!("{NO_SOLUTION}\n"),
            6 => format!("{CLASH}\n"),
            7 => format!("{}\n", &digits[..i % 81]),
            8 => format!("{digits}{digits}\n"),
            9 => format!("{}\u{1F600}{}\n", &digits[..i % 80], &digits[i % 80..]),
            10 => format!("{}\n", " ".repeat(i)),
            11 => format!("{}\n", ".".repeat(81)),
            _ => format!("{digits}\n"),
        };
        text.extend_from_slice(line.as_bytes());
    }
    // A line longer than several batches, and a last one without an end.
    text.extend_from_slice(format!("{PUZZLE};{}\n{PUZZLE}", "x".repeat(5000)).as_bytes());
    text
}

/// SplitMix64.
pub fn mixed(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

/// The index of the first equal item of each; its own for items that equal none.
pub fn firsts<T: std::hash::Hash + Eq>(items: impl IntoIterator<Item = Option<T>>) -> Vec<usize> {
    let mut seen = std::collections::HashMap::new();
    let first = |(k, item): (usize, Option<T>)| item.map_or(k, |item| *seen.entry(item).or_insert(k));
    items.into_iter().enumerate().map(first).collect()
}

/// A file with these numbers, as NumPy writes it.
pub fn npy(descr: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}");
    [b"\x93NUMPY\x01\x00\x76\x00", format!("{header:<117}\n").as_bytes(), data].concat()
}

/// Two numbers in a variable of the environment.
pub fn setting(name: &str, default: [u64; 2]) -> [u64; 2] {
    let Ok(text) = std::env::var(name) else { return default };
    let numbers: Result<Vec<u64>, _> = text.split(' ').map(str::parse).collect();
    numbers
        .ok()
        .and_then(|numbers| numbers.try_into().ok())
        .unwrap_or_else(|| panic!("{name}='{text}': expected two numbers"))
}
