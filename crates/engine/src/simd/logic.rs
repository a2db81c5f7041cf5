//! Bitwise functions of three operands.

use super::Vector;

/// Bitwise functions of three operands, composed of operations of two. AVX-512 has one instruction for all of them.
pub trait Logic: Vector {
    inline! {
        /// `a & b & c`
        fn and3(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V = self.and(self.and(a, b), c);
        /// `a | b | c`
        fn or3(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V = self.or(self.or(a, b), c);
        /// `a ^ b ^ c`
        fn xor3(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V = self.xor(self.xor(a, b), c);
        /// `a | (b & c)`
        fn or_and(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V = self.or(a, self.and(b, c));
        /// `a | (b ^ c)`
        fn or_xor(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V = self.or(a, self.xor(b, c));
        /// `a & !(b | c)`
        fn and_nor(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V = self.and_not(a, self.or(b, c));
        /// `a & !(b & c)`
        fn and_nand(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V = self.and_not(a, self.and(b, c));
        /// `a & (b | !c)`
        fn and_or_not(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V = self.and_not(a, self.and_not(c, b));
        /// `(a | b) & c`
        fn or_then_and(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V = self.and(self.or(a, b), c);
    }
    /// The bits set in at least two of the three.
    #[inline(always)]
    fn majority(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        self.or(self.and(a, b), self.and(self.or(a, b), c))
    }
    /// `(mask & a) | (!mask & b)`
    #[inline(always)]
    fn select(self, mask: Self::V, a: Self::V, b: Self::V) -> Self::V {
        self.or(self.and(mask, a), self.and_not(b, mask))
    }
}
