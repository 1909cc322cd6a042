//! Maxwell programs: lifted, decompiled, run beside the machine.
#![no_main]

unshade_fuzz::target!(unshade_tests::properties::maxwell_exec::lift, |data, dice| {
    unshade_tests::mutate::code(unshade::Isa::Maxwell, 1, data, dice)
});
