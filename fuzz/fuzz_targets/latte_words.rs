//! Latte code words: layout, listing, assembler, the text of decaf, lint, counts.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| unshade_tests::properties::latte::code(data));
