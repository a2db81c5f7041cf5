//! One binary for all integration tests of the library, a module for each topic.

mod samples;
mod support;

mod grid;
mod lanes;
mod record;
mod scalar;
mod technique;
mod verify;
