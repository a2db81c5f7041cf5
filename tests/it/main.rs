//! One binary for all integration tests, a module for each promise.

mod support;

mod bench;
mod cli;
mod input;
mod output;
mod pipeline;
mod record;
mod trouble;
