//! Files of any format: the only rooms that name all formats.
//!
//! [`container`] has one row for each format; what all of them do is the trait [`FileFormat`](crate::shared::format::FileFormat).
//! Around it: files inside files ([`nest`], [`scan`]), edits by name ([`edit`]), whole programs on their way from one file
//! to another (`programs`), and files taken apart ([`manifest`]).

pub mod container;
pub mod edit;
pub mod inside;
pub mod layer;
mod magic;
#[cfg(feature = "manifest")]
pub mod manifest;
pub mod nest;
mod programs;
pub mod recognise;
pub mod scan;

pub use container::{Container, Format, detect};
#[cfg(feature = "manifest")]
pub use manifest::{build, extract};
