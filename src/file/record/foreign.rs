//! Stage 2, records: detection of inputs that are not text with puzzles, so that they fail with one message instead of
//! one invalid record per line.

use memchr::memchr;

/// Offset and magic bytes of a format, its name, and a way to convert it.
const FORMATS: [(usize, &[u8], &str, &str); 10] = [
    (0, b"\xFD7zXZ\0", "xz compression", "decompress it with xz -dc"),
    (0, b"BZh", "bzip2 compression", "decompress it with bzip2 -dc"),
    (0, b"\x04\x22\x4D\x18", "lz4 compression", "decompress it with lz4 -dc"),
    (0, b"7z\xBC\xAF\x27\x1C", "7z archive", "extract it with 7z e -so"),
    (0, b"Rar!\x1A\x07", "RAR archive", "extract it with unrar p -inul"),
    (257, b"ustar", "tar archive", "extract it with tar -xO"),
    (0, b"PAR1", "Parquet file", "convert it to CSV"),
    (0, b"%PDF-", "PDF document", "convert it to text"),
    (0, b"<?xml", "XML document", "save it as CSV"),
    (0, b"{\"", "JSON", "convert it to CSV"),
];

/// Detects an unsupported format and returns the error message.
pub(super) fn detect(head: &[u8]) -> Option<String> {
    let matches = |(offset, magic, ..): &&(usize, &[u8], &str, &str)| {
        head.get(*offset..).is_some_and(|head| head.starts_with(magic))
    };
    let (_, _, name, advice) = FORMATS.iter().find(matches)?;
    Some(format!("unsupported format: {name}; {advice}"))
}

/// The probable reason why a text that starts with `head` contains no puzzle.
pub(super) fn problem(head: &[u8]) -> Option<String> {
    match head {
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] | [1..128, 0, 1..128, 0, ..] | [0, 1..128, 0, 1..128, ..] => {
            Some("unsupported encoding: UTF-16; convert it with iconv -f UTF-16 -t UTF-8".to_owned())
        }
        _ if memchr(0, head).is_some() => Some("unrecognised format: binary data with NUL bytes".to_owned()),
        // The last byte may be the first one of CRLF.
        [start @ .., _] if memchr(b'\r', start).is_some() && memchr(b'\n', head).is_none() => {
            Some("unsupported line ends: carriage returns; convert them with tr '\\r' '\\n'".to_owned())
        }
        _ => None,
    }
}
