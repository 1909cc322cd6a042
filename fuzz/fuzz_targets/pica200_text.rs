//! PICA200: assembler text and listings.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| unshade_tests::properties::pica200_text(data));
