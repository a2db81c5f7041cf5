//! From files and streams to files and streams: batches of records on all cores, one row out per record in.
//!
//! [`run`] takes the records of its inputs through these stages:
//!
//! | stage | module | what happens |
//! |---|---|---|
//! | 1 bytes | `read` | a file is mapped or read, a stream is read, an archive is unpacked |
//! | 2 records | `record` | the layout is recognised; bytes are cut between records into batches and parsed |
//! | 3 outcomes | a [`Job`] | a worker solves a batch of puzzles |
//! | 4 rows | a [`Job`] | the worker formats the rows of the batch |
//! | 5 ordered output | `run`, `write` | batches are written in the order of their records; a file appears when it is complete |
//! | 6 statistics | `stats` | counts and times |
//!
//! [`SolveRows`] and [`SolveGrids`] are ready-made jobs that solve puzzles.
//!
//! A bad record is data: it has the status `invalid`, keeps its place and is reported by an [`Event`]. A file that
//! cannot be read or written is an [`Error`] and ends the run.

mod error;
mod pipe;
mod read;
mod record;
mod run;
mod solve;
mod stats;
mod threads;
mod write;

pub use error::{Error, Message};
pub use read::{Input, MapObserver, Mapping};
pub use record::batch::{Batch, BatchReader, ReadOptions};
pub use record::{
    ColumnRef, Form, InputFormat, Layout, Records, Rows, is_separator, line_at, parse_line,
    skip_byte_order_mark,
};
pub use run::job::{BatchSolver, BatchView, Job, RowSink};
pub use run::{Config, Event, InvalidRecord, MAX_BATCH, REPORTED, run};
pub use solve::grids::SolveGrids;
pub use solve::{Column, SolveRows, puzzle_text};
pub use stats::{Counts, Stats};
pub use threads::{count as thread_count, pool as thread_pool};
pub use write::row::{Format, Row, push_number};
pub use write::{Output, TempFile, Unfinished};
