//! What of a cache stands in files beside its manifest.

use super::Citra;
use crate::shared::manifest::{Blob, Manifest};

impl Manifest for Citra {
    const ABOUT: &'static [&'static str] =
        &["A shader cache of Citra, taken apart. Registers and programs are in the files beside this one."];

    const BLOBS: &'static [Blob] = &[
        Blob::bytes("registers", "registers.bin"),
        Blob::bytes("program_code", "code.bin"),
        Blob::bytes("rest", "rest.bin"),
    ];
}
