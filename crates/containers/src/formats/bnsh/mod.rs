//! Compiled shaders of the Switch: `BNSH`, a block of variations that point at programs, stages, names and code.
//!
//! ```text
//! header, grsc { variations } programs, stages, control sections, reflection, names | room for objects |
//! code, 0x1000-aligned | _STR strings | _RLT relocation
//! ```
//! Nothing has a fixed place but the header: all else is found by pointers, which count from the start of the
//! BNSH also where it stands in a BFSHA. The instructions are those of the Maxwell GPU and are not looked at
//! here.

mod check;
pub mod edit;
mod format;
pub mod index;
#[cfg(feature = "manifest")]
pub(crate) mod manifest;
pub mod model;
mod names;
pub mod programs;
pub mod raw;
pub mod read;
mod reflection;
mod stages;
mod tree;
mod write;

pub use crate::formats::nvn::Group;
pub(crate) use check::KINDS;
pub use model::{Bnsh, Language, Object, Role, Slot};
pub use raw::CodeType;
pub use read::read;
pub(crate) use read::signed;
pub(crate) use stages::kind_named;
