//! The floor everything in Unshade stands on: a reader that keeps its offset in the whole file, a
//! two-pass writer, errors and diagnostics that name offset and field path, limits, coverage, and the
//! float formats of the machines.
//!
//! The crate is `no_std` with `alloc` and has no dependency (`serde` is optional).
#![no_std]
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects)]
extern crate alloc;

pub mod coverage;
pub mod diagnostic;
pub mod error;
pub mod float;
pub mod limits;
pub mod meter;
pub mod problem;
pub mod reader;
pub mod writer;

pub use coverage::{Coverage, Owner, Span, Totals};
pub use diagnostic::{Diagnostic, Location, Severity};
pub use error::{Error, ErrorDetails, ErrorKind, Result};
pub use float::{F16, F20, F24, MiniFloat};
pub use limits::{Budget, Limits};
pub use problem::Problem;
pub use reader::{Endian, Reader, Under};
pub use writer::Writer;
