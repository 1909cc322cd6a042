//! A program decoded once.

use super::super::half::Constants;
use super::super::reach::Reach;
use super::super::reach::floats;
use super::super::table::TEMPORARY;
use super::super::{Field, Inst};
use std::ops::Range;
use unshade_stage::Stage;

/// A program of the machine: its reachable instructions.
#[derive(Debug, Clone)]
pub struct Program {
    /// Sorted by word index.
    pub(super) insts: Vec<(u32, Inst)>,
    /// The constants of each.
    constants: Vec<[[f32; 4]; 2]>,
    pub(super) temporaries: Range<i32>,
}

impl Program {
    /// Decodes the code of a stage. Never fails.
    pub fn new(stage: &Stage<'_>) -> Self {
        Self::with_constants(stage, Constants::Exact)
    }

    /// The same, with the constants of the code read in that way.
    pub fn with_constants(stage: &Stage<'_>, how: Constants) -> Self {
        let reach = Reach::new(&stage.code.words);
        let temporaries = reach.temporaries();
        let insts: Vec<(u32, Inst)> = reach.insts.into_iter().collect();
        let read = |inst: &Inst| inst.constants.map(|constant| constant.halves().map(|half| how.read(half)));
        let constants = insts.iter().map(|(_, inst)| read(inst)).collect();
        Self { insts, constants, temporaries }
    }

    /// The instruction at a word index, if it can be reached.
    pub fn inst(&self, word: u32) -> Option<&Inst> {
        self.at(word).map(|(inst, _)| inst)
    }

    /// The same, with its constants.
    pub(super) fn at(&self, word: u32) -> Option<(&Inst, [[f32; 4]; 2])> {
        let found = self.insts.binary_search_by_key(&word, |(at, _)| *at).ok()?;
        Some((&self.insts.get(found)?.1, *self.constants.get(found)?))
    }

    /// Floats of the uniforms that the code names, up to the last one. Registers in addresses count as 0.
    pub fn uniform_floats(&self) -> u32 {
        let uniforms =
            self.insts.iter().filter(|(_, inst)| inst.has(Field::Uniform)).map(|(_, inst)| inst.uniform);
        uniforms
            .filter(|field| field.source() != TEMPORARY)
            .filter_map(|field| {
                let index = u32::try_from(field.index() as u16 as i16).ok()?;
                Some((index + 1) * floats(field.alignment()))
            })
            .max()
            .unwrap_or(0)
    }

    /// Floats of the varyings that the code names, up to the last one. Registers in addresses count as 0.
    pub fn varying_floats(&self) -> u32 {
        let varyings =
            self.insts.iter().filter(|(_, inst)| inst.has(Field::Varying)).map(|(_, inst)| inst.varying);
        varyings
            .filter(|field| field.source().is_place())
            .map(|field| (field.index() + 1) * floats(field.alignment()))
            .max()
            .unwrap_or(0)
    }

    /// Whether a register goes into an address of uniforms or varyings.
    pub fn indexes(&self) -> bool {
        self.insts.iter().any(|(_, inst)| {
            let uniform = inst.has(Field::Uniform) && inst.uniform.offset_enable() != 0;
            let varying = inst.has(Field::Varying)
                && inst.varying.source().is_place()
                && inst.varying.offset_register() != super::super::table::NO_OFFSET;
            uniform || varying
        })
    }
}
