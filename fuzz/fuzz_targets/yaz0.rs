//! Yaz0: as a file, as a stream, as what is packed.
#![no_main]

unshade_fuzz::target!("yaz0");
