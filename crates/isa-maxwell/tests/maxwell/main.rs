//! Maxwell sm_53, of the Switch: words and text there and back, what each instruction does, what it lifts to, what the lints say.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]

mod corpus;
mod decode;
mod forms;
mod hardware;
mod lint;
mod nvdisasm;
mod operand_fields;
mod operations;
mod stages;
mod texels;
mod text;
