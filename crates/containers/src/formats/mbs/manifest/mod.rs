//! An MBS as a manifest and files: what a person may read and edit.
//!
//! The manifest holds every chunk in its order, with names instead of numbers where they say the same: types,
//! precision, floats that are exact. What follows from the rest is left out: sizes, counts, and the sizes,
//! strides and space that the rules of [`layout`](super::layout) give. A variable without an offset gets one by
//! these rules. Code, unknown chunks and bytes that belong to nothing are files of their own.

mod form;
mod print;
mod take;

pub(crate) use print::extract;
pub(crate) use take::{build, wanted};
