//! SHARCFB, the archive of compiled shaders of the Wii U's graphics framework AGL: versions 8 and 9, in both byte orders.
//!
//! ```text
//! header             "SHAB" as a number, 0x18 bytes, name
//! binaries           size, count, records: type, GX2 structure with tables and names, code
//! programs           size, count, records: name, stages, first binary, macros with their values, macros with
//!                    their defaults, uniforms, from version 9 on a section that is kept, uniform blocks, samplers,
//!                    attributes
//! ```
//! Everything is a chain of records that start with their size; nothing is aligned but code, which lies at
//! multiples of 0x100 of the file. A program has a binary of each stage for every combination of macro values.
//!
//! [`Sharcfb`] is the whole archive, to be changed and written; [`Archive`] looks things up in bytes, without
//! taking more memory than an answer needs.

pub mod archive;
mod check;
mod format;
mod lazy;
#[cfg(feature = "manifest")]
pub(crate) mod manifest;
pub mod model;
mod names;
pub mod programs;
pub mod raw;
pub mod read;
mod stages;
mod tree;
pub use crate::formats::agl::variation;
mod write;

pub use archive::Archive;
pub use model::{Array, Binary, Extra, Macro, Program, Record, Sharcfb, Symbol, SymbolKind};
pub use read::read;
pub use variation::{Given, MacroList};
