//! What the face needs of the format ([`FileFormat`]).

use super::read::Heads;
use super::{Shbin, raw, read};
use crate::shared::{
    format::{FileFormat, Magic, forward, forward_manifest, magic},
    programs::DetachedStage,
    stages::Stages,
};
use unshade_bytes::{Budget, Result};
use unshade_stage::StageId;

impl FileFormat for Shbin {
    const NAME: &'static str = "shbin";
    const PLATFORM: &'static str = "Nintendo 3DS";
    const MAGIC: &'static [Magic] = &[magic(raw::DVLB), magic(raw::DVOJ)];

    fn extent(data: &[u8], base: u64, budget: &mut Budget) -> Option<usize> {
        Some(Heads::read(data, base, budget).ok()?.extent())
    }

    /// With the zeros up to the next multiple of 4: nothing in the file says its size.
    fn embedded(data: &[u8], base: u64, budget: &mut Budget) -> Option<(Self, usize)> {
        let heads = Heads::read(data, base, budget).ok()?;
        let extent = heads.extent();
        let padded = extent.checked_next_multiple_of(4).unwrap_or(extent);
        let zeros = data.get(extent..padded).is_some_and(|bytes| bytes.iter().all(|&byte| byte == 0));
        let len = if zeros { padded } else { extent };
        Some((heads.model(len), len))
    }

    fn read(bytes: &[u8]) -> Result<Self> {
        read(bytes)
    }

    fn stages(&self) -> Stages<'_> {
        Stages::sharing(self.stages(), self.code_len())
    }

    fn put(&mut self, id: &StageId, stage: &DetachedStage) -> Result<()> {
        self.put(id, stage.wanted("a program for the PICA200")?)
    }

    forward!(write, describe, check, tree, stage, replace, take, add, remove, things, set_texts, set_things);
    forward_manifest!();
}
