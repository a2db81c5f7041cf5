//! rapidoku
#![deny(unsafe_code)]

pub mod baseline;
mod batch;
pub mod bench;
pub mod engine;
pub mod error;
pub mod grid;
pub mod input;
mod order;
pub mod output;
pub mod pipeline;
pub mod record;
pub mod scalar;
pub mod simd;
pub mod stats;
pub mod verify;

/// The examples of the README, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
