//! The programs of a BNSH as stages: what the instruction set needs, with the file's own names.

use super::check::KINDS;
use super::model::{Bnsh, Language};
use super::raw::StageCode;
use crate::formats::nvn::Group;
use crate::formats::nvn::pair;
use crate::formats::switch::{Pointer, Texts};
use unshade_bytes::{Error, ErrorKind, Result};
use unshade_stage::maxwell::Binding;
use unshade_stage::{Code, Interface, Isa, Maxwell, Stage, StageId, StageKind};

impl Bnsh {
    /// The stages in machine code, variation by variation: `0/vertex`, `0/fragment`, `1/compute`.
    pub fn stages(&self) -> impl Iterator<Item = Stage<'_>> {
        let texts = self.image.texts();
        (0..self.variation_count()).flat_map(move |index| self.variation_stages(index, &texts))
    }

    /// The stage of that name.
    pub fn stage(&self, id: &StageId) -> Option<Stage<'_>> {
        let (index, kind) = parse(id)?;
        let texts = self.image.texts();
        self.variation_stages(index, &texts).into_iter().find(|stage| stage.kind == kind)
    }

    /// The stages in machine code of a variation.
    pub fn variation_stages(&self, index: u32, texts: &Texts<'_>) -> Vec<Stage<'_>> {
        let variation = self.variation(index);
        let Some(program) = variation.and_then(|found| self.program(found.program(Language::Binary))) else {
            return Vec::new();
        };
        let reflection = self.reflection(program.reflection);
        let mut stages = Vec::new();
        for (position, (at, kind)) in program.stages.iter().zip(KINDS).enumerate() {
            let Some(record) = self.stage_code(*at) else { continue };
            let names = reflection.and_then(|table| table.stages.get(position)).copied().unwrap_or_default();
            let (code, mut maxwell) = self.decodable(record, kind);
            self.bindings(names, texts, &mut maxwell);
            let interface = Interface { maxwell: Some(Box::new(maxwell)), ..Interface::default() };
            let id = StageId(format!("{index}/{kind}"));
            stages.push(Stage { id, kind, isa: Isa::Maxwell, code, interface });
        }
        stages
    }

    fn decodable(&self, record: &StageCode, kind: StageKind) -> (Code<'_>, Maxwell) {
        let control = self.control(record);
        let (code, maxwell) = pair(&control, self.code(record), kind);
        (Code { file_offset: record.code.0.saturating_add(code.file_offset), ..code }, maxwell)
    }

    fn bindings(&self, names: Pointer, texts: &Texts<'_>, maxwell: &mut Maxwell) {
        let Some(names) = self.stage_reflection(names) else { return };
        let list = |group: Group| -> Vec<Binding> {
            let slots = self.group(names, group, texts).into_iter();
            slots.map(|slot| Binding { name: slot.name, slot: slot.slot.unwrap_or(-1) }).collect()
        };
        maxwell.inputs = list(Group::Inputs);
        maxwell.outputs = list(Group::Outputs);
        maxwell.samplers = list(Group::Samplers);
        maxwell.constant_buffers = list(Group::ConstantBuffers);
        maxwell.storage_buffers = list(Group::UnorderedAccessBuffers);
        maxwell.images = list(Group::Images);
        maxwell.separate_textures = list(Group::SeparateTextures);
        maxwell.separate_samplers = list(Group::SeparateSamplers);
        if names.work_group != [0; 3] {
            maxwell.work_group = Some(names.work_group);
        }
    }

    /// Gives a stage other code: the instructions, in a code section whose header and constants stay.
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`] where no stage has that name; otherwise what [`Bnsh::set_code`] says.
    pub fn replace(&mut self, id: &StageId, code: &Code<'_>) -> Result<()> {
        let missing = || {
            Error::new(ErrorKind::OutOfBounds, 0, "", "the name of a stage of this file", format!("`{id}`"))
        };
        let (index, kind) = parse(id).ok_or_else(missing)?;
        if code.entry != 0 {
            let expected = "code that starts at word 0, as that of a BNSH does";
            let found = format!("an entry point at word {}", code.entry);
            return Err(Error::new(ErrorKind::Unrepresentable, 0, id.0.as_str(), expected, found));
        }
        let record = self.stage_record(index, kind).ok_or_else(missing)?;
        let record = self.stage_code(record).ok_or_else(missing)?;
        let control = self.control(record);
        let (control, code) =
            crate::formats::nvn::with_instructions(&control, self.code(record), kind, &code.words)?;
        self.set_code(index, kind, &control, &code)
    }

    /// The place of the record of a stage in machine code.
    pub fn stage_record(&self, index: u32, kind: StageKind) -> Option<Pointer> {
        let program = self.program(self.variation(index)?.binary)?;
        let position = KINDS.iter().position(|known| *known == kind)?;
        program.stages.get(position).copied().filter(|at| !at.is_null())
    }
}

/// `3/vertex`: a variation and a stage.
pub(super) fn parse(id: &StageId) -> Option<(u32, StageKind)> {
    let (index, kind) = id.0.split_once('/')?;
    Some((index.parse().ok()?, kind_named(kind)?))
}

/// The stage of a name, also of the names that the format uses.
pub(crate) fn kind_named(name: &str) -> Option<StageKind> {
    let known = KINDS.into_iter().find(|kind| kind.name() == name);
    known.or_else(|| {
        let position = super::raw::STAGES.iter().position(|stage| *stage == name)?;
        KINDS.get(position).copied()
    })
}
