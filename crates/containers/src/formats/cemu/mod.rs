//! The shader cache of Cemu: `TITLEID_shaders.bin`, a store of records of programs, and `TITLEID_vkpipeline.bin`, the same of what was
//! drawn together.
//!
//! ```text
//! header 128 | data: table of 32-byte entries: two names, place, size | records anywhere behind it
//! record (big endian): kind and version | base hash, aux hash | flags | registers, zstd | programs, zstd
//! ```
//! The store is little endian, its records big endian. What is packed needs the two dictionaries of the emulator, which its users
//! have in its executable ([`dictionaries`](crate::wrap::nest::dictionaries) finds them there). Without them a cache has a list of
//! programs by their hashes.
//!
//! Source: `FileCache`, `LatteShaderCache`, `ShaderSerializer`, `RegisterSerializer` of Cemu, as their public source has them. No
//! cache that an emulator wrote was seen.

mod check;
mod format;
mod machine;
#[cfg(feature = "manifest")]
mod manifest;
mod model;
mod pipeline;
pub mod raw;
mod read;
mod record;
mod records;
mod registers;
mod stages;
mod tree;
mod write;

pub use model::{Cemu, StoreEntry, StoreHeader};
pub use pipeline::Pipeline;
pub use read::read;
pub use record::{Kind, Packed, Record};
pub use registers::{Registers, WORDS};
