//! What of a cache stands in files beside its manifest.

use super::Ryujinx;
use crate::shared::manifest::{Blob, Manifest};

impl Manifest for Ryujinx {
    const ABOUT: &'static [&'static str] = &[
        "A shader cache of Ryujinx, taken apart: its tables. What is packed is in the files beside this one.",
    ];

    const BLOBS: &'static [Blob] =
        &[Blob::bytes("guest.data", "guest.data"), Blob::bytes("shared.data", "shared.data")];
}
