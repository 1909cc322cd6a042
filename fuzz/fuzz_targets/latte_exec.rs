//! Latte programs: run alone and as quads.
#![no_main]

unshade_fuzz::target!("latte_exec");
