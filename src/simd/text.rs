//! Operations on bytes of text.

#[cfg(feature = "file")]
use wide::u8x16;

use super::Vector;

/// Operations on bytes of text.
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

/// The positions of a byte in a block of 64, as a mask. The same code for all levels: it reads text that has just come from
/// memory, which takes longer.
#[cfg(feature = "file")]
#[inline]
pub(crate) fn equal_bytes(block: &[u8; 64], byte: u8) -> u64 {
    let (quarters, _) = block.as_chunks::<16>();
    let mask = |quarter: &[u8; 16]| u64::from(u8x16::new(*quarter).simd_eq(u8x16::splat(byte)).to_bitmask());
    quarters.iter().rev().fold(0, |masks, quarter| masks << 16 | mask(quarter))
}

#[cfg(all(test, feature = "file"))]
mod tests {
    use super::*;

    #[test]
    fn each_position_has_its_bit() {
        let block: [u8; 64] = std::array::from_fn(|k| [0, b'"', 255, b'\n'][k % 7 % 4]);
        for byte in [0, b'"', 255, b'\n', 1] {
            let expected = (0..64).filter(|k| block[*k] == byte).map(|k| 1 << k).sum::<u64>();
            assert_eq!(equal_bytes(&block, byte), expected, "{byte}");
        }
    }
}
