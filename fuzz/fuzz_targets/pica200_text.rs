//! Assembler text of the 3DS, listings too.
#![no_main]

unshade_fuzz::target!("pica200_text");
