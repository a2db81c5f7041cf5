//! The functions of the package.

pub mod canon;
pub mod convert;
pub mod dedup;
pub mod explain;
pub mod generate;
pub mod minimize;
pub mod permute;
pub mod rate;
pub mod read;
pub mod solutions;
pub mod solve;
pub mod split;
pub mod verify;

use rapidoku::Status;

use crate::memory;
use crate::output::{Column, Values};

/// A column of statuses, each as its discriminant.
fn status_column(statuses: Vec<i8>) -> Column {
    Column::new("status", Values::Words(statuses, memory::few(Status::ALL.iter().map(|status| status.name()))))
}
