//! What a container states of a program because its code needs it: registers, stack, what is fetched ahead. Only an
//! instruction set can tell from code what it needs; this is where the answer goes.

use crate::gx2::{self, registers as r};
use crate::mbs::ProgramChunk;
use crate::nvn::{Control, Sections};
use crate::programs::LooseStage;

/// Claims of a program; `None`: the container does not state it, or the code does not tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Claims {
    /// General registers of a thread (Latte: NUM_GPRS; Maxwell: of the control section or program header).
    pub registers: Option<u32>,
    /// Entries of the branch stack (Latte: STACK_SIZE).
    pub stack: Option<u32>,
    /// Index of the last instruction that loads an attribute, plus 1 (Mali GP: chunk FINS).
    pub attribute_prefetch: Option<u32>,
    /// The program can drop pixels (Mali PP: chunk FDIS; Latte: KILL_ENABLE).
    pub discards: Option<bool>,
}

/// Place of the number of registers in a control section of NVN.
const CONTROL_REGISTERS: usize = 0x70C;

impl LooseStage {
    /// What is stated of the program.
    pub fn claims(&self) -> Claims {
        match self {
            Self::Pica200(_) => Claims::default(),
            Self::Mali(program) => {
                let mut claims = Claims::default();
                for chunk in &program.chunks {
                    match chunk {
                        ProgramChunk::Instructions(chunk) => {
                            claims.attribute_prefetch = Some(chunk.attribute_prefetch);
                        }
                        ProgramChunk::Discard(word) => claims.discards = Some(*word != 0),
                        _ => {}
                    }
                }
                claims
            }
            Self::Gx2(shader) => shader.shader().map(|shader| gx2_claims(&shader)).unwrap_or_default(),
            Self::Nvn(stage) => {
                let registers = match &stage.sections {
                    Sections::Nvn { control, .. } => Control(control).word(CONTROL_REGISTERS),
                    Sections::Code { registers, .. } => *registers,
                    Sections::Deko3d { program, .. } => Some(program.registers),
                };
                Claims { registers, ..Claims::default() }
            }
        }
    }

    /// States what `claims` has, as far as the container has a place for it and the number fits. Returns whether
    /// anything changed.
    pub fn claim(&mut self, claims: &Claims) -> bool {
        let before = self.claims();
        match self {
            Self::Pica200(_) => {}
            Self::Mali(program) => {
                if let (Some(_), Some(prefetch)) = (before.attribute_prefetch, claims.attribute_prefetch) {
                    program.set_attribute_prefetch(prefetch);
                }
                // A word that says yes in another way stays.
                if let (Some(old), Some(new)) = (before.discards, claims.discards)
                    && old != new
                {
                    program.set_discards(new);
                }
            }
            Self::Gx2(shader) => gx2_claim(shader, claims),
            Self::Nvn(stage) => {
                let Some(new) = claims.registers else { return false };
                match &mut stage.sections {
                    Sections::Nvn { control, .. } => {
                        let place = control.0.get_mut(CONTROL_REGISTERS..);
                        if let Some(place) = place.and_then(|rest| rest.first_chunk_mut()) {
                            *place = new.to_le_bytes();
                        }
                    }
                    Sections::Code { registers, .. } => *registers = Some(new),
                    Sections::Deko3d { program, .. } => program.registers = new,
                }
            }
        }
        self.claims() != before
    }
}

/// The register with the number of general registers of a structure's program.
fn resources(kind: gx2::ShaderKind) -> Option<&'static r::Register> {
    match kind {
        gx2::ShaderKind::Vertex => Some(&r::SQ_PGM_RESOURCES_VS),
        gx2::ShaderKind::Pixel => Some(&r::SQ_PGM_RESOURCES_PS),
        gx2::ShaderKind::Geometry => Some(&r::SQ_PGM_RESOURCES_GS),
        gx2::ShaderKind::Compute => None,
    }
}

fn gx2_claims(shader: &gx2::Shader<'_>) -> Claims {
    let Some(register) = resources(shader.kind) else { return Claims::default() };
    let word = shader.named(register.name, 0);
    // All four registers have these fields at the same place.
    let field = |name| r::SQ_PGM_RESOURCES_PS.get(name, word);
    let control = shader.named(r::DB_SHADER_CONTROL.name, 0);
    let kills = r::DB_SHADER_CONTROL.get("KILL_ENABLE", control) != 0;
    Claims {
        registers: Some(field("NUM_GPRS")),
        stack: Some(field("STACK_SIZE")),
        discards: (shader.kind == gx2::ShaderKind::Pixel).then_some(kills),
        ..Claims::default()
    }
}

fn gx2_claim(shader: &mut gx2::Loose, claims: &Claims) {
    if let Some(register) = resources(shader.kind) {
        for (name, value) in [("NUM_GPRS", claims.registers), ("STACK_SIZE", claims.stack)] {
            set_field(shader, register, name, value);
        }
    }
    if shader.kind == gx2::ShaderKind::Pixel {
        set_field(shader, &r::DB_SHADER_CONTROL, "KILL_ENABLE", claims.discards.map(u32::from));
    }
}

/// Sets a field of a register, where it holds the value.
fn set_field(shader: &mut gx2::Loose, register: &r::Register, name: &str, value: Option<u32>) {
    let Some(row) = shader.kind.row_named(register.name) else { return };
    let Some((field, value)) = register.field(name).zip(value) else { return };
    let Some(old) = shader.shader().map(|shader| shader.word(row.word)) else { return };
    if field.of(field.with(0, value)) != value {
        return;
    }
    let (form, data) = match &mut shader.parts {
        gx2::Parts::Blocks(blocks) => match &mut blocks.header {
            Some(header) => (gx2::Form::GFD, &mut header.0),
            None => return,
        },
        gx2::Parts::Binary { endian, record, .. } => (gx2::Form::sharcfb(*endian), &mut record.data.0),
    };
    gx2::edit::set_word(form, data, usize::from(row.word).saturating_mul(4), field.with(old, value));
}
