//! A shader cache of Citra: read, check, cover, write, extract, build, list, open.
#![no_main]

unshade_fuzz::target!("citra");
