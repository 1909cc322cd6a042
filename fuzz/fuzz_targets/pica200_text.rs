//! Assembler text of the 3DS, listings too.
#![no_main]

unshade_fuzz::target!(unshade_tests::properties::pica200_text, unshade_tests::mutate::text);
