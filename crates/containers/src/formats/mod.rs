//! The formats, each a room with the same furniture: `raw` (headers field for field), `model` (typed tables), `read`,
//! `write`, `check`, `stages` (what an instruction set needs), `format` (what the face needs).
//!
//! Three rooms are what several formats share: [`gx2`] (structures of the Wii U), [`nx`] (files of the Switch) and [`agl`]
//! (shader archives).

pub mod agl;
pub mod bfres;
pub mod bfsha;
pub mod bnsh;
pub mod dksh;
pub mod gfd;
pub mod gx2;
pub mod mbs;
pub mod nvn;
pub mod sarc;
pub mod sharc;
pub mod sharcfb;
pub mod sharcfb_nx;
pub mod shbin;
pub mod switch;
pub mod yaz0;
pub mod zstd;
