//! SHARC of every version: read, check, cover, write, extract, build, list.
#![no_main]

unshade_fuzz::target!("sharc");
