//! What of a cache stands in files beside its manifest.

use super::Cemu;
use crate::shared::manifest::{Blob, Manifest};

impl Manifest for Cemu {
    const ABOUT: &'static [&'static str] = &[
        "A shader cache of Cemu, taken apart: its table. Records are in the files beside this one, packed as they were.",
    ];

    const BLOBS: &'static [Blob] =
        &[Blob::bytes("before", "before.bin"), Blob::bytes("behind", "records.bin")];
}
