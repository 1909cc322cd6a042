//! The shader caches of yuzu and its followers (suyu, Eden, Citron, Sudachi): `vulkan.bin` and `opengl.bin`.
//!
//! ```text
//! "yuzucach" | u32 version | pipelines: u32 stages | each stage: record 68, code, what the translator asked for, header | key
//! ```
//! Little endian. Nothing says how long the key is: it is a structure of the emulator that has another length in nearly every
//! version. Where the version is not known, its length is found by looking ahead for the next pipeline.
//!
//! Source: `shader_environment`, `vk_pipeline_cache`, `gl_shader_cache` and `fixed_pipeline_state` of yuzu and Eden, as their public
//! sources have them. No cache that an emulator wrote was seen.

mod check;
mod format;
mod key;
#[cfg(feature = "manifest")]
mod manifest;
mod model;
pub mod raw;
mod read;
mod records;
mod stages;
mod tree;
mod write;

pub use model::{
    ConstantValue, Environment, EnvironmentHeader, KeyLengths, Pipeline, Replacement, TextureEntry, Yuzu,
};
pub use read::read;
