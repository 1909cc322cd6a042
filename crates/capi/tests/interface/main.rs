//! The C interface as its callers meet it: what functions do with right and with wrong arguments, the header, the examples.

mod calls;
mod door;
#[cfg(unix)]
mod examples;
mod header;
mod hostile;
