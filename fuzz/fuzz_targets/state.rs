//! States of the Wii U's GPU.
#![no_main]

unshade_fuzz::target!(unshade_tests::properties::texts::state, unshade_tests::mutate::text);
