//! One binary for all integration tests, a module for each promise.

mod bench;
