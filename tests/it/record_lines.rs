//! Which lines of a text are records. Also for the references of fuzzing; shares nothing with the reader.

/// Whether a line (without a carriage return at its end) is a record: neither skipped nor a comment.
pub fn is_record(line: &[u8]) -> bool {
    !is_skipped(line) && line[0] != b'#'
}

/// Whether a line is blank, closing brackets (`});`), or a size (`(12 rows)`).
pub fn is_skipped(line: &[u8]) -> bool {
    if line.iter().all(|byte| b" \t\r\x1A".contains(byte)) {
        return true;
    }
    let text = String::from_utf8_lossy(line);
    let text = text.trim_start_matches([' ', '\t', '\r']).trim_end_matches(|c: char| c.is_ascii_whitespace());
    let is_size = |(number, unit): (&str, &str)| {
        number.bytes().all(|byte| byte.is_ascii_digit())
            && !number.is_empty()
            && unit.starts_with("row")
            && unit.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b' ')
    };
    let within = |open, close| text.strip_prefix(open)?.strip_suffix(close)?.split_once(' ');
    let sizes = [within('(', ')'), within('[', ']')];
    let is_closing = text.strip_suffix(';').unwrap_or(text).trim_end_matches([']', ')', '}']).is_empty();
    let is_bracket = text.starts_with([']', ')', '}', '(', '[']);
    line.len() <= 64 && is_bracket && (is_closing || sizes.into_iter().flatten().any(is_size))
}
