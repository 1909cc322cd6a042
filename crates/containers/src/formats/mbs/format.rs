//! What the face needs of the format ([`FileFormat`]).

use super::raw::CHUNK_HEADER;
use super::{Mbs, raw, read};
use crate::shared::{
    format::{FileFormat, Magic, forward, forward_manifest, shorter},
    programs::DetachedStage,
    stages::Stages,
};
use unshade_bytes::{Budget, Error, Result};
use unshade_stage::StageId;

impl FileFormat for Mbs {
    const NAME: &'static str = "mbs";
    const PLATFORM: &'static str = "Mali-200/400 (Utgard)";
    const MAGIC: &'static [Magic] = &[raw::FAMILY_WORD];

    fn extent(data: &[u8], base: u64, budget: &mut Budget) -> Option<usize> {
        read::embedded(data, base, budget)
    }

    fn cut(bytes: &[u8]) -> Option<Error> {
        let size = u32::from_le_bytes(*bytes.get(4..)?.first_chunk()?);
        shorter(bytes, u64::from(size).saturating_add(CHUNK_HEADER), (4, "size"), "mbs.truncated")
    }

    fn read(bytes: &[u8]) -> Result<Self> {
        read(bytes)
    }

    fn stages(&self) -> Stages<'_> {
        Stages::all(self.stages())
    }

    fn put(&mut self, id: &StageId, stage: &DetachedStage) -> Result<()> {
        self.put(id, stage.wanted("a Mali program")?)
    }

    forward!(write, describe, check, tree, stage, replace, take, add, remove, things, set_texts, set_things);
    forward_manifest!();
}
