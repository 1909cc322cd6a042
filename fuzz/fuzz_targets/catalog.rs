//! Catalogs of any bytes.
#![no_main]

unshade_fuzz::target!("catalog");
