//! The commands: one file each.

pub mod bench;
pub mod check;
pub mod count;
pub mod enumerate;
pub mod explain;
pub mod pages;
pub mod rate;
pub mod solve;
pub mod verify;
