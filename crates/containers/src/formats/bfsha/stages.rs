//! The programs of a BFSHA as stages: those of its shaders, with the names of the shading model.

use super::model::{Bfsha, Object};
use super::raw::{Model, Resource};
use super::wiiu::WiiUStage;
use crate::formats::gx2;
use crate::formats::switch::Texts;
use std::collections::BTreeSet;
use unshade_bytes::{Error, ErrorKind, Result};
use unshade_stage::maxwell::Member;
use unshade_stage::{Code, Maxwell, Stage, StageId, StageKind};

impl Bfsha {
    /// The stages of all programs, model by model: `model/12/fragment`.
    pub fn stages(&self) -> impl Iterator<Item = Stage<'_>> {
        let texts = self.image.texts();
        let names = self.model_names(&texts);
        names.into_iter().enumerate().flat_map(move |(model, name)| {
            let count = self.program_count(model);
            let inner = self.model(model).and_then(|model| self.bnsh(model.bnsh));
            let inner_texts = inner.map(|bnsh| bnsh.image.texts()).unwrap_or_default();
            let texts = texts.clone();
            (0..count)
                .flat_map(move |program| self.program_stages((model, &name), program, &texts, &inner_texts))
        })
    }

    /// The stage of that name.
    pub fn stage(&self, id: &StageId) -> Option<Stage<'_>> {
        let texts = self.image.texts();
        let (model, program, kind) = self.parse(id, &texts)?;
        let inner = self.model(model).and_then(|model| self.bnsh(model.bnsh));
        let inner = inner.map(|bnsh| bnsh.image.texts()).unwrap_or_default();
        let name = self.model_names(&texts).into_iter().nth(model)?;
        let stages = self.program_stages((model, &name), program, &texts, &inner);
        stages.into_iter().find(|stage| stage.kind == kind)
    }

    /// How many programs a shading model has.
    pub fn program_count(&self, model: usize) -> usize {
        match (self.model(model), self.wiiu_model(model)) {
            (Some(model), _) => model.programs_held(),
            (None, Some(model)) => model.programs_held(),
            (None, None) => 0,
        }
    }

    /// Gives a stage other code: the instructions, in a code section whose header and constants stay.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] where no stage has that name; otherwise what [`Bfsha::set_code`] says.
    pub fn replace(&mut self, id: &StageId, code: &Code<'_>) -> Result<()> {
        let missing = || {
            Error::new(ErrorKind::OutOfBounds, 0, "", "the name of a stage of this file", format!("`{id}`"))
        };
        let texts = self.image.texts();
        let (model, program, kind) = self.parse(id, &texts).ok_or_else(missing)?;
        drop(texts);
        if code.entry != 0 {
            let expected = "code that starts at word 0, as that of a BFSHA does";
            let found = format!("an entry point at word {}", code.entry);
            return Err(Error::new(ErrorKind::Unrepresentable, 0, id.0.as_str(), expected, found));
        }
        if self.is_wiiu() {
            return self.replace_wiiu((model, program, kind), code).ok_or_else(missing)?;
        }
        let found = self.model(model).ok_or_else(missing)?;
        let record = self.program(found, program).ok_or_else(missing)?;
        let bnsh = self.bnsh(found.bnsh).ok_or_else(missing)?;
        let variation = self.variation_of(found, record).ok_or_else(missing)?;
        let stage =
            bnsh.stage_record(variation, kind).and_then(|at| bnsh.stage_code(at)).ok_or_else(missing)?;
        let control = bnsh.control(stage);
        let (control, code) =
            crate::formats::nvn::with_instructions(&control, bnsh.code(stage), kind, &code.words)?;
        self.set_code(model, program, kind, &control, &code)
    }

    /// Code of the Wii U may change where it keeps its length.
    fn replace_wiiu(
        &mut self,
        (model, program, kind): (usize, usize, StageKind),
        code: &Code<'_>,
    ) -> Option<Result<()>> {
        let found = self.wiiu_model(model)?;
        let record = self.wiiu_program_of(found, program)?;
        let stage = WiiUStage::ALL.into_iter().position(|stage| kind_of(stage) == kind)?;
        let shader = self.wiiu_shader(*record.shaders.get(stage)?)?;
        let (at, size) = (shader.code, shader.code_size);
        let users = self.image.objects.values().filter(|object| match object {
            Object::WiiUShader(shader) => shader.code == at,
            _ => false,
        });
        let users = users.count();
        let bytes: Vec<u8> = code.words.iter().flat_map(|word| word.to_le_bytes()).collect();
        if bytes.len() != size as usize || users > 1 {
            let expected = format!("code of {size} bytes that no other program shares");
            let found = format!("{} bytes for {users} programs", bytes.len());
            return Some(Err(Error::new(ErrorKind::Unrepresentable, 0, "code", expected, found)));
        }
        match self.image.objects.get_mut(&at.0)? {
            Object::Blob(_, place) => {
                place.0 = bytes;
                Some(Ok(()))
            }
            _ => None,
        }
    }

    pub(super) fn parse(&self, id: &StageId, texts: &Texts<'_>) -> Option<(usize, usize, StageKind)> {
        let (front, kind) = id.0.rsplit_once('/')?;
        let (model, program) = front.rsplit_once('/')?;
        let model = self.model_names(texts).iter().position(|name| name == model)?;
        Some((model, program.parse().ok()?, crate::formats::bnsh::kind_named(kind)?))
    }

    fn program_stages(
        &self,
        (model, name): (usize, &str),
        program: usize,
        texts: &Texts<'_>,
        inner: &Texts<'_>,
    ) -> Vec<Stage<'_>> {
        if let Some(found) = self.wiiu_model(model) {
            let Some(record) = self.wiiu_program_of(found, program) else { return Vec::new() };
            return self.wiiu_stages((found, name), (record, program), texts);
        }
        let stages = self.model(model).and_then(|found| {
            let record = self.program(found, program)?;
            let bnsh = self.bnsh(found.bnsh)?;
            let mut stages = bnsh.variation_stages(self.variation_of(found, record)?, inner);
            for stage in &mut stages {
                stage.id = StageId(format!("{name}/{program}/{}", stage.kind));
                stage.code.file_offset = stage.code.file_offset.saturating_add(found.bnsh.0);
                if let Some(maxwell) = &mut stage.interface.maxwell {
                    self.members(found, texts, maxwell);
                }
            }
            Some(stages)
        });
        stages.unwrap_or_default()
    }

    /// Variables of those of the model's blocks that the stage has, under the names that it has for the blocks.
    fn members(&self, model: &Model, texts: &Texts<'_>, maxwell: &mut Maxwell) {
        let mut out = Vec::new();
        let columns = usize::from(model.columns(self.image.form)).max(1);
        let of_kind = [
            (Resource::UniformBlocks, &maxwell.constant_buffers),
            (Resource::StorageBlocks, &maxwell.storage_buffers),
        ];
        for (resource, bound) in of_kind {
            let bound: BTreeSet<&str> = bound.iter().map(|binding| binding.name.as_str()).collect();
            let symbols = self.symbol_table(model, resource);
            for (index, block) in self.blocks(model, resource).into_iter().enumerate() {
                let row = symbols.iter().skip(index.saturating_mul(columns)).take(columns);
                let Some(name) = row.copied().find(|at| !at.is_null()) else { continue };
                let name = texts.show(name);
                if !bound.contains(name.as_str()) {
                    continue;
                }
                let keys = self.dictionary(block.dictionary).into_iter().flat_map(|names| names.keys());
                for (variable, key) in (0_u64..).zip(keys) {
                    let offset = variable.saturating_mul(super::raw::VARIABLE_LEN);
                    let at = block.variables.0.saturating_add(offset);
                    let Some(found) = self.variable(crate::formats::switch::Pointer(at)) else { break };
                    if let Some(offset) = found.offset_plus_1.checked_sub(1) {
                        let block = name.clone();
                        out.push(Member { block, name: texts.show(key), offset: offset.into() });
                    }
                }
            }
        }
        maxwell.members = out;
    }
}

pub(super) fn kind_of(stage: WiiUStage) -> StageKind {
    match stage {
        WiiUStage::Vertex => StageKind::Vertex,
        WiiUStage::Geometry => StageKind::Geometry,
        WiiUStage::Pixel => StageKind::Fragment,
    }
}

pub(super) fn shader_kind(stage: WiiUStage) -> gx2::ShaderKind {
    match stage {
        WiiUStage::Vertex => gx2::ShaderKind::Vertex,
        WiiUStage::Geometry => gx2::ShaderKind::Geometry,
        WiiUStage::Pixel => gx2::ShaderKind::Pixel,
    }
}
