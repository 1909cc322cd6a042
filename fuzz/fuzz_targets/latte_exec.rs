//! Latte: the interpreter on any words.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| unshade_tests::properties::latte_exec::exec(data));
