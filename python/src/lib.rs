//! The Python package `rapidoku`: the library for columns of puzzles in Arrow, NumPy and lists.
//!
//! A call takes these steps:
//!
//! ```text
//! Python object ──► Input ──► Source ──► chunks ──► Table ──► Python object
//!                   input/               run         output/
//!                                        functions/
//! ```
//!
//! `input` recognises the object and borrows or copies its texts or cells. A function splits its rows into chunks, which
//! `run` hands to threads that do not hold the GIL, and collects columns. `output` converts the columns to what the caller
//! uses: Arrow, lists or NumPy.
//!
//! Memory for rows is allocated by `memory`, which returns an error if there is not enough.
//!
//! `unsafe` is confined to `capsule` (the C interface of Arrow), `memory` (advice to the kernel, and mappings that check for memory), one function of
//! `output::arrow` (strings that are known to be ASCII) and `output::lists` (constructors of Python objects that return an error if there is no memory).
#![deny(unsafe_code)]

mod capsule;
mod functions;
mod input;
mod memory;
mod options;
mod output;
mod run;

/// Solves Sudoku puzzles by the million. See the package `rapidoku`, which documents these functions.
#[pyo3::pymodule(gil_used = false)]
mod _rapidoku {
    #[pymodule_export]
    use crate::functions::{
        canon::canon, convert::convert, dedup::dedup, dedup::overlap, explain::explain, generate::generate,
        generate::generate_grids, minimize::minimize, permute::permute, rate::rate, read::read_puzzles,
        solutions::Solutions, solutions::solutions, solve::check, solve::count, solve::solve, split::split,
        verify::verify,
    };
    #[pymodule_export]
    use crate::output::arrow::{ArrowColumn, ArrowTable, unpickle};

    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
