//! The C interface as its callers meet it: what functions do with right and with wrong arguments, the header, the examples.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]

mod calls;
mod door;
#[cfg(unix)]
mod examples;
mod header;
mod hostile;
