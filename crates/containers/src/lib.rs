//! Shader containers of consoles and mobile GPUs: read, check, write back exactly.
//!
//! Three floors, and no arrow runs back up: `shared` knows no format, `formats` has a room for each, and `face`
//! ([`Container`]) is the only place that names all of them. A container names its instruction set and hands over code and
//! interface; it never decodes.
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

mod face;
mod formats;
mod shared;

#[cfg(feature = "manifest")]
pub use face::manifest as parts;
pub use face::{Container, Format, container, detect, edit};
#[cfg(feature = "manifest")]
pub use face::{build, extract};
pub use formats::{
    agl, bfres, bfsha, bnsh, dksh, gfd, gx2, mbs, nvn, sharc, sharcfb, sharcfb_nx, shbin, switch,
};
#[cfg(feature = "caches")]
pub use formats::{caches::Wide, cemu, citra, ryujinx, vkch, yuzu};
#[cfg(feature = "manifest")]
pub use shared::Parts;
pub use shared::{DetachedStage, FieldEncoding, Name, NewProgram, Node, Opaque, Removed, Strings};
pub use shared::{encoding, fields, opaque, programs, stages, tree};

pub mod wrap {
    //! Files inside files: wrappers that are opened on the way, and blobs that hold containers and wrappers.

    #[cfg(feature = "manifest")]
    pub use crate::face::manifest::wrappers as manifest;
    pub use crate::face::{inside, layer, nest, recognise, scan};
    pub use crate::formats::{sarc, yaz0, zstd};
    pub use crate::shared::path;
}
