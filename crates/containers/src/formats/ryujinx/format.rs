//! What the face needs of the format ([`FileFormat`]).

use super::check::missing_data;
use super::{Ryujinx, raw, read};
use crate::formats::caches::read_only;
use crate::shared::{
    format::{FileFormat, forward, forward_manifest},
    stages::Stages,
};
use unshade_bytes::{Error, Result};
use unshade_stage::{Code, StageId};

impl FileFormat for Ryujinx {
    const NAME: &'static str = "ryujinx";
    const PLATFORM: &'static str = "Nintendo Switch";

    fn detect(bytes: &[u8]) -> bool {
        bytes.starts_with(&raw::GUEST_MAGIC)
    }

    fn read(bytes: &[u8]) -> Result<Self> {
        read(bytes)
    }

    fn cut(bytes: &[u8]) -> Option<Error> {
        let cache = read(bytes).ok()?;
        (cache.guest.data.is_empty() && !cache.guest.entries.is_empty()).then(missing_data)
    }

    fn stages(&self) -> Stages<'_> {
        self.stages()
    }

    fn locked() -> Option<Error> {
        Some(read_only("Ryujinx"))
    }

    fn replace(&mut self, _: &StageId, _: &Code<'_>) -> Result<()> {
        Err(read_only("Ryujinx"))
    }

    forward!(write, describe, check, tree, stage);
    forward_manifest!();
}
