//! Assembler text of the Wii U.
#![no_main]

unshade_fuzz::target!(unshade_tests::properties::latte::text, unshade_tests::mutate::text);
