//! Instructions in the native text. It is that of decaf and of AMD's tools; what a word says beyond it follows
//! as `@name=value`, with the names of the fields, so that the text determines every bit.

mod alu;
mod fetch;
mod flow;
pub(super) mod number;
mod suffix;

pub(super) use alu::unused_source;
pub use alu::{GroupText, group};
pub(super) use alu::{Read, has_words, operand};
pub use fetch::fetch;
pub(super) use fetch::operands;
pub(super) use fetch::usual_fill;
pub use flow::{ClauseText, flow};
pub(super) use flow::{export, memory};
use suffix::rest;
pub(super) use suffix::{property, suffixes, words};
