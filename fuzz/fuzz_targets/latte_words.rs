//! Latte code: map of the program, listings, decaf's text, lints, counts.
#![no_main]

unshade_fuzz::target!(unshade_tests::properties::latte::code, |data, dice| unshade_tests::mutate::code(
    unshade::Isa::Latte,
    0,
    data,
    dice
));
