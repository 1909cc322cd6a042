//! MBS, also as two programs that are linked: read, check, cover, write, extract, build, list, open.
#![no_main]

unshade_fuzz::target!("mbs");
