//! Pairs of stages and code sections of the Switch: read, check, cover, write, extract, build, list, open.
#![no_main]

unshade_fuzz::target!(unshade_tests::properties::nvn, unshade_tests::mutate::container);
