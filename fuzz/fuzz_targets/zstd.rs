//! Zstandard: as a file, as a frame, as what is packed, as a dictionary.
#![no_main]

unshade_fuzz::target!("zstd");
