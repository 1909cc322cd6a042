//! What the face needs of the format ([`FileFormat`]).

#[cfg(feature = "manifest")]
use super::manifest;
use super::{NvnCode, NvnPair, pair, section};
#[cfg(feature = "manifest")]
use crate::shared::parts::Parts;
use crate::shared::{format::FileFormat, programs::LooseStage, stages::Stages, tree::Node};
use unshade_bytes::{Diagnostic, Result};
use unshade_stage::{Code, Stage, StageId};

impl FileFormat for NvnPair {
    const NAME: &'static str = "nvn";
    const PLATFORM: &'static str = "Nintendo Switch";

    fn detect(bytes: &[u8]) -> bool {
        pair::detect(bytes)
    }

    fn read(bytes: &[u8]) -> Result<Self> {
        pair::read(bytes)
    }

    fn write(&self) -> Result<Vec<u8>> {
        self.write()
    }

    fn describe(&self) -> String {
        self.describe()
    }

    fn check(&self) -> Vec<Diagnostic> {
        self.check()
    }

    fn tree(&self) -> Result<Node> {
        self.tree()
    }

    fn stages(&self) -> Stages<'_> {
        Stages::all(self.stages())
    }

    fn stage(&self, id: &StageId) -> Option<Stage<'_>> {
        self.stage(id)
    }

    fn replace(&mut self, id: &StageId, code: &Code<'_>) -> Result<()> {
        self.replace(id, code)
    }

    fn take(&self, id: &StageId) -> Result<LooseStage> {
        self.take(id).map(Into::into)
    }

    fn put(&mut self, id: &StageId, stage: &LooseStage) -> Result<()> {
        self.put(id, stage.wanted("a stage of the Switch")?)
    }

    #[cfg(feature = "manifest")]
    fn extract(&self, parts: &mut Parts) -> Result<String> {
        manifest::extract_pair(self, parts)
    }

    #[cfg(feature = "manifest")]
    fn build(manifest: &str, parts: &Parts) -> Result<Self> {
        manifest::build_pair(manifest, parts)
    }

    #[cfg(feature = "manifest")]
    fn wanted(manifest: &str) -> Result<Vec<String>> {
        manifest::wanted_pair(manifest)
    }
}

impl FileFormat for NvnCode {
    const NAME: &'static str = "nvn-code";
    const PLATFORM: &'static str = "Nintendo Switch";

    fn detect(bytes: &[u8]) -> bool {
        section::detect(bytes)
    }

    fn read(bytes: &[u8]) -> Result<Self> {
        section::read(bytes)
    }

    fn write(&self) -> Result<Vec<u8>> {
        Ok(self.write())
    }

    fn describe(&self) -> String {
        self.describe()
    }

    fn check(&self) -> Vec<Diagnostic> {
        self.check()
    }

    fn tree(&self) -> Result<Node> {
        Ok(self.tree())
    }

    fn stages(&self) -> Stages<'_> {
        Stages::all(self.stages())
    }

    fn stage(&self, id: &StageId) -> Option<Stage<'_>> {
        self.stage(id)
    }

    fn replace(&mut self, id: &StageId, code: &Code<'_>) -> Result<()> {
        self.replace(id, code)
    }

    fn take(&self, id: &StageId) -> Result<LooseStage> {
        self.take(id).map(Into::into)
    }

    fn put(&mut self, id: &StageId, stage: &LooseStage) -> Result<()> {
        self.put(id, stage.wanted("a stage of the Switch")?)
    }

    #[cfg(feature = "manifest")]
    fn extract(&self, parts: &mut Parts) -> Result<String> {
        manifest::extract_code(self, parts)
    }

    #[cfg(feature = "manifest")]
    fn build(manifest: &str, parts: &Parts) -> Result<Self> {
        manifest::build_code(manifest, parts)
    }

    #[cfg(feature = "manifest")]
    fn wanted(manifest: &str) -> Result<Vec<String>> {
        manifest::wanted_code(manifest)
    }
}
