//! Listings of containers.
#![no_main]

unshade_fuzz::target!(unshade_tests::properties::texts::listing, unshade_tests::mutate::text);
