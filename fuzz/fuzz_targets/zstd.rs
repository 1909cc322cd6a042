//! zstd: read, write, compress, walk, extract, build, change what is inside; dictionaries.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| unshade_tests::properties::wrappers::zstd(data));
