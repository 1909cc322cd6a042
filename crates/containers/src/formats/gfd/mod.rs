//! GFD, the file of the Wii U's graphics library: shaders (`.gsh`) and textures (`.gtx`).
//!
//! ```text
//! header   "Gfx2"  0x20 bytes
//! block    "BLK{"  0x20 bytes, data     header of a shader, its code, padding, ... until the block of type 1
//! ```
//! Big endian, but for code. A shader header is a GX2 structure ([`crate::formats::gx2`]) with its tables and names, a table
//! of the pointers among them, and a trailer (`}BLK`). The n-th header of a kind belongs to the n-th code of the
//! kind. Textures are kept as they are.

mod check;
mod format;
#[cfg(feature = "manifest")]
pub(crate) mod manifest;
pub mod model;
mod names;
pub mod programs;
pub mod raw;
pub mod read;
mod stages;
mod tree;
mod write;

pub use crate::formats::gx2::relocation::{self, Relocation, Trailer};
pub use model::{Block, BlockKind, Gfd};
pub use read::read;
