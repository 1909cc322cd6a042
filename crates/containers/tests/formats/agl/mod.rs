//! Archives of the framework AGL, of every version: sources (10 to 13), and binaries of the Wii U (8, 9) and the Switch (9).
#![allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

mod corpus;
mod describe;
mod generated;
mod programs;
pub mod writer;
