//! Mali vertex processor: decode, encode, print, assemble, lint, run, lift; the assembler on any text.
#![no_main]

unshade_fuzz::target!(
    |data: &[u8]| match data.split_first() {
        Some((0, text)) => unshade_tests::properties::mali_gp_text(text),
        Some((_, words)) => unshade_tests::properties::mali_gp_words(words),
        None => {}
    },
    |data, dice| unshade_tests::mutate::code(unshade::Isa::MaliGp, 1, data, dice),
    |data, dice| unshade_tests::mutate::behind(1, unshade_tests::mutate::text, data, dice),
);
