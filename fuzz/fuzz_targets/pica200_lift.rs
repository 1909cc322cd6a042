//! PICA200 programs: lifted, decompiled, run beside the machine.
#![no_main]

unshade_fuzz::target!("pica200_lift");
