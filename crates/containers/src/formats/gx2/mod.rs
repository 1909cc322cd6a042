//! The shader structures of the Wii U's graphics library GX2, as GFD files and SHARCFB archives hold them.
//!
//! ```text
//! registers, counts and pointers      0x134, 0xE8, 0xB0 or 0x84 bytes, by kind
//! tables                              uniform blocks, uniforms, initial values, loops, samplers, attributes
//! names                               NUL-terminated
//! ```
//! Every field is a word. The two kinds of file differ in the byte order and in their pointers ([`Form`]); what
//! the structure holds is looked at where it lies ([`Shader`]), so that an archive of thousands of them costs
//! nothing until one is asked for.

pub(crate) mod check;
mod code_facts;
mod detached;
pub mod edit;
pub(crate) mod latte;
pub mod layout;
#[cfg(feature = "manifest")]
pub(crate) mod manifest;
pub(crate) mod names;
pub mod pieces;
pub mod record;
pub mod registers;
pub mod relocation;
mod samplers;
pub mod shader;
pub mod structure;
pub(crate) mod tree;

pub use detached::{Blocks, Detached, Flag, Parts};
pub use pieces::{Piece, PieceKind, Pieces};
pub use registers::{Field, Register};
pub use samplers::SamplerType;
pub use shader::{Entry, Form, Shader, Stated, code_bytes, code_words};
pub use structure::{Member, Row, ShaderKind, TableKind};
