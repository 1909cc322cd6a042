//! The transferable shader cache of Citra and Azahar for OpenGL: `shaders/opengl/transferable/TITLEID.bin`.
//!
//! ```text
//! u32 version 1 | entries: u32 kind, u64 id, u32 what for | u64 count, registers of the GPU | of vertex programs: u64 count, words
//! ```
//! Little endian. The registers are those of the whole GPU when the program was met, so that entry point, inputs, outputs and what
//! they mean, and truths and integers among the uniforms are known. Only vertex programs have code: what Citra makes of fragment and
//! geometry units it makes of registers.
//!
//! Source: `gl_shader_disk_cache` and `gl_shader_manager` of Azahar, as their public source has them, and the registers of
//! 3dbrew. No cache that an emulator wrote was seen.

mod check;
mod format;
#[cfg(feature = "manifest")]
mod manifest;
mod model;
pub mod raw;
mod read;
mod records;
mod registers;
mod stages;
mod tree;
mod write;

pub use model::{Citra, Entry, EntryHeader};
pub use read::read;
