//! Tests of what users of the library do not see: vector operations.

mod blocks;
mod copies;
mod simd;
