//! The vector vocabulary of the lane engine, and the instruction sets that implement it.
//!
//! Algorithms are written once, generic over `Simd`, and run as a `Kernel` on a [`SimdLevel`]:
//!
//! | trait      | operations                                                                          |
//! |------------|-------------------------------------------------------------------------------------|
//! | `Vector`   | the core: memory, bitwise logic, arithmetic, shifts and comparisons of 32-bit lanes |
//! | `Logic`    | bitwise functions of three operands, one instruction each with AVX-512              |
//! | `Transfer` | permutations: blocks of bytes and stack entries to lanes and back, lane to lane     |
//! | `Text`     | bytes of text to digits                                                             |
//! | `Simd`     | all of these, and the entry point compiled for the instruction set                  |
//! | `Bytes`    | vectors of 16 bytes: lines of a grid, permutations of nine places                   |
//! | `Blocks`   | vectors of four such blocks: the lines of a chute; the cells of a grid              |
//!
//! A [`ByteKernel`] needs the last two only. Processors with AVX-512 of 2019 and later have byte permutations that the
//! first ones lack. `Kernel`s do not use them, so the lane engine is not compiled for them.
//!
//! `vector.rs`, `logic.rs`, `transfer.rs`, `text.rs`, `bytes.rs` and `blocks.rs` define the traits, `x86` and
//! `portable.rs` implement them, and the tests compare every operation of every level with plain arrays.
//!
//! A value that implements these traits is a token: it exists only where detection found the instructions, so code
//! built on it is safe. Operations are `#[inline(always)]`, and only `Simd::run` and `Simd::step` have
//! `#[target_feature]`. A helper that is not inlined into them loses the target features, and each of its intrinsics
//! becomes a call. The step `inlining` of `.ci/run` looks for such calls in the compiled crates.
//!
//! `unsafe` is allowed in `x86` and `prefetch.rs` here, and in `read/map.rs` and `write/sink.rs` of the crate
//! `rapidoku-file`.
//!
//! Prior art: the token as proof of CPU support is from fearless_simd, a small trait of vector operations implemented
//! per instruction set from memchr (`vector.rs`), and one input per lane from BLAKE3.

#![allow(missing_docs, reason = "all but the levels are hidden")]

/// Methods of one expression each, which are always inlined.
macro_rules! inline {
    ($(
        $(#[$doc:meta])*
        fn $name:ident $(<$(const $n:ident: $number:ty),+>)? ($self:ident $(, $arg:ident: $type:ty)*) -> $result:ty = $body:expr;
    )*) => { $(
        $(#[$doc])*
        #[inline(always)]
        fn $name $(<$(const $n: $number),+>)? ($self $(, $arg: $type)*) -> $result {
            $body
        }
    )* };
}

mod blocks;
mod bytes;
#[cfg(not(target_arch = "x86_64"))]
mod elsewhere;
mod level;
mod logic;
mod mask;
mod portable;
mod prefetch;
mod row;
mod text;
mod transfer;
mod tuning;
mod vector;
#[cfg(target_arch = "x86_64")]
#[doc(hidden)]
pub mod x86;

pub use level::SimdLevel;

#[doc(hidden)]
pub use self::{
    blocks::{Blocks, Four, Moves},
    bytes::Bytes,
    logic::Logic,
    mask::lanes,
    portable::Portable,
    prefetch::prefetch,
    row::Row,
    text::Text,
    transfer::{Gathered, Transfer, four_words, transposed_at},
    tuning::Tuning,
    vector::Vector,
};

/// Lanes of the widest level.
#[doc(hidden)]
pub const MOST_LANES: usize = 16;

/// An instruction set.
#[doc(hidden)]
pub trait Simd: Vector + Logic + Transfer + Text {
    /// The name on the command line.
    const NAME: &str;
    const TUNING: Tuning;

    /// Runs `kernel` in a function compiled for this instruction set.
    fn run<K: Kernel>(self, kernel: K) -> K::Output;

    /// Runs a part of a kernel in a function of its own, which is compiled once for all kernels of this instruction
    /// set: LLVM takes much longer for one large function than for two small ones.
    fn step<K: Step<Self>>(self, step: K) -> K::Output;
}

/// A computation that is generic over the instruction set.
///
/// A trait, since a closure cannot be generic.
#[doc(hidden)]
pub trait Kernel {
    type Output;

    /// Must be `#[inline(always)]`, to be compiled for the instruction set of `simd`.
    fn run<S: Simd>(self, simd: S) -> Self::Output;
}

/// A part of a kernel that is a function of its own.
#[doc(hidden)]
pub trait Step<S> {
    type Output;

    /// Must be `#[inline(always)]`, as that of a kernel.
    fn run(self, simd: S) -> Self::Output;
}

/// A [`Kernel`] on vectors of bytes.
#[doc(hidden)]
pub trait ByteKernel {
    type Output;

    /// Must be `#[inline(always)]`, to be compiled for the instruction set of `simd`.
    fn run<S: Blocks>(self, simd: S) -> Self::Output;
}
