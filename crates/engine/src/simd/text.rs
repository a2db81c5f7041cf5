//! Operations on bytes of text.

use super::Vector;

/// Operations on bytes of text.
pub trait Text: Vector {
    /// Writes the values of ASCII digits to `digits` and zero for every other byte. Returns whether all bytes are
    /// digits, or all are digits from 1 and full stops.
    #[inline(always)]
    fn digits<const N: usize>(self, text: &[u8; N], digits: &mut [u8; N]) -> bool {
        // Without a branch in the loop, so that the compiler vectorises it.
        let (mut other, mut zero, mut stop) = (0, 0, 0);
        for (digit, &byte) in digits.iter_mut().zip(text) {
            let value = byte.wrapping_sub(b'0');
            *digit = if value <= 9 { value } else { 0 };
            zero |= (value == 0) as u8;
            stop |= (byte == b'.') as u8;
            other |= ((value > 9) & (byte != b'.')) as u8;
        }
        other | (zero & stop) == 0
    }
}
