//! The C interface: files and bare code opened, listed, checked, disassembled, decompiled and run, for programs that are not
//! written in Rust. `include/unshade.h` is made from these sources, docs/c.md says what holds.
//!
//! A thin door without logic of its own. [`doors`] has every function that C calls, `pointers` everything that reads or writes
//! what the other side points to; those two are the only places where `unsafe` is allowed. What one side hands to the
//! other lies in the module of its name.

mod check;
mod code;
mod decompile;
mod disassemble;
pub mod doors;
mod error;
mod file;
mod pointers;
mod run;
mod stage;
mod text;

pub use check::{Findings, Place, Severity};
pub use code::{CodeOptions, UNSHADE_CODE_HEADER};
pub use decompile::{
    Target, UNSHADE_DECOMPILE_JSON, UNSHADE_DECOMPILE_OPENGL, UNSHADE_DECOMPILE_STRICT,
    UNSHADE_DECOMPILE_VULKAN,
};
pub use disassemble::{UNSHADE_LIST_NO_CONTROL, UNSHADE_LIST_OFFSETS, UNSHADE_LIST_WORDS};
pub use error::{Error, Finding, Status, UNSHADE_NO_OFFSET};
pub use file::{File, OpenOptions};
pub use stage::{Isa, Kind, StageInfo};
pub use text::{Buffer, Text};

/// Version of the interface. It changes only when something that compiles or runs with an older header would no longer
/// do so; functions, values and fields at the end of structures come without a new one.
pub const UNSHADE_ABI_VERSION: u32 = 1;
