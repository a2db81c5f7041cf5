//! One binary for all integration tests, a module for each promise.

mod support;

mod cli;
mod input;
#[cfg(unix)]
mod output;
mod pipeline;
mod record;
#[cfg(unix)]
mod trouble;
