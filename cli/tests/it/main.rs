//! One binary for all integration tests of the program, a module for each topic.

#[allow(dead_code, reason = "the tests of the library need the rest")]
#[path = "../../../tests/it/samples.rs"]
mod samples;
mod support;

mod bench;
mod bench_entries;
mod check;
mod cli;
mod enumerate;
mod explain;
mod formats;
mod historical;
mod hostile;
mod input;
#[cfg(unix)]
mod output;
mod packed;
mod passthrough;
mod pencilmarks;
mod pipeline;
mod quotes;
mod rate;
#[cfg(unix)]
mod trouble;
mod verify_command;
