use rapidoku::file::{InputFormat, InputOptions};

use crate::bytes::Bytes;
use crate::{oracle, reading};

/// Texts packed as gzip, zstd or zip have the records of the texts, and a packed file that is truncated or damaged is
/// an error. The encoders here store bytes without compression, so the file formats are tested, not the decompressors.
pub fn packed(bytes: &[u8]) {
    let mut bytes = Bytes(bytes);
    let (kind, parts, block) = (bytes.below(3), 1 + usize::from(bytes.below(3)), 1 + usize::from(bytes.byte()));
    let (damage, place) = (bytes.below(8), u16::from_be_bytes([bytes.byte(), bytes.byte()]));
    let length = bytes.0.len() / parts;
    let texts: Vec<Vec<u8>> = (0..parts).map(|_| text(bytes.take(length))).collect();

    let format = InputOptions { format: InputFormat::Lines, ..InputOptions::default() };
    let whole = texts.concat();
    let mut file = match kind {
        0 => texts.iter().flat_map(|text| gzip(text, block)).collect(),
        1 => texts.iter().flat_map(|text| zstd(text, block)).collect(),
        _ => zip(&texts),
    };
    // Damage to the content is found by the checksums that the encoders write. A cut is never at the end of a member.
    let first = match kind {
        0 => gzip(&texts[0], block).len(),
        1 => zstd(&texts[0], block).len(),
        _ => file.len(),
    };
    let is_damaged = match damage {
        0 => {
            file.truncate(18 + usize::from(place) % (first - 18));
            true
        }
        1 if kind != 1 => {
            // A byte of the first text: the first block of gzip starts after two headers, the entry of zip after one.
            let start = if kind == 0 { 15 } else { 30 + NAME };
            let at = start + usize::from(place) % texts[0].len().min(block);
            file[at] ^= 1 << (place % 8);
            true
        }
        _ => false,
    };
    let (records, error) = reading::read_in_all_ways(&file, &format);
    if is_damaged || (kind == 2 && parts > 1) {
        return assert!(error.is_some(), "{kind} {damage}: {records:?}");
    }
    assert_eq!((records, error), reading::read_in_all_ways(&whole, &format));
}

/// Lines, most of them puzzles. The first one is a comment, so that no text is taken for another format.
fn text(bytes: &[u8]) -> Vec<u8> {
    let mut text = b"# lines\n".to_vec();
    for &byte in bytes {
        match byte {
            0..64 => text.extend_from_slice(
                b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n",
            ),
            64..80 => text.extend_from_slice(oracle::SOLVED),
            128.. => text.push((byte - 128).max(1)),
            _ => text.push(b'\n'),
        }
    }
    text.push(b'\n');
    text
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0_u32, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 })
    })
}

/// A member of stored blocks (RFC 1952 and 1951).
fn gzip(text: &[u8], block: usize) -> Vec<u8> {
    let mut file = vec![0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255];
    let blocks = text.len().div_ceil(block);
    for (n, bytes) in (1..).zip(text.chunks(block)) {
        let length = bytes.len() as u16;
        file.push(u8::from(n == blocks));
        file.extend(length.to_le_bytes());
        file.extend((!length).to_le_bytes());
        file.extend_from_slice(bytes);
    }
    file.extend(crc32(text).to_le_bytes());
    file.extend((text.len() as u32).to_le_bytes());
    file
}

/// A frame of raw blocks, after a skippable frame if the block size is odd (RFC 8878).
fn zstd(text: &[u8], block: usize) -> Vec<u8> {
    let mut file = Vec::new();
    if block % 2 == 1 {
        file.extend([0x50, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 1, 2, 3]);
    }
    // No checksum, the content size in four bytes, a single segment.
    file.extend([0x28, 0xB5, 0x2F, 0xFD, 0b1010_0000]);
    file.extend((text.len() as u32).to_le_bytes());
    let blocks = text.len().div_ceil(block);
    for (n, bytes) in (1..).zip(text.chunks(block)) {
        let header = (bytes.len() as u32) << 3 | u32::from(n == blocks);
        file.extend_from_slice(&header.to_le_bytes()[..3]);
        file.extend_from_slice(bytes);
    }
    file
}

/// The length of the names of entries.
const NAME: usize = 5;

/// An archive of stored entries, and a folder, which is none of its files.
fn zip(texts: &[Vec<u8>]) -> Vec<u8> {
    let (mut file, mut directory) = (Vec::new(), Vec::new());
    let mut entries: Vec<(String, &[u8])> =
        texts.iter().enumerate().map(|(n, text)| (format!("{n}.txt"), &text[..])).collect();
    entries.push(("dir./".to_owned(), &b""[..]));
    for (name, text) in &entries {
        let offset = file.len() as u32;
        // Version 2.0, no flags, stored, no time.
        let mut common = vec![20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0];
        common.extend(crc32(text).to_le_bytes());
        common.extend((text.len() as u32).to_le_bytes());
        common.extend((text.len() as u32).to_le_bytes());
        common.extend((name.len() as u16).to_le_bytes());
        common.extend([0, 0]);
        file.extend(b"PK\x03\x04");
        file.extend_from_slice(&common);
        file.extend_from_slice(name.as_bytes());
        file.extend_from_slice(text);
        directory.extend(b"PK\x01\x02\x14\x00");
        directory.extend_from_slice(&common);
        directory.extend([0; 10]);
        directory.extend(offset.to_le_bytes());
        directory.extend_from_slice(name.as_bytes());
    }
    let start = file.len() as u32;
    file.extend_from_slice(&directory);
    file.extend(b"PK\x05\x06\0\0\0\0");
    let count = (entries.len() as u16).to_le_bytes();
    file.extend(count);
    file.extend(count);
    file.extend((directory.len() as u32).to_le_bytes());
    file.extend(start.to_le_bytes());
    file.extend([0, 0]);
    file
}
