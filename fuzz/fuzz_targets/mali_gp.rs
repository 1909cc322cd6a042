//! Mali vertex processor: decode, encode, print, assemble, lint, run, lift; the assembler on any text.
#![no_main]

unshade_fuzz::target!("mali_gp");
