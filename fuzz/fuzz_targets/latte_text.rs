//! Latte assembler text: code that lists and assembles to itself, or findings that point into the text.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| unshade_tests::properties::latte::text(data));
