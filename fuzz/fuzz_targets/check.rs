//! See `rapidoku_fuzz::check`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rapidoku_fuzz::check(bytes));
