//! Untrusted text in messages and reports: names of files, of entries of archives and of columns.

use std::borrow::Cow;
use std::fmt::Write;

/// Escapes the characters that a terminal interprets, that change the order of the displayed text, or that are
/// invisible: control characters (escape, carriage return, line feed, the controls of 8-bit terminals, ...),
/// bidirectional controls, line separators and format characters. They appear as in Rust literals: `\x1b`, `\u{202e}`,
/// `\n`.
///
/// Everything that is printed to a terminal or written to a text report goes through this function, unless it cannot
/// contain text from outside. Backslashes are not escaped, so that text may be escaped twice.
pub fn escape(text: &str) -> Cow<'_, str> {
    // Nearly all names are printable ASCII.
    if text.bytes().all(|byte| (b' '..=b'~').contains(&byte)) || !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::new();
    for character in text.chars() {
        let _ = match character {
            '\n' | '\r' | '\t' => write!(escaped, "{}", character.escape_default()),
            '\0'..='\x7f' if is_hidden(character) => write!(escaped, "\\x{:02x}", character as u32),
            _ if is_hidden(character) => write!(escaped, "{}", character.escape_unicode()),
            _ => escaped.write_char(character),
        };
    }
    Cow::Owned(escaped)
}

fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{ad}'
                | '\u{61c}'
                | '\u{180e}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}
