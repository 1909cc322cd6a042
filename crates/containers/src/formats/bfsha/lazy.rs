//! What an opened archive tells on demand: the options and keys of one shading model, the bindings and the stages of
//! one program. Nothing else of the file is looked at.

use super::index::{Index, IndexedModel, ModelRecord};
use super::options::{OptionTable, Packed, ShaderOption};
use super::raw::{self, COLUMNS, Model, Resource};
use super::wiiu::{self, WiiUModel};
use crate::formats::bnsh;
use crate::formats::switch::{Fields, Form, Loader, Pointer};
use crate::shared::opaque::escape;
use unshade_bytes::{Budget, Error, ErrorKind, Result, Under};
use unshade_stage::{Interface, Isa, Stage, StageId};

/// Where a program binds what its shading model names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Bindings {
    /// The vertex attributes.
    pub attributes: Vec<BoundAttribute>,
    /// Samplers.
    pub samplers: Vec<BoundResource>,
    /// Images.
    pub images: Vec<BoundResource>,
    /// Uniform blocks.
    pub uniform_blocks: Vec<BoundResource>,
    /// Storage blocks.
    pub storage_blocks: Vec<BoundResource>,
    /// Variables of the material's uniform block, each with its place in bytes.
    pub variables: Vec<(String, u16)>,
}

/// A vertex attribute of a shading model.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct BoundAttribute {
    /// Its name.
    pub name: String,
    /// Its location in the vertex program; -1: none.
    pub location: i8,
    /// Whether the program says that it uses it.
    pub used: bool,
}

/// A sampler, image or block of a shading model.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct BoundResource {
    /// Its name.
    pub name: String,
    /// Its slot in each stage that uses it.
    pub slots: Vec<(String, i32)>,
}

/// As many bytes are looked at for one question as the file has, this many times.
const PASSES: u64 = 4;

/// Looks that are paid for.
struct Reading<'a> {
    form: Form,
    file: &'a [u8],
    budget: Budget,
}

impl<'a> Reading<'a> {
    fn new(index: &Index<'a>) -> Self {
        let work = (index.file.len() as u64).saturating_mul(PASSES).saturating_add(1 << 16);
        Self { form: index.form, file: index.file, budget: Budget::new(work) }
    }

    fn at(&mut self, at: u64, len: u64, what: &'static str) -> Result<Loader<'a>> {
        self.budget.charge(len.saturating_add(1), at, what).map_err(|error| error.code("bfsha.work"))?;
        Ok(Loader::new(self.form, self.file, at))
    }

    fn bytes(&mut self, at: Pointer, len: u64, what: &'static str) -> Result<&'a [u8]> {
        if len == 0 {
            return Ok(&[]);
        }
        self.at(at.get().unwrap_or(u64::MAX), len, what)?.take(what, len)
    }

    fn text(&mut self, at: Pointer) -> Result<String> {
        let bytes = super::index::text(self.form, self.file, at);
        self.budget.charge(bytes.len() as u64, at.0, "text").map_err(|error| error.code("bfsha.work"))?;
        Ok(escape(bytes))
    }

    fn words(&mut self, at: Pointer, count: u64, what: &'static str) -> Result<Vec<u32>> {
        let bytes = self.bytes(at, count.saturating_mul(4), what)?;
        let words = bytes.as_chunks::<4>().0.iter();
        Ok(match self.form.big_endian {
            true => words.map(|word| u32::from_be_bytes(*word)).collect(),
            false => words.map(|word| u32::from_le_bytes(*word)).collect(),
        })
    }

    /// The keys of a dictionary and, on the Wii U, what they lead to.
    fn dictionary(&mut self, at: Pointer) -> Result<Vec<(String, Pointer)>> {
        let Some(start) = at.get() else { return Ok(Vec::new()) };
        let mut loader = self.at(start, 8, "dictionary")?;
        let (mut signature, mut count) = (0, 0);
        loader.u32("signature", &mut signature)?;
        loader.u32("count", &mut count)?;
        let nodes = u64::from(count).saturating_add(1).saturating_mul(16);
        let first = Pointer(start.saturating_add(8));
        self.bytes(first, nodes, "dictionary")?;
        let mut entries = Vec::new();
        for node in 1..=u64::from(count) {
            let at = first.0.saturating_add(node.saturating_mul(16)).saturating_add(8);
            let mut loader = self.at(at, 8, "dictionary")?;
            let (mut key, mut value) = (Pointer::NULL, Pointer::NULL);
            loader.text("key", &mut key)?;
            if self.form.relative {
                loader.object("value", &mut value)?;
            }
            entries.push((self.text(key)?, value));
        }
        Ok(entries)
    }

    fn names(&mut self, at: Pointer) -> Result<Vec<String>> {
        Ok(self.dictionary(at)?.into_iter().map(|(name, _)| name).collect())
    }
}

fn entry(array: Pointer, index: u64, len: u64) -> u64 {
    array.get().unwrap_or(u64::MAX).saturating_add(index.saturating_mul(len))
}

impl<'a> Index<'a> {
    /// The shading model of that name, as it is shown.
    pub fn model_named(&self, name: &str) -> Option<&IndexedModel<'a>> {
        self.models.iter().find(|model| escape(model.name) == name)
    }

    /// The options of a shading model and the keys of its programs.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] where a table leads out of the file, [`ErrorKind::LimitExceeded`] where many lead to
    /// the same long one.
    pub fn options(&self, model: &IndexedModel<'_>) -> Result<OptionTable> {
        let mut reading = Reading::new(self);
        let (groups, keys, default, len) = match &model.record {
            ModelRecord::Switch(record) => {
                let fixed = (record.static_options[0], record.static_option_count, true);
                let moving = (record.dynamic_options[0], record.dynamic_option_count, false);
                ([fixed, moving], record.keys, record.default_program, raw::OPTION_LEN)
            }
            ModelRecord::WiiU(record) => {
                let [fixed, moving, _] = record.counts;
                let groups = [(record.arrays[0][0], fixed, true), (record.arrays[1][0], moving, false)];
                (groups, record.keys, record.default_program, wiiu::OPTION_LEN)
            }
        };
        let mut options = Vec::new();
        for (array, count, is_static) in groups {
            for index in 0..u64::from(count) {
                let option = option(&mut reading, entry(array, index, len), is_static);
                options.push(option.under(|| format!("options[{index}]"))?);
            }
        }
        let count = (model.programs as u64).saturating_mul(model.words as u64);
        Ok(OptionTable {
            model: escape(model.name),
            options,
            words: model.words,
            keys: reading.words(keys, count, "keys")?,
            programs: model.programs,
            default_program: usize::try_from(default).ok(),
        })
    }

    /// Where a program of a shading model binds its attributes, samplers and blocks.
    ///
    /// # Errors
    /// As [`Index::options`].
    pub fn bindings(&self, model: &IndexedModel<'_>, program: usize) -> Result<Bindings> {
        match &model.record {
            ModelRecord::Switch(record) => self.switch_bindings(record, program),
            ModelRecord::WiiU(record) => self.wiiu_bindings(record, program),
        }
    }

    fn switch_bindings(&self, model: &Model, program: usize) -> Result<Bindings> {
        let mut reading = Reading::new(self);
        let found = self.program(model, program)?;
        let [array, dictionary] = model.attributes;
        let pairs = reading.bytes(array, u64::from(model.attribute_count).saturating_mul(2), "attributes")?;
        let locations = pairs.as_chunks::<2>().0.iter().map(|[index, location]| (*index, *location));
        let mut bindings = Bindings {
            attributes: attributes(reading.names(dictionary)?, locations, found.active_attributes),
            ..Bindings::default()
        };
        let columns: Vec<(String, usize)> = COLUMNS
            .iter()
            .enumerate()
            .filter_map(|(stage, name)| Some(((*name).to_owned(), model.column(self.form, stage)?)))
            .collect();
        let width = usize::from(model.columns(self.form));
        for resource in Resource::of(self.form) {
            let [_, dictionary] = model.resource(*resource);
            let names = reading.names(dictionary)?;
            let rows = names.len().min(model.resource_count(*resource).into()) as u64;
            let table = found.tables.get(resource.index()).copied().unwrap_or_default();
            let table = match table.is_null() {
                true => Vec::new(),
                false => reading.words(table, rows.saturating_mul(width as u64), "locations")?,
            };
            let table: Vec<i32> = table.into_iter().map(u32::cast_signed).collect();
            *match resource {
                Resource::Samplers => &mut bindings.samplers,
                Resource::Images => &mut bindings.images,
                Resource::UniformBlocks => &mut bindings.uniform_blocks,
                Resource::StorageBlocks => &mut bindings.storage_blocks,
            } = bound(names, &table, width, &columns);
        }
        if let [material, ..] = model.block_index
            && let Ok(index) = u64::try_from(material)
            && index < u64::from(model.uniform_block_count)
        {
            let mut block = raw::Block::default();
            let at = entry(model.uniform_blocks[0], index, raw::BLOCK_LEN);
            block.visit(&mut reading.at(at, raw::BLOCK_LEN, "block")?)?;
            for (number, name) in (0_u64..).zip(reading.names(block.dictionary)?).take(block.count.into()) {
                let mut variable = raw::Variable::default();
                let at = entry(block.variables, number, raw::VARIABLE_LEN);
                variable.visit(&mut reading.at(at, raw::VARIABLE_LEN, "variable")?)?;
                bindings.variables.extend(variable.offset_plus_1.checked_sub(1).map(|offset| (name, offset)));
            }
        }
        Ok(bindings)
    }

    fn wiiu_bindings(&self, model: &WiiUModel, program: usize) -> Result<Bindings> {
        let mut reading = Reading::new(self);
        let found = self.wiiu_program(model, program)?;
        let [_, _, [array, dictionary], [_, samplers], [blocks, block_names]] = model.arrays;
        let [attribute_count, sampler_count, block_count] = model.small_counts;
        let records = reading.bytes(array, u64::from(attribute_count).saturating_mul(4), "attributes")?;
        let locations = records.as_chunks::<4>().0.iter().map(|[index, _, _, location]| (*index, *location));
        let mut bindings = Bindings {
            attributes: attributes(reading.names(dictionary)?, locations, found.active_attributes),
            ..Bindings::default()
        };
        let width = if self.form.major >= 4 { 4_usize } else { 3 };
        let stages = ["vertex", "geometry", "fragment", "compute"].iter().take(width).enumerate();
        let columns: Vec<(String, usize)> =
            stages.map(|(column, name)| ((*name).to_owned(), column)).collect();
        let wide = found.wide_tables(width as u64, |at, len| {
            let at = usize::try_from(at).ok()?;
            self.file.get(at..at.checked_add(len)?)
        });
        for (position, (dictionary, count)) in
            [(samplers, sampler_count), (block_names, block_count)].into_iter().enumerate()
        {
            let names = reading.names(dictionary)?;
            let rows = names.len().min(count.into()) as u64;
            let table = found.tables.get(position).copied().unwrap_or_default();
            let len = if table.is_null() { 0 } else { rows.saturating_mul(width as u64) };
            let table: Vec<i32> = match wide {
                true => reading.words(table, len, "locations")?.into_iter().map(u32::cast_signed).collect(),
                false => {
                    let bytes = reading.bytes(table, len, "locations")?;
                    bytes.iter().map(|slot| slot.cast_signed().into()).collect()
                }
            };
            let rows = bound(names, &table, width, &columns);
            if position == 0 { bindings.samplers = rows } else { bindings.uniform_blocks = rows }
        }
        if let [material, ..] = model.block_index
            && let Ok(index) = u64::try_from(material)
            && index < u64::from(block_count)
        {
            let mut block = wiiu::WiiUBlock::default();
            let at = entry(blocks, index, wiiu::BLOCK_LEN);
            block.visit(&mut reading.at(at, wiiu::BLOCK_LEN, "block")?)?;
            for (name, at) in reading.dictionary(block.dictionary)? {
                let mut variable = wiiu::WiiUVariable::default();
                let at = at.get().unwrap_or(u64::MAX);
                variable.visit(&mut reading.at(at, wiiu::VARIABLE_LEN, "variable")?)?;
                bindings.variables.extend(variable.offset_plus_1.checked_sub(1).map(|offset| (name, offset)));
            }
        }
        Ok(bindings)
    }

    /// The stages of a program of the Switch, with their code and without the names of its interface: `ls` needs no
    /// more. `None` for a program whose control section is stored in parts, and for one of the Wii U.
    ///
    /// # Errors
    /// As [`Index::options`].
    pub fn stages(
        &self,
        model: &IndexedModel<'_>,
        shaders: &bnsh::index::Index<'a>,
        program: usize,
    ) -> Result<Option<Vec<Stage<'a>>>> {
        let ModelRecord::Switch(record) = &model.record else { return Ok(None) };
        let found = self.program(record, program)?;
        let variation = self.variation(record, shaders, &found)?;
        let front = format!("{}/{program}", escape(model.name));
        let stages = shaders.stages(variation, &front)?;
        Ok(stages.map(|mut stages| {
            for stage in &mut stages {
                stage.code.file_offset = stage.code.file_offset.saturating_add(record.bnsh.0);
            }
            stages
        }))
    }

    /// The stages that a program has, without their code. `shaders` are those of the model, where they were opened
    /// for several programs.
    ///
    /// # Errors
    /// As [`Index::options`].
    pub fn stage_names(
        &self,
        model: &IndexedModel<'_>,
        shaders: Option<&bnsh::index::Index<'a>>,
        program: usize,
    ) -> Result<Vec<&'static str>> {
        match &model.record {
            ModelRecord::Switch(record) => {
                let opened;
                let shaders = match shaders {
                    Some(shaders) => shaders,
                    None => {
                        opened = self.bnsh(record)?;
                        &opened
                    }
                };
                let found = self.program(record, program)?;
                let variation = shaders.variation(self.variation(record, shaders, &found)?)?;
                let Some(at) = variation.binary.get() else { return Ok(Vec::new()) };
                let found = shaders.program(Pointer(at))?;
                let kinds = bnsh::KINDS.iter().zip(found.stages).filter(|(_, at)| !at.is_null());
                Ok(kinds.map(|(kind, _)| kind.name()).collect())
            }
            ModelRecord::WiiU(record) => {
                let found = self.wiiu_program(record, program)?;
                let kinds = ["vertex", "geometry", "fragment"].into_iter().zip(found.shaders);
                Ok(kinds.filter(|(_, at)| !at.is_null()).map(|(name, _)| name).collect())
            }
        }
    }
}

impl<'a> bnsh::index::Index<'a> {
    /// The stages in machine code of a variation, with their code and without the names of their interface, called
    /// `FRONT/vertex`. `None` for one whose control section is stored in parts.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] where there is no such variation, or it leads out of the file.
    pub fn stages(&self, variation: u32, front: &str) -> Result<Option<Vec<Stage<'a>>>> {
        let variation = self.variation(variation)?;
        if variation.binary.is_null() {
            return Ok(Some(Vec::new()));
        }
        let program = self.program(variation.binary)?;
        let mut stages = Vec::new();
        for (at, kind) in program.stages.iter().zip(bnsh::KINDS) {
            if at.is_null() {
                continue;
            }
            let (record, control, section) = self.stage(*at)?;
            if !record.decomposed.is_null() {
                return Ok(None);
            }
            let (mut code, maxwell) = crate::formats::nvn::pair(control, section, kind);
            code.file_offset = code.file_offset.saturating_add(record.code.0);
            let code = unshade_stage::Code {
                words: code.words.into_owned().into(),
                file_offset: code.file_offset,
                ..unshade_stage::Code::default()
            };
            let interface = Interface { maxwell: Some(Box::new(maxwell)), ..Interface::default() };
            let id = StageId(format!("{front}/{kind}"));
            stages.push(Stage { id, kind, isa: Isa::Maxwell, code, interface });
        }
        Ok(Some(stages))
    }
}

fn option(reading: &mut Reading<'_>, at: u64, is_static: bool) -> Result<ShaderOption> {
    let relative = reading.form.relative;
    let (name, choices, values, count, default, packed, branch, flags) = if relative {
        let mut record = wiiu::WiiUOption::default();
        record.visit(&mut reading.at(at, wiiu::OPTION_LEN, "option")?)?;
        let packed = Packed { word: record.word.into(), shift: record.shift.into(), mask: record.mask };
        let (count, default) = (u16::from(record.choice_count), u16::from(record.default_choice));
        let branch = record.branch_offset;
        (record.name, record.choices, record.values, count, default, packed, branch, record.flags)
    } else {
        let mut record = raw::OptionRecord::default();
        record.visit(&mut reading.at(at, raw::OPTION_LEN, "option")?)?;
        let packed = Packed { word: record.word.into(), shift: record.shift.into(), mask: record.mask };
        let (count, default) = (record.choice_count, record.default_choice);
        let branch = record.branch_offset;
        (record.name, record.choices, record.values, count, default, packed, branch, record.flags)
    };
    Ok(ShaderOption {
        name: reading.text(name)?,
        is_static,
        choices: reading.names(choices)?,
        values: if values.is_null() { Vec::new() } else { reading.words(values, count.into(), "values")? },
        default: default.into(),
        packed,
        branch_offset: branch.checked_sub(1).map(u32::from),
        flags,
    })
}

fn attributes(
    names: Vec<String>,
    locations: impl Iterator<Item = (u8, u8)>,
    active: u32,
) -> Vec<BoundAttribute> {
    let bind = |(name, (index, location)): (String, (u8, u8))| BoundAttribute {
        name,
        location: location.cast_signed(),
        used: active.checked_shr(index.into()).is_some_and(|bits| bits & 1 == 1),
    };
    names.into_iter().zip(locations).map(bind).collect()
}

fn bound(names: Vec<String>, table: &[i32], width: usize, columns: &[(String, usize)]) -> Vec<BoundResource> {
    let rows = table.chunks(width.max(1)).chain(std::iter::repeat(Default::default()));
    let slots = |row: &[i32]| {
        columns
            .iter()
            .filter_map(|(stage, column)| {
                Some((stage.clone(), *row.get(*column).filter(|slot| **slot >= 0)?))
            })
            .collect()
    };
    names.into_iter().zip(rows).map(|(name, row)| BoundResource { name, slots: slots(row) }).collect()
}

/// The error of a shading model that an archive does not have, with those that it has.
///
/// ```
/// use unshade_containers::bfsha::lazy::no_model;
/// assert!(no_model("a", &["b".into()]).to_string().contains("`a`"));
/// ```
pub fn no_model(wanted: &str, known: &[String]) -> Error {
    let expected = format!("one of the shading models {}", known.join(", "));
    Error::new(ErrorKind::OutOfBounds, 0, "models", expected, format!("`{wanted}`")).code("bfsha.no-model")
}
