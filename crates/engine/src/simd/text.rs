//! Operations on bytes of text.

use super::Vector;

/// Operations on bytes of text.
pub trait Text: Vector {
    /// Writes the values of ASCII digits to `digits` and zero for every other byte. Returns whether all bytes are
    /// digits, or all are digits from 1 and full stops.
    #[inline(always)]
    fn digits<const N: usize>(self, text: &[u8; N], digits: &mut [u8; N]) -> bool {
        const STOP: u8 = 1;
        const ZERO: u8 = 2;
        // The kinds of blanks that each blank rules out. Blocks of 16 bytes without a branch are vectorised completely.
        // A loop over all bytes has a scalar tail. The last block overlaps the one before it.
        let mut ruled_out = [0; 16];
        for at in (0..N).step_by(16).map(|at| at.min(N - 16)) {
            let block: [u8; 16] = *text[at..].first_chunk().expect("16 bytes");
            for (i, byte) in block.into_iter().enumerate() {
                let value = byte.wrapping_sub(b'0');
                let is_blank = value.wrapping_sub(1) >= 9;
                digits[at + i] = if is_blank { 0 } else { value };
                let kind = if byte == b'.' { STOP } else { 0 } | if value == 0 { ZERO } else { 0 };
                ruled_out[i] |= if is_blank { !kind } else { 0 };
            }
        }
        ruled_out.iter().fold(0, |all, kinds| all | kinds) & (STOP | ZERO) != STOP | ZERO
    }
}
