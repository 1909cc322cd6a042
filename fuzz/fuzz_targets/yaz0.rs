//! Yaz0: as a file, as a stream, as what is packed.
#![no_main]

unshade_fuzz::target!(unshade_tests::properties::wrappers::yaz0, unshade_tests::mutate::container);
