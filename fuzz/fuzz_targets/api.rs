//! See `rapidoku_fuzz::api`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rapidoku_fuzz::api(bytes));
