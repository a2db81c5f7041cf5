//! Sudoku puzzles by the million.
//!
//! # One puzzle
//!
//! ```
//! let solution =
//!     rapidoku::solve("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")?;
//! println!("{solution:#}");
//! # Ok::<(), rapidoku::SolveError>(())
//! ```
//!
//! # Many puzzles
//!
//! [`Solver`] solves slices of puzzles, one puzzle per SIMD lane, on all cores:
//!
//! ```
//! use rapidoku::{Puzzle, Solver, Status};
//!
//! let puzzles = vec![Puzzle::EMPTY; 1000];
//! let outcomes = Solver::new().solve(&puzzles);
//! assert!(outcomes.iter().all(|outcome| outcome.status == Status::Multiple));
//! ```
//!
//! # All solutions of a puzzle
//!
//! ```
//! use rapidoku::Puzzle;
//!
//! for solution in Puzzle::EMPTY.solutions().take(3) {
//!     println!("{solution}");
//! }
//! ```
//!
//! [`Solver::enumerate`] finds the solutions of many puzzles, and several times as many per second.
//!
//! # Files
//!
//! With the feature `file`, a `rapidoku::file::Run` reads files and streams of puzzles in many formats, solves them on
//! all cores and writes one row per record, in order.
//!
//! # Features
//!
//! | feature | default | meaning |
//! |---|---|---|
//! | `parallel` | yes | [`Solver`] uses all cores (rayon) |
//! | `dedup` | | the module `dedup`: duplicates among puzzles; `file` includes it |
//! | `file` | | the module `file`: formats, batches, ordered output |
//! | `gzip`, `zip`, `zstd` | | compressed inputs and outputs of `file`; `zstd` needs a C compiler |
//! | `serde` | | `Serialize` and `Deserialize` for the main types |
//!
//! # Errors and safety
//!
//! A bad record is data: it has the status [`Status::Invalid`] and keeps its place. Only a file that cannot be read or
//! written is an error. `unsafe` code is confined to vector operations, and to the mapping and closing of files.
//! `docs/architecture.md` describes the modules.
#![deny(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub use rapidoku_engine::{grid, verify};
#[cfg(feature = "file")]
#[doc(inline)]
pub use rapidoku_file as file;
#[cfg(feature = "dedup")]
pub use rapidoku_generate::dedup;
pub use rapidoku_generate::{canon, generate};
pub use rapidoku_rating::{explain, rating};

pub use rapidoku_engine::cancel::{CancelToken, Cancelled};
pub use rapidoku_engine::grid::{Candidates, Puzzle, PuzzleError, Solution};
pub use rapidoku_engine::outcome::{BLANK_ROW, Limits, Outcome, Outcomes, PuzzleSlice, ROW, Status};
pub use rapidoku_engine::simd::SimdLevel;
pub use rapidoku_engine::solutions::Solutions;
pub use rapidoku_engine::solver::{Engine, SolveError, Solver, solve};
pub use rapidoku_engine::text::parse_texts;
pub use rapidoku_rating::explain::Explanation;

/// The examples of the README and of the guide to the library, as tests. One of them needs the feature `dedup`.
#[cfg(all(doctest, feature = "dedup"))]
#[doc = include_str!("../README.md")]
#[doc = include_str!("../docs/library.md")]
struct Readme;
