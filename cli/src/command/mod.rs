//! One file per command: its arguments and its job.

pub mod bench;
pub mod canon;
pub mod check;
pub mod convert;
pub mod count;
pub mod dedup;
pub mod enumerate;
pub mod explain;
pub mod generate;
pub mod minimize;
pub mod overlap;
pub mod pages;
pub mod permute;
pub mod rate;
pub mod sample;
pub mod shuffle;
pub mod solve;
pub mod split;
pub mod stats;
pub mod verify;
