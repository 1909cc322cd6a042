//! What of raw pairs and code sections stands in files beside their manifests.

use super::{NvnCode, NvnPair};
use crate::shared::manifest::{Blob, Manifest};
use toml::Table;

impl Manifest for NvnPair {
    const ABOUT: &'static [&'static str] =
        &["Two stages of the Switch with their control sections, taken apart."];

    const BLOBS: &'static [Blob] = &[
        Blob::bytes("stages.control", "control.bin"),
        Blob::bytes("stages.code", "code.bin"),
        Blob::bytes("others", "unknown.bin"),
    ];

    fn label(key: &str, index: usize, _: &Table) -> Option<String> {
        (key == "stages").then(|| if index == 0 { "a" } else { "b" }.to_owned())
    }
}

impl Manifest for NvnCode {
    const ABOUT: &'static [&'static str] = &["A code section of the Switch."];

    const BLOBS: &'static [Blob] = &[Blob::bytes("bytes", "code.bin")];
}
