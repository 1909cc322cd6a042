//! The compiler on any text.
#![no_main]

unshade_fuzz::target!("compile");
