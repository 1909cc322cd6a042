//! SHARCFB of the Switch: read, check, cover, write, extract, build, list, change code that is shared.
#![no_main]

unshade_fuzz::target!("sharcfb_nx");
