//! See `rapidoku_fuzz::packed`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rapidoku_fuzz::packed(bytes));
