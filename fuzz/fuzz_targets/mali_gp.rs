//! Mali vertex processor: decode, encode, print, assemble, lint, run, lift; the assembler on any text.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    match data.split_first() {
        Some((0, text)) => unshade_tests::properties::mali_gp_text(text),
        Some((_, words)) => unshade_tests::properties::mali_gp_words(words),
        None => {}
    }
});
