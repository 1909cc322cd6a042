//! What a BNSH has names for: itself, and what its reflection names in each stage; and all its names of other lengths.

use super::model::{Bnsh, Language, Object};
use super::raw::{STAGES, StageReflection};
use crate::formats::switch::layout::{Edit, Map};
use crate::formats::switch::{Pointer, names};
use crate::shared::FieldEncoding;
use crate::shared::Node;
use crate::shared::names::{Content, Slot, Thing};
use unshade_bytes::Result;

impl Bnsh {
    /// What the file has names for.
    pub(crate) fn things(&self, _: &Node) -> Vec<Thing> {
        self.things_at(0, "")
    }

    /// The same for a file in another one, at `base` of which it stands.
    pub(crate) fn things_at(&self, base: u64, owner: &str) -> Vec<Thing> {
        let name = names::text_place(&self.image, 0, "name").map(|at| base.saturating_add(at));
        let own = self.header().map_or(0, |header| header.file.name.0.saturating_sub(2));
        let texts = self.image.texts();
        let own = texts.get(Pointer(own)).unwrap_or_default();
        let mut things = vec![Thing::only(owner, "archive", own, name)];
        for (index, variation) in self.variations().enumerate() {
            for language in Language::ALL {
                let Some(program) = self.program(variation.program(language)) else { continue };
                let Some(table) = self.reflection(program.reflection) else { continue };
                for (stage, name) in table.stages.iter().zip(STAGES) {
                    let Some(reflection) = self.stage_reflection(*stage) else { continue };
                    let owner = match language {
                        Language::Binary => format!("{owner}variations[{index}].{name}."),
                        _ => format!("{owner}variations[{index}].{}.{name}.", language.name()),
                    };
                    self.groups(reflection, base, &owner, &mut things);
                }
            }
        }
        things
    }

    fn groups(&self, stage: &StageReflection, base: u64, owner: &str, things: &mut Vec<Thing>) {
        let texts = self.image.texts();
        let extension = self.extension(stage.extension);
        let groups = stage.groups().into_iter().chain(extension.into_iter().flat_map(|found| found.groups()));
        for (group, at, first) in groups {
            let Some(dictionary) = self.dictionary(at) else { continue };
            for (index, key) in dictionary.keys().enumerate() {
                let Some(own) = texts.get(key) else { continue };
                let place = names::key_place(at, index).map(|at| base.saturating_add(at));
                let slot = usize::try_from(first).ok().and_then(|first| first.checked_add(index));
                let slot = slot.and_then(|slot| self.slot(stage.slots, slot, base));
                things
                    .push(Thing::new(owner, group.name(), own).texts(place).value(slot.map(Content::number)));
            }
        }
    }

    /// Where a name is bound, by its number among all of a stage.
    fn slot(&self, slots: Pointer, index: usize, base: u64) -> Option<Slot> {
        let value = *self.slots(slots)?.get(index)?;
        let at = slots.get()?.checked_add((index as u64).checked_mul(4)?)?.checked_add(base)?;
        let endian = self.image.form.endian();
        let bytes = match endian {
            unshade_bytes::Endian::Little => value.to_le_bytes(),
            unshade_bytes::Endian::Big => value.to_be_bytes(),
        };
        Some(Slot::new(at, &bytes, FieldEncoding::Number, endian).shown(value.to_string()))
    }

    /// Puts other texts in place of those at these places of the file.
    ///
    /// # Errors
    /// Where no text starts there, it is too long, or a dictionary has the name already.
    pub(crate) fn set_texts(&mut self, texts: &[(u64, Vec<u8>)]) -> Result<()> {
        let texts: Vec<(u64, &[u8])> = texts.iter().map(|(at, text)| (*at, text.as_slice())).collect();
        self.set_texts_mapped(&texts).map(drop)
    }

    pub(crate) fn set_texts_mapped(&mut self, texts: &[(u64, &[u8])]) -> Result<Map> {
        let mut edit: Edit<Object> = Edit::new(self.image.clone())?;
        names::set_texts(&mut edit, texts)?;
        self.finish(edit)
    }
}
