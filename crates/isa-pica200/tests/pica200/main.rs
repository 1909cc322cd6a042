//! PICA200, of the Nintendo 3DS: words and text there and back, what each instruction does, what it lifts to, what the lints say.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]

mod asm;
mod batch;
mod f24;
mod flow;
mod lift;
mod lint;
mod machine;
mod passes;
mod text;
