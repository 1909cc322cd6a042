//! Latte programs: lifted, decompiled, run beside the machine.
#![no_main]

unshade_fuzz::target!("latte_lift");
