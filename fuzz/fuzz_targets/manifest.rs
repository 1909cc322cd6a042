//! Manifests of extracted files.
#![no_main]

unshade_fuzz::target!(unshade_tests::properties::texts::manifest, unshade_tests::mutate::text_and_container);
