//! What the face needs of the format ([`FileFormat`]).

#[cfg(feature = "manifest")]
use super::manifest;
use super::{Bfsha, read};
use crate::shared::{
    format::{FileFormat, Magic, forward, forward_manifest, magic, sized},
    programs::{DetachedStage, NewProgram, Removed},
    stages::Stages,
};
use unshade_bytes::{Budget, Endian, Result};
use unshade_stage::StageId;

impl FileFormat for Bfsha {
    const NAME: &'static str = "bfsha";
    const PLATFORM: &'static str = "Nintendo Switch or Wii U";
    const MAGIC: &'static [Magic] = &[magic(*b"FSHA")];

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

    fn take(&self, id: &StageId) -> Result<DetachedStage> {
        if self.is_wiiu() { self.take_wiiu(id).map(Into::into) } else { self.take(id).map(Into::into) }
    }

    fn put(&mut self, id: &StageId, stage: &DetachedStage) -> Result<()> {
        match stage.get() {
            Some(shader) => self.put_wiiu(id, shader),
            None => self.put(id, stage.wanted("a stage of the Switch")?),
        }
    }

    fn add(&mut self, what: &NewProgram) -> Result<Vec<StageId>> {
        if self.is_wiiu() { self.add_wiiu(what) } else { self.add(what) }
    }

    fn remove(&mut self, item: &str) -> Result<Removed> {
        if self.is_wiiu() { self.remove_wiiu(item) } else { self.remove(item) }
    }

    fn copy_of(&self, item: &str) -> Result<NewProgram> {
        if self.is_wiiu() { self.copy_of_wiiu(item) } else { self.copy_of(item) }
    }

    forward!(write, describe, check, tree, stage, replace, things, set_texts);
    forward_manifest!(manifest::extract, manifest::build, manifest::wanted);
}
