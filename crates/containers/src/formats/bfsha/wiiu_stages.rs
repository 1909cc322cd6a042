//! The programs of a BFSHA of the Wii U as stages. Their structures have no tables of names: the shading model says what
//! there is, and the program where each stage has it.
//!
//! A program's tables of locations have a row for each sampler and each uniform block of the model, in the order of the
//! model's arrays, and a column for each stage: the unit or the number of the block there, -1 where the stage does not have
//! it. The names are those of the model's dictionaries, whose entries lead to the records of the arrays.

use super::model::{Bfsha, Object};
use super::stages::{kind_of, shader_kind};
use super::wiiu::{BLOCK_LEN, SAMPLER_LEN, WiiUBlock, WiiUModel, WiiUProgram, WiiUShader, WiiUStage};
use crate::formats::gx2::{self, SamplerType};
use crate::formats::switch::{Pointer, Saver, Texts};
use std::borrow::Cow;
use unshade_bytes::Endian;
use unshade_stage::latte::{Attribute, Block, Latte, Sampler, Uniform, VarType};
use unshade_stage::{Code, Interface, Isa, Stage, StageId};

/// Variables of one block that get names: a block of 64 KiB has no more vectors.
const VARIABLES: usize = 1 << 12;

impl Bfsha {
    /// The stages of a program, with the names that its model has for what they use.
    pub(super) fn wiiu_stages(
        &self,
        (model, name): (&WiiUModel, &str),
        (record, program): (&WiiUProgram, usize),
        texts: &Texts<'_>,
    ) -> Vec<Stage<'_>> {
        let shaders = record.shaders.iter().zip(WiiUStage::ALL).enumerate();
        shaders
            .filter_map(|(column, (at, stage))| {
                let mut found = self.wiiu_stage(self.wiiu_shader(*at)?, stage)?;
                found.id = StageId(format!("{name}/{program}/{}", found.kind));
                if let Some(latte) = &mut found.interface.latte {
                    let names = Names { file: self, texts, model, record, column };
                    names.give(stage, latte);
                }
                Some(found)
            })
            .collect()
    }

    /// A stage by its structure alone.
    fn wiiu_stage(&self, shader: &WiiUShader, stage: WiiUStage) -> Option<Stage<'_>> {
        let Some(Object::Blob(_, bytes)) = self.image.get(shader.code) else { return None };
        let bytes = bytes.get(..shader.code_size as usize)?;
        let words = bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
        let copy = match self.image.get(shader.copy) {
            Some(Object::Blob(_, bytes)) => bytes.get(..shader.copy_size as usize).unwrap_or_default(),
            _ => &[],
        };
        // Pointers of the structure count otherwise than GX2's own, and nobody has seen its tables.
        let mut bare = shader.clone();
        bare.rest.iter_mut().for_each(|word| *word = 0);
        (bare.code, bare.copy) = Default::default();
        let mut saver = Saver::new(self.image.form, 0);
        bare.visit(&mut saver).ok()?;
        let form = gx2::Form { endian: Endian::Big, tagged: false };
        let latte = gx2::Shader::new(shader_kind(stage), form, &saver.bytes)
            .map(|shader| shader.latte_with_copy(copy));
        Some(Stage {
            id: StageId(String::new()),
            kind: kind_of(stage),
            isa: Isa::Latte,
            code: Code { words: Cow::Owned(words), file_offset: shader.code.0, ..Code::default() },
            interface: Interface { latte: Some(Box::new(latte.unwrap_or_default())), ..Interface::default() },
        })
    }
}

/// What names the things of one stage of a program.
struct Names<'n> {
    file: &'n Bfsha,
    texts: &'n Texts<'n>,
    model: &'n WiiUModel,
    record: &'n WiiUProgram,
    /// Which column of the tables is the stage's.
    column: usize,
}

impl Names<'_> {
    fn give(&self, stage: WiiUStage, latte: &mut Latte) {
        let [_, _, attributes, samplers, blocks] = self.model.arrays;
        let [_, sampler_count, block_count] = self.model.small_counts;
        let [sampler_slots, block_slots] = self.record.tables.map(|at| self.file.wiiu_slots(at));
        if stage == WiiUStage::Vertex {
            latte.attributes = self.attributes(attributes);
        }
        for (row, name) in self.rows(samplers, SAMPLER_LEN, sampler_count) {
            let Some(location) = self.location(&sampler_slots, row) else { continue };
            let record = self.file.wiiu_sampler(entry(samplers, row, SAMPLER_LEN));
            let kind = record.and_then(|record| SamplerType::of(record.kind.into()));
            latte.samplers.push(Sampler {
                name: self.texts.show(name),
                dimension: kind.map(|kind| kind.dimension),
                shadow: kind.is_some_and(|kind| kind.shadow),
                location,
            });
        }
        for (row, name) in self.rows(blocks, BLOCK_LEN, block_count) {
            let Some(buffer) = self.location(&block_slots, row) else { continue };
            let Some(record) = self.file.wiiu_block(entry(blocks, row, BLOCK_LEN)) else { continue };
            let number = u32::try_from(latte.blocks.len()).ok();
            latte.blocks.push(Block { name: self.texts.show(name), buffer, size: record.size.into() });
            latte.uniforms.extend(self.variables(record, number));
        }
    }

    /// Where the stage has the sampler or block of a row.
    fn location(&self, slots: &[i32], row: usize) -> Option<u32> {
        let columns = if self.file.image.form.major >= 4 { 4_usize } else { 3 };
        let slot = row.checked_mul(columns)?.checked_add(self.column)?;
        slots.get(slot).and_then(|slot| u32::try_from(*slot).ok())
    }

    /// The records of an array by their numbers, each with the place of its name.
    fn rows(&self, [array, dictionary]: [Pointer; 2], len: u64, count: u8) -> Vec<(usize, Pointer)> {
        let Some(dictionary) = self.file.dictionary(dictionary) else { return Vec::new() };
        let mut rows: Vec<(usize, Pointer)> = dictionary
            .nodes
            .iter()
            .skip(1)
            .take(count.into())
            .enumerate()
            .map(|(position, node)| {
                let distance = node.value.get().and_then(|at| at.checked_sub(array.0));
                let number = distance.filter(|distance| distance.checked_rem(len) == Some(0));
                let number = number.and_then(|distance| distance.checked_div(len));
                let number = number.and_then(|number| usize::try_from(number).ok());
                (number.unwrap_or(position), node.key)
            })
            .collect();
        rows.sort_by_key(|(number, _)| *number);
        rows
    }

    /// The attributes that the program reads.
    fn attributes(&self, array: [Pointer; 2]) -> Vec<Attribute> {
        let [at, dictionary] = array;
        let records = self.file.wiiu_attributes(at).map(Vec::as_slice).unwrap_or_default();
        let names = self.file.dictionary(dictionary).into_iter().flat_map(|found| found.keys());
        let active =
            |index: u8| self.record.active_attributes.checked_shr(index.into()).unwrap_or(0) & 1 == 1;
        names
            .zip(records)
            .filter(|(_, record)| active(record.index))
            .filter_map(|(name, record)| {
                Some(Attribute {
                    name: self.texts.show(name),
                    ty: VarType(record.kind.into()),
                    count: record.count.into(),
                    location: u32::try_from(record.location).ok()?,
                })
            })
            .collect()
    }

    /// The variables of a block that have a place in it.
    fn variables(&self, block: &WiiUBlock, number: Option<u32>) -> Vec<Uniform> {
        let nodes = self.file.dictionary(block.dictionary).map(|found| found.nodes.as_slice());
        let nodes = nodes.unwrap_or_default().iter().skip(1).take(VARIABLES);
        nodes
            .filter_map(|node| {
                let variable = self.file.wiiu_variable(node.value)?;
                let offset = u32::from(variable.offset_plus_1.checked_sub(1)?);
                Some(Uniform {
                    name: self.texts.show(node.key),
                    ty: VarType(variable.kind.into()),
                    count: variable.count.into(),
                    offset: offset.is_multiple_of(4).then_some(offset / 4)?,
                    block: number,
                })
            })
            .collect()
    }
}

/// The place of a record of an array.
fn entry([array, _]: [Pointer; 2], index: usize, len: u64) -> Pointer {
    Pointer(array.0.saturating_add((index as u64).saturating_mul(len)))
}
