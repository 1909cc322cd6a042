//! Whole stages and variations of a BNSH: taken, put, added, removed.
//!
//! A stage is its record with control and code section, and its part of the reflection: names and slots. A DKSH or a raw
//! pair keeps no names: a stage from there has those of the stage in whose place it comes, and a new one is not
//! reflected.

use super::check::KINDS;
use super::model::{Bnsh, Language, Object, Role};
use super::raw::{Program, Reflection, StageCode};
use super::read::Kind;
use super::reflection::{Spot, store};
use crate::formats::nvn::control::Control;
use crate::formats::nvn::detached::same_kind;
use crate::formats::nvn::{Detached, Names, Sections};
use crate::formats::switch::layout::{Edit, Map};
use crate::formats::switch::{Pointer, Target};
use crate::shared::programs::{DetachedStage, Details, NewProgram, Removed, missing, unfit, wrong};
use unshade_bytes::Result;
use unshade_stage::{StageId, StageKind};

/// What a file says of a variation beside its stages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VariationDetails {
    /// The record of its program, without pointers.
    pub program: Program,
    /// What is not used in its own record.
    pub reserved: [u64; 4],
    /// Whether the program has a reflection, be it empty.
    pub reflected: bool,
}

/// The sections of a stage with its names, ready to be put somewhere.
struct Ready {
    control: Vec<u8>,
    code: Vec<u8>,
    scratch: [u32; 2],
    /// None at all where it is not reflected.
    names: Names,
}

fn size(bytes: &[u8]) -> Result<u32> {
    let found = || unfit("code", "sections of 32 bits", format!("{} bytes", bytes.len()));
    u32::try_from(bytes.len()).map_err(|_| found())
}

impl Bnsh {
    /// The stage of that name with its sections and names.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::OutOfBounds`] where no stage has that name.
    pub fn take(&self, id: &StageId) -> Result<Detached> {
        let found = super::stages::parse(id).and_then(|(index, kind)| self.take_stage(index, kind));
        found.ok_or_else(|| missing(&id.0))
    }

    /// The same by variation and kind.
    pub(crate) fn take_stage(&self, index: u32, kind: StageKind) -> Option<Detached> {
        let record = self.stage_code(self.stage_record(index, kind)?)?;
        let sections =
            Sections::Nvn { control: self.control(record).into(), code: self.code(record).to_vec().into() };
        let scratch = Some([record.scratch_recommended, record.scratch_per_warp]);
        // No record says that there are no names.
        let names = self.names(self.names_place(index, kind), &self.image.texts());
        let names = Some(names.unwrap_or_default());
        Some(Detached { kind, sections, scratch, names, tables: Details::default() })
    }

    /// The place of the names of a stage.
    pub(crate) fn names_place(&self, index: u32, kind: StageKind) -> Pointer {
        let program = self.variation(index).and_then(|variation| self.program(variation.binary));
        let table = program.and_then(|program| self.reflection(program.reflection));
        let position = KINDS.iter().position(|known| *known == kind);
        let place = table.zip(position).and_then(|(table, position)| table.stages.get(position));
        place.copied().unwrap_or_default()
    }

    /// Puts another stage of the same kind in the place of that name. Variations that share the program, the record or
    /// the sections keep what they have.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::OutOfBounds`] where no stage has that name;
    /// [`unshade_bytes::ErrorKind::BadValue`] for a stage of another kind;
    /// [`unshade_bytes::ErrorKind::Unrepresentable`] where its control section cannot be derived, and where a
    /// number or a name does not fit.
    pub fn put(&mut self, id: &StageId, stage: &Detached) -> Result<()> {
        let (index, kind) = super::stages::parse(id).ok_or_else(|| missing(&id.0))?;
        same_kind(id, kind, stage.kind)?;
        self.put_mapped(index, kind, stage)?.ok_or_else(|| missing(&id.0)).map(drop)
    }

    /// The same by variation and kind, with where everything is now; nothing where there is no such stage.
    pub(crate) fn put_mapped(
        &mut self,
        index: u32,
        kind: StageKind,
        stage: &Detached,
    ) -> Result<Option<Map>> {
        let Some(here) = self.take_stage(index, kind) else { return Ok(None) };
        let ready = ready(stage, Some(&here))?;
        let Sections::Nvn { control, code } = &here.sections else { return Ok(None) };
        let same_sections = *ready.control == **control && *ready.code == **code;
        let same_names = Some(&ready.names) == here.names.as_ref();
        if same_sections && Some(ready.scratch) == here.scratch && same_names {
            return Ok(Some(Map::default()));
        }
        let Some(variation_at) = self.variation_place(index) else { return Ok(None) };
        let program_at = self.variation(index).map_or(Pointer::NULL, |variation| variation.binary);
        let record_at = self.stage_record(index, kind).unwrap_or_default();
        let (Some(program), Some(record)) = (self.program(program_at), self.stage_code(record_at)) else {
            return Ok(None);
        };
        let users = self.users()?;
        let one = |at: Pointer| users.get(&at.0) == Some(&1);
        let (own_program, own_record) = (one(program_at), one(record_at) && one(program_at));
        let (mut program, mut record) = (program.clone(), record.clone());
        let texts = self.image.texts();
        let mut edit = Edit::new(self.image.clone())?;
        let behind = self.behind(index.saturating_add(1), program_at.0);
        let new_program = match own_program {
            true => program_at,
            false => {
                program.parent = Pointer(variation_at);
                if let (Some(room), Some(object)) =
                    (self.last(Role::ProgramObject), self.image.get(program.object))
                {
                    program.object = edit.insert(room, object.clone());
                }
                edit.insert(behind, Object::Program(Box::default()))
            }
        };
        let new_record = match own_record {
            true => record_at,
            false => edit.insert(behind, Object::StageCode(Box::default())),
        };
        if *ready.code != **code {
            let owner = if own_record { record_at } else { Pointer::NULL };
            record.code = self.place(&mut edit, (owner, record.code), Role::Code, &ready.code);
            record.code_size = size(&ready.code)?;
        }
        if *ready.control != **control {
            self.place_control(&mut edit, record_at, own_record, &mut record, &ready.control)?;
        }
        [record.scratch_recommended, record.scratch_per_warp] = ready.scratch;
        if !same_names {
            let names = &ready.names;
            let position = KINDS.iter().position(|known| *known == kind).unwrap_or(0);
            let mut table = self.reflection(program.reflection).copied().unwrap_or_default();
            let own_table =
                own_program && one(program.reflection) && self.reflection(program.reflection).is_some();
            let others = table.stages.iter().enumerate().filter(|(stage, _)| *stage != position);
            let empty = *names == Names::default() && others.into_iter().all(|(_, at)| at.is_null());
            let old = table.stages.get(position).copied().unwrap_or_default();
            let mut at = program.reflection;
            if !own_table && !empty {
                at = edit.insert(behind, Object::Reflection(Box::default()));
            }
            let mut place = Pointer::NULL;
            if *names != Names::default() {
                let own = own_table && one(old);
                let spot = Spot { old, own, new: None, behind, users: &users };
                place = self.edit_names(&mut edit, &spot, names, &texts)?;
            }
            if let Some(stage) = table.stages.get_mut(position) {
                *stage = place;
            }
            program.reflection = if empty { Pointer::NULL } else { at };
            if !empty {
                store(&mut edit, at, Object::Reflection(Box::new(table)));
            }
        }
        if let (Some(place), true) = (stage_place(&mut program, kind), !own_record) {
            *place = new_record;
        }
        store(&mut edit, new_record, Object::StageCode(Box::new(record)));
        store(&mut edit, new_program, Object::Program(Box::new(program)));
        if !own_program && let Some(Object::Variation(variation)) = edit.image.objects.get_mut(&variation_at)
        {
            variation.binary = new_program;
        }
        drop(texts);
        self.collected(edit).map(Some)
    }

    /// Puts a control section where the old one was: one in parts stays so where only its metadata differs.
    fn place_control(
        &self,
        edit: &mut Edit<Object>,
        at: Pointer,
        own: bool,
        record: &mut StageCode,
        control: &[u8],
    ) -> Result<()> {
        if !record.decomposed.is_null() && own {
            let before = record.clone();
            if self.set_metadata(edit, at, record, control).is_ok() {
                return Ok(());
            }
            *record = before;
        }
        // The room that the parts are put together in becomes the section itself.
        record.decomposed = Pointer::NULL;
        let owner = if own { at } else { Pointer::NULL };
        record.control = self.place(edit, (owner, record.control), Role::Control, control);
        record.control_size = size(control)?;
        Ok(())
    }

    /// Adds a variation with these stages; [`NewProgram::at`] counts variations.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::BadValue`] for a name, values, or stages that make no program;
    /// [`unshade_bytes::ErrorKind::Unrepresentable`] for stages that cannot be derived, and for a file without code,
    /// which has no memory pool.
    pub fn add(&mut self, what: &NewProgram) -> Result<Vec<StageId>> {
        what.bare("a variation")?;
        let at = what.place(usize::try_from(self.variation_count()).unwrap_or(usize::MAX))?;
        let details = what.details.get::<VariationDetails>();
        let stages = loose(&what.stages)?;
        let at = u32::try_from(at).unwrap_or(u32::MAX);
        self.add_mapped(&stages, details, at)?;
        Ok(self.ids(at))
    }

    /// The same, with where everything is now.
    pub(crate) fn add_mapped(
        &mut self,
        stages: &[&Detached],
        details: Option<&VariationDetails>,
        index: u32,
    ) -> Result<Map> {
        for kind in KINDS {
            let count = stages.iter().filter(|stage| stage.kind == kind).count();
            if count > 1 {
                return Err(wrong("", format!("one {kind} stage"), count.to_string()));
            }
        }
        if stages.is_empty() {
            return Err(wrong("", "the stages of a program", "none"));
        }
        let (Some((container_at, container)), Some(_), Some(last_code)) =
            (self.container(), self.pool(), self.last(Role::Code))
        else {
            let expected = "a file with code, behind which the new code is placed in its memory pool";
            return Err(unfit("pool", expected, "one without"));
        };
        let count = container.variations_held();
        if count == u32::MAX {
            return Err(unfit("variations", "fewer than 2^32 variations", "as many"));
        }
        let first = container.variations.0;
        let before = match index.checked_sub(1).and_then(|before| self.variation_place(before)) {
            Some(before) => before,
            None => self.image.objects.range(..first).next_back().map_or(container_at, |(at, _)| *at),
        };
        let programs = (0..count).filter_map(|index| self.program(self.variation(index)?.binary));
        let template = details.map(|details| &details.program).or_else(|| programs.into_iter().next());
        let mut program =
            template.cloned().unwrap_or(Program { flags: 2, object_size: 0x100, ..Program::default() });
        program.stages = [Pointer::NULL; 6];
        (program.reflection, program.tool_reflection) = Default::default();
        program.code_type = 0;
        let texts = self.image.texts();
        let users = self.users()?;
        let behind = self.behind(index, first);
        let mut edit = Edit::new(self.image.clone())?;
        let variation = super::raw::Variation {
            parent: Pointer(container_at),
            reserved: details.map_or([0; 4], |details| details.reserved),
            ..Default::default()
        };
        let variation_at = edit.insert(before, Object::Variation(Box::new(variation)));
        let program_at = edit.insert(behind, Object::Program(Box::default()));
        let mut records = Vec::new();
        for kind in KINDS {
            let Some(stage) = stages.iter().find(|stage| stage.kind == kind) else { continue };
            let at = edit.insert(behind, Object::StageCode(Box::default()));
            if let Some(place) = stage_place(&mut program, kind) {
                *place = at;
            }
            records.push((at, kind, ready(stage, None)?));
        }
        let reflected = details.map_or_else(
            || records.iter().any(|(.., stage)| stage.names != Names::default()),
            |details| details.reflected,
        );
        if reflected {
            program.reflection = edit.insert(behind, Object::Reflection(Box::default()));
        }
        let mut made: Vec<(Role, Vec<u8>, Pointer)> = Vec::new();
        let mut put = |edit: &mut Edit<Object>, role: Role, behind: u64, bytes: &[u8]| {
            let known = self.equal(role, bytes);
            let mine = made.iter().find(|(known, found, _)| *known == role && *found == bytes);
            known.or(mine.map(|(.., at)| *at)).unwrap_or_else(|| {
                let at = edit.insert(behind, Object::Blob(role, bytes.to_vec().into()));
                made.push((role, bytes.to_vec(), at));
                at
            })
        };
        for (at, _, stage) in &records {
            let record = StageCode {
                control: put(&mut edit, Role::Control, behind, &stage.control),
                control_size: size(&stage.control)?,
                code: put(&mut edit, Role::Code, last_code, &stage.code),
                code_size: size(&stage.code)?,
                scratch_recommended: stage.scratch[0],
                scratch_per_warp: stage.scratch[1],
                ..StageCode::default()
            };
            store(&mut edit, *at, Object::StageCode(Box::new(record)));
        }
        let mut table = Reflection::default();
        let mut named = Vec::new();
        for (_, kind, stage) in &records {
            let position = KINDS.iter().position(|known| known == kind).unwrap_or(0);
            if let Some(place) = table.stages.get_mut(position)
                && stage.names != Names::default()
                && reflected
            {
                *place = edit.insert(behind, Object::StageReflection(Box::default()));
                named.push((*place, &stage.names));
            }
        }
        for (at, names) in named {
            let spot = Spot { old: Pointer::NULL, own: false, new: Some(at), behind, users: &users };
            self.edit_names(&mut edit, &spot, names, &texts)?;
        }
        drop(texts);
        if reflected {
            store(&mut edit, program.reflection, Object::Reflection(Box::new(table)));
        }
        if program.object_size > 0 {
            let room = Object::Blob(Role::ProgramObject, zeros(program.object_size)?.into());
            let last = self.last(Role::ProgramObject).or(self.last(Role::PoolObject)).unwrap_or(behind);
            program.object = edit.insert(last, room);
        }
        program.parent = variation_at;
        store(&mut edit, program_at, Object::Program(Box::new(program)));
        if let Some(Object::Variation(variation)) = edit.inserted(variation_at) {
            variation.binary = program_at;
        }
        if let Some(Object::Container(container)) = edit.image.objects.get_mut(&container_at) {
            container.variation_count = count.saturating_add(1);
            if index == 0 {
                container.variations = variation_at;
            }
        }
        self.finish(edit)
    }

    /// A variation as it stands here.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::OutOfBounds`] where there is no such variation.
    pub fn copy_of(&self, item: &str) -> Result<NewProgram> {
        let index = self.variation_named(item)?;
        Ok(self.copied(index))
    }

    fn copied(&self, index: u32) -> NewProgram {
        let stages = KINDS.into_iter().filter_map(|kind| self.take_stage(index, kind));
        let stages = stages.map(DetachedStage::from).collect();
        let details = self.variation_details(index).map(Details::new).unwrap_or_default();
        NewProgram { stages, details, ..NewProgram::default() }
    }

    /// What the file says of a variation beside its stages.
    pub(crate) fn variation_details(&self, index: u32) -> Option<VariationDetails> {
        let variation = self.variation(index)?;
        let program = self.program(variation.binary)?.clone();
        let reflected = !program.reflection.is_null();
        let program = Program {
            stages: [Pointer::NULL; 6],
            object: Pointer::NULL,
            parent: Pointer::NULL,
            reflection: Pointer::NULL,
            tool_reflection: Pointer::NULL,
            ..program
        };
        Some(VariationDetails { program, reserved: variation.reserved, reflected })
    }

    /// Takes a variation out; those behind it move up. What comes back of it are its stages in machine code: programs
    /// of source or of an intermediate language go with it.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::OutOfBounds`] where there is no such variation.
    pub fn remove(&mut self, item: &str) -> Result<Removed> {
        let index = self.variation_named(item)?;
        let again = NewProgram { at: usize::try_from(index).ok(), ..self.copied(index) };
        let stages = self.ids(index);
        self.remove_variations(&[index])?;
        Ok(Removed { stages, again })
    }

    fn variation_named(&self, item: &str) -> Result<u32> {
        let index = item.parse().ok().filter(|index| *index < self.variation_count());
        index.ok_or_else(|| match item.split_once('/') {
            Some((front, _)) => {
                wrong(item, format!("a variation, whose stages go together: `{front}`"), format!("`{item}`"))
            }
            None => missing(item),
        })
    }

    /// Names of the stages in machine code of a variation.
    fn ids(&self, index: u32) -> Vec<StageId> {
        let there = KINDS.into_iter().filter(|kind| self.stage_record(index, *kind).is_some());
        there.map(|kind| StageId(format!("{index}/{kind}"))).collect()
    }

    /// What stands in front of the program of a variation, or of the memory pool where there is no such variation.
    fn behind(&self, index: u32, least: u64) -> u64 {
        let program = self.variation(index).map(|variation| variation.program(Language::Binary).0);
        let pool = self.container().map_or(0, |(_, container)| container.pool.0);
        let end = program.filter(|at| *at > least).unwrap_or(pool);
        self.image.objects.range(..end).next_back().map_or(least, |(at, _)| *at)
    }

    /// The last bytes of that role.
    fn last(&self, role: Role) -> Option<u64> {
        let is_it = |object: &Object| matches!(object, Object::Blob(known, _) if *known == role);
        self.image.objects.iter().rev().find(|(_, object)| is_it(object)).map(|(at, _)| *at)
    }

    /// Takes out what nothing needs any more, places everything and takes the result.
    pub(super) fn collected(&mut self, mut edit: Edit<Object>) -> Result<Map> {
        let variations = (0..self.variation_count()).filter_map(|index| self.variation_place(index));
        let first = variations.map(|at| (at, Kind::Variation)).chain([(0, Kind::Header)]);
        edit.collect(first.map(|(at, kind)| Target { name: "", index: None, at, kind }).collect());
        self.finish(edit)
    }
}

/// The stages of the Switch among these, which must be all.
pub(crate) fn loose(stages: &[DetachedStage]) -> Result<Vec<&Detached>> {
    stages.iter().map(|stage| stage.wanted("stages for maxwell")).collect()
}

/// What a stage has to say in a BNSH, in the place of another or new.
fn ready(stage: &Detached, here: Option<&Detached>) -> Result<Ready> {
    let old = here.and_then(|here| match &here.sections {
        Sections::Nvn { control, .. } => Some(&**control),
        _ => None,
    });
    let (control, code) = stage.pair(old)?;
    let unchanged = old == Some(&*control);
    let scratch = match here.and_then(|here| here.scratch).filter(|_| unchanged && stage.scratch.is_none()) {
        Some(scratch) => scratch,
        None => stage.record_scratch(&control)?,
    };
    let names = match (&stage.names, here.and_then(|here| here.names.clone())) {
        (Some(names), _) => names.clone(),
        (None, None) => Names::default(),
        (None, Some(mut names)) => {
            let built = Control::new(&control).filter(|_| stage.kind == StageKind::Compute);
            if let Some(built) = built.filter(|_| names != Names::default()) {
                names.work_group = built.work_group();
            }
            names
        }
    };
    Ok(Ready { control, code, scratch, names })
}

/// Where a program has the record of a stage.
fn stage_place(program: &mut Program, kind: StageKind) -> Option<&mut Pointer> {
    let position = KINDS.iter().position(|known| *known == kind)?;
    program.stages.get_mut(position)
}

/// Room for what a console makes.
fn zeros(size: u32) -> Result<Vec<u8>> {
    const MOST: u32 = 1 << 20;
    if size > MOST {
        return Err(unfit("object_size", format!("room of at most {MOST} bytes"), size.to_string()));
    }
    Ok(vec![0; size as usize])
}
