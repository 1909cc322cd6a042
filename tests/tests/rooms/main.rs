//! What takes several rooms of Unshade at once: properties over the corpus and the samples, recorded output, inputs that once
//! broke something. What costs are counted is in `hostile.rs`, which has a heap of its own.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]

mod agl;
mod archives;
mod changes;
mod debugger;
mod differential;
mod draw;
mod fsha;
mod golden;
mod latte;
mod latte_exec;
mod likeness;
mod mali_gp;
mod mali_pp;
mod maxwell_exec;
mod maxwell_text;
mod mbs;
mod measured;
mod names;
mod nx;
mod paths;
mod programs;
mod promises;
mod questions;
mod regressions;
mod scan;
mod schemas;
mod shbin;
mod strangers;
mod views;
mod whole_programs;
mod wii_u;
mod wrappers;
