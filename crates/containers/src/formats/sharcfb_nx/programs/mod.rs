//! Whole stages, programs and variations of an archive of the Switch: taken, put, added, removed.
//!
//! A binary is found by its number alone: what is added or removed moves the first binary of every program behind it. Code that
//! binaries share stays one while it is the same; what changes for one of them comes in beside it.

mod grid;

use super::layout::{Contents, NamePlaces, NamePool};
use super::model::{Binary, Program, SharcfbNx, Tables};
use super::pool::Cut;
use super::raw::{self, NO_BINARIES, Table};
use crate::formats::agl::binaries;
use crate::formats::agl::model::{Array, Macro, Record};
use crate::formats::agl::stages::{Named, named};
use crate::formats::bnsh::Group;
use crate::formats::nvn::{Detached, Names, Sections};
use crate::shared::programs::{DetachedStage, Details, NewProgram, Removed, missing, unfit, wrong};
use crate::shared::{Opaque, Strings};
use std::collections::HashMap;
use std::ops::Range;
use unshade_bytes::Result;
use unshade_stage::{StageId, StageKind};

/// The record of a program without its binaries, and what went with it.
#[derive(Debug, Clone, PartialEq)]
pub struct Whole {
    /// The record, as it was.
    program: Program,
    /// What came out beside it.
    gone: Gone,
}

/// Binaries that were taken out, as they stood, and the code that went with them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Gone {
    /// Numbers of the binaries; others of the program belong to another one, too.
    places: Vec<usize>,
    records: Vec<Binary>,
    cuts: Vec<Cut>,
    /// Bytes of the memory pool before, and after.
    pool: (usize, usize),
    /// The names of the archive.
    names: Strings,
}

/// The group of names that a table is.
fn group(table: Table) -> Option<Group> {
    Some(match table {
        Table::Blocks => Group::ConstantBuffers,
        Table::Buffers => Group::UnorderedAccessBuffers,
        Table::Attributes => Group::Inputs,
        Table::Samplers => Group::Samplers,
        Table::Images => Group::Images,
        Table::Uniforms => return None,
    })
}

impl SharcfbNx {
    /// The stage of that name with both sections and its names.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::OutOfBounds`] where no stage has that name.
    pub fn take(&self, id: &StageId) -> Result<Detached> {
        let owner = self.find(id).ok_or_else(|| missing(&id.0))?;
        self.loose(owner.binary)
    }

    /// Puts another stage of the same kind in the place of that name: sections, names and locations.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::OutOfBounds`] where no stage has that name;
    /// [`unshade_bytes::ErrorKind::BadValue`] for a stage of another kind;
    /// [`unshade_bytes::ErrorKind::Unrepresentable`] where its control section cannot be derived, and for other names where the
    /// data is not laid out as known writers do.
    pub fn put(&mut self, id: &StageId, stage: &Detached) -> Result<()> {
        let owner = self.find(id).ok_or_else(|| missing(&id.0))?;
        self.put_at(owner.binary, stage, id)
    }

    fn put_at(&mut self, number: usize, stage: &Detached, id: &StageId) -> Result<()> {
        let here = self.loose(number)?;
        crate::formats::nvn::detached::same_kind(id, here.kind, stage.kind)?;
        let old = match &here.sections {
            Sections::Nvn { control, .. } => Some(&control[..]),
            _ => None,
        };
        let (control, code) = stage.pair(old)?;
        let known = here.tables.get::<Tables>().cloned().unwrap_or_default();
        let tables = tables_of(stage, &known);
        let unusual = || unfit(&id.0, "data laid out as known writers do, to give it other names", "another");
        if tables != known {
            self.whole()?;
            let binary = self.binary(number).ok_or_else(|| missing(&id.0))?;
            let mut names = self.has_pooled_names().then(|| NamePool::of(&self.names));
            let contents = Contents::usual(self, binary, names.as_ref()).ok_or_else(unusual)?;
            let contents = Contents { tables, ..contents };
            let data = contents.to_data(names.as_mut().map_or(NamePlaces::Data, NamePlaces::Pool))?;
            if let Some(names) = names {
                self.names = names.into_names();
            }
            if let Some(Record::Known(binary)) =
                self.binaries.as_mut().and_then(|array| array.items.get_mut(number))
            {
                binary.data = Opaque(data);
            }
        }
        self.set_code(number, &control, &code)
    }

    /// Adds a program behind the others, or a value of a macro to the program [`NewProgram::into`], with the variations that it
    /// makes.
    ///
    /// A program is a copy of another one ([`NewProgram::details`]), or made of one stage of each kind: then its macros have
    /// one value each. Of the variations that a new value makes, those without stages of their own share those of the default
    /// value.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::BadValue`] for stages, names and values that do not make a program or variation;
    /// [`unshade_bytes::ErrorKind::Unrepresentable`] where an archive cannot hold it.
    pub fn add(&mut self, what: &NewProgram) -> Result<Vec<StageId>> {
        self.whole()?;
        let stages: Vec<&Detached> = what.stages.iter().map(stage).collect::<Result<_>>()?;
        match (&what.into, what.details.get::<Whole>()) {
            (Some(into), _) => self.add_value(into, what, &stages),
            (None, Some(whole)) => self.add_copy(whole, what, &stages),
            (None, _) if what.name.is_none() && what.at.is_some() => self.add_binary(what, &stages),
            (None, _) => self.add_new(what, &stages),
        }
    }

    /// Takes out a program (`toon`), a value of a macro with its variations (`toon/FOG=1`), a variation that is the only one
    /// with a value (`toon/3`), or a stage that no program has (`@5`), with the code that only they have.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::OutOfBounds`] where nothing has that name;
    /// [`unshade_bytes::ErrorKind::Unrepresentable`] for what cannot go alone.
    pub fn remove(&mut self, item: &str) -> Result<Removed> {
        self.whole()?;
        match named(item, |name| self.number_of(name), || self.owners())? {
            Named::Program(number) => self.remove_program(number),
            Named::Part { program, name, part } => self.remove_value(program, name, part),
            Named::Binary(number) => self.remove_binary(number, item),
        }
    }

    /// A program as it stands here, to be added again.
    ///
    /// # Errors
    /// As [`SharcfbNx::remove`].
    pub fn copy_of(&self, item: &str) -> Result<NewProgram> {
        Ok(self.clone().remove(item)?.again)
    }

    /// Refuses an archive whose sizes are not those of what is in it: they would not follow.
    fn whole(&self) -> Result<()> {
        let binaries = self.binaries.as_ref().is_none_or(Array::claims_otherwise);
        let programs = self.programs.as_ref().is_none_or(Array::claims_otherwise);
        let pool = matches!(self.pool, super::Pool::Elsewhere { .. });
        if binaries || programs || pool || self.file_size.is_some() {
            return Err(unfit("", "an archive whose sizes and counts are right", "a damaged one"));
        }
        if self.is_by_program() {
            let expected = "an archive whose programs say the number of their first binary";
            return Err(unfit("flags", expected, "one in which programs and binaries have the same numbers"));
        }
        Ok(())
    }

    pub(super) fn program(&self, number: usize) -> Result<&Program> {
        let record = self.programs.as_ref().and_then(|array| array.items.get(number)?.known());
        record.map(AsRef::as_ref).ok_or_else(|| missing(&format!("programs[{number}]")))
    }

    pub(super) fn program_mut(&mut self, number: usize) -> Result<&mut Program> {
        match self.programs.as_mut().and_then(|array| array.items.get_mut(number)) {
            Some(Record::Known(program)) => Ok(program),
            _ => Err(missing(&format!("programs[{number}]"))),
        }
    }

    /// A binary out of the archive.
    fn loose(&self, number: usize) -> Result<Detached> {
        let found = || {
            let binary = self.binary(number)?;
            let (kind, info) = (binary.kind()?, binary.info()?);
            let code = Opaque(self.code(binary)?.to_vec());
            let control = Opaque(info.control_in(&binary.data).to_vec());
            let tables: Tables = Table::ALL.map(|table| self.slots(binary, table).collect());
            let mut names = Names::default();
            for (table, slots) in Table::ALL.into_iter().zip(&tables) {
                let place =
                    group(table).and_then(|group| Group::ALL.iter().position(|known| *known == group));
                if let Some(place) = place.and_then(|place| names.groups.get_mut(place))
                    && !slots.is_empty()
                {
                    *place = Some(slots.iter().map(super::Slot::named).collect());
                }
            }
            let (names, tables) = (Some(names), Details::new(tables));
            Some(Detached { kind, sections: Sections::Nvn { control, code }, scratch: None, names, tables })
        };
        found().ok_or_else(|| {
            let found = "a damaged one";
            unfit(&format!("binaries[{number}]"), "a stage with its code in the memory pool", found)
        })
    }

    /// Binaries made of stages; their code comes into the memory pool, where it is not there yet.
    fn made(&mut self, stages: &[&Detached]) -> Result<Vec<Binary>> {
        let mut names = self.has_pooled_names().then(|| NamePool::of(&self.names));
        let mut codes = HashMap::new();
        for (place, section) in self.sections() {
            let code = self.pool().get(place..).and_then(|rest| rest.get(..section.len));
            codes.entry(code.unwrap_or_default().to_vec()).or_insert(place as u64);
        }
        let mut end = self.pool_end();
        let mut made = Vec::with_capacity(stages.len());
        for stage in stages {
            made.push(self.made_of(stage, names.as_mut(), &mut codes, &mut end)?);
        }
        if let Some(names) = names {
            self.names = names.into_names();
        }
        Ok(made)
    }

    fn made_of(
        &mut self,
        stage: &Detached,
        names: Option<&mut NamePool>,
        codes: &mut HashMap<Vec<u8>, u64>,
        end: &mut usize,
    ) -> Result<Binary> {
        let number = raw::stage_number(stage.kind);
        let Some(number) = number else {
            let found = format!("a {} stage", stage.kind);
            return Err(wrong("", "vertex, pixel, geometry or compute stages", found));
        };
        let (control, code) = stage.pair(None)?;
        let place = match codes.get(&code) {
            Some(place) => *place,
            None => {
                let place = self.append(&code, *end)?;
                *end = usize::try_from(place).unwrap_or(usize::MAX).saturating_add(code.len());
                codes.insert(code, place);
                place
            }
        };
        let tables = tables_of(stage, &Tables::default());
        let contents = Contents { code: place, old: false, control, tables };
        let data = contents.to_data(names.map_or(NamePlaces::Data, NamePlaces::Pool))?;
        Ok(Binary { stage: number, numbers: 0, data: Opaque(data), tail: Opaque::default() })
    }

    /// The binaries of a program, all of which are there; none where it has no first one.
    fn own(&self, program: &Program) -> Result<Range<usize>> {
        binaries::own(program.base, program.binaries(), self.binary_count(), &program.text())
    }

    /// The names of the stages of some variations.
    fn stage_names(&self, number: usize, variations: impl Iterator<Item = u64>) -> Result<Vec<StageId>> {
        let program = self.program(number)?;
        if program.base == NO_BINARIES {
            return Ok(Vec::new());
        }
        let name = self.unique_names().into_iter().find(|(_, known)| *known == number);
        let name = name.map(|(name, _)| name).unwrap_or_default();
        let words: Vec<&str> = kinds(program).iter().map(|kind| raw::stage_word(*kind)).collect();
        let (name, words) = (&name, &words);
        Ok(variations
            .flat_map(|v| words.iter().map(move |word| StageId(format!("{name}/{v}/{word}"))))
            .collect())
    }

    /// Puts binaries at these places, which ascend, and moves the programs behind them.
    fn insert(&mut self, places: &[usize], records: Vec<Binary>) -> Result<()> {
        let records = records.into_iter().map(Record::Known).collect();
        binaries::insert(bases(&mut self.programs), self.binaries.as_mut(), places, records)
    }

    /// Takes the binaries at these places out, which ascend, with the code that only they have, and moves the programs behind
    /// them.
    fn take_out(&mut self, places: &[usize]) -> Gone {
        let before = self.pool().len();
        // As they stand, before code moves.
        let records = places.iter().filter_map(|place| self.binary(*place).cloned()).collect();
        let cuts = self.cut_code(|number| places.binary_search(&number).is_ok());
        binaries::remove(bases(&mut self.programs), self.binaries.as_mut(), places);
        let pool = (before, self.pool().len());
        Gone { places: places.to_vec(), records, cuts, pool, names: self.names.clone() }
    }

    /// Puts back what was taken out of this archive as it is now; whether it was.
    fn put_back(&mut self, gone: &Gone) -> Result<bool> {
        if gone.names != self.names || gone.pool.1 != self.pool().len() {
            return Ok(false);
        }
        self.restore_code(&gone.cuts, gone.pool.0)?;
        self.insert(&gone.places, gone.records.clone())?;
        Ok(true)
    }

    fn remove_program(&mut self, number: usize) -> Result<Removed> {
        let program = self.program(number)?.clone();
        let own = self.own(&program)?;
        let stages: Vec<DetachedStage> =
            own.clone().map(|index| self.loose(index).map(loose_stage)).collect::<Result<_>>()?;
        let names = self.stage_names(number, 0..program.variation_count().unwrap_or(0))?;
        let others = self.programs().filter(|(other, _)| *other != number);
        let binaries =
            binaries::unshared(own, others.filter_map(|(other, program)| self.claim(other, program)));
        if let Some(array) = self.programs.as_mut().filter(|array| number < array.items.len()) {
            array.items.remove(number);
        }
        let gone = self.take_out(&binaries);
        let whole = Whole { program, gone };
        let details = Details::new(whole);
        let again = NewProgram { stages, at: Some(number), details, ..NewProgram::default() };
        Ok(Removed { stages: names, again })
    }

    fn remove_binary(&mut self, index: usize, item: &str) -> Result<Removed> {
        let stage = self.loose(index)?;
        let stages = vec![StageId(format!("@{index}/{}", raw::stage_word(stage.kind)))];
        let claimed = self
            .programs()
            .any(|(number, program)| self.claim(number, program).is_some_and(|claim| claim.contains(&index)));
        if claimed {
            return Err(unfit(item, "a stage that no program has", "one between the stages of a program"));
        }
        let gone = self.take_out(&[index]);
        let details = Details::new(gone);
        let stage = vec![loose_stage(stage)];
        let again = NewProgram { stages: stage, at: Some(index), details, ..NewProgram::default() };
        Ok(Removed { stages, again })
    }

    /// A stage that no program has, at a place among the binaries.
    fn add_binary(&mut self, what: &NewProgram, stages: &[&Detached]) -> Result<Vec<StageId>> {
        let ([stage], []) = (stages, what.values.as_slice()) else {
            return Err(wrong("", "a name for a program, or one stage without", "neither"));
        };
        let index = what.place(self.binary_count())?;
        let back = match what.details.get::<Gone>() {
            Some(gone) if gone.places == [index] => self.put_back(gone)?,
            _ => false,
        };
        if !back {
            let records = self.made(stages)?;
            self.insert(&[index], records)?;
        }
        Ok(vec![StageId(format!("@{index}/{}", raw::stage_word(stage.kind)))])
    }

    /// A copy of a program: where it was, or behind the others.
    fn add_copy(&mut self, whole: &Whole, what: &NewProgram, stages: &[&Detached]) -> Result<Vec<StageId>> {
        if let Some((name, value)) = what.values.first() {
            return Err(wrong("", "the values of the program that is copied", format!("{name} = {value}")));
        }
        let mut program = whole.program.clone();
        match &what.name {
            Some(name) => program.name = self.new_name(name)?,
            None if what.at.is_none() => program.name = self.new_name(&program.text())?,
            None => {}
        }
        let wanted = match program.base {
            NO_BINARIES => 0,
            _ => program.binaries().unwrap_or(u64::MAX),
        };
        if wanted != stages.len() as u64 {
            let expected = format!("{wanted} stages, those of all variations");
            return Err(wrong("", expected, stages.len().to_string()));
        }
        fits(&program, stages)?;
        if what.at.is_some() && self.put_back(&whole.gone)? {
            return self.insert_program(program, what);
        }
        let first = self.binary_count();
        let records = self.made(stages)?;
        let places: Vec<usize> = (first..first.saturating_add(records.len())).collect();
        self.insert(&places, records)?;
        if program.base != NO_BINARIES {
            program.base = u32::try_from(first).unwrap_or(NO_BINARIES);
        }
        self.insert_program(program, what)
    }

    /// A program made of one stage of each kind.
    fn add_new(&mut self, what: &NewProgram, stages: &[&Detached]) -> Result<Vec<StageId>> {
        let Some(name) = &what.name else {
            return Err(wrong("name", "a name for the program", "none"));
        };
        let kinds: Vec<StageKind> = stages.iter().map(|stage| stage.kind).collect();
        let bits = match kinds.as_slice() {
            [StageKind::Vertex, StageKind::Fragment] => 3,
            [StageKind::Vertex, StageKind::Fragment, StageKind::Geometry] => 7,
            [StageKind::Compute] => 8,
            others => {
                let expected = "a vertex and a pixel stage, and perhaps a geometry stage, or a compute stage";
                let found: Vec<&str> = others.iter().map(|kind| raw::stage_word(*kind)).collect();
                return Err(wrong("", expected, found.join(", ")));
            }
        };
        let first = self.binary_count();
        let mut program = Program {
            name: self.new_name(name)?,
            stages: bits,
            base: u32::try_from(first).unwrap_or(NO_BINARIES),
            ..Program::default()
        };
        for (name, value) in &what.values {
            let of = Macro { name: string(name)?, values: string(value)?, count: None, id: string(name)? };
            if value.is_empty() {
                let expected = "a value of at least one byte: the console passes over others";
                return Err(wrong(name, expected, "none"));
            }
            let known = |record: &Record<Macro>| record.known().is_some_and(|known| known.name == of.name);
            if program.macros.items.iter().any(known) {
                return Err(wrong(name, "each macro once", "it again"));
            }
            program.macros.items.push(Record::Known(of.clone()));
            program.defaults.items.push(Record::Known(of));
        }
        let records = self.made(stages)?;
        let places: Vec<usize> = (first..first.saturating_add(records.len())).collect();
        self.insert(&places, records)?;
        self.insert_program(program, what)
    }

    fn insert_program(&mut self, program: Program, what: &NewProgram) -> Result<Vec<StageId>> {
        let variations = program.variation_count().unwrap_or(0);
        let count = self.programs.as_ref().map_or(0, |array| array.items.len());
        let number = what.place(count)?;
        if let Some(array) = &mut self.programs {
            array.items.insert(number, Record::Known(Box::new(program)));
        }
        self.stage_names(number, 0..variations)
    }

    /// A name that no program has.
    fn new_name(&self, name: &str) -> Result<Strings> {
        if self.programs().any(|(_, program)| program.text() == name) {
            return Err(wrong("name", "a name that no program of the archive has", format!("`{name}`")));
        }
        string(name)
    }
}

/// The numbers of the first binaries of programs.
fn bases(programs: &mut Option<Array<Record<Box<Program>>>>) -> impl Iterator<Item = &mut u32> {
    programs.iter_mut().flat_map(|array| &mut array.items).filter_map(|record| match record {
        Record::Known(program) => Some(&mut program.base),
        Record::Damaged(_) => None,
    })
}

/// The stages of a variation in the order of its binaries.
fn kinds(program: &Program) -> Vec<StageKind> {
    match program.binaries_per_variation() {
        1 => vec![StageKind::Compute],
        2 => vec![StageKind::Vertex, StageKind::Fragment],
        _ => vec![StageKind::Vertex, StageKind::Fragment, StageKind::Geometry],
    }
}

/// The stages are those of a program, variation by variation.
fn fits(program: &Program, stages: &[&Detached]) -> Result<()> {
    let kinds = kinds(program);
    for (index, stage) in stages.iter().enumerate() {
        let expected = index.checked_rem(kinds.len()).and_then(|at| kinds.get(at)).copied();
        if expected != Some(stage.kind) {
            let name = expected.map_or("no", raw::stage_word);
            let path = format!("stages[{index}]");
            let found = format!("a {} stage", raw::stage_word(stage.kind));
            return Err(wrong(&path, format!("a {name} stage"), found));
        }
    }
    Ok(())
}

/// The tables for a stage: as its archive had them, or of its names, with the sizes of blocks that are known of the stage whose
/// place it takes. Without names those of that stage stay.
fn tables_of(stage: &Detached, here: &Tables) -> Tables {
    if let Some(tables) = stage.tables.get::<Tables>() {
        return tables.clone();
    }
    let Some(names) = &stage.names else { return here.clone() };
    let mut tables = here.clone();
    for (table, place) in Table::ALL.into_iter().zip(&mut tables) {
        let Some(group) = group(table) else { continue };
        if table == Table::Attributes && stage.kind != StageKind::Vertex {
            continue;
        }
        let size = |name: &crate::shared::Name| {
            let known = place.iter().find(|slot| slot.name == *name).and_then(|slot| slot.size);
            table.has_size().then(|| known.unwrap_or(0))
        };
        let slots: Vec<super::Slot> = names
            .group(group)
            .iter()
            .map(|named| super::Slot {
                name: named.name.clone(),
                location: named.slot,
                size: size(&named.name),
            })
            .collect();
        *place = slots;
    }
    tables
}

/// The stage of a loose one.
fn stage(stage: &DetachedStage) -> Result<&Detached> {
    stage.wanted("stages of the Switch")
}

fn loose_stage(stage: Detached) -> DetachedStage {
    stage.into()
}

/// A string with its NUL.
fn string(text: &str) -> Result<Strings> {
    if text.contains('\0') {
        return Err(wrong("", "a name without NUL", "one inside it"));
    }
    Ok(Strings(text.bytes().chain([0]).collect()))
}
