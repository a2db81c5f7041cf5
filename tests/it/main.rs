//! One binary for all integration tests, a module for each promise.

mod samples;
mod support;

mod bench;
mod check;
mod cli;
mod enumerate;
mod explain;
mod formats;
mod grid;
mod input;
mod lanes;
#[cfg(unix)]
mod output;
mod packed;
mod pipeline;
mod record;
mod scalar;
mod technique;
#[cfg(unix)]
mod trouble;
mod verify;
mod verify_command;
