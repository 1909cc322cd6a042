//! Compiled shaders of game consoles and mobile GPUs: opened, listed, checked, disassembled, assembled,
//! decompiled, run, verified, and written back exactly.
//!
//! The library takes bytes and gives bytes. It does not print, touch the file system, spawn or panic.

pub mod assemble;
mod decompile;
pub mod link;
pub mod listing;
mod open;
mod parts;
mod path;
mod raw;
pub mod report;
pub mod run_json;
mod state;
mod syntax;
mod trace;
pub mod verify;

pub use assemble::{AssembledShbin, assemble_shbin};
pub use decompile::{DecompileError, DecompileOptions, Decompiled, decompile, lift, readable_passes};
pub use link::{LinkOptions, Linked, LinkedVariable, link};
pub use listing::{
    ListingOptions, assemble_listing, disassemble_container, disassemble_stage, disassemble_stage_to_text,
    is_container_listing, item_listing,
};
pub use open::{Inner, Opened, UnknownName, open};
pub use parts::{build_file, extract_file};
pub use path::FilePath;
pub use raw::{ISAS, assemble_code, isa_named, raw_stage, words_from_bytes, words_from_hex};
pub use state::{StateError, apply_profile, apply_state, profile_named};
pub use syntax::{Syntax, UnknownToTool, foreign_text, foreign_text_plain};
pub use trace::{CaseTrace, TraceLine, trace};
pub use unshade_bytes::{Diagnostic, Error, ErrorKind, Location, Severity};
pub use unshade_containers::{Container, Format, Node, Parts, build, detect, extract, mbs};
pub use unshade_emit::{GlslVersion, Target};
pub use unshade_isa::{mali_gp, pica200, text};
pub use unshade_stage::{Code, Interface, Isa, Stage, StageId, StageKind};
pub use verify::{Verdict, verify};

/// Largest file that the library opens, in bytes.
pub const MAX_INPUT: u64 = unshade_bytes::limits::Limits::DEFAULT.bytes;
