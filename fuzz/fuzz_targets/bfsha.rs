//! BFSHA, also by its index, its options and a change of one: read, check, cover, write, extract, build, list, open.
#![no_main]

unshade_fuzz::target!("bfsha");
