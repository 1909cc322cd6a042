//! What the writers of each language write: against recorded text, and past the validators and drivers of others.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]

mod corpus;
mod corpus_programs;
mod drawn;
mod glsl;
mod limits;
mod naga;
mod stages;
mod tools;
mod trees;
mod whole;
