//! Maxwell programs: run alone, as quads, as work groups.
#![no_main]

unshade_fuzz::target!("maxwell_exec");
