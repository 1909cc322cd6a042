//! Whole shaders, programs and variations of an archive: taken, put, added, removed.
//!
//! A binary is found by its number alone: what is added or removed moves the first binary of every program behind it.
//! Code keeps its alignment when the archive is written.

mod grid;
mod usage;

use super::model::{Array, Extra, Macro, Program, Record, Sharcfb, Symbol, SymbolKind};
use super::raw::NO_BINARIES;
use crate::formats::agl::binaries;
use crate::formats::agl::stages::{Named, named};
use crate::formats::gx2::{Detached, Parts, Shader, ShaderKind, TableKind};
use crate::shared::programs::{DetachedStage, Details, NewProgram, Removed, missing, unfit, wrong};
use crate::shared::{Opaque, Strings};
use std::ops::Range;
use unshade_bytes::{Endian, Result};
use unshade_stage::StageId;
use usage::Usage;

pub use grid::Flags;

/// The stages of a variation in the order of its binaries.
const STAGES: [ShaderKind; 3] = [ShaderKind::Vertex, ShaderKind::Pixel, ShaderKind::Geometry];

/// The record of a program without its binaries.
#[derive(Debug, Clone, PartialEq)]
pub struct Whole {
    /// The record, as it was.
    program: Program,
    /// Byte order of its archive.
    endian: Endian,
    /// Numbers of the binaries that went with it; the others belong to another program, too.
    binaries: Vec<usize>,
}

impl Sharcfb {
    /// The shader of that name with its structure; a copy program comes with its geometry shader.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::OutOfBounds`] where no stage has that name.
    pub fn take(&self, id: &StageId) -> Result<Detached> {
        let (owner, _) = self.find(id).ok_or_else(|| missing(&id.0))?;
        let mut loose = self.loose(owner.binary)?;
        if let Parts::Binary { flags, .. } = &mut loose.parts {
            *flags = Usage::of(self, owner.binary)?.exceptions(self)?;
        }
        Ok(loose)
    }

    /// Puts another shader of the same kind in the place of that name: registers, tables, names and programs. The
    /// flags that say which variations use which symbols follow.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::OutOfBounds`] where no stage has that name;
    /// [`unshade_bytes::ErrorKind::BadValue`] for another kind of shader;
    /// [`unshade_bytes::ErrorKind::Unrepresentable`] where an archive cannot hold it.
    pub fn put(&mut self, id: &StageId, shader: &Detached) -> Result<()> {
        let (owner, _) = self.find(id).ok_or_else(|| missing(&id.0))?;
        self.put_at(owner.binary, shader, &id.0)
    }

    /// Adds a program behind the others, or a value of a macro to the program [`NewProgram::into`], with the
    /// variations that it makes.
    ///
    /// A program is a copy of another one ([`NewProgram::details`]), or made of one shader of each stage: then its
    /// macros have one value each, and its symbols are those of the shaders' tables. Of the variations that a new
    /// value makes, those without stages of their own are copies of the ones with the default value.
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::BadValue`] for stages, names and values that do not make a program or variation;
    /// [`unshade_bytes::ErrorKind::Unrepresentable`] where an archive cannot hold it.
    pub fn add(&mut self, what: &NewProgram) -> Result<Vec<StageId>> {
        self.whole()?;
        let shaders: Vec<&Detached> = what.stages.iter().map(shader).collect::<Result<_>>()?;
        match (&what.into, what.details.get::<Whole>()) {
            (Some(into), _) => self.add_value(into, what, &shaders),
            (None, Some(whole)) => self.add_copy(whole, what, &shaders),
            (None, _) if what.name.is_none() && what.at.is_some() => self.add_binary(what, &shaders),
            (None, _) => self.add_new(what, &shaders),
        }
    }

    /// Takes out a program (`toon`), a value of a macro with its variations (`toon/FOG=1`), a variation that is the
    /// only one with a value (`toon/3`), or a shader that no program has (`@5`).
    ///
    /// # Errors
    /// [`unshade_bytes::ErrorKind::OutOfBounds`] where nothing has that name;
    /// [`unshade_bytes::ErrorKind::Unrepresentable`] for what cannot go alone.
    pub fn remove(&mut self, item: &str) -> Result<Removed> {
        self.whole()?;
        match named(item, |name| self.number_of(name), || self.owners())? {
            Named::Program(number) => self.remove_program(number, item),
            Named::Part { program, name, part } => self.remove_value(program, name, part),
            Named::Binary(number) => self.remove_binary(number, item),
        }
    }

    /// Refuses an archive whose sizes are not those of what is in it: they would not follow.
    fn whole(&self) -> Result<()> {
        let binaries = self.binaries.as_ref().is_none_or(Array::claims_otherwise);
        let programs = self.programs.as_ref().is_none_or(Array::claims_otherwise);
        if binaries || programs || self.file_size.is_some() {
            return Err(unfit("", "an archive whose sizes and counts are right", "a damaged one"));
        }
        Ok(())
    }

    /// A binary with its structure.
    fn loose(&self, index: usize) -> Result<Detached> {
        let record = self.binaries.as_ref().and_then(|array| array.items.get(index)?.known());
        let known = record.and_then(|record| Some((record, record.shader_kind()?)));
        let Some((record, kind)) = known else {
            let found = "a damaged one";
            return Err(unfit(&format!("binaries[{index}]"), "a vertex, pixel or geometry shader", found));
        };
        let (record, flags) = (Box::new(record.clone()), Vec::new());
        Ok(Detached { kind, parts: Parts::Binary { endian: self.endian, record, flags } })
    }

    fn put_at(&mut self, index: usize, shader: &Detached, item: &str) -> Result<()> {
        let at = self.placed()?.get(index).map_or(0, |placed| placed.at);
        let mut binary = shader.to_binary(self.endian, at)?;
        let Some(Record::Known(here)) = self.binaries.as_ref().and_then(|array| array.items.get(index))
        else {
            return Err(missing(item));
        };
        if here.kind != binary.kind {
            let name =
                |kind| crate::formats::gx2::record::shader_kind(kind).map_or("unknown", ShaderKind::name);
            let expected = format!("a {} shader", name(here.kind));
            return Err(wrong(item, expected, format!("a {} shader", name(binary.kind))));
        }
        if *here == binary {
            return Ok(());
        }
        self.whole()?;
        (binary.code_unaligned, binary.copy_unaligned) = (false, false);
        let usage = Usage::of(self, index)?;
        if let Some(place) = self.binaries.as_mut().and_then(|array| array.items.get_mut(index)) {
            *place = Record::Known(binary);
        }
        let flags = match &shader.parts {
            Parts::Binary { flags, .. } => flags.as_slice(),
            Parts::Blocks(_) => &[],
        };
        usage.follow(self, flags)
    }

    /// The number of the program of that unique name.
    pub(super) fn number_of(&self, name: &str) -> Option<usize> {
        let at = self.unique_names().iter().position(|(unique, _)| unique == name)?;
        self.programs().nth(at).map(|(number, _)| number)
    }

    /// The unique name of a program.
    fn name_of(&self, number: usize) -> String {
        let at = self.programs().position(|(known, _)| known == number);
        at.and_then(|at| self.unique_names().into_iter().nth(at)).map(|(name, _)| name).unwrap_or_default()
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

    /// The binaries of a program, all of which are there; none where it has no first one.
    fn own(&self, program: &Program) -> Result<Range<usize>> {
        let all = self.binaries.as_ref().map_or(0, |array| array.items.len());
        binaries::own(program.base, program.binaries(), all, &program.text())
    }

    /// The names of the stages of some variations.
    fn stage_names(&self, number: usize, variations: impl Iterator<Item = u64>) -> Result<Vec<StageId>> {
        let (name, program) = (self.name_of(number), self.program(number)?);
        if program.base == NO_BINARIES {
            return Ok(Vec::new());
        }
        let geometry = program.binaries_per_variation() == 3;
        let mut words = vec!["vertex", "pixel"];
        if geometry {
            words.extend(["geometry", "copy"]);
        }
        let name = &name;
        Ok(variations
            .flat_map(|v| words.iter().map(move |word| StageId(format!("{name}/{v}/{word}"))))
            .collect())
    }

    /// Puts records at these places, which ascend, and moves the programs behind them.
    fn insert(&mut self, places: &[usize], records: Vec<Record<super::Binary>>) -> Result<()> {
        binaries::insert(bases(&mut self.programs), self.binaries.as_mut(), places, records)
    }

    /// Takes the records at these places out, which ascend, and moves the programs behind them.
    fn take_out(&mut self, places: &[usize]) {
        binaries::remove(bases(&mut self.programs), self.binaries.as_mut(), places);
    }

    fn remove_program(&mut self, number: usize, item: &str) -> Result<Removed> {
        let program = self.program(number)?.clone();
        let own = self.own(&program)?;
        let stages: Vec<DetachedStage> =
            own.clone().map(|index| self.loose(index).map(loose_stage)).collect::<Result<_>>()?;
        let names = self.stage_names(number, 0..program.variation_count().unwrap_or(0))?;
        let others = self.programs().filter(|(other, _)| *other != number);
        let binaries = binaries::unshared(own, others.filter_map(|(_, program)| self.claim(program)));
        if let Some(array) = &mut self.programs {
            if number >= array.items.len() {
                return Err(missing(item));
            }
            array.items.remove(number);
        }
        self.take_out(&binaries);
        let whole = Whole { program, endian: self.endian, binaries };
        let again =
            NewProgram { stages, at: Some(number), details: Details::new(whole), ..NewProgram::default() };
        Ok(Removed { stages: names, again })
    }

    fn remove_binary(&mut self, index: usize, item: &str) -> Result<Removed> {
        let shader = self.loose(index)?;
        let geometry = shader.kind == ShaderKind::Geometry;
        let words = [Some(shader.kind.name()), geometry.then_some("copy")];
        let stages = words.into_iter().flatten().map(|word| StageId(format!("@{index}/{word}"))).collect();
        if self.programs().any(|(_, program)| self.claim(program).is_some_and(|c| c.contains(&index))) {
            return Err(unfit(item, "a shader that no program has", "one between the shaders of a program"));
        }
        self.take_out(&[index]);
        let again =
            NewProgram { stages: vec![loose_stage(shader)], at: Some(index), ..NewProgram::default() };
        Ok(Removed { stages, again })
    }

    /// A shader that no program has, at a place among the binaries.
    fn add_binary(&mut self, what: &NewProgram, shaders: &[&Detached]) -> Result<Vec<StageId>> {
        let ([shader], []) = (shaders, what.values.as_slice()) else {
            return Err(wrong("", "a name for a program, or one shader without", "neither"));
        };
        let count = self.binaries.as_ref().map_or(0, |array| array.items.len());
        let index = what.place(count)?;
        let at = self.placed()?.get(index).map_or_else(|| self.first_binary(), |placed| placed.at);
        let binary = shader.to_binary(self.endian, at)?;
        self.insert(&[index], vec![Record::Known(binary)])?;
        let copy = (shader.kind == ShaderKind::Geometry).then_some("copy");
        let words = [Some(shader.kind.name()), copy];
        Ok(words.into_iter().flatten().map(|word| StageId(format!("@{index}/{word}"))).collect())
    }

    /// A copy of a program: where it was, or behind the others.
    fn add_copy(&mut self, whole: &Whole, what: &NewProgram, shaders: &[&Detached]) -> Result<Vec<StageId>> {
        if let Some((name, value)) = what.values.first() {
            return Err(wrong("", "the values of the program that is copied", format!("{name} = {value}")));
        }
        let mut program = whole.program.clone();
        if whole.endian != self.endian {
            swap_defaults(&mut program)?;
        }
        self.fit_extra(&mut program, whole.endian)?;
        match &what.name {
            Some(name) => program.name = self.new_name(name)?,
            None if what.at.is_none() => program.name = self.new_name(&program.text())?,
            None => {}
        }
        let first = self.binaries.as_ref().map_or(0, |array| array.items.len());
        let back = what.at.is_some();
        let wanted = match program.base {
            NO_BINARIES => 0,
            _ => program.binaries().unwrap_or(u64::MAX),
        };
        if wanted != shaders.len() as u64 {
            let expected = format!("{wanted} stages, those of all variations");
            return Err(wrong("", expected, shaders.len().to_string()));
        }
        self.fits(&program, shaders)?;
        let mut records = Vec::new();
        let mut places = Vec::new();
        for (offset, shader) in shaders.iter().enumerate() {
            let place = if back {
                (program.base as usize).saturating_add(offset)
            } else {
                first.saturating_add(offset)
            };
            if !back || whole.binaries.binary_search(&place).is_ok() {
                places.push(place);
                records.push(Record::Known(shader.to_binary(self.endian, 0)?));
            }
        }
        self.insert(&places, records)?;
        if !back && program.base != NO_BINARIES {
            program.base = u32::try_from(first).unwrap_or(NO_BINARIES);
        }
        self.insert_program(program, what)
    }

    /// A program made of one shader of each stage.
    fn add_new(&mut self, what: &NewProgram, shaders: &[&Detached]) -> Result<Vec<StageId>> {
        let Some(name) = &what.name else {
            return Err(wrong("name", "a name for the program", "none"));
        };
        let stages = match shaders.len() {
            2 => 3,
            3 => 7,
            count => {
                let expected = "a vertex and a pixel shader, and perhaps a geometry shader";
                return Err(wrong("", expected, format!("{count} stages")));
            }
        };
        let first = self.binaries.as_ref().map_or(0, |array| array.items.len());
        let mut program = Program {
            name: self.new_name(name)?,
            stages,
            base: u32::try_from(first).unwrap_or(NO_BINARIES),
            extra: self.has_extra().then(Extra::default),
            ..Program::default()
        };
        self.fits(&program, shaders)?;
        for (name, value) in &what.values {
            let of = Macro { name: string(name)?, values: string(value)?, count: None, id: string(name)? };
            if value.is_empty() {
                return Err(wrong(
                    name,
                    "a value of at least one byte: the console passes over others",
                    "none",
                ));
            }
            if program
                .macros
                .items
                .iter()
                .any(|known| known.known().is_some_and(|known| known.name == of.name))
            {
                return Err(wrong(name, "each macro once", "it again"));
            }
            program.macros.items.push(Record::Known(of.clone()));
            program.defaults.items.push(Record::Known(of));
        }
        let shaders_of = shaders.iter().filter_map(|shader| shader.shader());
        for shader in shaders_of {
            declare(&mut program, &shader);
        }
        let mut records = Vec::new();
        for shader in shaders {
            records.push(Record::Known(shader.to_binary(self.endian, 0)?));
        }
        let places: Vec<usize> = (first..first.saturating_add(records.len())).collect();
        self.insert(&places, records)?;
        self.insert_program(program, what)
    }

    /// Gives a copy of a program the section behind the uniforms where the version has it, and takes an empty one away
    /// where it has not.
    fn fit_extra(&self, program: &mut Program, endian: Endian) -> Result<()> {
        let unfit = |expected: &str| Err(unfit("extra", expected, "another"));
        program.extra = match program.extra.take() {
            None => self.has_extra().then(Extra::default),
            Some(Extra::Blocks(blocks)) if !self.has_extra() && blocks == Array::default() => None,
            Some(_) if !self.has_extra() => {
                return unfit("a program without blocks behind its uniforms, which this version has not");
            }
            Some(Extra::Bytes { .. }) if endian != self.endian => {
                return unfit("a section of known meaning, or an archive of the same byte order");
            }
            extra => extra,
        };
        Ok(())
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

    /// The shaders are those of the stages of a program, variation by variation.
    fn fits(&self, program: &Program, shaders: &[&Detached]) -> Result<()> {
        let per = program.binaries_per_variation() as usize;
        for (index, shader) in shaders.iter().enumerate() {
            let expected = index.checked_rem(per).and_then(|stage| STAGES.get(stage)).copied();
            if expected != Some(shader.kind) {
                let name = expected.map_or("no", ShaderKind::name);
                let path = format!("stages[{index}]");
                return Err(wrong(
                    &path,
                    format!("a {name} shader"),
                    format!("a {} shader", shader.kind.name()),
                ));
            }
        }
        Ok(())
    }
}

/// The numbers of the first binaries of programs.
fn bases(programs: &mut Option<Array<Record<Box<Program>>>>) -> impl Iterator<Item = &mut u32> {
    programs.iter_mut().flat_map(|array| &mut array.items).filter_map(|record| match record {
        Record::Known(program) => Some(&mut program.base),
        Record::Damaged(_) => None,
    })
}

/// The shader of a loose stage.
fn shader(stage: &DetachedStage) -> Result<&Detached> {
    stage.wanted("shaders of the Wii U")
}

fn loose_stage(shader: Detached) -> DetachedStage {
    shader.into()
}

/// A string with its NUL.
fn string(text: &str) -> Result<Strings> {
    if text.contains('\0') {
        return Err(wrong("", "a name without NUL", "one inside it"));
    }
    Ok(Strings(text.bytes().chain([0]).collect()))
}

/// Default values of uniforms are words in the byte order of the file.
fn swap_defaults(program: &mut Program) -> Result<()> {
    for record in &mut program.uniforms.items {
        let Record::Known(symbol) = record else {
            return Err(unfit("uniforms", "records that are understood", "a damaged one"));
        };
        let (words, []) = symbol.default.0.as_chunks_mut::<4>() else {
            return Err(unfit("uniforms", "default values of whole words", "others"));
        };
        words.iter_mut().for_each(|word| word.reverse());
    }
    Ok(())
}

/// Adds the variables of a shader's tables to the symbols of a program with one variation.
fn declare(program: &mut Program, shader: &Shader<'_>) {
    let tables = [TableKind::Uniforms, TableKind::Blocks, TableKind::Samplers, TableKind::Attributes];
    for (kind, table) in SymbolKind::ALL.into_iter().zip(tables) {
        for entry in shader.entries(table) {
            let Some(name) = shader.short_text(entry.word(0)) else { continue };
            let name = Strings(name.iter().copied().chain([0]).collect());
            let known = |record: &Record<Symbol>| record.known().is_some_and(|symbol| symbol.name == name);
            let symbols = program.symbols_mut(kind);
            if symbols.items.iter().any(known) {
                continue;
            }
            let offset = match kind {
                // Counted in words there, in bytes here.
                SymbolKind::Uniforms => i32::try_from(entry.word(3).saturating_mul(4)).unwrap_or(-1),
                SymbolKind::Blocks => i32::try_from(entry.word(2)).unwrap_or(-1),
                SymbolKind::Samplers | SymbolKind::Attributes => -1,
            };
            let id = name.clone();
            let flags = Opaque(vec![1]);
            symbols.items.push(Record::Known(Symbol { name, id, offset, flags, ..Symbol::default() }));
        }
    }
}

impl Program {
    /// The symbols of a kind, to be changed.
    fn symbols_mut(&mut self, kind: SymbolKind) -> &mut Array<Record<Symbol>> {
        match kind {
            SymbolKind::Uniforms => &mut self.uniforms,
            SymbolKind::Blocks => &mut self.blocks,
            SymbolKind::Samplers => &mut self.samplers,
            SymbolKind::Attributes => &mut self.attributes,
        }
    }
}
