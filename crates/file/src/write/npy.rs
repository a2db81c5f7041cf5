//! Stage 5, ordered output: the header of an array of NumPy, see `numpy.lib.format`.

use crate::grid::CELLS;

/// The size of the header.
pub(crate) const HEADER: usize = 128;

/// The header of an array of bytes with this number of rows, each with this number of grids. Its size does not depend
/// on them.
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
