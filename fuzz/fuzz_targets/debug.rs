//! Any code under any commands of the debugger.
#![no_main]

unshade_fuzz::target!("debug");
