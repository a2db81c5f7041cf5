//! See `rapidoku_fuzz::foreign`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rapidoku_fuzz::foreign(bytes));
