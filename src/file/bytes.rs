//! Bytes with a meaning in texts, and lines that are no records.

/// Delimiters between fields, the most likely first.
pub const DELIMITERS: [u8; 9] = [b',', b'\t', b';', b'|', b' ', b':', b'^', b'~', b'&'];

/// Whether a byte may separate fields.
pub fn is_delimiter(byte: u8) -> bool {
    DELIMITERS.contains(&byte)
}

/// The end of a text file in DOS.
pub const CTRL_Z: u8 = 0x1A;

/// Whether a byte may be in a blank line.
pub fn is_whitespace(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | CTRL_Z)
}

pub const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Removes the byte order mark from the start of an input.
pub fn skip_byte_order_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text)
}

/// Whether a line is a record: neither blank nor a comment, nor what ends a list in source code (`];`) or a table (`(12 rows)`).
pub fn is_record(line: &[u8]) -> bool {
    match line.iter().find(|&&byte| !is_whitespace(byte)) {
        None => false,
        // The start of a long line must suffice to decide.
        Some(&byte) if starts_end(byte) => line.len() > MAX_END || !is_end(line),
        Some(_) => line[0] != b'#',
    }
}

/// Whether a byte may be the first one of a line that ends a list or a table.
#[inline(always)]
pub fn starts_end(byte: u8) -> bool {
    matches!(byte, b']' | b')' | b'}' | b'(' | b'[')
}

/// The greatest length of a line that ends a list or a table.
const MAX_END: usize = 64;

/// Whether a line has only closing brackets, or is the size that a database or pandas prints below a table.
#[cold]
fn is_end(line: &[u8]) -> bool {
    let visible = line.trim_ascii();
    let is_closing = |byte: &u8| matches!(byte, b']' | b')' | b'}');
    let is_size = || match visible {
        [b'(', size @ .., b')'] | [b'[', size @ .., b']'] => {
            let digits = size.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let word = size[digits..].strip_prefix(b" row");
            let is_word = |word: &[u8]| word.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b' ');
            digits > 0 && word.is_some_and(is_word)
        }
        _ => false,
    };
    visible.strip_suffix(b";").unwrap_or(visible).iter().all(is_closing) || is_size()
}
