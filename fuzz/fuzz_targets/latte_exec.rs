//! Latte programs: run alone and as quads.
#![no_main]

unshade_fuzz::target!(unshade_tests::properties::latte_exec::exec, |data, dice| unshade_tests::mutate::code(
    unshade::Isa::Latte,
    0,
    data,
    dice
));
