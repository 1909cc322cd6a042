//! SHARCFB: read, check, cover, write, extract, build, list, look up.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| unshade_tests::properties::sharcfb(data));
