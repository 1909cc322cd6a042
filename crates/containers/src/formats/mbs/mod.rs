//! Shader binaries of ARM's Mali-200/300/400/450 ("Utgard"): `MBS1`, a tree of chunks.
//!
//! ```text
//! MBS1 { CFRA { core, FSTA FDIS FBUU [SUNI] [SVAR] DBIN } CVER { core, FINS SUNI SATT SVAR DBIN } }
//! ```
//! Little endian. A chunk is a tag of four letters, its size without these eight bytes, and that many bytes;
//! the next one follows right behind. Nothing counts from the start of the file and there is no checksum. The
//! tree has five levels (file, program, table, symbol, what hangs on a symbol), each known by what stands in
//! it, so nothing here recurses. The instructions are those of the Mali GP and PP and are not looked at here.

mod check;
mod format;
pub mod layout;
#[cfg(feature = "manifest")]
mod manifest;
pub mod model;
mod names;
mod programs;
pub mod raw;
pub mod read;
mod records;
mod stages;
mod tree;
pub mod view;
mod write;

pub use model::{
    Code, FileChunk, Framebuffer, Index, Initial, Instructions, Mbs, Program, ProgramChunk, ProgramKind,
    RawChunk, Stack, Symbol, SymbolChunk, Table, TableEntry, TableKind, Tag, Uniforms,
};
pub use read::read;
