//! A SHBIN as a manifest and files: what a person may read and edit.
//!
//! The manifest holds every header field and table with names instead of numbers where they say the same:
//! register names, the text of strings, floats whose 24 bits are exact. What the numbers alone determine is
//! left out: offsets, counts, strings that follow from the names, the layout of a known producer. Code,
//! trailing bytes and bytes between the parts are files of their own.

mod form;
mod print;
mod take;

pub(crate) use print::extract;
pub(crate) use take::{build, wanted};
