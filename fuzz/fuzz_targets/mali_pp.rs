//! Mali PP: decode, encode, both texts, the assembler, lint, the interpreter, the lift.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| unshade_tests::properties::mali_pp::all(data));
