//! Sudoku puzzles by the million: a file of puzzles in, a file of solutions out.
//!
//! # The way of a puzzle
//!
//! | stage | module | what happens |
//! |---|---|---|
//! | 1 bytes | [`input`] | a file is mapped, a pipe is read, an archive is unpacked |
//! | 2 batches, records | `batch`, [`record`] | bytes are cut between records into numbered batches, lines, fields or grids become puzzles |
//! | 3 lanes | [`engine`] | a batch of puzzles becomes a batch of outcomes, 4, 8 or 16 puzzles side by side |
//! | 4 outcomes | [`job`] | what a command makes of a batch and its outcomes: rows, counts, faults, ratings |
//! | | [`pipeline`] | takes batches through the engine on all threads, and owns the memory bound |
//! | 5 ordered output | `order`, [`output`] | batches leave in the order in which they came; a file appears when it is whole |
//! | 6 statistics | [`stats`] | counts and times, plain data |
//!
//! Around it: [`grid`] has the vocabulary (puzzles, solutions, outcomes, cells, houses, peers) and depends on
//! nothing; [`simd`] is the thin vocabulary of vector operations that the engine is written in; [`scalar`]
//! solves one puzzle at a time and [`verify`] checks solutions, and neither shares anything with the engine,
//! so that each can be held against the others; [`baseline`] has seven solvers of old, rivals and oracles;
//! [`technique`] solves as people do and [`mod@explain`] tells them why; [`bench`](mod@bench) measures.
//!
//! Trouble with a record is an [`Outcome`](grid::Outcome): it keeps its place, and the run goes on. Trouble with
//! a file is an [`Error`](error::Error): the run ends, and no half-written file is left under its name.
//!
//! `unsafe` is in two rooms only: the vector operations, and the mapping of files.
//!
//! # Solving a few puzzles
//!
//! ```
//! use rapidoku::engine::Search;
//! use rapidoku::grid::{Puzzle, Status};
//! use rapidoku::scalar;
//!
//! let puzzle: Puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
//! let answer = scalar::solve(&puzzle, Search { limit: 2, max_guesses: u64::MAX });
//! assert_eq!(answer.status, Status::Unique);
//! println!("{:#}", answer.solution.unwrap());
//! # Ok::<(), rapidoku::grid::Invalid>(())
//! ```
//!
//! For many puzzles, [`Engine::solve`](engine::Engine::solve) takes a slice of them, and
//! [`pipeline::run`] whole files.
#![deny(unsafe_code)]

pub mod baseline;
mod batch;
pub mod bench;
pub mod engine;
pub mod error;
pub mod explain;
pub mod grid;
pub mod input;
pub mod job;
mod mapped;
mod order;
pub mod output;
mod pack;
mod pipe;
pub mod pipeline;
pub mod record;
mod room;
pub mod scalar;
pub mod simd;
pub mod stats;
pub mod technique;
pub mod threads;
mod unpack;
pub mod verify;

/// The examples of the README, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
