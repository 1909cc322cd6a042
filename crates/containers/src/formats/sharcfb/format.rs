//! What the face needs of the format ([`FileFormat`]).

#[cfg(feature = "manifest")]
use super::manifest;
use super::{Sharcfb, raw, read};
use crate::shared::{
    format::{FileFormat, Magic, forward, forward_manifest, magic, shorter, starts_with_one},
    programs::DetachedStage,
    stages::Stages,
};
use unshade_bytes::{Budget, Endian, Error, Result};
use unshade_stage::StageId;

impl FileFormat for Sharcfb {
    const NAME: &'static str = "sharcfb";
    const PLATFORM: &'static str = "Wii U";
    const MAGIC: &'static [Magic] = &[magic(raw::MAGIC.to_le_bytes()), magic(raw::MAGIC.to_be_bytes())];

    fn detect(bytes: &[u8]) -> bool {
        starts_with_one(Self::MAGIC, bytes) && !raw::is_switch(bytes)
    }

    fn extent(data: &[u8], base: u64, budget: &mut Budget) -> Option<usize> {
        read::embedded(data, base, budget)
    }

    fn cut(bytes: &[u8]) -> Option<Error> {
        let size = read::header(bytes).ok()?.0.file_size;
        shorter(bytes, size.into(), (8, "file_size"), "sharcfb.truncated")
    }

    fn read(bytes: &[u8]) -> Result<Self> {
        read(bytes)
    }

    fn byte_order(&self) -> Endian {
        self.endian
    }

    fn stages(&self) -> Stages<'_> {
        Stages::all(self.stages())
    }

    fn put(&mut self, id: &StageId, stage: &DetachedStage) -> Result<()> {
        self.put(id, stage.wanted("a shader of the Wii U")?)
    }

    forward!(write, describe, check, tree, stage, replace, take, add, remove, things, set_texts, set_things);
    forward_manifest!(manifest::extract, manifest::build, manifest::wanted);
}
