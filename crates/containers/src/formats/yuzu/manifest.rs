//! What of a cache stands in files beside its manifest.

use super::Yuzu;
use crate::shared::manifest::{Blob, Manifest};

impl Manifest for Yuzu {
    const ABOUT: &'static [&'static str] =
        &["A shader cache of yuzu, taken apart. Code and keys are in the files beside this one."];

    const BLOBS: &'static [Blob] = &[
        Blob::bytes("code", "code.bin"),
        Blob::bytes("key", "key.bin"),
        Blob::bytes("program_header", "header.bin"),
        Blob::bytes("rest", "rest.bin"),
    ];
}
