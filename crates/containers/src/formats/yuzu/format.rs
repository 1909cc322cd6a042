//! What the face needs of the format ([`FileFormat`]).

use super::{Yuzu, raw, read};
use crate::formats::caches::read_only;
use crate::shared::{
    format::{FileFormat, forward, forward_manifest},
    stages::Stages,
};
use unshade_bytes::{Error, Result};
use unshade_stage::{Code, StageId};

impl FileFormat for Yuzu {
    const NAME: &'static str = "yuzu";
    const PLATFORM: &'static str = "Nintendo Switch";

    fn detect(bytes: &[u8]) -> bool {
        bytes.starts_with(&raw::MAGIC)
    }

    fn read(bytes: &[u8]) -> Result<Self> {
        read(bytes)
    }

    fn cut(bytes: &[u8]) -> Option<Error> {
        read(bytes).ok()?.rest_error()
    }

    fn stages(&self) -> Stages<'_> {
        Stages::all(self.stages())
    }

    fn locked() -> Option<Error> {
        Some(read_only("yuzu"))
    }

    fn replace(&mut self, _: &StageId, _: &Code<'_>) -> Result<()> {
        Err(read_only("yuzu"))
    }

    forward!(write, describe, check, tree, stage);
    forward_manifest!();
}
