//! Items shared with `rapidoku-cli`. No stability promise: they may change in any release.

pub use super::describe::{guess_group, technique_names};
pub use super::escape::escape;
pub use super::grid_text::{GridText, NOT_PUZZLE, push_grid};
pub use super::record::batch::{Batch, BatchReader, Origin, ReadOptions};
pub use super::record::has_long_run;
pub use super::refusal::quote;
pub use super::run::{MAX_BATCH, REPORTED};
pub use super::temporary::{temp_dir, temporary};
pub use super::threads::{MAX_THREADS, count as thread_count, pool as thread_pool};
pub use super::write::TempFile;
pub use super::write::row::{Row, push_npy_row, push_number};
pub use crate::copies::{Original, append_copies};
