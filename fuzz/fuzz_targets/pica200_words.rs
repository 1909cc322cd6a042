//! PICA200 code: decode, encode, list, assemble, lint, count.
#![no_main]

unshade_fuzz::target!("pica200_words");
