//! The promises of the crate, a module each.

mod grid;
mod samples;
mod scalar;
mod verify;
