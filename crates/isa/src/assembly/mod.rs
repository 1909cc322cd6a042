//! What the assembly languages of all machines share: lines, statements and arguments, and how a finding
//! points at the characters that it is about.

pub mod lexer;
mod problem;

pub use problem::{Problem, Result};
