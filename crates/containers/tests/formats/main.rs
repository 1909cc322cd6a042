//! What each format promises: files of the corpus and files made by chance are read without a loss, checked, changed and
//! written back. A room for each format, as in `src`; what reading may cost is in `bounds`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]

#[path = "../common/mod.rs"]
mod common;

mod agl;
mod bfres;
mod caches;
mod cut;
mod edit;
mod flat;
mod gx2;
mod mbs;
mod other_forms;
mod programs;
mod sharcfb_generator;
mod shbin;
mod switch;
mod wrap;
