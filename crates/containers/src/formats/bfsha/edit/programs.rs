//! More programs, fewer, and other code.

use super::{missing, unfit};
use crate::formats::bfsha::model::{Bfsha, Object};
use crate::formats::bfsha::options::OptionTable;
use crate::formats::bfsha::programs::place_of;
use crate::formats::bfsha::raw::{Model, Program, Resource};
use crate::formats::bfsha::read::Kind;
use crate::formats::bnsh::Bnsh;
use crate::formats::switch::layout::{Edit, Map};
use crate::formats::switch::{Pointer, Target};
use std::collections::BTreeSet;
use unshade_bytes::Result;
use unshade_stage::StageKind;

impl Bfsha {
    /// Adds a program for another choice of options: it starts as a copy of program `from`, whose choices it has
    /// but for those that are given, and has a variation of its own. Returns its index among the programs, which
    /// stay in the order of their keys.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::OutOfBounds`] where there is no such model, program, option or choice;
    /// [`unshade_bytes::ErrorKind::Unrepresentable`] where a program for these choices is there, and for files
    /// of the Wii U.
    pub fn add_program(&mut self, model: usize, from: usize, choices: &[(&str, &str)]) -> Result<usize> {
        let (found, at) = self.switch_model(model)?;
        let program_at =
            self.program_place(&found, from).ok_or_else(|| missing("a program", from.to_string()))?;
        let program =
            self.program_at(program_at).ok_or_else(|| missing("a program", from.to_string()))?.clone();
        if found.program_count == u16::MAX {
            return Err(unfit("at most 65535 programs", "one more"));
        }
        let texts = self.image.texts();
        let table =
            self.options(model, &texts).ok_or_else(|| missing("a shading model", model.to_string()))?;
        drop(texts);
        let mut key = table.key(from).to_vec();
        for (name, choice) in choices {
            let option = table
                .option(name)
                .ok_or_else(|| missing(format!("an option of {}", table.model), format!("`{name}`")))?;
            let index = option
                .choice(choice)
                .ok_or_else(|| missing(format!("a choice of {name}"), format!("`{choice}`")))?;
            option.packed.set(&mut key, index);
        }
        let index = place_of(&table, &key, None)?;
        let variation = self.variation_of(&found, &program);
        let variation = variation.ok_or_else(|| missing("a program with a variation", "one without"))?;
        let mut bnsh = self.inner(&found)?;
        let (new_variation, map) = bnsh.clone_variation_mapped(variation)?;
        let place = bnsh.variation_place(new_variation).unwrap_or(0);
        let mut edit = Edit::new(self.image.clone())?;
        let mut copy = program.clone();
        copy.variation = edit.inside(found.bnsh.0, place);
        self.set_inner(&mut edit, &found, bnsh, map);
        for resource in Resource::of(self.image.form) {
            if let Some(table) = copy.tables.get_mut(resource.index())
                && let Some(object) = self.image.get(*table)
            {
                *table = edit.insert(table.0, object.clone());
            }
        }
        // Nothing leads to a program but the start of the array, so they change places by their contents.
        let mut programs = self.programs_of(&found);
        programs.insert(index.min(programs.len()), copy);
        self.set_programs(&mut edit, &found, programs);
        self.insert_row(&mut edit, &found, &table, index, key);
        if let Some(Object::Model(record)) = edit.image.objects.get_mut(&at.0) {
            record.program_count = record.program_count.saturating_add(1);
            if usize::try_from(record.default_program).is_ok_and(|default| default >= index) {
                record.default_program = record.default_program.saturating_add(1);
            }
        }
        self.place_all(edit)?;
        Ok(index)
    }

    /// Takes programs out, and the variations that no other program needs.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::OutOfBounds`] where there is no such model or program;
    /// [`unshade_bytes::ErrorKind::Unrepresentable`] for all programs of a model, and for files of the Wii U.
    pub fn remove_programs(&mut self, model: usize, indices: &[usize]) -> Result<()> {
        let (found, at) = self.switch_model(model)?;
        let count = found.programs_held();
        let mut gone: Vec<usize> = indices.to_vec();
        gone.sort_unstable();
        gone.dedup();
        if let Some(index) = gone.iter().find(|index| **index >= count) {
            return Err(missing(format!("one of {count} programs"), index.to_string()));
        }
        if gone.len() == count {
            return Err(unfit("a program that stays", "none"));
        }
        let is_gone = |index: &usize| gone.binary_search(index).is_ok();
        let programs = self.programs_of(&found);
        let kept: Vec<Program> = programs
            .iter()
            .enumerate()
            .filter(|(index, _)| !is_gone(index))
            .map(|(_, program)| program.clone())
            .collect();
        // Several models may have one BNSH.
        let others =
            (0..self.model_count()).filter(|other| *other != model).filter_map(|other| self.model(other));
        let others = others.filter(|other| other.bnsh == found.bnsh);
        let mut used: BTreeSet<u32> = others
            .flat_map(|other| {
                let programs = (0..other.programs_held()).map_while(|at| self.program(other, at));
                programs.filter_map(|program| self.variation_of(other, program))
            })
            .collect();
        used.extend(kept.iter().filter_map(|program| self.variation_of(&found, program)));
        let mut free: Vec<u32> = gone
            .iter()
            .filter_map(|index| self.variation_of(&found, programs.get(*index)?))
            .filter(|variation| !used.contains(variation))
            .collect();
        free.sort_unstable();
        free.dedup();
        let mut edit = Edit::new(self.image.clone())?;
        if !free.is_empty() {
            let mut bnsh = self.inner(&found)?;
            let map = bnsh.remove_variations_mapped(&free)?;
            self.set_inner(&mut edit, &found, bnsh, map);
        }
        self.set_programs(&mut edit, &found, kept);
        let words = usize::try_from(found.words()).unwrap_or(0);
        if let Some(Object::Keys(keys)) = edit.image.objects.get_mut(&found.keys.0) {
            let rows = keys.chunks(words.max(1)).enumerate();
            *keys = rows.filter(|(index, _)| !is_gone(index)).flat_map(|(_, row)| row.to_vec()).collect();
        }
        if let Some(Object::Model(record)) = edit.image.objects.get_mut(&at.0) {
            record.program_count = u16::try_from(count.saturating_sub(gone.len())).unwrap_or(u16::MAX);
            if let Ok(default) = usize::try_from(record.default_program) {
                let before = gone.iter().filter(|index| **index < default).count();
                let moved = i32::try_from(default.saturating_sub(before)).unwrap_or(-1);
                record.default_program = if is_gone(&default) { -1 } else { moved };
            }
        }
        edit.collect(vec![Self::root()]);
        self.place_all(edit)
    }

    /// Gives a stage of a program other sections. Other programs keep theirs: where one shares the variation,
    /// this program gets a variation of its own.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::OutOfBounds`] where there is no such model, program or stage;
    /// [`unshade_bytes::ErrorKind::Unrepresentable`] as [`Bnsh::set_code`] says, and for files of the Wii U.
    pub fn set_code(
        &mut self,
        model: usize,
        program: usize,
        kind: StageKind,
        control: &[u8],
        code: &[u8],
    ) -> Result<()> {
        let (found, _) = self.switch_model(model)?;
        let place = self.program_place(&found, program);
        let place = place.ok_or_else(|| missing("a program", program.to_string()))?;
        let record = self.program_at(place).ok_or_else(|| missing("a program", program.to_string()))?;
        let variation = self.variation_of(&found, record);
        let mut variation = variation.ok_or_else(|| missing("a program with a variation", "one without"))?;
        let others = self.programs_of(&found);
        let sharing = others.iter().filter(|other| self.variation_of(&found, other) == Some(variation));
        let models = (0..self.model_count()).filter_map(|index| self.model(index));
        let shared = sharing.count() > 1 || models.filter(|model| model.bnsh == found.bnsh).count() > 1;
        if shared {
            variation = self.own_variation(model, program, variation)?;
        }
        let (found, _) = self.switch_model(model)?;
        let mut bnsh = self.inner(&found)?;
        let map = bnsh.set_code_mapped(variation, kind, control, code)?;
        let mut edit = Edit::new(self.image.clone())?;
        self.set_inner(&mut edit, &found, bnsh, map);
        self.place_all(edit)
    }

    /// Gives a program a copy of its variation. Returns the index of that.
    pub(in crate::formats::bfsha) fn own_variation(
        &mut self,
        model: usize,
        program: usize,
        variation: u32,
    ) -> Result<u32> {
        let (found, _) = self.switch_model(model)?;
        let place = self.program_place(&found, program).unwrap_or_default();
        let mut bnsh = self.inner(&found)?;
        let (new, map) = bnsh.clone_variation_mapped(variation)?;
        let at = bnsh.variation_place(new).unwrap_or(0);
        let mut edit = Edit::new(self.image.clone())?;
        let to = edit.inside(found.bnsh.0, at);
        self.set_inner(&mut edit, &found, bnsh, map);
        if let Some(Object::Program(record)) = edit.image.objects.get_mut(&place.0) {
            record.variation = to;
        }
        self.place_all(edit)?;
        Ok(new)
    }

    /// Brings a row into the key table.
    pub(in crate::formats::bfsha) fn insert_row(
        &self,
        edit: &mut Edit<Object>,
        model: &Model,
        table: &OptionTable,
        index: usize,
        key: Vec<u32>,
    ) {
        if let Some(Object::Keys(keys)) = edit.image.objects.get_mut(&model.keys.0) {
            let start = index.saturating_mul(table.words).min(keys.len());
            keys.splice(start..start, key);
        }
    }

    /// What everything hangs on.
    pub(in crate::formats::bfsha) fn root() -> Target<Kind> {
        Target { name: "", index: None, at: 0, kind: Kind::Header }
    }

    pub(in crate::formats::bfsha) fn switch_model(&self, model: usize) -> Result<(Model, Pointer)> {
        if self.is_wiiu() {
            return Err(unfit("a file of the Switch", "one of the Wii U"));
        }
        let found = self.model(model).ok_or_else(|| missing("a shading model", model.to_string()))?;
        Ok((found.clone(), self.model_place(model).unwrap_or_default()))
    }

    pub(in crate::formats::bfsha) fn inner(&self, model: &Model) -> Result<Bnsh> {
        self.bnsh(model.bnsh).cloned().ok_or_else(|| missing("a model with a BNSH", "one without"))
    }

    pub(in crate::formats::bfsha) fn set_inner(
        &self,
        edit: &mut Edit<Object>,
        model: &Model,
        bnsh: Bnsh,
        map: Map,
    ) {
        if let Some(Object::Bnsh(place)) = edit.image.objects.get_mut(&model.bnsh.0) {
            **place = bnsh;
        }
        edit.moved_inside(model.bnsh.0, map);
    }

    pub(in crate::formats::bfsha) fn programs_of(&self, model: &Model) -> Vec<Program> {
        let count = model.programs_held();
        (0..count).map_while(|index| self.program(model, index).cloned()).collect()
    }

    /// Puts programs into the places of an array, of which there may be too few or too many.
    pub(in crate::formats::bfsha) fn set_programs(
        &self,
        edit: &mut Edit<Object>,
        model: &Model,
        programs: Vec<Program>,
    ) {
        let len = Program::len(self.image.form);
        let place = |index: usize| model.programs.0.saturating_add((index as u64).saturating_mul(len));
        let old = model.programs_held();
        let last = place(old.saturating_sub(1));
        let new = programs.len();
        for (index, program) in programs.into_iter().enumerate() {
            let object = Object::Program(Box::new(program));
            if index < old {
                edit.image.objects.insert(place(index), object);
            } else {
                edit.insert(last, object);
            }
        }
        for index in new..old {
            edit.image.objects.remove(&place(index));
        }
    }
}
