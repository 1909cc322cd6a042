//! What is wrong with a BFSHA that could be read. The instructions are not looked at.

mod bindings;
mod keys;
mod wiiu;

pub(super) use bindings::BNSH_STAGE;

use super::model::{Bfsha, Object};
use super::raw::{Block, Model, Program, Resource};
use crate::formats::switch::check::{self, Findings};
use crate::formats::switch::{Pointer, Texts};
use unshade_bytes::{Diagnostic, Severity};

use Severity::{Error, Warning};

/// A BNSH starts at a multiple of this.
const BNSH_ALIGNMENT: u64 = 0x1000;

impl Bfsha {
    /// All findings, most severe first, then by place.
    pub fn check(&self) -> Vec<Diagnostic> {
        let texts = self.image.texts();
        let mut findings = Findings::default();
        if let Err(error) = check::check(&self.image, &texts, &mut findings) {
            findings.inside(vec![error.diagnostic()], 0, "");
        }
        if self.is_wiiu() {
            self.check_wiiu(&texts, &mut findings);
        } else {
            self.check_archive(&texts, &mut findings);
        }
        let names = self.model_names(&texts);
        for (&at, object) in &self.image.objects {
            if let Object::Bnsh(bnsh) = object {
                let owner = (0..self.model_count()).find(|i| self.model(*i).is_some_and(|m| m.bnsh.0 == at));
                let name = owner.and_then(|owner| names.get(owner)).cloned().unwrap_or_default();
                findings.inside(bnsh.check(), at, &format!("models[{name}].bnsh"));
                if bnsh.image.form.big_endian != self.image.form.big_endian {
                    let message = "expected the byte order of the archive, found the other one";
                    let place = (at.saturating_add(12), 2);
                    findings.report(
                        Warning,
                        "bfsha.byte-order",
                        place,
                        format!("models[{name}].bnsh"),
                        message,
                    );
                }
            }
        }
        if !self.trailing.is_empty() {
            let size = self.trailing.len() as u64;
            let message = format!("expected the end of the file, found {size} more bytes");
            findings.report(Warning, "bfsha.trailing", (self.image.len, size), "trailing", message);
        }
        findings.finish()
    }

    fn check_archive(&self, texts: &Texts<'_>, findings: &mut Findings) {
        let (Some(header), Some(archive)) = (self.header(), self.archive()) else { return };
        if let Some((_, pool)) = self.image.strings() {
            let size = pool.block.map_or(0, |(block, _)| block.size);
            if header.strings_size != size {
                let message =
                    format!("expected {size} bytes, as the strings say, found {}", header.strings_size);
                findings.report(Error, "bfsha.strings-size", (0x30, 4), "header.strings_size", message);
            }
        }
        let at = header.archive.0;
        if archive.flags & 0x80 != 0 {
            let message = "expected a file as it was before loading, found the bit of an initialised archive";
            let place = (at.saturating_add(if self.image.form.major >= 7 { 0x42 } else { 0x3A }), 2);
            findings.report(Warning, "bfsha.runtime", place, "archive.flags", message);
        }
        let names = self.dictionary(archive.dictionary).map_or(0, |dictionary| dictionary.len());
        if names != usize::from(archive.model_count) {
            let message = format!("expected {} names of models, found {names}", archive.model_count);
            findings.report(
                Error,
                "bfsha.count",
                (at.saturating_add(0x18), 8),
                "archive.dictionary",
                message,
            );
        }
        let parts = self.model_names(texts);
        for index in 0..self.model_count() {
            let (Some(place), Some(model)) = (self.model_place(index), self.model(index)) else { break };
            let name = parts.get(index).cloned().unwrap_or_default();
            let path = format!("models[{name}]");
            if model.parent.0 != at {
                let message = format!("expected the archive at {at:#x}, found {:#x}", model.parent.0);
                findings.report(Error, "bfsha.parent", (place.0, 8), format!("{path}.parent"), message);
            }
            let key = self.dictionary(archive.dictionary).and_then(|d| d.keys().nth(index));
            if key.and_then(|key| texts.get(key)) != texts.get(model.name) {
                let message = "expected the name that the archive has for it, found another";
                findings.report(Error, "bfsha.name", (place.0, 8), format!("{path}.name"), message);
            }
            self.check_model(model, place.0, &path, texts, findings);
        }
    }

    fn check_model(&self, model: &Model, at: u64, path: &str, texts: &Texts<'_>, findings: &mut Findings) {
        let form = self.image.form;
        let place = (at, Model::len(form));
        let mut names = vec![
            ("static_options", model.static_options, usize::from(model.static_option_count)),
            ("dynamic_options", model.dynamic_options, usize::from(model.dynamic_option_count)),
            ("attributes", model.attributes, usize::from(model.attribute_count)),
        ];
        for &resource in Resource::of(form) {
            let count = usize::from(model.resource_count(resource));
            names.push((resource.name(), model.resource(resource), count));
        }
        for (name, [array, dictionary], count) in names {
            let found = self.dictionary(dictionary).map_or(0, |dictionary| dictionary.len());
            if found != count || (count > 0 && array.is_null()) {
                let message = format!("expected {count} names and their records, found {found} names");
                findings.report(Error, "bfsha.count", place, format!("{path}.{name}"), message);
            }
        }
        if !model.bnsh.is_null() && !model.bnsh.0.is_multiple_of(BNSH_ALIGNMENT) {
            let message = format!("expected a multiple of 0x1000, found {:#x}", model.bnsh.0);
            findings.report(Error, "bfsha.bnsh-alignment", place, format!("{path}.bnsh"), message);
        }
        self.check_columns(model, place, path, findings);
        self.check_blocks(model, place, path, texts, findings);
        self.check_options(model, at, path, texts, findings);
        self.check_programs(model, path, findings);
        self.check_bindings(model, path, texts, findings);
        if let Some(info) = self.symbol_info(model.symbols).filter(|info| info.stream_out_count > 0) {
            let message =
                format!("{} stream-outs are kept, whose records nobody knows", info.stream_out_count);
            let place = (model.symbols.0, 0x20);
            findings.report(Warning, "bfsha.stream-outs", place, format!("{path}.symbols"), message);
        }
        let attributes = self.attributes(model.attributes[0]).map(Vec::as_slice).unwrap_or_default();
        if let Some((index, found)) =
            attributes.iter().enumerate().find(|(index, found)| usize::from(found.index) != *index)
        {
            let message = format!("expected the index {index}, found {}", found.index);
            let place = (model.attributes[0].0.saturating_add((index as u64).saturating_mul(2)), 1);
            findings.report(Warning, "bfsha.index", place, format!("{path}.attributes[{index}]"), message);
        }
    }

    fn check_columns(&self, model: &Model, place: (u64, u64), path: &str, findings: &mut Findings) {
        if self.image.form.major < 9 {
            return;
        }
        let mut seen = [false; 256];
        for column in model.stage_columns {
            let Ok(index) = usize::try_from(column) else { continue };
            let twice = seen.get_mut(index).is_some_and(|seen| std::mem::replace(seen, true));
            if twice || index >= usize::from(model.column_count) {
                let message =
                    format!("expected a column of its own of {}, found {column}", model.column_count);
                findings.report(Error, "bfsha.columns", place, format!("{path}.stage_columns"), message);
            }
        }
    }

    fn check_blocks(
        &self,
        model: &Model,
        place: (u64, u64),
        path: &str,
        texts: &Texts<'_>,
        findings: &mut Findings,
    ) {
        let form = self.image.form;
        let blocks = self.blocks(model, Resource::UniformBlocks);
        let kinds = ["material", "shape", "skeleton", "option"];
        for ((kind, index), number) in kinds.iter().zip(model.block_index).zip(1_u8..) {
            let path = format!("{path}.{kind}_block");
            let Ok(index) = usize::try_from(index) else { continue };
            match blocks.get(index) {
                Some(block) if block.kind == number => {}
                Some(block) => {
                    let message =
                        format!("expected a block of kind {number} ({kind}), found kind {}", block.kind);
                    findings.report(Error, "bfsha.block-index", place, path, message);
                }
                None => {
                    let message = format!("expected one of {} blocks, or -1, found {index}", blocks.len());
                    findings.report(Error, "bfsha.block-index", place, path, message);
                }
            }
        }
        for &resource in Resource::of(form) {
            if !matches!(resource, Resource::UniformBlocks | Resource::StorageBlocks) {
                continue;
            }
            let names = self.resource_names(model, resource, texts);
            let [array, _] = model.resource(resource);
            for (index, block) in self.blocks(model, resource).into_iter().enumerate() {
                let at = array.0.saturating_add((index as u64).saturating_mul(super::raw::BLOCK_LEN));
                let name = names.get(index).cloned().unwrap_or_default();
                self.check_block(block, index, at, &format!("{path}.{}[{name}]", resource.name()), findings);
            }
        }
    }

    fn check_block(&self, block: &Block, index: usize, at: u64, path: &str, findings: &mut Findings) {
        let place = (at, super::raw::BLOCK_LEN);
        if usize::from(block.index) != index {
            let message = format!("expected the index {index}, found {}", block.index);
            findings.report(Warning, "bfsha.index", place, path, message);
        }
        let names = self.dictionary(block.dictionary).map_or(0, |dictionary| dictionary.len());
        if names != usize::from(block.count) {
            let message = format!("expected {} names of variables, found {names}", block.count);
            findings.report(Error, "bfsha.count", place, format!("{path}.variables"), message);
        }
        let wanted = block.kind == 1 && block.size > 0;
        if wanted == block.defaults.is_null() {
            let message = if wanted {
                "expected default values of the material's block, found none"
            } else {
                "expected no default values, which only the material's block has, found some"
            };
            findings.report(Warning, "bfsha.defaults", place, format!("{path}.defaults"), message);
        }
        for variable in 0..u64::from(block.count) {
            let offset = variable.saturating_mul(super::raw::VARIABLE_LEN);
            let at = Pointer(block.variables.0.saturating_add(offset));
            let Some(found) = self.variable(at) else { break };
            let start = found.offset_plus_1.saturating_sub(1);
            if found.offset_plus_1 > 0 && start >= block.size {
                let message = format!("expected a place before {}, found {start}", block.size);
                let path = format!("{path}.variables[{variable}]");
                findings.report(Warning, "bfsha.variable", (at.0, 16), path, message);
            }
        }
    }

    fn check_programs(&self, model: &Model, path: &str, findings: &mut Findings) {
        let form = self.image.form;
        let parent = (0..self.model_count())
            .filter_map(|index| self.model_place(index))
            .find(|at| self.model_at(*at).is_some_and(|found| std::ptr::eq(found, model)));
        for index in 0..model.programs_held() {
            let Some(at) = self.program_place(model, index) else { break };
            let Some(program) = self.program_at(at) else { break };
            let place = (at.0, Program::len(form));
            let path = || format!("{path}.programs[{index}]");
            if Some(program.parent) != parent {
                let message = format!("expected its shading model, found {:#x}", program.parent.0);
                findings.report(Error, "bfsha.parent", place, path(), message);
            }
            if program.flags & 3 != 0 {
                let message = "expected a file as it was before loading, found bits that are set at run time";
                findings.report(Warning, "bfsha.runtime", place, path(), message);
            }
            if self.variation_of(model, program).is_none() {
                let message = format!(
                    "expected the start of a variation of the model's BNSH, found {:#x}",
                    program.variation.0
                );
                findings.report(Error, "bfsha.variation", place, path(), message);
            }
            for &resource in Resource::of(form) {
                let count = u16::from(model.resource_count(resource));
                let found = program.counts.get(resource.index()).copied().unwrap_or(0);
                if found == count {
                    continue;
                }
                let message =
                    format!("expected {count} {}, as the model has, found {found}", resource.name());
                findings.report(Error, "bfsha.count", place, path(), message);
                if resource == Resource::StorageBlocks && found == program.counts[2] {
                    let message = "the count of uniform blocks stands in place of that of storage blocks: the mark of ShaderLibrary's writer for version 8 and later";
                    findings.report(Severity::Note, "nx.known-writer", place, path(), message);
                }
            }
            let beyond = program.active_attributes.checked_shr(model.attribute_count.into()).unwrap_or(0);
            if beyond != 0 {
                let message = format!(
                    "expected bits of {} attributes, found {:#x}",
                    model.attribute_count, program.active_attributes
                );
                findings.report(Error, "bfsha.attributes", place, path(), message);
            }
        }
    }
}
