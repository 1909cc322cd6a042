//! Latte (R700 class), of the Wii U: words and text there and back, what each instruction does, what it lifts to, what the lints say.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]

mod alu;
mod build;
mod corpus;
mod decaf;
mod decode;
mod fetch;
mod flow;
mod hardware;
mod lint;
mod mesa;
mod random;
mod text;
