//! A shader cache of yuzu: read, check, cover, write, extract, build, list, open.
#![no_main]

unshade_fuzz::target!("yuzu");
