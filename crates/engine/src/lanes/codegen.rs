//! Control over the generated code.
//!
//! Optimised builds inline most of a search into one function for each instruction set. In unoptimised code every
//! temporary of every inlined function has a stack slot of its own, and that function would need a frame of 2 MiB
//! with AVX-512, as much as the whole stack of a Rust thread. So there these macros make calls, each with a small
//! frame. Optimised code cannot afford the calls: the closures are not compiled for the instruction set.

/// Evaluates an expression, in unoptimised builds in a frame of its own. The expression must not return or break.
#[cfg(not(unoptimised))]
macro_rules! own_frame {
    ($x:expr) => {
        $x
    };
}
#[cfg(unoptimised)]
macro_rules! own_frame {
    ($x:expr) => {
        $crate::lanes::codegen::call(|| $x)
    };
}
pub(super) use own_frame;

/// The body once for each value of the index, which is a constant.
///
/// LLVM keeps a loop of this size, and with it the arrays that are meant to live in registers.
macro_rules! unroll {
    ($i:ident in [$($at:literal),*] $body:block) => {
        $($crate::lanes::codegen::own_frame!({
            #[allow(non_upper_case_globals)]
            const $i: usize = $at;
            $body
        });)*
    };
}
pub(super) use unroll;

#[cfg(unoptimised)]
#[inline]
pub(super) fn call<T>(f: impl FnOnce() -> T) -> T {
    f()
}
