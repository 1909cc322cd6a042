//! Whole stages and programs of a BFSHA: taken, put, added, removed.
//!
//! A program is a row of the key table, a record with tables of what is bound where, and a variation of the model's
//! BNSH. The tables follow the names of the stages: a resource of the model is bound where the reflection of a stage
//! has the name that the model's symbols give it there. A stage that binds what the model has no symbol for is
//! refused, since nothing could be bound to it, unless stages of the model do so already.

pub mod wiiu;

use super::check::BNSH_STAGE;
use super::edit::{missing, unfit};
use super::model::{Bfsha, Object};
use super::options::OptionTable;
use super::raw::{Model, Program, Resource};
use crate::formats::bnsh::Bnsh;
use crate::formats::bnsh::programs::{VariationDetails, loose};
use crate::formats::bnsh::{Group, KINDS};
use crate::formats::nvn::detached::same_kind;
use crate::formats::nvn::{Detached, NamedSlot, Names};
use crate::formats::switch::layout::Edit;
use crate::formats::switch::{Pointer, Texts};
use crate::shared::programs::{self, DetachedStage, Details, NewProgram, Removed, wrong};
use std::collections::{BTreeSet, HashMap};
use unshade_bytes::Result;
use unshade_stage::suggest;
use unshade_stage::{StageId, StageKind};

/// Flags of a program that the console sets.
const RUNTIME_FLAGS: u16 = 3;
/// Flags of a program as known writers set them: binary, intermediate.
const USUAL_FLAGS: u16 = 0x14;

/// What a BFSHA says of a program beside its stages and its options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramDetails {
    /// Its record, without pointers.
    pub record: Program,
    /// Where it binds each resource of its model, stage by stage.
    pub tables: [Vec<i32>; 4],
    /// Its row of the key table.
    pub key: Vec<u32>,
    /// Whether it is taken where no program fits.
    pub is_default: bool,
    /// The names that its stages had, which the tables say.
    pub names: Vec<(StageKind, Option<Names>)>,
    /// Of its variation.
    pub variation: VariationDetails,
}

/// The group of names of a resource.
fn group(resource: Resource) -> Group {
    match resource {
        Resource::Samplers => Group::Samplers,
        Resource::Images => Group::Images,
        Resource::UniformBlocks => Group::ConstantBuffers,
        Resource::StorageBlocks => Group::UnorderedAccessBuffers,
    }
}

/// Index of a stage in the order of columns.
fn column_stage(kind: StageKind) -> usize {
    let position = KINDS.iter().position(|known| *known == kind);
    BNSH_STAGE.iter().position(|stage| Some(*stage) == position).unwrap_or(0)
}

impl Bfsha {
    /// The stage of that name of a program of the Switch, with its sections and names.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::OutOfBounds`] where no stage has that name.
    pub fn take(&self, id: &StageId) -> Result<Detached> {
        let found = self.parse(id, &self.image.texts()).and_then(|(model, program, kind)| {
            let found = self.model(model)?;
            let variation = self.variation_of(found, self.program(found, program)?)?;
            self.bnsh(found.bnsh)?.take_stage(variation, kind)
        });
        found.ok_or_else(|| programs::missing(&id.0))
    }

    /// Puts another stage of the same kind in the place of that name, and brings the tables of the program along. Other
    /// programs keep what they have: where one shares the variation, this program gets a variation of its own.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::OutOfBounds`] where no stage has that name;
    /// [`unshade_bytes::ErrorKind::BadValue`] for a stage of another kind;
    /// [`unshade_bytes::ErrorKind::Unrepresentable`] for a stage that binds what the model has no symbol for, that has
    /// inputs at other locations than the model's attributes, and as [`Bnsh::put`] says.
    pub fn put(&mut self, id: &StageId, stage: &Detached) -> Result<()> {
        let parsed = self.parse(id, &self.image.texts());
        let (index, program, kind) = parsed.ok_or_else(|| programs::missing(&id.0))?;
        same_kind(id, kind, stage.kind)?;
        let before = self.take(id)?;
        let (model, _) = self.switch_model(index)?;
        let record = self.program(&model, program).ok_or_else(|| programs::missing(&id.0))?.clone();
        let mut variation = self.variation_of(&model, &record).ok_or_else(|| programs::missing(&id.0))?;
        let old = self.inner(&model)?;
        let mut bnsh = old.clone();
        if bnsh.put_mapped(variation, kind, stage)?.is_none() {
            return Err(programs::missing(&id.0));
        }
        if bnsh == old {
            return Ok(());
        }
        // Tables first, so that what cannot be bound is refused before anything changes.
        let after = bnsh.take_stage(variation, kind).and_then(|stage| stage.names);
        let mut tables = self.tables_of(&record);
        let mut active = record.active_attributes;
        if after != before.names {
            let texts = self.image.texts();
            let (old, new) = (before.names.as_ref(), after.as_ref());
            self.bind(&model, kind, (old, new), &mut tables, &texts)?;
            active = self.active(&model, kind, (old, new), active, &texts)?;
        }
        let changed = tables != self.tables_of(&record);
        if self.is_shared(&model, variation) {
            variation = self.own_variation(index, program, variation)?;
        }
        let (model, _) = self.switch_model(index)?;
        let mut bnsh = self.inner(&model)?;
        let map = bnsh.put_mapped(variation, kind, stage)?.unwrap_or_default();
        let mut edit = Edit::new(self.image.clone())?;
        self.set_inner(&mut edit, &model, bnsh, map);
        let place = self.program_place(&model, program).unwrap_or_default();
        let mut record = self.program_at(place).ok_or_else(|| programs::missing(&id.0))?.clone();
        record.active_attributes = active;
        if changed {
            self.edit_tables(&mut edit, &mut record, &tables)?;
        }
        edit.image.objects.insert(place.0, Object::Program(Box::new(record)));
        if changed {
            edit.collect(vec![Self::root()]);
        }
        self.place_all(edit)
    }

    /// Whether another program has the same variation.
    fn is_shared(&self, model: &Model, variation: u32) -> bool {
        let models = (0..self.model_count()).filter_map(|index| self.model(index));
        let mut users = models.filter(|other| other.bnsh == model.bnsh).flat_map(|other| {
            let programs = (0..other.programs_held()).map_while(|index| self.program(other, index));
            programs.filter(|program| self.variation_of(other, program) == Some(variation))
        });
        users.nth(1).is_some()
    }

    fn tables_of(&self, record: &Program) -> [Vec<i32>; 4] {
        let mut tables: [Vec<i32>; 4] = Default::default();
        for resource in Resource::of(self.image.form) {
            if let Some(place) = tables.get_mut(resource.index()) {
                *place = self.table(record, *resource).to_vec();
            }
        }
        tables
    }

    /// Makes the tables of a program say where a stage with other names binds what the model has.
    fn bind(
        &self,
        model: &Model,
        kind: StageKind,
        (old, new): (Option<&Names>, Option<&Names>),
        tables: &mut [Vec<i32>; 4],
        texts: &Texts<'_>,
    ) -> Result<()> {
        let form = self.image.form;
        let columns = usize::from(model.columns(form)).max(1);
        let column = model.column(form, column_stage(kind));
        for &resource in Resource::of(form) {
            let symbols = self.symbol_table(model, resource);
            let mut rows: HashMap<&[u8], Vec<usize>> = HashMap::new();
            for (row, symbol) in
                column.into_iter().flat_map(|c| symbols.iter().skip(c).step_by(columns)).enumerate()
            {
                if let Some(name) = texts.get(*symbol) {
                    rows.entry(name).or_default().push(row);
                }
            }
            let Some(table) = tables.get_mut(resource.index()) else { continue };
            let mut set = |row: usize, slot: i32| {
                let at = column.and_then(|column| row.checked_mul(columns)?.checked_add(column));
                if let Some(place) = at.and_then(|at| table.get_mut(at)) {
                    *place = slot;
                }
            };
            for row in rows.values().flatten() {
                set(*row, -1);
            }
            let names = new.map(|names| names.group(group(resource))).unwrap_or_default();
            for named in names {
                match rows.get(&*named.name.0) {
                    Some(rows) => rows.iter().for_each(|row| set(*row, named.slot)),
                    None if named.slot < 0 => {}
                    None if old.is_some_and(|old| old.slot(group(resource), &named.name).is_some()) => {}
                    None if self.binds_more(model, resource, kind, &rows) => {}
                    None => {
                        let name = crate::shared::opaque::escape(&named.name);
                        let known: Vec<String> =
                            rows.keys().map(|name| crate::shared::opaque::escape(name)).collect();
                        let close = suggest(&name, known.iter().map(String::as_str), SUGGESTED);
                        let mut expected = format!(
                            "{} that the shading model has a symbol for in its {kind} stages",
                            resource.name()
                        );
                        if !close.is_empty() {
                            expected.push_str(&format!(" (near: {})", close.join(", ")));
                        }
                        return Err(programs::unfit(resource.name(), expected, format!("`{name}`")));
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether a stage of the model's programs binds what the model has no symbol for, as some generated files do: then
    /// others may, too.
    fn binds_more(
        &self,
        model: &Model,
        resource: Resource,
        kind: StageKind,
        rows: &HashMap<&[u8], Vec<usize>>,
    ) -> bool {
        let Some(bnsh) = self.bnsh(model.bnsh) else { return false };
        let texts = bnsh.image.texts();
        let programs = (0..model.programs_held()).map_while(|index| self.program(model, index));
        let variations: BTreeSet<u32> =
            programs.filter_map(|program| self.variation_of(model, program)).collect();
        variations.into_iter().any(|variation| {
            let names = bnsh.names(bnsh.names_place(variation, kind), &texts).unwrap_or_default();
            let unknown = |named: &NamedSlot| named.slot >= 0 && !rows.contains_key(&*named.name.0);
            names.group(group(resource)).iter().any(unknown)
        })
    }

    /// The attributes that a program uses with other names in its vertex stage.
    fn active(
        &self,
        model: &Model,
        kind: StageKind,
        (old, new): (Option<&Names>, Option<&Names>),
        before: u32,
        texts: &Texts<'_>,
    ) -> Result<u32> {
        if kind != StageKind::Vertex {
            return Ok(before);
        }
        let [array, dictionary] = model.attributes;
        let attributes = self.attributes(array).map(Vec::as_slice).unwrap_or_default();
        let keys = self.dictionary(dictionary).into_iter().flat_map(|dictionary| dictionary.keys());
        let mut active = before;
        for ((attribute, key), bit) in attributes.iter().zip(keys).zip(0_u32..) {
            let Some(name) = texts.get(key) else { continue };
            let slot = |names: Option<&Names>| names.and_then(|names| names.slot(Group::Inputs, name));
            let (was, is) = (slot(old), slot(new));
            if was == is {
                continue;
            }
            if let Some(found) = is.filter(|slot| *slot != i32::from(attribute.location)) {
                let expected = format!(
                    "the attribute {} at location {}, as the shading model says",
                    crate::shared::opaque::escape(name),
                    attribute.location
                );
                return Err(programs::unfit("attributes", expected, format!("location {found}")));
            }
            let mask = 1_u32.checked_shl(bit).unwrap_or(0);
            active = if is.is_some() { active | mask } else { active & !mask };
        }
        Ok(active)
    }

    /// Gives a program tables with these locations: in the places of its own, where these are its own.
    fn edit_tables(
        &self,
        edit: &mut Edit<Object>,
        record: &mut Program,
        tables: &[Vec<i32>; 4],
    ) -> Result<()> {
        let mut users: HashMap<u64, u32> = HashMap::new();
        for (_, _, target) in self.image.slots()? {
            let count = users.entry(target.0).or_default();
            *count = count.saturating_add(1);
        }
        let mut known: HashMap<&[i32], u64> = HashMap::new();
        let mut apart = false;
        for (at, object) in &self.image.objects {
            if let Object::Locations(found) = object {
                apart |= known.insert(found, *at).is_some();
            }
        }
        for resource in Resource::of(self.image.form) {
            let (Some(place), Some(wanted)) =
                (record.tables.get_mut(resource.index()), tables.get(resource.index()))
            else {
                continue;
            };
            if self.locations(*place).is_none_or(|found| found == wanted) {
                continue;
            }
            let object = Object::Locations(wanted.clone());
            let own = users.get(&place.0) == Some(&1);
            // Files keep equal tables once, or each program has its own.
            match known.get(wanted.as_slice()).filter(|_| !apart) {
                Some(at) => *place = Pointer(*at),
                None if own => {
                    edit.image.objects.insert(place.0, object);
                }
                None => *place = edit.insert(place.0, object),
            }
        }
        Ok(())
    }

    /// Adds a program to a shading model. Options that are not named have the choice of the program that it is a copy of,
    /// else their default. Where it stands among the others its key says.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::OutOfBounds`] for a model, an option or a choice that is not there;
    /// [`unshade_bytes::ErrorKind::Unrepresentable`] where a program for these choices is there, for a model with 65535
    /// programs or without a BNSH, for a stage of which nothing says what it binds, and as [`Bfsha::put`] says.
    pub fn add(&mut self, what: &NewProgram) -> Result<Vec<StageId>> {
        if let Some(name) = &what.name {
            return Err(wrong("", "no name: programs of a shading model have none", format!("`{name}`")));
        }
        let index = self.model_named(what.into.as_deref())?;
        let (model, model_at) = self.switch_model(index)?;
        if model.program_count == u16::MAX {
            return Err(unfit("at most 65535 programs", "one more"));
        }
        let details = what.details.get::<ProgramDetails>();
        let texts = self.image.texts();
        let table =
            self.options(index, &texts).ok_or_else(|| missing("a shading model", index.to_string()))?;
        let copied = details.map(|details| details.key.as_slice());
        let key = wanted_key(&table, copied, &what.values)?;
        let place = place_of(&table, &key, what.at)?;
        let stages = loose(&what.stages)?;
        let (mut record, mut tables) = self.new_record(&model, details);
        for kind in KINDS {
            let old = details.and_then(|d| d.names.iter().find(|(known, _)| *known == kind));
            let old = old.and_then(|(_, names)| names.as_ref());
            let stage = stages.iter().find(|stage| stage.kind == kind);
            let new = match stage {
                None => None,
                Some(stage) => match (&stage.names, old) {
                    (Some(names), _) => Some(names),
                    // What is not known of a stage is as it was in the program that this is a copy of.
                    (None, Some(old)) => Some(old),
                    (None, None) => {
                        let expected = "names of the stage, or a program to copy whose names it has: else nothing \
                            says where its resources are bound";
                        return Err(programs::unfit(kind.name(), expected, "a stage without names"));
                    }
                },
            };
            if new != old {
                self.bind(&model, kind, (old, new), &mut tables, &texts)?;
                record.active_attributes =
                    self.active(&model, kind, (old, new), record.active_attributes, &texts)?;
            }
        }
        // The stages as they shall be reflected.
        let named: Vec<Detached> = stages
            .iter()
            .map(|stage| {
                let old = details.and_then(|d| d.names.iter().find(|(kind, _)| *kind == stage.kind));
                let names = stage.names.clone().or_else(|| old.and_then(|(_, names)| names.clone()));
                Detached { names, ..(**stage).clone() }
            })
            .collect();
        drop(texts);
        let mut bnsh = self.inner(&model)?;
        let variation = bnsh.variation_count();
        let map =
            bnsh.add_mapped(&named.iter().collect::<Vec<_>>(), details.map(|d| &d.variation), variation)?;
        let at = bnsh.variation_place(variation).unwrap_or(0);
        let mut edit = Edit::new(self.image.clone())?;
        record.variation = edit.inside(model.bnsh.0, at);
        record.parent = model_at;
        self.set_inner(&mut edit, &model, bnsh, map);
        self.insert_tables(&mut edit, &model, &mut record, tables);
        let mut all = self.programs_of(&model);
        all.insert(place.min(all.len()), record);
        self.set_programs(&mut edit, &model, all);
        self.insert_row(&mut edit, &model, &table, place, key);
        if let Some(Object::Model(record)) = edit.image.objects.get_mut(&model_at.0) {
            record.program_count = record.program_count.saturating_add(1);
            let index = i32::try_from(place).unwrap_or(i32::MAX);
            if record.default_program >= index {
                record.default_program = record.default_program.saturating_add(1);
            }
            if details.is_some_and(|details| details.is_default) && record.default_program < 0 {
                record.default_program = index;
            }
        }
        self.place_all(edit)?;
        Ok(self.ids(index, place))
    }

    /// A record for a new program, and tables that bind nothing or what the copied program binds.
    fn new_record(&self, model: &Model, details: Option<&ProgramDetails>) -> (Program, [Vec<i32>; 4]) {
        let form = self.image.form;
        let first = self.program(model, 0);
        let names = |resource: Resource| {
            let [_, dictionary] = model.resource(resource);
            let names = self.dictionary(dictionary).map_or(0, |names| names.len());
            model.resource_count(resource).min(u8::try_from(names).unwrap_or(u8::MAX))
        };
        let resources =
            [Resource::Samplers, Resource::Images, Resource::UniformBlocks, Resource::StorageBlocks];
        let fresh = Program {
            flags: USUAL_FLAGS,
            columns: model.columns(form),
            rows: resources.map(names),
            counts: resources.map(|resource| model.resource_count(resource).into()),
            ..Program::default()
        };
        let like = first.cloned().unwrap_or(fresh);
        let tables = resources.map(|resource| {
            let rows = like.rows.get(resource.index()).copied().unwrap_or(0);
            let count = like.counts.get(resource.index()).copied().unwrap_or(0).min(rows.into());
            let len = usize::from(count).saturating_mul(like.columns.into());
            let known = details.and_then(|details| details.tables.get(resource.index()));
            match known.filter(|known| known.len() == len) {
                Some(known) => known.clone(),
                None if Resource::of(form).contains(&resource) => vec![-1; len],
                None => Vec::new(),
            }
        });
        let record = match details {
            Some(details) => Program { columns: like.columns, rows: like.rows, ..details.record.clone() },
            None => Program { flags: like.flags & !RUNTIME_FLAGS, active_attributes: 0, ..like.clone() },
        };
        (Program { tables: like.tables, extra: Pointer::NULL, ..record }, tables)
    }

    /// Brings in the tables of a new program, behind those of the others.
    fn insert_tables(
        &self,
        edit: &mut Edit<Object>,
        model: &Model,
        record: &mut Program,
        tables: [Vec<i32>; 4],
    ) {
        let last = self.program(model, model.programs_held().saturating_sub(1));
        for (resource, locations) in
            [Resource::Samplers, Resource::Images, Resource::UniformBlocks, Resource::StorageBlocks]
                .iter()
                .zip(tables)
        {
            let Some(place) = record.tables.get_mut(resource.index()).filter(|_| !locations.is_empty())
            else {
                continue;
            };
            let behind = last.and_then(|last| last.tables.get(resource.index())).copied();
            let behind = behind.filter(|at| self.image.get(*at).is_some());
            let behind = behind.map_or(model.programs.0, |at| at.0);
            *place = edit.insert(behind, Object::Locations(locations));
        }
    }

    /// Index of the model of that name; without a name that of the only one.
    fn model_named(&self, name: Option<&str>) -> Result<usize> {
        let names = self.model_names(&self.image.texts());
        let Some(name) = name else {
            return match names.len() {
                1 => Ok(0),
                count => Err(wrong("", "the name of a shading model", format!("none for {count}"))),
            };
        };
        names.iter().position(|known| known == name).ok_or_else(|| {
            let close = suggest(name, names.iter().map(String::as_str), SUGGESTED);
            missing(with_near("a shading model of this file", &close), format!("`{name}`"))
        })
    }

    /// The model and the program of an item: `model/12`.
    fn program_named(&self, item: &str) -> Result<(usize, usize)> {
        if let Some((front, kind)) = item.rsplit_once('/')
            && crate::formats::bnsh::kind_named(kind).is_some()
            && front.contains('/')
        {
            let expected = format!("a program, whose stages go together: `{front}`");
            return Err(wrong(item, expected, format!("`{item}`")));
        }
        let found = item.rsplit_once('/').and_then(|(model, program)| {
            let model = self.model_named(Some(model)).ok()?;
            let program: usize = program.parse().ok()?;
            (program < self.program_count(model)).then_some((model, program))
        });
        found.ok_or_else(|| programs::missing(item))
    }

    /// A program as it stands here, with the choices that it was compiled for.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::OutOfBounds`] where there is no such program;
    /// [`unshade_bytes::ErrorKind::Unrepresentable`] for one without a variation, and for files of the Wii U.
    pub fn copy_of(&self, item: &str) -> Result<NewProgram> {
        let (index, program) = self.program_named(item)?;
        let (model, _) = self.switch_model(index)?;
        let texts = self.image.texts();
        let table = self.options(index, &texts).ok_or_else(|| programs::missing(item))?;
        let record = self.program(&model, program).ok_or_else(|| programs::missing(item))?;
        let bnsh = self.bnsh(model.bnsh).ok_or_else(|| programs::missing(item))?;
        let variation = self.variation_of(&model, record);
        let details = variation.and_then(|variation| bnsh.variation_details(variation));
        let (Some(variation), Some(details)) = (variation, details) else {
            return Err(unfit("a program with a variation in machine code", "one without"));
        };
        let stages: Vec<Detached> =
            KINDS.into_iter().filter_map(|kind| bnsh.take_stage(variation, kind)).collect();
        let details = ProgramDetails {
            record: Program {
                tables: Default::default(),
                variation: Pointer::NULL,
                parent: Pointer::NULL,
                extra: Pointer::NULL,
                ..record.clone()
            },
            tables: self.tables_of(record),
            key: table.key(program).to_vec(),
            is_default: table.default_program == Some(program),
            names: stages.iter().map(|stage| (stage.kind, stage.names.clone())).collect(),
            variation: details,
        };
        Ok(NewProgram {
            values: table.values(program),
            stages: stages.into_iter().map(DetachedStage::from).collect(),
            into: Some(table.model),
            details: Details::new(details),
            ..NewProgram::default()
        })
    }

    /// Takes a program out, and its variation where no other program needs it.
    ///
    /// # Errors
    /// As [`Bfsha::copy_of`] and [`Bfsha::remove_programs`].
    pub fn remove(&mut self, item: &str) -> Result<Removed> {
        let (model, program) = self.program_named(item)?;
        let again = NewProgram { at: Some(program), ..self.copy_of(item)? };
        let stages = self.ids(model, program);
        self.remove_programs(model, &[program])?;
        Ok(Removed { stages, again })
    }

    /// Names of the stages of a program.
    fn ids(&self, model: usize, program: usize) -> Vec<StageId> {
        let names = self.model_names(&self.image.texts());
        let name = names.get(model).cloned().unwrap_or_default();
        let kinds = self.model(model).and_then(|found| {
            let variation = self.variation_of(found, self.program(found, program)?)?;
            let bnsh: &Bnsh = self.bnsh(found.bnsh)?;
            Some(KINDS.into_iter().filter(move |kind| bnsh.stage_record(variation, *kind).is_some()))
        });
        kinds.into_iter().flatten().map(|kind| StageId(format!("{name}/{program}/{kind}"))).collect()
    }
}

/// So many names are suggested for one that does not exist.
const SUGGESTED: usize = 5;

fn with_near(expected: &str, close: &[&str]) -> String {
    match close {
        [] => expected.to_owned(),
        close => format!("{expected} (near: {})", close.join(", ")),
    }
}

/// The key of a new program.
fn wanted_key(table: &OptionTable, copied: Option<&[u32]>, values: &[(String, String)]) -> Result<Vec<u32>> {
    let copied = copied.filter(|key| key.len() == table.words);
    let mut key = copied.map_or_else(|| table.default_key(), <[u32]>::to_vec);
    for (name, choice) in values {
        let option = table.option(name).ok_or_else(|| {
            let close = suggest(name, table.options.iter().map(|option| option.name.as_str()), SUGGESTED);
            missing(with_near(&format!("an option of {}", table.model), &close), format!("`{name}`"))
        })?;
        let numbered = || {
            let number = choice.strip_prefix('#')?.parse().ok()?;
            let most = option.packed.mask.checked_shr(option.packed.shift)?;
            (number <= most).then_some(number)
        };
        let default = (choice == "<Default Value>").then_some(option.default);
        let index = option.choice(choice).or(default).or_else(numbered).ok_or_else(|| {
            let mut close = suggest(choice, option.choices.iter().map(String::as_str), SUGGESTED);
            if close.is_empty() {
                close = option.choices.iter().take(8).map(String::as_str).collect();
            }
            missing(with_near(&format!("a choice of {name}"), &close), format!("`{choice}`"))
        })?;
        option.packed.set(&mut key, index);
    }
    Ok(key)
}

/// Where a key belongs among the others: in its place where they are sorted, else where it is asked for.
pub(super) fn place_of(table: &OptionTable, key: &[u32], at: Option<usize>) -> Result<usize> {
    let count = table.programs;
    if let Some(known) = (0..count).find(|program| table.key(*program) == key) {
        let expected = "choices that no program is for";
        return Err(unfit(expected, format!("those of `{}/{known}`", table.model)));
    }
    let sorted = (1..count).all(|program| table.key(program.saturating_sub(1)) < table.key(program));
    let place = (0..count).find(|program| table.key(*program) > key).unwrap_or(count);
    Ok(if sorted { place } else { at.unwrap_or(count).min(count) })
}

#[cfg(test)]
mod tests {
    use super::super::raw::COLUMNS;
    use super::*;

    #[test]
    fn every_stage_has_its_column() {
        let names = ["vertex", "hull", "domain", "geometry", "fragment", "compute"];
        for (kind, name) in KINDS.into_iter().zip(names) {
            assert_eq!(COLUMNS[column_stage(kind)], name, "{kind}");
        }
    }
}
