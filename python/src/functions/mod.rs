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
pub mod sets;
pub mod solutions;
pub mod solve;
pub mod stats;
pub mod verify;

use rapidoku::Status;

use crate::output::{Column, Values};

/// The words of a column of statuses.
const STATUSES: [&str; Status::ALL.len()] = {
    let mut words = [""; Status::ALL.len()];
    let mut k = 0;
    while k < words.len() {
        words[k] = Status::ALL[k].name();
        k += 1;
    }
    words
};

/// A column of statuses, each as its discriminant.
fn status_column(statuses: Vec<i8>) -> Column {
    Column::new("status", Values::Words(statuses, &STATUSES))
}
