//! Maxwell: lift, passes, structure, print.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| unshade_tests::properties::maxwell_exec::lift(data));
