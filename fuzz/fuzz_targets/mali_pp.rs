//! Mali PP: text, code, programs, by the first byte.
#![no_main]

unshade_fuzz::target!("mali_pp");
