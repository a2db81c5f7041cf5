//! The parts of the program `rapidoku` that are compiled for speed: what its commands do with each record. It is not an
//! API: use the crate [`rapidoku`] instead.
//!
//! The other parts are compiled for a short build. Types that implement
//! [`Columns`](rows::Columns) or [`Job`](rapidoku::file::Job) have no type parameters: their code would be generated in
//! the program.
//!
//! | module | content |
//! |---|---|
//! | [`canon`], [`check`], [`count`], [`rate`], [`verify`] | the columns of these commands |
//! | [`convert`], [`enumerate`], [`explain`], [`generate`], [`minimize`], [`permute`] | the jobs of these commands |
//! | [`rows`] | the job of commands that write a text or a row for each record |
//! | [`solver`] | the solvers by name |
//! | [`hash`] | hashes of texts and outcomes, for `bench` |
//! | [`historical`] | seven small solvers published by other authors |
//! | `memory` | the allocator: clean-up after a failed allocation |
#![deny(unsafe_code)]

pub mod canon;
pub mod check;
pub mod convert;
pub mod count;
pub mod enumerate;
pub mod explain;
pub mod generate;
pub mod hash;
pub mod historical;
#[cfg(unix)]
pub mod memory;
pub mod minimize;
pub mod permute;
pub mod rate;
pub mod rows;
pub mod solver;
pub mod verify;

/// The exit code of an error that ends the program.
pub const FAILURE: u8 = 2;
