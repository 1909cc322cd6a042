//! A shader cache of Cemu, with and without dictionaries: read, check, cover, write, extract, build, list, open.
#![no_main]

unshade_fuzz::target!("cemu");
