//! Patches: any text, changed texts, between any two files.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| unshade_tests::properties::patch::patch(data));
