//! BFRES of both consoles: embedded files, materials, check, walk, extract, build, change what is inside.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| unshade_tests::properties::wrappers::bfres(data));
