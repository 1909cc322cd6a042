//! The shader cache of Azahar for Vulkan: `TITLEID_vs.vkch` and, for other steps of the pipeline, `_fs`, `_gs`, `_pl`.
//!
//! ```text
//! entries: header 16: 42, flags, u16 type, u32 size of all, u64 id | payload, perhaps zstd | footer 16: 24, u24 number, u32 size, u64 0
//! ```
//! Little endian. The first entry says what the file is. Programs, the configurations that they were translated for, and what came
//! of that (SPIR-V) are entries of their own, which name each other by their ids.
//!
//! Source: `vk_shader_disk_cache` and `shader_gen` of Azahar, as their public source has them. No cache that an emulator wrote was
//! seen.

mod check;
mod format;
#[cfg(feature = "manifest")]
mod manifest;
mod model;
pub mod raw;
mod read;
mod records;
mod stages;
mod tree;
mod write;

pub use model::{Entry, EntryFooter, EntryHeader, Vkch};
pub use read::read;
