//! The reader of GLSL on any text.
#![no_main]

unshade_fuzz::target!("glsl");
