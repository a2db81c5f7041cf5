//! Hashes of datasets and outcomes.

/// FNV-1a with 64 bits. Not fast, but simple enough that anyone can reproduce a hash.
/// Source: Fowler, Noll and Vo; the 1a variant multiplies after the exclusive or.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Fnv(u64);

impl Fnv {
    pub const START: Fnv = Fnv(0xcbf2_9ce4_8422_2325);

    pub fn of(bytes: &[u8]) -> Fnv {
        let mut hash = Fnv::START;
        hash.add(bytes);
        hash
    }

    pub fn hex(self) -> String {
        format!("{:016x}", self.0)
    }

    pub fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
