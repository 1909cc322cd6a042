//! What the assembly languages of all machines share: lines, statements and arguments, numbers, and how a finding
//! points at the characters that it is about.

pub mod lexer;
pub mod number;
mod place;

pub use place::{Place, Places, Source};
pub use unshade_bytes::problem::{Problem, Result};
