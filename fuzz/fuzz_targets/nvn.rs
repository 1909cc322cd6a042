//! Pairs of stages and code sections of the Switch: read, check, cover, write, extract, build, list, open.
#![no_main]

unshade_fuzz::target!("nvn");
