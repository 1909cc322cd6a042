//! What the face needs of the format ([`FileFormat`]).

#[cfg(feature = "manifest")]
use super::manifest;
use super::{Shbin, raw, read};
use crate::shared::{
    format::{FileFormat, forward, forward_manifest},
    programs::LooseStage,
    stages::Stages,
};
use unshade_bytes::Result;
use unshade_stage::StageId;

impl FileFormat for Shbin {
    const NAME: &'static str = "shbin";
    const PLATFORM: &'static str = "Nintendo 3DS";

    fn detect(bytes: &[u8]) -> bool {
        matches!(bytes.first_chunk(), Some(&raw::DVLB | &raw::DVOJ))
    }

    fn read(bytes: &[u8]) -> Result<Self> {
        read(bytes)
    }

    fn stages(&self) -> Stages<'_> {
        Stages::sharing(self.stages(), self.code_len())
    }

    fn put(&mut self, id: &StageId, stage: &LooseStage) -> Result<()> {
        self.put(id, stage.wanted("a program for the PICA200")?)
    }

    forward!(write, describe, check, tree, stage, replace, take, add, remove, things, set_texts, set_things);
    forward_manifest!(manifest::extract, manifest::build, manifest::wanted);
}
