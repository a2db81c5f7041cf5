//! Bytes with a meaning in texts.

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
