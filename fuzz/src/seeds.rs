//! The inputs of a target as a text: one per line, escaped as a byte string of Rust. Sorted, so that few lines change
//! when a corpus is minimised again.

/// The text of inputs.
pub fn pack(inputs: &[Vec<u8>]) -> String {
    inputs.iter().map(|input| format!("{}\n", input.escape_ascii())).collect()
}

/// The inputs of a text.
///
/// # Panics
/// When a line is not such an escape.
pub fn unpack(text: &str) -> Vec<Vec<u8>> {
    text.lines().map(|line| unescape(line).unwrap_or_else(|| panic!("not an escaped input: {line}"))).collect()
}

fn unescape(line: &str) -> Option<Vec<u8>> {
    let mut chars = line.bytes();
    let mut bytes = Vec::new();
    while let Some(byte) = chars.next() {
        bytes.push(match byte {
            b'\\' => match chars.next()? {
                b'n' => b'\n',
                b'r' => b'\r',
                b't' => b'\t',
                b'x' => {
                    let digits = [chars.next()?, chars.next()?];
                    u8::from_str_radix(str::from_utf8(&digits).ok()?, 16).ok()?
                }
                other => other,
            },
            other => other,
        });
    }
    Some(bytes)
}
