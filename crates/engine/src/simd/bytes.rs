//! Operations on vectors of 16 bytes.

/// Vectors of 16 bytes: lines of a grid, and permutations of nine places. Operations are byte by byte unless they say
/// otherwise.
pub trait Bytes: Copy {
    /// 16 bytes in a register.
    type B: Copy;

    fn load_bytes(self, bytes: &[u8; 16]) -> Self::B;
    fn bytes_of(self, v: Self::B) -> [u8; 16];
    /// `x` in each byte.
    fn splat_byte(self, x: u8) -> Self::B;

    /// Byte `i` of the result is the byte of `table` whose index is byte `i` of `at`, which is below 16.
    fn lookup(self, table: Self::B, at: Self::B) -> Self::B;
    /// The same for the first eight bytes; the others are unspecified.
    #[inline(always)]
    fn lookup_eight(self, table: Self::B, at: Self::B) -> Self::B {
        self.lookup(table, at)
    }
    fn and_bytes(self, a: Self::B, b: Self::B) -> Self::B;
    fn or_bytes(self, a: Self::B, b: Self::B) -> Self::B;
    /// `a + b`, wrapping.
    fn add_bytes(self, a: Self::B, b: Self::B) -> Self::B;
    fn min_bytes(self, a: Self::B, b: Self::B) -> Self::B;
    fn max_bytes(self, a: Self::B, b: Self::B) -> Self::B;
    /// `a` where `mask` is all ones, `b` where it is zero.
    fn select_bytes(self, mask: Self::B, a: Self::B, b: Self::B) -> Self::B;
    /// All ones where `a` is `b`, else zero.
    fn equal_bytes(self, a: Self::B, b: Self::B) -> Self::B;
    /// The mask of bytes whose highest bit is set.
    fn high_bits(self, a: Self::B) -> u32;
    /// Bits 2 to 5.
    fn middle_bits(self, a: Self::B) -> Self::B;

    /// For each group of four bytes the sum of their products with `weights`, which are below 128, as little-endian
    /// words; the sums of two neighbours are below 2^15.
    fn weighted_sums(self, a: Self::B, weights: &[u8; 16]) -> Self::B;
    /// The first eight bytes as a number, the first byte lowest.
    fn first_number(self, a: Self::B) -> u64;
    /// The first ten bytes, all below 16, as the ten highest digits of a hexadecimal number, the first byte highest.
    /// The other bytes are zero.
    fn ten_nibbles(self, a: Self::B) -> u64;
}
