//! Compiled shaders of game consoles and mobile GPUs: opened, listed, checked, disassembled, assembled,
//! decompiled, run, verified, and written back exactly.
//!
//! The library takes bytes and gives bytes. It does not print, touch the file system, spawn or panic.

mod archives;
pub mod assemble;
pub mod cfg;
pub mod change;
pub mod choices;
mod code;
mod code_hash;
#[cfg(feature = "compile")]
pub mod compile;
mod compiled_for;
mod damage;
pub mod debug;
mod decompile;
mod delta;
pub mod diff;
pub mod draw;
mod edit;
#[cfg(feature = "compile")]
pub mod glsl;
mod groups;
mod headers;
mod into;
pub mod link;
pub mod links;
mod lint;
pub mod listing;
mod open;
mod option_names;
mod origin;
pub mod owners;
mod parts;
pub mod patch;
mod path;
mod programs;
mod raw;
pub mod report;
pub mod run_json;
pub mod sources;
mod state;
mod syntax;
mod together;
mod trace;
pub mod verify;

pub use assemble::{AssembledShbin, assemble_shbin};
pub use code::assemble_for;
pub use compiled_for::CompiledFor;
pub use damage::Damage;
pub use decompile::{
    DecompileError, DecompileOptions, Decompiled, Place, after_passes, decompile, lift, pass_names,
    readable_passes,
};
pub use diff::diff;
pub use edit::{Change, Changed, Edited, Named, Renaming, Setting, edit, names, renaming, setting};
pub use groups::{StageGroup, by_program};
pub use into::{Rewritten, replace_code, replace_container, replace_file};
pub use link::{LinkOptions, Linked, LinkedVariable, link};
pub use listing::{
    ListingKind, ListingOptions, assemble_into, assemble_listing, disassemble_container, disassemble_opened,
    disassemble_stage, disassemble_stage_to_text, is_archive_listing, is_container_listing, item_listing,
    item_listing_of,
};
pub use open::{Inner, OpenError, Opened, UnknownName, UnreadFile, WithinError, Wrapped, open, open_at};
pub use option_names::{Compared, MOST_COMPARED, names_beside, names_by_options, reads};
pub use origin::{Manner, Member, Origin, ProgramSource};
pub use parts::{build_file, extract_at, extract_file};
pub use path::FilePath;
pub use programs::{Detail, Programs, each_program, programs};
pub use raw::{
    AssembledCode, ISAS, assemble_code, assemble_code_with_warnings, code_stage, isa_named, listed_stage,
    raw_stage, raw_stage_with_header, words_from_bytes, words_from_hex,
};
pub use sources::{
    OriginalSource, SourceText, Sources, TextEncoding, source_archive_name, source_texts, sources_named,
};
pub use state::{Profile, StateError, apply_profile, apply_state, profile_named};
pub use syntax::{Syntax, UnknownToTool, foreign_text, foreign_text_plain};
pub use together::{DecompiledProgram, decompile_program, decompile_together, together_header};
pub use trace::{CaseTrace, TraceLine, trace};
pub use unshade_bytes::{Diagnostic, Error, ErrorKind, Location, Severity};
#[cfg(feature = "caches")]
pub use unshade_containers::ryujinx;
pub use unshade_containers::{
    Container, Format, Node, Parts, bfres, bfsha, bnsh, build, detect, extract, gfd, gx2, mbs, sharc,
    sharcfb, sharcfb_nx,
    wrap::{
        self,
        nest::{Source, Wrapper},
        zstd::Dictionaries,
    },
};
pub use unshade_emit::{GlslVersion, Layout, Target};
pub use unshade_isa::{assembly, latte, mali_gp, maxwell, pica200, text};
pub use unshade_stage::suggest;
pub use unshade_stage::{Code, Interface, Isa, Latte, Maxwell, Space, Stage, StageId, StageKind};
pub use verify::{Verdict, verify};

/// Largest file that the library opens, in bytes.
pub const MAX_INPUT: u64 = unshade_bytes::limits::Limits::DEFAULT.bytes;
