//! Models of either console with shaders inside.
#![no_main]

unshade_fuzz::target!(unshade_tests::properties::wrappers::bfres, unshade_tests::mutate::container);
