//! Settings and names, on containers.
#![no_main]

unshade_fuzz::target!("edit");
