//! Every row of the benchmark table that this version has, and what each costs as it grows. The programs print: `unshade-benches`
//! the table, `unshade-scale` the growth.
#![allow(clippy::print_stderr, reason = "what a row says of itself is for whoever started it")]

pub mod catalog;
mod debug;
mod maxwell;
mod measure;
mod phases;
mod programs;
pub mod rows;
pub mod scale;
mod shading_models;
