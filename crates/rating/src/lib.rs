//! Ratings and solution steps of `rapidoku`.
#![forbid(unsafe_code)]

pub mod explain;
pub mod rating;
#[cfg(feature = "serde")]
mod serialize;

// The modules name those of the crates below by paths such as `crate::grid`.
use rapidoku_engine::{cancel, grid, outcome, parallel, simd, solver};
