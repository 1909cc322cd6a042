//! SARC: read, walked, written.
#![no_main]

unshade_fuzz::target!(unshade_tests::properties::wrappers::sarc, unshade_tests::mutate::container);
