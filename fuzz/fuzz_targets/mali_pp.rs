//! Mali PP: text, code, programs, by the first byte.
#![no_main]

unshade_fuzz::target!(unshade_tests::properties::mali_pp::all, |data, dice| unshade_tests::mutate::code(
    unshade::Isa::MaliPp,
    1,
    data,
    dice
));
