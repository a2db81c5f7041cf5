//! One binary for all integration tests of the program, a module for each topic.

#[allow(dead_code, reason = "the tests of the library need the rest")]
#[path = "../../../tests/it/samples.rs"]
mod samples;
mod support;

mod arguments;
mod bench;
mod bench_entries;
mod bench_report;
mod canon;
mod check;
mod cli;
#[cfg(unix)]
mod cluster;
mod control_characters;
mod convert;
mod dedup;
mod documents;
#[cfg(target_os = "linux")]
mod durable;
mod enumerate;
mod every_run_ends;
mod explain;
mod extensions;
#[cfg(unix)]
mod failures;
#[cfg(target_os = "linux")]
mod faults;
mod figures;
mod generate;
mod generate_modes;
#[cfg(target_os = "linux")]
mod generated_sets;
mod historical;
mod input;
mod inputs;
#[cfg(target_os = "linux")]
mod memory;
mod messages;
mod minimize;
mod named_files;
mod npy;
#[cfg(unix)]
mod output;
mod packed;
mod passthrough;
mod pencilmarks;
mod permute;
mod pipeline;
mod print;
mod rate;
mod sample;
mod shard;
mod shuffle;
mod split;
mod stats;
#[cfg(target_os = "linux")]
mod terminal;
mod validity;
mod verify_command;
mod version;
