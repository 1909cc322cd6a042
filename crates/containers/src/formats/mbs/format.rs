//! What the face needs of the format ([`FileFormat`]).

#[cfg(feature = "manifest")]
use super::manifest;
use super::{Mbs, raw, read};
use crate::shared::{
    format::{FileFormat, forward, forward_manifest},
    programs::LooseStage,
    stages::Stages,
};
use unshade_bytes::Result;
use unshade_stage::StageId;

impl FileFormat for Mbs {
    const NAME: &'static str = "mbs";
    const PLATFORM: &'static str = "Mali-200/400 (Utgard)";

    fn detect(bytes: &[u8]) -> bool {
        bytes.starts_with(&raw::FAMILY)
    }

    fn read(bytes: &[u8]) -> Result<Self> {
        read(bytes)
    }

    fn stages(&self) -> Stages<'_> {
        Stages::all(self.stages())
    }

    fn put(&mut self, id: &StageId, stage: &LooseStage) -> Result<()> {
        self.put(id, stage.wanted("a Mali program")?)
    }

    forward!(write, describe, check, tree, stage, replace, take, add, remove, things, set_texts, set_things);
    forward_manifest!(manifest::extract, manifest::build, manifest::wanted);
}
