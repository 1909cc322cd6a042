//! The assembler against the corpus, against the reference assembler where it is installed, against random
//! programs and hostile text, and its messages.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod corpus;
mod diagnostics;
mod differential;
mod generate;
mod hostile;
mod layout;
