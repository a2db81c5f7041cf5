//! The engine of `rapidoku`: grids, vector operations, the solver. The crate `rapidoku` has the parts for users, and
//! only their interface is stable.
#![deny(unsafe_code)]
#![allow(rustdoc::private_intra_doc_links, reason = "they are for readers of the source")]

pub mod cancel;
#[doc(hidden)]
pub mod copies;
pub mod grid;
#[doc(hidden)]
pub mod lanes;
pub mod outcome;
#[doc(hidden)]
pub mod parallel;
mod restart;
mod scalar;
#[cfg(feature = "serde")]
mod serialize;
pub mod simd;
pub mod solutions;
pub mod solver;
pub mod text;
pub mod verify;
