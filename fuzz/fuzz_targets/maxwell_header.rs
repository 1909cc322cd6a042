//! Program headers of the Switch, with code behind them.
#![no_main]

unshade_fuzz::target!(unshade_tests::properties::maxwell_exec::header, |data, dice| {
    unshade_tests::mutate::code(unshade::Isa::Maxwell, 80, data, dice)
});
