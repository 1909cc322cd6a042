//! Archives of shading models: `FSHA`, the options that shaders were compiled for, the programs, and the shaders
//! themselves; of the Switch with a BNSH for each model, of the Wii U with GX2 structures.

mod check;
pub mod edit;
mod format;
pub mod index;
pub mod lazy;
#[cfg(feature = "manifest")]
pub(crate) mod manifest;
pub mod model;
mod names;
pub mod options;
pub mod pick;
pub mod programs;
pub mod raw;
pub mod read;
mod stages;
mod tree;
pub mod wiiu;
mod wiiu_stages;
mod write;

pub use model::{Bfsha, Object};
pub use read::read;
