//! What the shader archives of the graphics framework AGL have in common: [`sharcfb`](crate::formats::sharcfb), which hold
//! compiled shaders, and their siblings with sources.
//!
//! ```text
//! record             size (counts itself), body
//! array              size, count, records
//! macro              size, name length, values, id length, name, values, id
//! symbol             size, offset, name length, id length, default size, variations, name, id, default, flags
//! block              size, location, name length, name, array of uniforms
//! uniform            size, location, name length, name
//! ```
//! The size of a record is the step to the next one; lengths of strings count their NUL; nothing is aligned.

pub mod binaries;
pub(crate) mod check;
pub(crate) mod grid;
#[cfg(feature = "manifest")]
pub(crate) mod manifest;
pub mod model;
pub(crate) mod names;
pub mod raw;
pub(crate) mod read;
pub(crate) mod stages;
pub(crate) mod tree;
pub mod variation;
pub(crate) mod write;
