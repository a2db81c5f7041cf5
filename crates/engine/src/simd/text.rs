//! Operations on bytes of text.

use super::Vector;

/// Operations on bytes of text.
pub trait Text: Vector {
    /// Writes the values of ASCII digits to `digits` and zero for every other byte. Returns whether all bytes are
    /// digits, or all are digits from 1 and full stops.
    #[inline(always)]
    fn digits<const N: usize>(self, text: &[u8; N], digits: &mut [u8; N]) -> bool {
        // Without a branch in the loop, so that the compiler vectorises it, and with one reduction: the kinds of blanks
        // that each blank rules out.
        const STOP: u8 = 1;
        const ZERO: u8 = 2;
        let mut ruled_out = 0;
        for (digit, &byte) in digits.iter_mut().zip(text) {
            let value = byte.wrapping_sub(b'0');
            let is_blank = value.wrapping_sub(1) >= 9;
            *digit = if is_blank { 0 } else { value };
            let kind = if byte == b'.' { STOP } else { 0 } | if value == 0 { ZERO } else { 0 };
            ruled_out |= if is_blank { !kind } else { 0 };
        }
        ruled_out & (STOP | ZERO) != STOP | ZERO
    }
}
