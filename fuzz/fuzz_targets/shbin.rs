//! SHBIN: read, check, cover, write, extract, build.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| unshade_tests::properties::shbin(data));
