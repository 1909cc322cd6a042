//! What the face needs of the format ([`FileFormat`]).

#[cfg(feature = "manifest")]
use super::manifest;
use super::{SharcfbNx, read};
use crate::formats::sharcfb;
use crate::shared::{
    format::{FileFormat, Magic, forward, forward_manifest, magic, shorter, starts_with_one},
    programs::DetachedStage,
    stages::Stages,
};
use unshade_bytes::{Budget, Error, Result};
use unshade_stage::StageId;

impl FileFormat for SharcfbNx {
    const NAME: &'static str = "sharcfb-nx";
    const PLATFORM: &'static str = "Nintendo Switch";
    const MAGIC: &'static [Magic] =
        &[magic(sharcfb::raw::MAGIC.to_le_bytes()), magic(sharcfb::raw::MAGIC.to_be_bytes())];

    fn detect(bytes: &[u8]) -> bool {
        starts_with_one(Self::MAGIC, bytes) && sharcfb::raw::is_switch(bytes)
    }

    fn extent(data: &[u8], base: u64, budget: &mut Budget) -> Option<usize> {
        read::embedded(data, base, budget)
    }

    fn cut(bytes: &[u8]) -> Option<Error> {
        let size = read::headed(bytes).ok()?.0.file_size;
        shorter(bytes, size.into(), (8, "file_size"), "sharcfb-nx.truncated")
    }

    fn read(bytes: &[u8]) -> Result<Self> {
        read(bytes)
    }

    fn stages(&self) -> Stages<'_> {
        Stages::sharing(self.stages(), self.pool().len() as u64)
    }

    fn put(&mut self, id: &StageId, stage: &DetachedStage) -> Result<()> {
        self.put(id, stage.wanted("a stage of the Switch")?)
    }

    forward!(
        write, describe, check, tree, stage, replace, take, add, remove, copy_of, things, set_texts,
        set_things
    );
    forward_manifest!(manifest::extract, manifest::build, manifest::wanted);
}
