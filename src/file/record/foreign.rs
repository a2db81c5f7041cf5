//! What is no text of puzzles at all, so that people hear of it before every line of it is called invalid.

use memchr::memchr;

/// What a file of some kind has in some place, what it is, and what makes text of it.
const KINDS: [(usize, &[u8], &str, &str); 10] = [
    (0, b"\xFD7zXZ\0", "packed with xz", "unpack it with xz -dc"),
    (0, b"BZh", "packed with bzip2", "unpack it with bzip2 -dc"),
    (0, b"\x04\x22\x4D\x18", "packed with lz4", "unpack it with lz4 -dc"),
    (0, b"7z\xBC\xAF\x27\x1C", "a 7z archive", "unpack it with 7z e -so"),
    (0, b"Rar!\x1A\x07", "a rar archive", "unpack it with unrar p -inul"),
    (257, b"ustar", "a tar archive", "unpack it with tar -xO"),
    (0, b"PAR1", "a Parquet file", "convert it to CSV"),
    (0, b"%PDF-", "a PDF document", "rapidoku reads text"),
    (0, b"<?xml", "XML, as spreadsheets have it", "save them as CSV"),
    (0, b"{\"", "JSON", "convert it to CSV"),
];

/// What the text that starts with `head` is known to be instead.
pub(super) fn kind(head: &[u8]) -> Option<String> {
    let is = |(at, magic, ..): &&(usize, &[u8], &str, &str)| {
        head.get(*at..).is_some_and(|head| head.starts_with(magic))
    };
    KINDS.iter().find(is).map(|(_, _, what, advice)| format!("it is {what}; {advice}"))
}

/// What may be wrong with a text that starts with `head` and shows no puzzle.
pub(super) fn trouble(head: &[u8]) -> Option<String> {
    match head {
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] | [1..128, 0, 1..128, 0, ..] | [0, 1..128, 0, 1..128, ..] => {
            Some("it is UTF-16; convert it with iconv -f UTF-16 -t UTF-8".to_owned())
        }
        _ if memchr(0, head).is_some() => Some("it is no text, for it has zero bytes".to_owned()),
        // The last byte may be the first of a line end.
        [start @ .., _] if memchr(b'\r', start).is_some() && memchr(b'\n', head).is_none() => {
            Some("its lines end with carriage returns; convert it with tr '\\r' '\\n'".to_owned())
        }
        _ => None,
    }
}
