//! What the face needs of the format ([`FileFormat`]).

#[cfg(feature = "manifest")]
use super::manifest;
use super::{Sharcfb, raw, read};
use crate::formats::sharcfb_nx;
#[cfg(feature = "manifest")]
use crate::shared::parts::Parts;
use crate::shared::{
    format::{FileFormat, starts_in_either_order},
    names::{Put, Thing},
    programs::{LooseStage, NewProgram, Removed},
    stages::Stages,
    tree::Node,
};
use unshade_bytes::{Diagnostic, Endian, Result};
use unshade_stage::{Code, Stage, StageId};

impl FileFormat for Sharcfb {
    const NAME: &'static str = "sharcfb";
    const PLATFORM: &'static str = "Wii U";

    fn detect(bytes: &[u8]) -> bool {
        starts_in_either_order(bytes, raw::MAGIC) && !sharcfb_nx::raw::detect(bytes)
    }

    fn read(bytes: &[u8]) -> Result<Self> {
        read(bytes)
    }

    fn write(&self) -> Result<Vec<u8>> {
        self.write()
    }

    fn byte_order(&self) -> Endian {
        self.endian
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
        self.put(id, stage.wanted("a shader of the Wii U")?)
    }

    fn add(&mut self, what: &NewProgram) -> Result<Vec<StageId>> {
        self.add(what)
    }

    fn remove(&mut self, item: &str) -> Result<Removed> {
        self.remove(item)
    }

    fn things(&self, tree: &Node) -> Vec<Thing> {
        self.things(tree)
    }

    fn set_texts(&mut self, texts: &[(u64, Vec<u8>)]) -> Result<()> {
        self.set_texts(texts)
    }

    fn set_things(&mut self, puts: &[Put]) -> Result<()> {
        self.set_things(puts)
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
