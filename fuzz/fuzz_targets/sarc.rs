//! SARC: read, walked, written.
#![no_main]

unshade_fuzz::target!("sarc");
