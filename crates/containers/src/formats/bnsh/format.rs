//! What the face needs of the format ([`FileFormat`]).

#[cfg(feature = "manifest")]
use super::manifest;
use super::{Bnsh, read};
use crate::shared::{
    format::{FileFormat, Magic, forward, forward_manifest, magic, sized},
    programs::DetachedStage,
    stages::Stages,
};
use unshade_bytes::{Budget, Endian, Result};
use unshade_stage::StageId;

impl FileFormat for Bnsh {
    const NAME: &'static str = "bnsh";
    const PLATFORM: &'static str = "Nintendo Switch";
    const MAGIC: &'static [Magic] = &[magic(*b"BNSH")];

    fn extent(data: &[u8], base: u64, budget: &mut Budget) -> Option<usize> {
        sized(data, read::size(data)?, base, budget)
    }

    fn read(bytes: &[u8]) -> Result<Self> {
        read(bytes)
    }

    fn byte_order(&self) -> Endian {
        self.image.form.endian()
    }

    fn stages(&self) -> Stages<'_> {
        Stages::sharing(self.stages(), self.image.len)
    }

    fn put(&mut self, id: &StageId, stage: &DetachedStage) -> Result<()> {
        self.put(id, stage.wanted("a stage of the Switch")?)
    }

    forward!(write, describe, check, tree, stage, replace, take, add, remove, copy_of, things, set_texts);
    forward_manifest!(manifest::extract, manifest::build, manifest::wanted);
}
