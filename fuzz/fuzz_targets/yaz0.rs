//! Yaz0: read, write, compress at every level, walk, extract, build, change what is inside.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| unshade_tests::properties::wrappers::yaz0(data));
