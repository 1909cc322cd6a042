//! What of a cache stands in files beside its manifest.

use super::Vkch;
use crate::shared::manifest::{Blob, Manifest};
use crate::shared::{Parts, manifest};
use unshade_bytes::Result;

impl Manifest for Vkch {
    const ABOUT: &'static [&'static str] = &[
        "A shader cache of Azahar, taken apart. What entries hold is in the files beside this one, packed as it was;",
        "the SPIR-V that the emulator made is there unpacked as well (ID.spv), for tools: nothing is read from these.",
    ];

    const BLOBS: &'static [Blob] = &[Blob::bytes("payload", "payload.bin"), Blob::bytes("rest", "rest.bin")];
}

/// Takes a cache apart.
///
/// # Errors
/// Where it is not what a file can hold.
pub(super) fn extract(cache: &Vkch, parts: &mut Parts) -> Result<String> {
    cache.write()?;
    let text = manifest::extract("vkch", cache, parts)?;
    for entry in cache.entries.iter().filter(|entry| entry.is_spirv()) {
        // What is damaged is in the folder as it stands.
        if let Ok(spirv) = entry.spirv() {
            parts.insert(format!("{}.spv", entry.header.id), spirv.into_owned());
        }
    }
    Ok(text)
}
