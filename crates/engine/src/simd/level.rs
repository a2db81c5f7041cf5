//! Levels: instruction sets by name, chosen at run time.

use std::fmt;

use super::{ByteKernel, Kernel, Portable, Simd};

#[cfg(target_arch = "x86_64")]
use super::x86::{Avx2, Avx512, Avx512Bytes};

/// An instruction set that this machine has.
///
/// All values other than [`SimdLevel::PORTABLE`] come from detection, so a value proves that its instructions are
/// available.
#[derive(Clone, Copy, Debug)]
pub struct SimdLevel(Kind);

#[derive(Clone, Copy, Debug)]
enum Kind {
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512, Option<Avx512Bytes>),
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    Portable,
}

/// An expression of the token of a level.
macro_rules! with_token {
    ($level:expr, |$token:ident| $x:expr) => {
        match $level.0 {
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512($token, _) => $x,
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2($token) => $x,
            Kind::Portable => {
                let $token = Portable;
                $x
            }
        }
    };
}

impl SimdLevel {
    /// The baseline of the target, in vectors of 128 bits; every machine has it.
    pub const PORTABLE: SimdLevel = SimdLevel(Kind::Portable);

    /// The widest level of this machine.
    pub fn detect() -> SimdLevel {
        Self::available()[0]
    }

    /// All levels of this machine, widest first.
    pub fn available() -> Vec<SimdLevel> {
        let mut levels = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            levels.extend(Avx512::detect().map(|token| SimdLevel(Kind::Avx512(token, Avx512Bytes::detect()))));
            levels.extend(Avx2::detect().map(|token| SimdLevel(Kind::Avx2(token))));
        }
        levels.push(Self::PORTABLE);
        levels
    }

    /// The names of the levels of this target, widest first, whether or not this machine has them.
    pub const fn compiled() -> &'static [&'static str] {
        #[cfg(target_arch = "x86_64")]
        return &[Avx512::NAME, Avx2::NAME, Portable::NAME];
        #[cfg(not(target_arch = "x86_64"))]
        return &[Portable::NAME];
    }

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        fn name<S: Simd>(_: S) -> &'static str {
            S::NAME
        }
        with_token!(self, |token| name(token))
    }

    /// Puzzles per vector.
    pub fn lanes(self) -> usize {
        fn lanes<S: Simd>(_: S) -> usize {
            S::LANES
        }
        with_token!(self, |token| lanes(token))
    }

    /// Runs a kernel on this level.
    #[doc(hidden)]
    pub fn run<K: Kernel>(self, kernel: K) -> K::Output {
        with_token!(self, |token| token.run(kernel))
    }

    /// Runs a kernel on vectors of bytes on this level. With AVX-512, it uses the byte permutations of later processors
    /// where the machine has them.
    #[doc(hidden)]
    pub fn run_bytes<K: ByteKernel>(self, kernel: K) -> K::Output {
        #[cfg(target_arch = "x86_64")]
        if let Kind::Avx512(_, Some(token)) = self.0 {
            return token.run_bytes(kernel);
        }
        with_token!(self, |token| token.run_bytes(kernel))
    }
}

/// The widest level of this machine.
impl Default for SimdLevel {
    fn default() -> SimdLevel {
        SimdLevel::detect()
    }
}

impl PartialEq for SimdLevel {
    fn eq(&self, other: &SimdLevel) -> bool {
        self.name() == other.name()
    }
}

impl Eq for SimdLevel {}

impl fmt::Display for SimdLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
