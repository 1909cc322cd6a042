//! A stage of the Switch for the face ([`DetachedForm`]), and what its container states of it: the registers of a thread.

use super::control::Control;
use super::detached::{Detached, Sections};
use crate::shared::programs::DetachedForm;
use unshade_stage::CodeFacts;
use unshade_stage::{Isa, Stage, StageKind};

/// Place of the number of registers in a control section of NVN.
const CONTROL_REGISTERS: usize = 0x70C;

impl DetachedForm for Detached {
    fn kind(&self) -> StageKind {
        self.kind
    }

    fn isa(&self) -> Isa {
        Isa::Maxwell
    }

    fn stage(&self) -> Stage<'_> {
        self.stage()
    }

    fn code_facts(&self) -> CodeFacts {
        let registers = match &self.sections {
            Sections::Nvn { control, .. } => Control(control).word(CONTROL_REGISTERS),
            Sections::Code { registers, .. } => *registers,
            Sections::Deko3d { program, .. } => Some(program.registers),
        };
        CodeFacts { registers, ..CodeFacts::default() }
    }

    fn set_code_facts(&mut self, facts: &CodeFacts) {
        let Some(new) = facts.registers else { return };
        match &mut self.sections {
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

    fn copy_stage(&self) -> Box<dyn DetachedForm> {
        Box::new(self.clone())
    }
}
