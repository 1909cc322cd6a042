//! A stage of the Switch for the face ([`DetachedStage`]), and what its container states of it: the registers of a thread.

use super::control::Control;
use super::loose::{Loose, Sections};
use crate::shared::{claims::Claims, programs::DetachedStage};
use unshade_stage::{Isa, Stage, StageKind};

/// Place of the number of registers in a control section of NVN.
const CONTROL_REGISTERS: usize = 0x70C;

impl DetachedStage for Loose {
    fn kind(&self) -> StageKind {
        self.kind
    }

    fn isa(&self) -> Isa {
        Isa::Maxwell
    }

    fn stage(&self) -> Stage<'_> {
        self.stage()
    }

    fn claims(&self) -> Claims {
        let registers = match &self.sections {
            Sections::Nvn { control, .. } => Control(control).word(CONTROL_REGISTERS),
            Sections::Code { registers, .. } => *registers,
            Sections::Deko3d { program, .. } => Some(program.registers),
        };
        Claims { registers, ..Claims::default() }
    }

    fn claim(&mut self, claims: &Claims) {
        let Some(new) = claims.registers else { return };
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

    fn copy_stage(&self) -> Box<dyn DetachedStage> {
        Box::new(self.clone())
    }
}
