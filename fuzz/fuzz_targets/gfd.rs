//! GFD: read, check, cover, write, extract, build, list.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| unshade_tests::properties::gfd(data));
