//! See `rapidoku_fuzz::objects`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rapidoku_fuzz::objects(bytes));
