//! MBS: read, check, cover, write, extract, build, list, link.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| unshade_tests::properties::mbs(data));
