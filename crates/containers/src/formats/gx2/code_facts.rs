//! A shader of the Wii U for the face ([`DetachedForm`]), and what its structure states of the program because the code
//! needs it: registers, stack, whether it drops pixels.

use super::detached::{Detached, Parts};
use super::registers as r;
use super::{Form, Shader, ShaderKind, edit};
use crate::shared::programs::DetachedForm;
use unshade_stage::CodeFacts;
use unshade_stage::{Isa, Stage, StageKind};

impl DetachedForm for Detached {
    fn kind(&self) -> StageKind {
        self.stage_kind()
    }

    fn isa(&self) -> Isa {
        Isa::Latte
    }

    fn stage(&self) -> Stage<'_> {
        self.stage()
    }

    fn code_facts(&self) -> CodeFacts {
        self.shader().map(|shader| stated(&shader)).unwrap_or_default()
    }

    fn set_code_facts(&mut self, facts: &CodeFacts) {
        state(self, facts);
    }

    fn copy_stage(&self) -> Box<dyn DetachedForm> {
        Box::new(self.clone())
    }
}

/// The register with the number of general registers of a structure's program.
fn resources(kind: ShaderKind) -> Option<&'static r::Register> {
    match kind {
        ShaderKind::Vertex => Some(&r::SQ_PGM_RESOURCES_VS),
        ShaderKind::Pixel => Some(&r::SQ_PGM_RESOURCES_PS),
        ShaderKind::Geometry => Some(&r::SQ_PGM_RESOURCES_GS),
        ShaderKind::Compute => None,
    }
}

fn stated(shader: &Shader<'_>) -> CodeFacts {
    let Some(register) = resources(shader.kind) else { return CodeFacts::default() };
    let word = shader.named(register.name, 0);
    // All four registers have these fields at the same place.
    let field = |name| r::SQ_PGM_RESOURCES_PS.get(name, word);
    let control = shader.named(r::DB_SHADER_CONTROL.name, 0);
    let kills = r::DB_SHADER_CONTROL.get("KILL_ENABLE", control) != 0;
    CodeFacts {
        registers: Some(field("NUM_GPRS")),
        stack: Some(field("STACK_SIZE")),
        discards: (shader.kind == ShaderKind::Pixel).then_some(kills),
        ..CodeFacts::default()
    }
}

fn state(shader: &mut Detached, facts: &CodeFacts) {
    if let Some(register) = resources(shader.kind) {
        for (name, value) in [("NUM_GPRS", facts.registers), ("STACK_SIZE", facts.stack)] {
            set_field(shader, register, name, value);
        }
    }
    if shader.kind == ShaderKind::Pixel {
        set_field(shader, &r::DB_SHADER_CONTROL, "KILL_ENABLE", facts.discards.map(u32::from));
    }
}

/// Sets a field of a register, where it holds the value.
fn set_field(shader: &mut Detached, register: &r::Register, name: &str, value: Option<u32>) {
    let Some(row) = shader.kind.row_named(register.name) else { return };
    let Some((field, value)) = register.field(name).zip(value) else { return };
    let Some(old) = shader.shader().map(|shader| shader.word(row.word)) else { return };
    if field.of(field.with(0, value)) != value {
        return;
    }
    let (form, data) = match &mut shader.parts {
        Parts::Blocks(blocks) => match &mut blocks.header {
            Some(header) => (Form::GFD, &mut header.0),
            None => return,
        },
        Parts::Binary { endian, record, .. } => (Form::sharcfb(*endian), &mut record.data.0),
    };
    edit::set_word(form, data, usize::from(row.word).saturating_mul(4), field.with(old, value));
}
