//! MBS, also as two programs that are linked: read, check, cover, write, extract, build, list, open.
#![no_main]

unshade_fuzz::target!(unshade_tests::properties::mbs, unshade_tests::mutate::container);
