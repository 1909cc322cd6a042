//! What the face needs of the format ([`FileFormat`]).

use super::{Sharc, programs, raw, read};
use crate::shared::{
    format::{FileFormat, Magic, forward, forward_manifest, magic, shorter},
    stages::Stages,
};
use unshade_bytes::{Budget, Endian, Error, Result};
use unshade_stage::{Code, Stage, StageId};

impl FileFormat for Sharc {
    const NAME: &'static str = "sharc";
    const PLATFORM: &'static str = "Nintendo Switch or Wii U";
    const MAGIC: &'static [Magic] = &[magic(raw::MAGIC.to_le_bytes()), magic(raw::MAGIC.to_be_bytes())];

    fn extent(data: &[u8], base: u64, budget: &mut Budget) -> Option<usize> {
        read::embedded(data, base, budget)
    }

    fn cut(bytes: &[u8]) -> Option<Error> {
        let size = read::headed(bytes).ok()?.header.file_size;
        shorter(bytes, size.into(), (8, "file_size"), "sharc.truncated")
    }

    fn read(bytes: &[u8]) -> Result<Self> {
        read(bytes)
    }

    fn byte_order(&self) -> Endian {
        self.endian
    }

    // Texts are not programs yet.
    fn stages(&self) -> Stages<'_> {
        Stages::all(std::iter::empty())
    }

    fn stage(&self, _id: &StageId) -> Option<Stage<'_>> {
        None
    }

    fn replace(&mut self, _id: &StageId, _code: &Code<'_>) -> Result<()> {
        Err(programs::no_code())
    }

    forward!(write, describe, check, tree, add, remove, copy_of, things, set_texts, set_things);
    forward_manifest!();
}
