//! BNSH, also by its index: read, check, cover, write, extract, build, list, open.
#![no_main]

unshade_fuzz::target!(unshade_tests::properties::bnsh, unshade_tests::mutate::container);
