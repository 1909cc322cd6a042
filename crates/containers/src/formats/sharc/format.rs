//! What the face needs of the format ([`FileFormat`]).

#[cfg(feature = "manifest")]
use super::manifest;
use super::{Sharc, programs, raw, read};
#[cfg(feature = "manifest")]
use crate::shared::parts::Parts;
use crate::shared::{
    format::{FileFormat, starts_in_either_order},
    names::{Put, Thing},
    programs::{NewProgram, Removed},
    stages::Stages,
    tree::Node,
};
use unshade_bytes::{Diagnostic, Endian, Result};
use unshade_stage::{Code, Stage, StageId};

impl FileFormat for Sharc {
    const NAME: &'static str = "sharc";
    const PLATFORM: &'static str = "Nintendo Switch or Wii U";

    fn detect(bytes: &[u8]) -> bool {
        starts_in_either_order(bytes, raw::MAGIC)
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

    // Texts are not programs yet.
    fn stages(&self) -> Stages<'_> {
        Stages::all(std::iter::empty())
    }

    fn stage(&self, _id: &StageId) -> Option<Stage<'_>> {
        None
    }

    fn replace(&mut self, _id: &StageId, _code: &Code<'_>) -> Result<()> {
        Err(programs::no_code())
    }

    fn add(&mut self, what: &NewProgram) -> Result<Vec<StageId>> {
        self.add(what)
    }

    fn remove(&mut self, item: &str) -> Result<Removed> {
        self.remove(item)
    }

    fn copy_of(&self, item: &str) -> Result<NewProgram> {
        self.copy_of(item)
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
