//! Ratings and solution steps of `rapidoku`.
#![forbid(unsafe_code)]

pub mod explain;
pub mod rating;
#[cfg(feature = "serde")]
mod serialize;

use rapidoku_engine::{cancel, grid, outcome, parallel, simd, solver};
