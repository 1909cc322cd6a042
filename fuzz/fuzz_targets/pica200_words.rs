//! PICA200 code: decode, encode, list, assemble, lint, count.
#![no_main]

unshade_fuzz::target!(unshade_tests::properties::pica200_words, |data, dice| unshade_tests::mutate::code(
    unshade::Isa::Pica200,
    0,
    data,
    dice
));
