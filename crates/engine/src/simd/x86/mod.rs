//! AVX-512, AVX2, and SSE2.
#![allow(unsafe_code)]

mod avx2;
mod avx512;
mod avx512_bytes;
mod bytes;
mod sse2;

use core::arch::x86_64::{__m128, __m128i, __m256, __m256i, __m512, __m512i};

pub(super) use avx2::Avx2;
pub use avx512::Avx512;
pub use avx512_bytes::Avx512Bytes;

/// The token of an instruction set, its constants, its detection and its entry points, from one list of features.
macro_rules! level {
    ($(#[$doc:meta])* $token:ident $name:literal $tuning:expr, $($feature:tt)*) => {
        level!(@bytes $(#[$doc])* $token $($feature)*);

        impl Simd for $token {
            const NAME: &str = $name;
            const TUNING: Tuning = $tuning;

            level!(@entry run ($crate::simd::Kernel) $token $($feature)*);
            level!(@entry #[inline(never)] step ($crate::simd::Step<$token>) $token $($feature)*);
        }
    };
    // For kernels on vectors of bytes only.
    (@bytes $(#[$doc:meta])* $token:ident $($feature:tt)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $token(());

        impl $token {
            /// The token, if this machine has all features.
            pub fn detect() -> Option<$token> {
                (true $(&& is_x86_feature_detected!($feature))*).then_some($token(()))
            }

            level!(@entry pub run_bytes ($crate::simd::ByteKernel) $token $($feature)*);
        }
    };
    // Runs a kernel in a function compiled for this instruction set.
    (@entry $(#[$inline:meta])? $visibility:vis $run:ident ($kernel:path) $token:ident $($feature:tt)*) => {
        #[inline(always)]
        $visibility fn $run<K: $kernel>(self, kernel: K) -> K::Output {
            $(#[target_feature(enable = $feature)])*
            $(#[$inline])?
            fn entry<K: $kernel>(simd: $token, kernel: K) -> K::Output {
                kernel.run(simd)
            }
            // SAFETY: the machine has the features that `entry` enables: `self` was made by `detect`, which has checked
            // the same list.
            unsafe { entry(self, kernel) }
        }
    };
}
use level;

/// Calls one intrinsic, for example `op!(_mm256_slli_epi32::<3>(a))`. Arguments are evaluated outside the `unsafe`
/// block.
///
/// Only for methods of a token, with intrinsics that need no features other than those of the token. An intrinsic that
/// takes a pointer does not compile here, see [`Operand`].
macro_rules! op {
    (@bind $intrinsic:ident [$($n:tt)?] [$($x:ident)*] $arg:expr, $($rest:tt)*) => {{
        // Hygiene makes each `x` another variable.
        let x = $crate::simd::x86::Operand::by_value($arg);
        op!(@bind $intrinsic [$($n)?] [$($x)* x] $($rest)*)
    }};
    (@bind $intrinsic:ident [$($n:tt)?] [$($x:ident)*]) => {
        // SAFETY: the machine has the features of the intrinsic: the caller is a method of a token, and tokens are made
        // by `detect` alone, except that of SSE2. There is no other requirement: by `Operand`, the arguments contain
        // no pointers.
        unsafe { core::arch::x86_64::$intrinsic $(::<$n>)? ($($x),*) }
    };
    ($intrinsic:ident $(::<$n:tt>)? ($($arg:expr),* $(,)?)) => {
        op!(@bind $intrinsic [$($n)?] [] $($arg,)*)
    };
}
use op;

/// Methods of a token that load or store a vector: `load NAME: &TYPE => VECTOR = INTRINSIC;` and `store NAME: VECTOR =>
/// &mut TYPE = INTRINSIC;`. An intrinsic that needs alignment is for types with this alignment only.
macro_rules! memory {
    ($(load $load:ident: &$from:ty => $loaded:ty = $load_intrinsic:ident;)*
     $(store $store:ident: $stored:ty => &mut $to:ty = $store_intrinsic:ident;)*) => {
        $(
            #[inline(always)]
            fn $load(self, from: &$from) -> $loaded {
                const { assert!(size_of::<$from>() == size_of::<$loaded>()) };
                // SAFETY: `self` proves the features, the reference is valid for the size of the vector, and its type
                // has the alignment that the intrinsic needs.
                unsafe { core::arch::x86_64::$load_intrinsic(std::ptr::from_ref(from).cast()) }
            }
        )*
        $(
            #[inline(always)]
            fn $store(self, v: $stored, to: &mut $to) {
                const { assert!(size_of::<$to>() == size_of::<$stored>()) };
                // SAFETY: as above.
                unsafe { core::arch::x86_64::$store_intrinsic(std::ptr::from_mut(to).cast(), v) }
            }
        )*
    };
}
use memory;

/// The types that intrinsics take by value. Pointers are not among them.
trait Operand: Sized {
    #[inline(always)]
    fn by_value(self) -> Self {
        self
    }
}

macro_rules! operands {
    ($($type:ty)*) => { $(impl Operand for $type {})* };
}
operands!(i8 i16 i32 i64 u8 u16 u32 u64 __m128 __m128i __m256 __m256i __m512 __m512i);
