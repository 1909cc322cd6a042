//! Patches: any text, changed texts, between any two files.
#![no_main]

unshade_fuzz::target!(unshade_tests::properties::patch::patch, unshade_tests::mutate::text);
