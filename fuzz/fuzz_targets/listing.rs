//! Listings of containers.
#![no_main]

unshade_fuzz::target!("listing");
