//! Batch processing of files and streams: records in, one row per record out, in order, on all cores.
//!
//! [`Run::start`] takes the records of its inputs through six stages:
//!
//! | stage | module | content |
//! |---|---|---|
//! | 1 bytes | `read` | memory-mapped files, streams, decompression |
//! | 2 records | `record` | recognition of the layout, batches that end at record boundaries, parsing |
//! | 3 outcomes | a [`Job`] | a worker solves the puzzles of a batch |
//! | 4 rows | a [`Job`] | the same worker formats the rows of the batch |
//! | 5 ordered output | `run`, `write` | batches are written in input order; a file appears when it is complete |
//! | 6 statistics | `stats` | counts and times |
//!
//! [`SolveRows`] and [`SolveGrids`] are jobs that solve puzzles; [`Sample`], [`Shuffle`] and [`Split`] select, reorder
//! and divide records, and [`Describe`] counts what is in them. [`Dedup`] finds duplicates, with two runs. To do
//! something else with each batch, implement [`Job`]; a [`Table`] writes its rows.
//!
//! An invalid record is data: it has the status [`Invalid`](crate::outcome::Status::Invalid), keeps its place in the
//! output and is reported by an [`Event`]. A file that cannot be read or written is an [`Error`] and ends the run.
//!
//! # Example
//!
//! Solve a CSV file. The first [`Run::reported`] invalid records are reported one by one:
//!
//! ```
//! use rapidoku::Solver;
//! use rapidoku::file::{Column, Event, Format, Output, Run, SolveRows};
//!
//! let folder = tempfile::tempdir()?;
//! let [input, output] = ["puzzles.csv", "solved.csv"].map(|name| folder.path().join(name));
//! std::fs::write(
//!     &input,
//!     "id,puzzle\n\
//!      a,53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n\
//!      b,none\n",
//! )?;
//!
//! let job = SolveRows::new(Solver::new())
//!     .format(Format::Csv)
//!     .columns([Column::Input("id".to_owned()), Column::Status, Column::Solution]);
//! let output_file = Output::create(&output)?;
//! let run = Run { reported: 10, ..Run::default() }.input(&input).output(output_file);
//! let mut reports = Vec::new();
//! let stats = run.start(&job, &mut |event| {
//!     if let Event::Invalid(record) = event {
//!         reports.push(format!("line {}: {}", record.line, record.reason));
//!     }
//! })?;
//!
//! assert_eq!((stats.records, stats.counts.unique, stats.counts.invalid), (2, 1, 1));
//! assert_eq!(reports, ["line 3: bad character 'n' in column 3"]);
//! assert_eq!(
//!     std::fs::read_to_string(&output)?,
//!     "id,status,solution\n\
//!      a,unique,534678912672195348198342567859761423426853791713924856961537284287419635345286179\n\
//!      b,invalid,\n"
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![deny(unsafe_code)]

mod dedup;
mod describe;
mod error;
mod escape;
mod grid_text;
#[doc(hidden)]
pub mod internal;
mod pipe;
mod ratings;
mod read;
mod record;
mod refusal;
mod run;
mod sets;
mod solve;
mod stats;
mod sync;
mod table;
mod temporary;
mod threads;
mod write;

pub use dedup::{Dedup, DedupStats, OverlapStats};
pub use describe::{Describe, Description, Duplicates, InputDescription};
pub use error::Error;
pub use ratings::Ratings;
pub use read::{Input, MapObserver, Mapping, OpenFile};
pub use record::{BatchView, ColumnRef, InputFormat, InputOptions, Layout, Records, Shard};
pub use run::generation::{GeneratedRows, Generation, MakeDocument, MakeRows};
pub use run::job::{BatchSolver, InputStart, Job, LastRows, Needs};
pub use run::{Event, InvalidRecord, Run};
pub use sets::drawn::{Sample, Shuffle};
pub use sets::split::Split;
pub use sets::strata::RatedClass;
pub use solve::{SolveGrids, SolveRows};
pub use stats::{Counts, Notes, Stats};
pub use table::{Column, Table, TableWriter, Value};
pub use write::row::Format;
pub use write::{Output, RowSink, Unfinished};

// The modules name those of the crates below by paths such as `crate::grid`.
use rapidoku_engine::{cancel, copies, grid, outcome, parallel, simd, solver, text, verify};
use rapidoku_generate::canon;
use rapidoku_rating::rating;
