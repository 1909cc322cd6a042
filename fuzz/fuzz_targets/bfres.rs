//! Models of either console with shaders inside.
#![no_main]

unshade_fuzz::target!("bfres");
