//! What the face needs of the format ([`FileFormat`]).

#[cfg(feature = "manifest")]
use super::manifest;
use super::{Gfd, raw, read};
use crate::shared::{
    format::{FileFormat, Magic, forward, forward_manifest, magic},
    programs::DetachedStage,
    stages::Stages,
};
use unshade_bytes::{Budget, Endian, Error, Result};
use unshade_stage::StageId;

impl FileFormat for Gfd {
    const NAME: &'static str = "gfd";
    const PLATFORM: &'static str = "Wii U";
    const MAGIC: &'static [Magic] = &[magic(raw::MAGIC)];

    fn extent(data: &[u8], base: u64, budget: &mut Budget) -> Option<usize> {
        read::embedded(data, base, budget)
    }

    fn cut(bytes: &[u8]) -> Option<Error> {
        read::cut(bytes)
    }

    fn read(bytes: &[u8]) -> Result<Self> {
        read(bytes)
    }

    fn byte_order(&self) -> Endian {
        Endian::Big
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
