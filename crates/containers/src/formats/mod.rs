//! The formats, each a room with the same furniture: `raw` (headers field for field), `model` (typed tables), `read`,
//! `write`, `check`, `stages` (what an instruction set needs), `format` (what the face needs).
//!
//! Four rooms are what several formats share: [`gx2`] (structures of the Wii U), [`nx`] (files of the Switch) and [`agl`]
//! (shader archives), `caches` (shader caches of emulators).

pub mod agl;
pub mod bfres;
pub mod bfsha;
pub mod bnsh;
#[cfg(feature = "caches")]
pub(crate) mod caches;
#[cfg(feature = "caches")]
pub mod cemu;
#[cfg(feature = "caches")]
pub mod citra;
pub mod dksh;
pub mod gfd;
pub mod gx2;
pub mod mbs;
pub mod nvn;
#[cfg(feature = "caches")]
pub mod ryujinx;
pub mod sarc;
pub mod sharc;
pub mod sharcfb;
pub mod sharcfb_nx;
pub mod shbin;
pub mod switch;
#[cfg(feature = "caches")]
pub mod vkch;
pub mod yaz0;
#[cfg(feature = "caches")]
pub mod yuzu;
pub mod zstd;
