//! Files inside files: wrappers that are opened on the way, and blobs that hold containers and wrappers.

pub mod inside;
pub mod layer;
mod magic;
#[cfg(feature = "manifest")]
pub mod manifest;
pub mod nest;
pub mod path;
pub mod recognise;
pub mod sarc;
pub mod scan;
pub mod yaz0;
pub mod zstd;
