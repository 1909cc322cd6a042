//! Compiled shaders of game consoles and mobile GPUs: opened, listed, checked, disassembled, assembled,
//! decompiled, run, verified, and written back exactly.
//!
//! The library takes bytes and gives bytes. It does not print, touch the file system, spawn or panic.

pub mod assemble;
pub mod listing;
mod open;
mod path;
pub mod report;
pub mod run_json;
pub mod verify;

pub use assemble::{AssembledShbin, assemble_shbin};
pub use open::{Inner, Opened, open};
pub use path::FilePath;
pub use unshade_bytes::{Diagnostic, Error, ErrorKind, Location, Severity};
pub use unshade_containers::{Container, Format, detect};
pub use unshade_emit::{GlslVersion, Target};
pub use unshade_isa::{pica200, text};
pub use unshade_stage::{Code, Interface, Isa, Stage, StageId, StageKind};

/// Largest file that the library opens, in bytes.
pub const MAX_INPUT: u64 = unshade_bytes::limits::Limits::DEFAULT.bytes as u64;
