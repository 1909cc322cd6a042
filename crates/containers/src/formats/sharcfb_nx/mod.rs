//! SHARCFB of the Switch (`.sharcb`), the shader archive of the graphics framework AGL: version 9, little-endian.
//!
//! ```text
//! header             "SHAB" as a number, 0x150 bytes, the end of which the console fills
//! names              the archive's name, then names of variables, filled up: as long as the header says
//! binaries           size, count, records: stage, info block, control section, tables, names
//! programs           size, count, records: name, stages, first binary, macros, defaults, blocks
//! memory pool        code sections at multiples of 0x80, from a multiple of 0x1000 on
//! ```
//! A stage is a control and a code section as in a [`bnsh`](crate::formats::bnsh); binaries with the same code share it. Variations
//! are numbered as in a [`sharcfb`](crate::formats::sharcfb) of the Wii U.

mod check;
mod format;
mod layout;
#[cfg(feature = "manifest")]
pub(crate) mod manifest;
pub mod model;
mod names;
mod pool;
pub mod programs;
pub mod raw;
pub mod read;
mod stages;
mod tree;
mod write;

pub use model::{Binary, Pool, Program, SharcfbNx, Slot, Tables};
pub use raw::{Info, Table};
pub use read::read;
