//! See `rapidoku_fuzz::levels`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rapidoku_fuzz::levels(bytes));
