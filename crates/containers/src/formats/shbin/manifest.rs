//! What of a SHBIN stands in files beside its manifest.

use super::Shbin;
use crate::shared::manifest::{Blob, Manifest, Stored};
use unshade_bytes::Endian;

impl Manifest for Shbin {
    const ABOUT: &'static [&'static str] = &[
        "A 3DS shader binary, taken apart. Offsets and counts follow from what is here; names are offsets in the strings",
        "of their executable. Code is in a file beside this one.",
    ];

    const BLOBS: &'static [Blob] = &[
        Blob { path: "code.words", stored: Stored::Words(Endian::Little), name: "code.bin" },
        Blob::bytes("trailing", "trailing.bin"),
    ];
}
