//! Changing a BNSH: other code, more variations, fewer, another name. Everything that follows is brought along;
//! what need not change does not.

use super::model::{Bnsh, Object, Role};
use super::raw::{SourceCode, StageCode};
use super::read::Kind;
use crate::formats::switch::layout::{Edit, Map, unreadable};
use crate::formats::switch::{Pointer, Target};
use unshade_bytes::{Error, ErrorKind, Result};
use unshade_stage::StageKind;

/// Code and the end of its pool stand at multiples of this.
const POOL_ALIGNMENT: u64 = 0x1000;

fn unfit(expected: impl Into<String>, found: impl Into<String>) -> Error {
    Error::new(ErrorKind::Unrepresentable, 0, "", expected.into(), found.into()).code("bnsh.edit")
}

impl Bnsh {
    /// Gives a stage other sections. Others that share the old ones keep them.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] where there is no such stage; [`ErrorKind::Unrepresentable`] for a control
    /// section in parts that would get another length, and for sections of more than 32 bits.
    pub fn set_code(&mut self, index: u32, kind: StageKind, control: &[u8], code: &[u8]) -> Result<()> {
        self.set_code_mapped(index, kind, control, code).map(drop)
    }

    pub(crate) fn set_code_mapped(
        &mut self,
        index: u32,
        kind: StageKind,
        control: &[u8],
        code: &[u8],
    ) -> Result<Map> {
        let missing = || {
            let expected = format!("a {kind} stage in machine code of variation {index}");
            Error::new(ErrorKind::OutOfBounds, 0, "", expected, "none").code("bnsh.edit")
        };
        let at = self.stage_record(index, kind).ok_or_else(missing)?;
        let record = self.stage_code(at).ok_or_else(missing)?.clone();
        let mut edit = Edit::new(self.image.clone())?;
        let size = |bytes: &[u8]| {
            u32::try_from(bytes.len()).map_err(|_| unfit("a section of 32 bits", bytes.len().to_string()))
        };
        let mut changed = record.clone();
        if self.code(&record) != code {
            changed.code = self.place(&mut edit, (at, record.code), Role::Code, code);
            changed.code_size = size(code)?;
        }
        if self.control(&record) != control {
            if record.decomposed.is_null() {
                changed.control = self.place(&mut edit, (at, record.control), Role::Control, control);
                changed.control_size = size(control)?;
            } else {
                self.set_metadata(&mut edit, at, &mut changed, control)?;
            }
        }
        if let Some(Object::StageCode(place)) = edit.image.objects.get_mut(&at.0) {
            **place = changed;
        }
        self.collected(edit)
    }

    /// Puts bytes where the old ones were, where nobody but the record at `owner` has these; else to equal ones, or
    /// behind the last of their kind. Without an owner the old ones stay.
    pub(super) fn place(
        &self,
        edit: &mut Edit<Object>,
        (owner, old): (Pointer, Pointer),
        role: Role,
        bytes: &[u8],
    ) -> Pointer {
        if let Some(at) = self.equal(role, bytes) {
            return at;
        }
        let uses = |stage: &StageCode| stage.code == old || stage.control == old;
        let shared = owner.is_null()
            || self.image.objects.iter().any(|(at, object)| match object {
                Object::StageCode(stage) => *at != owner.0 && uses(stage),
                Object::SourceCode(SourceCode::Long(stage)) => uses(stage),
                Object::SourceCode(SourceCode::Short { code, .. }) => *code == old,
                _ => false,
            });
        if !shared && let Some(Object::Blob(_, known)) = edit.image.objects.get_mut(&old.0) {
            known.0 = bytes.to_vec();
            return old;
        }
        let is_role = |object: &Object| matches!(object, Object::Blob(known, _) if *known == role);
        let last = self.image.objects.iter().rev().find(|(_, object)| is_role(object)).map(|(at, _)| *at);
        edit.insert(last.unwrap_or(old.0), Object::Blob(role, bytes.to_vec().into()))
    }

    /// Equal bytes of the same role.
    pub(super) fn equal(&self, role: Role, bytes: &[u8]) -> Option<Pointer> {
        let same = self.image.objects.iter().find(|(_, object)| match object {
            Object::Blob(known, found) => *known == role && **found == *bytes,
            _ => false,
        });
        same.map(|(at, _)| Pointer(*at))
    }

    /// Changes the metadata of a control section in parts, which has everything that follows from the code.
    pub(super) fn set_metadata(
        &self,
        edit: &mut Edit<Object>,
        owner: Pointer,
        record: &mut StageCode,
        control: &[u8],
    ) -> Result<()> {
        let whole = self.control(record);
        let Some(decomposed) = self.decomposed(record.decomposed) else { return Ok(()) };
        let parts = decomposed.sizes(&self.image);
        let metadata = parts.into_iter().find(|(index, ..)| *index == 0);
        let Some((_, at, size)) = metadata.filter(|_| whole.len() == control.len()) else {
            return Err(unfit("a control section in parts of the same length", "another"));
        };
        let size = usize::try_from(size).unwrap_or(usize::MAX).min(control.len());
        if whole.get(size..) != control.get(size..) {
            return Err(unfit("a control section that differs in its metadata only", "another"));
        }
        let mut bytes = self.blob(at, size as u64).unwrap_or_default().to_vec();
        for (place, byte) in bytes.iter_mut().zip(control) {
            *place = *byte;
        }
        let bytes = Object::Blob(Role::Part, bytes.into());
        let shared = self.image.objects.iter().any(|(place, object)| match object {
            Object::StageCode(stage) => *place != owner.0 && stage.decomposed == record.decomposed,
            Object::Decomposed(other) => *place != record.decomposed.0 && other.parts.contains(&at),
            _ => false,
        });
        if !shared {
            edit.image.objects.insert(at.0, bytes);
            return Ok(());
        }
        // The whole section is put together at run time, so it needs room of its own too.
        let mut copy = decomposed.clone();
        let behind = record.decomposed.0;
        if let Some(place) = copy.parts.first_mut() {
            *place = edit.insert(behind, bytes);
        }
        record.decomposed = edit.insert(behind, Object::Decomposed(Box::new(copy)));
        if let Some(room) = self.image.get(record.control) {
            record.control = edit.insert(record.control.0, room.clone());
        }
        Ok(())
    }

    /// Adds a variation at the end with a binary program of its own, whose stages have the code and the names of
    /// another one's. Returns its index.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] where there is no such variation, or it has no binary program.
    pub fn clone_variation(&mut self, from: u32) -> Result<u32> {
        self.clone_variation_mapped(from).map(|(index, _)| index)
    }

    pub(crate) fn clone_variation_mapped(&mut self, from: u32) -> Result<(u32, Map)> {
        let missing = || {
            let expected = "a variation with a binary program";
            Error::new(ErrorKind::OutOfBounds, 0, "", expected, format!("variation {from}")).code("bnsh.edit")
        };
        let variation = self.variation(from).ok_or_else(missing)?;
        let program = self.program(variation.binary).ok_or_else(missing)?.clone();
        let (container_at, container) = self.container().ok_or_else(missing)?;
        let index = container.variations_held();
        let last = self.variation_place(index.saturating_sub(1)).ok_or_else(missing)?;
        // Programs end where the memory pool starts.
        let pool = container.pool.0;
        let behind = self.image.objects.range(..pool).next_back().map_or(last, |(at, _)| *at);
        let is_room = |object: &Object| matches!(object, Object::Blob(Role::ProgramObject, _));
        let room = self.image.objects.iter().rev().find(|(_, object)| is_room(object)).map(|(at, _)| *at);
        let mut edit = Edit::new(self.image.clone())?;
        let mut copy = *variation;
        copy.source = Pointer::NULL;
        copy.intermediate = Pointer::NULL;
        let variation_at = edit.insert(last, Object::Variation(Box::new(copy)));
        let mut copy = program.clone();
        copy.parent = variation_at;
        let program_at = edit.insert(behind, Object::Program(Box::new(copy)));
        let mut stages = program.stages;
        for stage in &mut stages {
            if let Some(object) = self.image.get(*stage) {
                *stage = edit.insert(behind, object.clone());
            }
        }
        let object = match (room, self.image.get(program.object)) {
            (Some(room), Some(object)) => edit.insert(room, object.clone()),
            _ => program.object,
        };
        if let Some(Object::Program(new)) = edit.inserted(program_at) {
            new.stages = stages;
            new.object = object;
        }
        if let Some(Object::Variation(new)) = edit.inserted(variation_at) {
            new.binary = program_at;
        }
        if let Some(Object::Container(container)) = edit.image.objects.get_mut(&container_at) {
            container.variation_count = index.saturating_add(1);
        }
        Ok((index, self.finish(edit)?))
    }

    /// Takes variations out; those behind move up.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] where there is no such variation.
    pub fn remove_variations(&mut self, indices: &[u32]) -> Result<()> {
        self.remove_variations_mapped(indices).map(drop)
    }

    pub(crate) fn remove_variations_mapped(&mut self, indices: &[u32]) -> Result<Map> {
        let mut edit = Edit::new(self.image.clone())?;
        let mut gone: Vec<u32> = indices.to_vec();
        gone.sort_unstable();
        gone.dedup();
        for &index in &gone {
            let at = self.variation_place(index).ok_or_else(|| {
                let expected = format!("one of {} variations", self.variation_count());
                Error::new(ErrorKind::OutOfBounds, 0, "", expected, index.to_string()).code("bnsh.edit")
            })?;
            edit.image.objects.remove(&at);
        }
        let Some((at, _)) = self.container() else { return Ok(Map::default()) };
        // What the others lead to stays: each is visited, since the array has holes until it is placed.
        let kept: Vec<u64> = (0..self.variation_count())
            .filter(|index| gone.binary_search(index).is_err())
            .filter_map(|index| self.variation_place(index))
            .collect();
        if let Some(Object::Container(container)) = edit.image.objects.get_mut(&at) {
            container.variation_count = u32::try_from(kept.len()).unwrap_or(u32::MAX);
            if kept.is_empty() {
                container.variations = Pointer::NULL;
            }
        }
        let first = kept.iter().map(|at| (*at, Kind::Variation)).chain([(0, Kind::Header)]);
        edit.collect(first.map(|(at, kind)| Target { name: "", index: None, at, kind }).collect());
        self.finish(edit)
    }

    /// Gives the file another name, which stands in its header.
    ///
    /// # Errors
    /// [`ErrorKind::Unrepresentable`] where there is no pool of strings.
    pub fn rename(&mut self, name: &[u8]) -> Result<()> {
        let mut edit = Edit::new(self.image.clone())?;
        let text = edit.text(name);
        if let Some(Object::Header(header)) = edit.image.objects.get_mut(&0) {
            header.file.name = Pointer(text.0.saturating_add(2));
        }
        self.finish(edit).map(drop)
    }

    /// Places everything and takes the result.
    pub(crate) fn finish(&mut self, edit: Edit<Object>) -> Result<Map> {
        let mut marks = Vec::new();
        if let Some(pool) = self.pool() {
            marks.push((pool.memory.0, POOL_ALIGNMENT));
            marks.push((pool.memory.0.saturating_add(pool.size.into()), POOL_ALIGNMENT));
        }
        let (image, map) = edit.finish(&marks)?;
        let before = std::mem::replace(&mut self.image, image);
        if let Err(error) = self.write().and_then(|bytes| super::read(&bytes)) {
            self.image = before;
            return Err(unreadable(error));
        }
        Ok(map)
    }
}
