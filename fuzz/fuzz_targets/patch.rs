//! Patches: any text, changed texts, between any two files.
#![no_main]

unshade_fuzz::target!("patch");
