//! See `rapidoku_fuzz::arrays`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rapidoku_fuzz::arrays(bytes));
