//! Latte: lift, passes, structure, print.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| unshade_tests::properties::latte::latte_lift(data));
