//! States of the Wii U's GPU.
#![no_main]

unshade_fuzz::target!("state");
