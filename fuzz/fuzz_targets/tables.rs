//! See `rapidoku_fuzz::tables`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rapidoku_fuzz::tables(bytes));
