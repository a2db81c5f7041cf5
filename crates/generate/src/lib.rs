//! Canonical forms, duplicates and generators of `rapidoku`.
#![forbid(unsafe_code)]

pub mod canon;
#[cfg(feature = "dedup")]
pub mod dedup;
pub mod generate;

// The modules name those of the crates below by paths such as `crate::grid`.
use rapidoku_engine::{cancel, grid, lanes, outcome, parallel, simd, solver};
use rapidoku_rating::rating;
