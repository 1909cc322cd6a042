//! Latte code: map of the program, listings, decaf's text, lints, counts.
#![no_main]

unshade_fuzz::target!("latte_words");
