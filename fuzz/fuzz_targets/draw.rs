//! Any file as a picture.
#![no_main]

unshade_fuzz::target!("draw");
