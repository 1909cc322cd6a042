//! Settings and names, on containers.
#![no_main]

unshade_fuzz::target!(unshade_tests::properties::texts::edit, unshade_tests::mutate::text_and_container);
