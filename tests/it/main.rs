//! One binary for all integration tests, a module for each promise.

mod samples;
mod support;

mod baseline;
mod bench;
mod check;
mod cli;
mod contest;
mod enumerate;
mod explain;
mod formats;
mod grid;
mod input;
mod lanes;
#[cfg(unix)]
mod output;
mod packed;
mod pencilmarks;
mod pipeline;
mod record;
mod scalar;
mod technique;
#[cfg(unix)]
mod trouble;
mod verify;
mod verify_command;
