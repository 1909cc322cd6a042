//! Manifests of extracted files.
#![no_main]

unshade_fuzz::target!("manifest");
