//! See `rapidoku_fuzz::grids`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rapidoku_fuzz::grids(bytes));
