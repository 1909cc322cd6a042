//! The shader cache of Ryujinx and its followers: `guest.toc` with `guest.data`, and `shared.toc` with `shared.data`.
//!
//! ```text
//! guest.toc     TOCG | header 32 | entries of 16: place, sizes, hash
//! guest.data    for each entry: used bytes of c[1] | 1: algorithm | program header and code, packed
//! shared.toc    TOCS | header 32 | places of 8
//! shared.data   for each place: 1: algorithm | stages by their numbers in guest.toc, what they were translated for
//! ```
//! Little endian. The files belong together, so one run of bytes stands for all of them ([`join`]): guest.toc first, so that places
//! in it are its own, the others behind it, then their lengths. `guest.toc` alone is read as well, without its programs.
//!
//! Source: `DiskCacheGuestStorage`, `DiskCacheHostStorage`, `BinarySerializer` and `ShaderSpecializationState` of Ryujinx, as
//! their public source has them. No cache that an emulator wrote was seen.

mod check;
mod format;
mod join;
#[cfg(feature = "manifest")]
mod manifest;
mod model;
pub mod raw;
mod read;
mod records;
mod stages;
mod state;
mod tree;
mod write;

pub use join::{Files, NAMES, join};
pub use model::{Guest, GuestEntry, GuestHeader, Ryujinx, Shared, SharedHeader};
pub use read::read;
pub use state::{Program, Slot, Texture};
