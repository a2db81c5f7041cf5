//! One binary for all integration tests of the library, a module for each topic.

#[cfg_attr(not(feature = "file"), allow(dead_code, reason = "texts are for the tests of `file`"))]
mod samples;
#[cfg_attr(not(feature = "file"), allow(dead_code, reason = "texts are for the tests of `file`"))]
mod support;

mod canon;
#[cfg(feature = "dedup")]
mod dedup;
#[cfg(feature = "file")]
mod differential;
mod enumerate;
mod explain;
#[cfg(feature = "file")]
mod file;
mod generate;
mod generate_modes;
mod grid;
mod grids;
mod lanes;
mod outcome;
#[cfg(feature = "file")]
mod page;
mod pencilmarks;
mod rating;
mod rating_reference;
#[cfg(feature = "file")]
mod record;
mod reference;
mod restart;
#[cfg(feature = "file")]
mod run;
mod scalar;
mod solver;
mod symmetry;
#[cfg(feature = "file")]
mod text;
mod verify;
