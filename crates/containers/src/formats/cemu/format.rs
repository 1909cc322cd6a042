//! What the face needs of the format ([`FileFormat`]).

use super::{Cemu, raw, read};
use crate::formats::caches::read_only;
use crate::shared::{
    format::{FileFormat, forward, forward_manifest},
    stages::Stages,
};
use unshade_bytes::{Error, Result};
use unshade_stage::{Code, StageId};

impl FileFormat for Cemu {
    const NAME: &'static str = "cemu";
    const PLATFORM: &'static str = "Wii U";

    fn detect(bytes: &[u8]) -> bool {
        let magic = bytes.first_chunk().map(|word| u32::from_le_bytes(*word));
        magic.and_then(raw::version).is_some()
    }

    fn read(bytes: &[u8]) -> Result<Self> {
        read(bytes)
    }

    fn stages(&self) -> Stages<'_> {
        self.stages()
    }

    fn locked() -> Option<Error> {
        Some(read_only("Cemu"))
    }

    fn replace(&mut self, _: &StageId, _: &Code<'_>) -> Result<()> {
        Err(read_only("Cemu"))
    }

    forward!(write, describe, check, tree, stage);
    forward_manifest!();
}
