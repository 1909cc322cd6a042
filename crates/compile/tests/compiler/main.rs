//! The compiler against programs whose results are known, programs made by chance, and text that means harm.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]

mod hostile;
mod programs;
mod public;
mod random;
mod support;
mod translated;
