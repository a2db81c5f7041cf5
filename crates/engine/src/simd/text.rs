//! Operations on bytes of text.

use std::array::from_fn;

use super::Vector;

/// Operations on bytes of text.
pub trait Text: Vector {
    /// Writes the values of ASCII digits to `digits` and zero for every other byte. Returns whether all bytes are
    /// digits, or all are digits from 1 and full stops.
    #[inline(always)]
    fn digits<const N: usize>(self, text: &[u8; N], digits: &mut [u8; N]) -> bool {
        const STOP: u8 = 1;
        const ZERO: u8 = 2;
        // The kinds of blanks that each blank rules out, in blocks that the compiler makes vectors of. The last one
        // ends with the text.
        let mut ruled_out = [0; 16];
        for block in 0..N.div_ceil(16) {
            let at = (16 * block).min(N - 16);
            let bytes: [u8; 16] = *text[at..].first_chunk().expect("a block is in the text");
            let values = bytes.map(|byte| byte.wrapping_sub(b'0'));
            let blanks = values.map(|value| if value.wrapping_sub(1) >= 9 { u8::MAX } else { 0 });
            for i in 0..16 {
                let kind = if bytes[i] == b'.' { STOP } else { 0 } | if values[i] == 0 { ZERO } else { 0 };
                ruled_out[i] |= blanks[i] & !kind;
            }
            digits[at..at + 16].copy_from_slice(&from_fn::<_, 16, _>(|i| values[i] & !blanks[i]));
        }
        ruled_out.iter().fold(0, |all, kinds| all | kinds) & (STOP | ZERO) != STOP | ZERO
    }
}
