//! What the library does with programs of every machine: lists, lifts, runs, draws, verifies, steps through, changes them. What
//! one machine alone has is in its room.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]

mod archives;
mod change;
mod compile;
mod debug;
mod draw;
mod into;
mod latte;
mod lift;
mod listing;
mod mali;
mod maxwell;
mod run_vectors;
mod texts;
mod variables;
mod verify_random;
