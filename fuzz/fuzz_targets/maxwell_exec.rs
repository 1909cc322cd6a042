//! Maxwell: the interpreter on any words, and on any instructions.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| unshade_tests::properties::maxwell_exec::exec(data));
