//! BFSHA: read, check, cover, write, extract, build, list, open, edit.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| unshade_tests::properties::bfsha(data));
