//! What the face needs of the format ([`FileFormat`]).

use super::{Dksh, MAGIC, read};
use crate::shared::{
    format::{FileFormat, Magic, forward, forward_manifest, magic, sized},
    programs::DetachedStage,
    stages::Stages,
};
use unshade_bytes::{Budget, Result};
use unshade_stage::StageId;

impl FileFormat for Dksh {
    const NAME: &'static str = "dksh";
    const PLATFORM: &'static str = "Nintendo Switch";
    const MAGIC: &'static [Magic] = &[magic(MAGIC)];

    fn extent(data: &[u8], base: u64, budget: &mut Budget) -> Option<usize> {
        sized(data, super::size(data)?, base, budget)
    }

    fn read(bytes: &[u8]) -> Result<Self> {
        read(bytes)
    }

    fn stages(&self) -> Stages<'_> {
        Stages::sharing(self.stages(), self.code.len() as u64)
    }

    fn put(&mut self, id: &StageId, stage: &DetachedStage) -> Result<()> {
        self.put(id, stage.wanted("a stage of the Switch")?)
    }

    forward!(write, describe, check, tree, stage, replace, take, add, remove);
    forward_manifest!();
}
