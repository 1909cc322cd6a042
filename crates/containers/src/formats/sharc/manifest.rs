//! What of an archive of sources stands in files beside its manifest: each text, byte for byte.

use super::Sharc;
use crate::shared::manifest::{Blob, Manifest, Stored};
use toml::{Table, Value};

impl Manifest for Sharc {
    const ABOUT: &'static [&'static str] = &[
        "An archive of shader sources, taken apart. Sizes and counts follow from what is here; texts end with a NUL that",
        "their files do not have. A source of a program is the number of an entry of `sources`, from 0 on.",
    ];

    const BLOBS: &'static [Blob] = &[
        Blob { path: "sources.items.known.text", stored: Stored::Text, name: "source.glsl" },
        Blob::bytes("damaged", "record.bin"),
        Blob::bytes("tail", "tail.bin"),
        Blob::bytes("trailing", "trailing.bin"),
    ];

    fn label(key: &str, _: usize, table: &Table) -> Option<String> {
        let name = table.get("name").and_then(Value::as_str)?;
        (key == "known").then(|| name.trim_end_matches("\\0").to_owned())
    }
}
