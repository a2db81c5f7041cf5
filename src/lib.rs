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
//! [`Solver::enumerate`] finds the solutions of many puzzles, and several times as many per second. [`Explanation`]
//! tells why a puzzle has none or several.
//!
//! # Ratings
//!
//! A [`rating::Rater`] gives ratings on the scale of Sudoku Explainer, one by one or, with `rate_all`, for many
//! puzzles:
//!
//! ```
//! use rapidoku::Puzzle;
//! use rapidoku::rating::Rater;
//!
//! let line = "8.2...645...2.4.894.9568.27.63...471..864..32..4..1.68.8..5.794..74..856945..6213";
//! let rating = Rater::new().rate(&line.parse::<Puzzle>()?);
//! assert_eq!(rating.er.to_string(), "6.9");
//! assert_eq!(rating.hardest().unwrap().name(), "forcing chain");
//! # Ok::<(), rapidoku::PuzzleError>(())
//! ```
//!
//! # Canonical forms
//!
//! Equivalent puzzles, and no others, have the same form. [`canon`] has three kinds of forms, and
//! [`canon::Canonicalizer`] computes many:
//!
//! ```
//! use rapidoku::{Puzzle, canon, grid::Symmetry};
//!
//! let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
//! let puzzle: Puzzle = line.parse()?;
//! let image = Symmetry::of_seed(42).puzzle(&puzzle);
//! assert_eq!(canon::minlex(&image)?.form, canon::minlex(&puzzle)?.form);
//! // The symmetry between two puzzles, if they are equivalent.
//! assert_eq!(canon::symmetry(&puzzle, &image)?.unwrap().puzzle(&puzzle), image);
//! # Ok::<(), rapidoku::PuzzleError>(())
//! ```
//!
//! # Random puzzles
//!
//! [`generate::Generator`] makes grids and puzzles, each from the seed and its number alone:
//!
//! ```
//! use rapidoku::CancelToken;
//! use rapidoku::generate::Generator;
//!
//! for (puzzle, solution) in Generator::new(2026).minimal(0..10, &CancelToken::new())? {
//!     println!("{puzzle},{solution}");
//! }
//! # Ok::<(), rapidoku::Cancelled>(())
//! ```
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

pub use rapidoku_engine::{grid, outcome, verify};
#[cfg(feature = "file")]
#[doc(inline)]
pub use rapidoku_file as file;
#[cfg(feature = "dedup")]
pub use rapidoku_generate::dedup;
pub use rapidoku_generate::{canon, generate};
pub use rapidoku_rating::{explain, rating};

pub use rapidoku_engine::cancel::{CancelToken, Cancelled};
pub use rapidoku_engine::grid::{Candidates, Puzzle, PuzzleError, Solution};
pub use rapidoku_engine::outcome::{Limits, Outcome, Outcomes, Status};
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
