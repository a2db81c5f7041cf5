//! rapidoku
#![deny(unsafe_code)]
// The module pages explain how things work to whoever reads the source, private items by name.
#![allow(rustdoc::private_intra_doc_links)]

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
pub mod stats;
pub mod verify;

/// The examples of the README, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
