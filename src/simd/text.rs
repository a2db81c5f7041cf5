//! Operations on bytes of text.

use super::Vector;

/// Operations on bytes of text.
#[cfg_attr(not(feature = "file"), allow(dead_code, reason = "only files are parsed with vectors"))]
pub(crate) trait Text: Vector {
    /// Writes the values of ASCII digits to `digits` and zero for every other byte. Returns whether every other byte is a
    /// full stop.
    #[inline(always)]
    fn digits<const N: usize>(self, text: &[u8; N], digits: &mut [u8; N]) -> bool {
        // Without a branch in the loop, so that the compiler vectorises it.
        let mut other = 0;
        for (digit, &byte) in digits.iter_mut().zip(text) {
            let value = byte.wrapping_sub(b'0');
            *digit = if value <= 9 { value } else { 0 };
            other |= ((value > 9) & (byte != b'.')) as u8;
        }
        other == 0
    }
}
