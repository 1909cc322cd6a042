//! Maxwell programs: lifted, decompiled, run beside the machine.
#![no_main]

unshade_fuzz::target!("maxwell_lift");
