//! What the face needs of the format ([`FileFormat`]).

#[cfg(feature = "manifest")]
use super::manifest;
use super::{Bfsha, read};
#[cfg(feature = "manifest")]
use crate::shared::parts::Parts;
use crate::shared::{
    format::FileFormat,
    names::Thing,
    programs::{LooseStage, NewProgram, Removed},
    stages::Stages,
    tree::Node,
};
use unshade_bytes::{Diagnostic, Endian, Result};
use unshade_stage::{Code, Stage, StageId};

impl FileFormat for Bfsha {
    const NAME: &'static str = "bfsha";
    const PLATFORM: &'static str = "Nintendo Switch or Wii U";

    fn detect(bytes: &[u8]) -> bool {
        bytes.starts_with(b"FSHA")
    }

    fn read(bytes: &[u8]) -> Result<Self> {
        read(bytes)
    }

    fn write(&self) -> Result<Vec<u8>> {
        self.write()
    }

    fn byte_order(&self) -> Endian {
        self.image.form.endian()
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
        Stages::sharing(self.stages(), self.image.len)
    }

    fn stage(&self, id: &StageId) -> Option<Stage<'_>> {
        self.stage(id)
    }

    fn replace(&mut self, id: &StageId, code: &Code<'_>) -> Result<()> {
        self.replace(id, code)
    }

    fn take(&self, id: &StageId) -> Result<LooseStage> {
        if self.is_cafe() { self.take_cafe(id).map(Into::into) } else { self.take(id).map(Into::into) }
    }

    fn put(&mut self, id: &StageId, stage: &LooseStage) -> Result<()> {
        match stage.get() {
            Some(shader) => self.put_cafe(id, shader),
            None => self.put(id, stage.wanted("a stage of the Switch")?),
        }
    }

    fn add(&mut self, what: &NewProgram) -> Result<Vec<StageId>> {
        if self.is_cafe() { self.add_cafe(what) } else { self.add(what) }
    }

    fn remove(&mut self, item: &str) -> Result<Removed> {
        if self.is_cafe() { self.remove_cafe(item) } else { self.remove(item) }
    }

    fn copy_of(&self, item: &str) -> Result<NewProgram> {
        if self.is_cafe() { self.copy_of_cafe(item) } else { self.copy_of(item) }
    }

    fn things(&self, tree: &Node) -> Vec<Thing> {
        self.things(tree)
    }

    fn set_texts(&mut self, texts: &[(u64, Vec<u8>)]) -> Result<()> {
        self.set_texts(texts)
    }

    #[cfg(feature = "manifest")]
    fn extract(&self, parts: &mut Parts) -> Result<String> {
        manifest::extract(self, parts)
    }

    #[cfg(feature = "manifest")]
    fn build(manifest: &str, parts: &Parts) -> Result<Self> {
        manifest::build(manifest, parts)
    }

    #[cfg(feature = "manifest")]
    fn wanted(manifest: &str) -> Result<Vec<String>> {
        manifest::wanted(manifest)
    }
}
