//! A shader cache of Ryujinx, its files joined: read, check, cover, write, extract, build, list, open.
#![no_main]

unshade_fuzz::target!("ryujinx");
