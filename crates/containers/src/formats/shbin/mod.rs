//! Nintendo 3DS shader binaries: `DVLB` with its `DVLP` and `DVLE`s, and the single object `DVOJ`.
//!
//! ```text
//! DVLB header | offsets of the DVLEs | DVLP header | code, descriptors, lines, file names, and per DVLE
//! header, constants, labels, outputs, uniforms, symbols in the order that the producer likes | trailing bytes
//! ```
//! Little endian; offsets count from the magic number of the structure that holds them; no checksum, no
//! total size. The instructions are those of the PICA200 and are not looked at here.

mod check;
mod detached;
mod entries;
mod flow;
mod format;
pub mod layout;
mod link;
#[cfg(feature = "manifest")]
mod manifest;
pub mod model;
mod names;
mod plan;
pub mod programs;
pub mod raw;
pub mod read;
pub mod register;
mod share;
mod stages;
mod tree;
mod write;

pub use detached::Detached;
pub use layout::{Item, Layout, Part, Producer, Scope, Section};
pub use model::{
    Code, Constant, ConstantValue, Descriptor, Dvlb, Dvle, Dvlp, Dvoj, Executable, GeometryWord, HeaderForm,
    Label, Line, Output, Relocation, Shbin, Uniform,
};
pub use read::read;
