//! rapidoku
#![deny(unsafe_code)]

pub mod engine;
pub mod grid;
pub mod record;
pub mod scalar;
pub mod verify;
