//! Vectors in memory.

/// The lanes of one vector in memory.
pub trait Row: Copy {
    const ZERO: Self;
    fn lanes(&self) -> &[u32];
    fn lanes_mut(&mut self) -> &mut [u32];
}

/// Defines a row of `N` lanes with the size of its vector as alignment. Aligning every row to 64 bytes leaves gaps, and
/// is 0 to 3 % slower with AVX2 and 128 bits.
macro_rules! row {
    ($name:ident, $lanes:literal lanes, $bytes:literal bytes) => {
        /// A vector in memory.
        #[derive(Clone, Copy, Debug)]
        #[repr(C, align($bytes))]
        pub struct $name(pub(super) [u32; $lanes]);

        impl Row for $name {
            const ZERO: Self = $name([0; $lanes]);

            #[inline(always)]
            fn lanes(&self) -> &[u32] {
                &self.0
            }

            #[inline(always)]
            fn lanes_mut(&mut self) -> &mut [u32] {
                &mut self.0
            }
        }
    };
}

row!(Row4, 4 lanes, 16 bytes);
#[cfg(target_arch = "x86_64")]
row!(Row8, 8 lanes, 32 bytes);
#[cfg(target_arch = "x86_64")]
row!(Row16, 16 lanes, 64 bytes);
