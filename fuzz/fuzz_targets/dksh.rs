//! DKSH: read, check, cover, write, extract, build, list, open.
#![no_main]

unshade_fuzz::target!(unshade_tests::properties::dksh, unshade_tests::mutate::container);
