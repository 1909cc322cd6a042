//! PICA200: decode, encode, print, assemble, lint.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| unshade_tests::properties::pica200_words(data));
