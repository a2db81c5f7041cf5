//! One binary for all integration tests, a module for each promise.

mod samples;
mod support;

mod baseline;
mod bench;
mod cli;
mod contest;
mod grid;
mod input;
mod lanes;
#[cfg(unix)]
mod output;
mod pipeline;
mod record;
mod scalar;
#[cfg(unix)]
mod trouble;
mod verify;
