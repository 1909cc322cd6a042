//! PICA200 programs: lifted, decompiled, run beside the machine.
#![no_main]

unshade_fuzz::target!(unshade_tests::properties::pica200_lift, |data, dice| unshade_tests::mutate::code(
    unshade::Isa::Pica200,
    4,
    data,
    dice
));
