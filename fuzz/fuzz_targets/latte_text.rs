//! Assembler text of the Wii U.
#![no_main]

unshade_fuzz::target!("latte_text");
