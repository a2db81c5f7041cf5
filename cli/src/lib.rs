//! The command-line program as a library, so that its tests can reach inside. It is not an API: use the crate
//! [`rapidoku`] instead.
//!
//! | module | content |
//! |---|---|
//! | [`args`] | the arguments that commands share |
//! | [`mod@command`] | the command line, and one file per command: its arguments and its [`Job`](rapidoku::file::Job) |
//! | [`run`](mod@run) | runs a job: inputs, output, progress, diagnostics, statistics |
//! | `operands` | the inputs and outputs that the command line names |
//! | `files` | other files that it names, and the identity of files |
//! | `describe` | the output of `stats`: text, JSON, a page |
//! | `steps_page` | the page of `explain`: grids with candidates and chains |
//! | `print` | puzzles for print: a page, SVG, frames |
//! | `rows`, `compare` | arguments of commands that write a row for each record, copy or compare records |
//! | [`bench`](mod@bench) | the benchmark: its measurements, tables and report |
//! | `page` | HTML pages, and the plots of reports |
//! | [`number`], `origin` | numbers for people; the time and the command line |
//! | `weights` | the weights of generated puzzles in the statistics |
//! | `progress`, `error_report`, `stats_report` | the progress bar, the file of `--errors`, the statistics |
//! | [`exit`] | the exit codes |
//! | `signals` | clean-up after Ctrl-C, SIGTERM and SIGHUP; SIGBUS of mapped files; SIGXFSZ |
//! | `closed` | standard input and output that were closed at the start |
//! | [`stderr`] | messages |
//! | [`version`] | the text of `--version` |
#![deny(unsafe_code)]

pub mod args;
pub mod bench;
mod closed;
pub mod command;
mod compare;
mod describe;
mod error_report;
pub mod exit;
mod files;
pub mod number;
mod operands;
mod origin;
mod page;
mod print;
mod progress;
mod rows;
pub mod run;
mod signals;
mod stats_report;
pub mod stderr;
mod steps_page;
pub mod version;
mod weights;

pub use command::{command, run};
