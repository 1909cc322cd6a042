//! What of an MBS stands in files beside its manifest.

use super::Mbs;
use crate::shared::manifest::{Blob, Manifest, Stored};
use toml::{Table, Value};
use unshade_bytes::Endian;

impl Manifest for Mbs {
    const ABOUT: &'static [&'static str] = &[
        "A Mali shader binary, taken apart: its chunks in their order. Sizes and counts follow from what is here.",
        "Code is in files beside this one.",
    ];

    const BLOBS: &'static [Blob] = &[
        Blob { path: "code.words", stored: Stored::Words(Endian::Little), name: "code.bin" },
        Blob::bytes("other.bytes", "chunk.bin"),
        Blob::bytes("stray", "stray.bin"),
        Blob::bytes("trailing", "trailing.bin"),
    ];

    fn label(key: &str, _: usize, table: &Table) -> Option<String> {
        let kind = table.get("kind").and_then(Value::as_str)?;
        (key == "program").then(|| kind.to_owned())
    }
}
