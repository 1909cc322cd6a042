//! Shader containers of consoles and mobile GPUs: read, check, write back exactly.
//!
//! Each format is a room with the same furniture: `raw` (headers field for field), `model` (typed tables),
//! `read`, `write`, `check`, `stages` (what an instruction set needs). A container names its instruction
//! set and hands over code and interface; it never decodes.
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

pub mod agl;
pub mod bfres;
pub mod bfsha;
pub mod bnsh;
pub mod claims;
pub mod coding;
pub mod container;
pub mod detect;
pub mod dksh;
pub mod edit;
pub mod gfd;
pub mod gx2;
pub mod mbs;
mod near;
pub mod nvn;
pub mod nx;
pub mod opaque;
#[cfg(feature = "manifest")]
pub mod parts;
pub mod programs;
pub mod sharc;
pub mod sharcfb;
pub mod sharcfb_nx;
pub mod shbin;
pub mod stages;
pub mod tree;
pub mod wrap;

pub use claims::Claims;
pub use coding::Coding;
pub use container::Container;
pub use detect::{Format, detect};
pub use opaque::{Name, Opaque, Strings};
#[cfg(feature = "manifest")]
pub use parts::{Parts, build, extract};
pub use programs::{LooseStage, NewProgram, Removed};
pub use tree::Node;
