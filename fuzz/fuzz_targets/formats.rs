//! See `rapidoku_fuzz::formats`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rapidoku_fuzz::formats(bytes));
