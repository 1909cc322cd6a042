//! What of a DKSH stands in files beside its manifest.

use super::Dksh;
use crate::shared::manifest::{Blob, Manifest};

impl Manifest for Dksh {
    const ABOUT: &'static [&'static str] =
        &["Programs of deko3d, taken apart. Their code is in a file beside this one."];

    const BLOBS: &'static [Blob] =
        &[Blob::bytes("code", "code.bin"), Blob::bytes("trailing", "trailing.bin")];
}
