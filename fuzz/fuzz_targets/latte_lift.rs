//! Latte programs: lifted, decompiled, run beside the machine.
#![no_main]

unshade_fuzz::target!(
    unshade_tests::properties::latte::latte_lift,
    |data, dice| unshade_tests::mutate::code(unshade::Isa::Latte, 1, data, dice)
);
