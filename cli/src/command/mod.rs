//! One file per command: its arguments and its job.

pub mod bench;
pub mod canon;
pub mod check;
pub mod convert;
pub mod count;
pub mod enumerate;
pub mod explain;
pub mod generate;
pub mod minimize;
pub mod pages;
pub mod permute;
pub mod rate;
pub mod solve;
pub mod verify;
