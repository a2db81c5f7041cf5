//! Stage 5, ordered output: the header of an array of NumPy, see `numpy.lib.format`.

use crate::grid::CELLS;

/// The size of the header.
pub(crate) const HEADER: usize = 128;

/// The header of an array of bytes with this number of rows, each with this number of grids. Its size does not depend on them.
pub(crate) fn header(rows: u64, grids: usize) -> [u8; HEADER] {
    let start = *b"\x93NUMPY\x01\x00\x76\x00";
    let inner = if grids == 1 { String::new() } else { format!("{grids}, ") };
    let fields = format!("{{'descr': '|u1', 'fortran_order': False, 'shape': ({rows}, {inner}{CELLS}), }}");
    let mut header = [b' '; HEADER];
    header[..start.len()].copy_from_slice(&start);
    header[start.len()..start.len() + fields.len()].copy_from_slice(fields.as_bytes());
    header[HEADER - 1] = b'\n';
    header
}

/// The number of rows of an output of `bytes` bytes.
pub(crate) fn rows(bytes: u64, grids: usize) -> u64 {
    bytes.saturating_sub(HEADER as u64) / (grids * CELLS) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_has_the_same_size_for_every_number() {
        let expected: &[u8] =
            b"\x93NUMPY\x01\x00v\x00{'descr': '|u1', 'fortran_order': False, 'shape': (1, 81), }";
        let [short, long] = [header(1, 1), header(u64::MAX, 2)];
        assert_eq!(short.trim_ascii_end(), expected);
        assert!(long.trim_ascii_end().ends_with(b"(18446744073709551615, 2, 81), }"));
        assert_eq!((short[127], long[127]), (b'\n', b'\n'));
        assert_eq!(usize::from(short[8]) + 10, HEADER);
        assert_eq!([128, 209, 290].map(|bytes| rows(bytes, 1)), [0, 1, 2]);
        assert_eq!(rows(128 + 2 * 162, 2), 2);
    }
}
