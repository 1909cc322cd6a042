//! Maxwell programs: run alone, as quads, as work groups.
#![no_main]

unshade_fuzz::target!(unshade_tests::properties::maxwell_exec::exec, |data, dice| {
    unshade_tests::mutate::code(unshade::Isa::Maxwell, 1, data, dice)
});
