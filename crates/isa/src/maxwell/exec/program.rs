//! A program with what the interpreter needs to know beside its words.

use super::super::layout;
use super::super::operation::{Handle, Instruction, image_shapes};
use super::super::spaces::{driver, handle_bank};
use std::collections::BTreeMap;
use unshade_ir::TextureShape;
use unshade_stage::{Maxwell, Stage, StageKind};

/// A program of the machine.
#[derive(Debug, Clone)]
pub struct Program {
    /// What each word does, control words included (they are none); by address / 8.
    pub(super) code: Vec<Option<Instruction>>,
    pub(super) kind: StageKind,
    /// Address of the first instruction.
    pub(super) entry: u64,
    /// Bank with the table of texture and image handles.
    pub(super) handles: u8,
    /// Images of the table that the program accesses, by their words.
    images: BTreeMap<u16, TextureShape>,
    maxwell: Maxwell,
}

impl Program {
    /// The program of a stage. Never fails: what the machine cannot run, it runs into.
    pub fn new(stage: &Stage<'_>) -> Self {
        let mut maxwell = stage.interface.maxwell.as_deref().cloned().unwrap_or_default();
        maxwell.driver = driver(stage);
        Self::with(stage.kind, &stage.code.words, u64::from(stage.code.entry) * 4, maxwell)
    }

    /// A program from its words and what surrounds it; `entry` counts bytes.
    pub fn with(kind: StageKind, words: &[u32], entry: u64, maxwell: Maxwell) -> Self {
        let code: Vec<Option<Instruction>> = layout::words(words)
            .enumerate()
            .map(|(n, word)| if n % 4 == 0 { None } else { Instruction::decode(word) })
            .collect();
        let images = image_shapes(code.iter().flatten().map(|instruction| &instruction.operation));
        let handles = handle_bank(maxwell.driver);
        Self { code, kind, entry: layout::target(entry), handles, images, maxwell }
    }

    /// Its stage.
    pub fn kind(&self) -> StageKind {
        self.kind
    }

    /// What surrounds it.
    pub fn maxwell(&self) -> &Maxwell {
        &self.maxwell
    }

    /// The instructions that have a meaning, with their addresses.
    pub fn instructions(&self) -> impl Iterator<Item = (u64, Instruction)> + '_ {
        self.code.iter().enumerate().filter_map(|(n, inst)| Some((n as u64 * 8, (*inst)?)))
    }

    /// The shape of an image of the table, if the program goes at one there.
    pub(super) fn image(&self, handle: Handle) -> Option<TextureShape> {
        match handle {
            Handle::Bound(word) => self.images.get(&word).copied(),
            Handle::Register(_) => None,
        }
    }

    /// The instruction at an address.
    pub(super) fn at(&self, address: u64) -> Option<Instruction> {
        usize::try_from(address / 8).ok().and_then(|n| self.code.get(n)).copied().flatten()
    }
}
