//! What the face needs of the format ([`FileFormat`]).

use super::{Dksh, MAGIC, read};
#[cfg(feature = "manifest")]
use crate::shared::parts::Parts;
use crate::shared::{
    format::FileFormat,
    programs::{LooseStage, NewProgram, Removed},
    stages::Stages,
    tree::Node,
};
use unshade_bytes::{Diagnostic, Result};
use unshade_stage::{Code, Stage, StageId};

impl FileFormat for Dksh {
    const NAME: &'static str = "dksh";
    const PLATFORM: &'static str = "Nintendo Switch";

    fn detect(bytes: &[u8]) -> bool {
        bytes.starts_with(&MAGIC)
    }

    fn read(bytes: &[u8]) -> Result<Self> {
        read(bytes)
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
        Stages::sharing(self.stages(), self.code.len() as u64)
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

    fn add(&mut self, what: &NewProgram) -> Result<Vec<StageId>> {
        self.add(what)
    }

    fn remove(&mut self, item: &str) -> Result<Removed> {
        self.remove(item)
    }

    #[cfg(feature = "manifest")]
    fn extract(&self, parts: &mut Parts) -> Result<String> {
        crate::formats::nvn::manifest::extract_dksh(self, parts)
    }

    #[cfg(feature = "manifest")]
    fn build(manifest: &str, parts: &Parts) -> Result<Self> {
        crate::formats::nvn::manifest::build_dksh(manifest, parts)
    }

    #[cfg(feature = "manifest")]
    fn wanted(manifest: &str) -> Result<Vec<String>> {
        crate::formats::nvn::manifest::wanted_dksh(manifest)
    }
}
