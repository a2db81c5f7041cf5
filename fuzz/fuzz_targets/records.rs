//! See `rapidoku_fuzz::records`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rapidoku_fuzz::records(bytes));
