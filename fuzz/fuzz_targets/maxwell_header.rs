//! Maxwell: the program header, by itself and beside any code.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| unshade_tests::properties::maxwell_exec::header(data));
