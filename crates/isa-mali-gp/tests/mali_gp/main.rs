//! The geometry processor of the Mali-200 and Mali-400: words and text there and back, what each instruction does, what it lifts to, what the lints say.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]

mod asm;
mod corpus;
mod exec;
mod lift;
mod text;
