//! Vectors in memory.

/// The lanes of one vector in memory.
pub(crate) trait Row: Copy {
    const ZERO: Self;
    fn lanes(&self) -> &[u32];
    fn lanes_mut(&mut self) -> &mut [u32];
}

/// `N` lanes, aligned for any instruction set.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct Aligned<const N: usize>(pub(super) [u32; N]);

impl<const N: usize> Row for Aligned<N> {
    const ZERO: Self = Aligned([0; N]);

    #[inline(always)]
    fn lanes(&self) -> &[u32] {
        &self.0
    }

    #[inline(always)]
    fn lanes_mut(&mut self) -> &mut [u32] {
        &mut self.0
    }
}
